#include <taskstate/base/error.hpp>

#include <string>
#include <vector>

#include "support/document.hpp"

using namespace taskstate;

namespace {

const std::string page = "docs/errors.md";

std::string row_of(const ReasonRow& reason) {
    return "| `" + std::string(word(reason.code)) + "` | `" + std::string(reason.word) + "` | " +
           std::string(reason.advice) + " |";
}

}  // namespace

TEST_CASE("errors.md: the table of reasons is the table of the library", "[base]") {
    std::vector<std::string> expected;
    for (const ReasonRow& reason : reasons()) expected.push_back(row_of(reason));

    const std::vector<std::string> documented = test::table_under(page, "Reasons");

    REQUIRE(documented.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(documented[i] == expected[i]);
}

TEST_CASE("errors.md: each code has one line", "[base]") {
    const std::vector<std::string> documented = test::table_under(page, "Codes");

    REQUIRE(documented.size() == static_cast<std::size_t>(Errc::storage) + 1);
    for (std::size_t i = 0; i < documented.size(); ++i) {
        CHECK(documented[i].starts_with("| `" + std::string(word(static_cast<Errc>(i))) + "` |"));
    }
}
