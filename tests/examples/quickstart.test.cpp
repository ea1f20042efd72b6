#include <algorithm>
#include <string>

#include "support/catch.hpp"
#include "support/program.hpp"

namespace {

// The fenced block that follows `marker`.
std::string block_after(const std::string& document, const std::string& marker) {
    const auto at = document.find(marker);
    REQUIRE(at != std::string::npos);
    const auto fence = document.find("```", at);
    REQUIRE(fence != std::string::npos);
    const auto first = document.find('\n', fence) + 1;
    const auto last = document.find("```", first);
    REQUIRE(last != std::string::npos);
    return document.substr(first, last - first);
}

}  // namespace

TEST_CASE("quickstart: it prints what the README says", "[examples]") {
    const test::Run run = test::run("quickstart");

    CHECK(run.exit == 0);
    CHECK(run.output == block_after(test::read_source("README.md"), "<!-- output of: examples/quickstart.cpp -->"));
}

TEST_CASE("quickstart: the README shows the whole program, and it has 20 lines", "[examples]") {
    const std::string program = test::read_source("examples/quickstart.cpp");

    CHECK(std::count(program.begin(), program.end(), '\n') <= 20);
    CHECK(block_after(test::read_source("README.md"), "<!-- from: examples/quickstart.cpp -->") == program);
}
