#include <taskstate/base/error.hpp>

#include <fstream>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace taskstate;

namespace {

std::string row_of(const ReasonRow& reason) {
    return "| `" + std::string(word(reason.code)) + "` | `" + std::string(reason.word) + "` | " +
           std::string(reason.advice) + " |";
}

// The lines of the table that follows the heading `title`, without its head.
std::vector<std::string> table_under(const std::string& title) {
    std::ifstream file(TASKSTATE_SOURCE_DIR "/docs/errors.md");
    std::vector<std::string> rows;
    bool here = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("## ")) here = line == "## " + title;
        if (here && line.starts_with("| `")) rows.push_back(line);
    }
    return rows;
}

}  // namespace

TEST_CASE("errors.md: the table of reasons is the table of the library", "[base]") {
    std::vector<std::string> expected;
    for (const ReasonRow& reason : reasons()) expected.push_back(row_of(reason));

    const std::vector<std::string> documented = table_under("Reasons");

    REQUIRE(documented.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(documented[i] == expected[i]);
}

TEST_CASE("errors.md: each code has one line", "[base]") {
    const std::vector<std::string> documented = table_under("Codes");

    REQUIRE(documented.size() == static_cast<std::size_t>(Errc::storage) + 1);
    for (std::size_t i = 0; i < documented.size(); ++i) {
        CHECK(documented[i].starts_with("| `" + std::string(word(static_cast<Errc>(i))) + "` |"));
    }
}
