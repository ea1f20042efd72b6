#include <algorithm>
#include <string>

#include "support/catch.hpp"
#include "support/document.hpp"
#include "support/program.hpp"

TEST_CASE("quickstart: it prints what the README says", "[examples]") {
    const test::Run run = test::run("quickstart");

    CHECK(run.exit == 0);
    CHECK(run.output ==
          test::block_after(test::read_source("README.md"), "<!-- output of: examples/quickstart.cpp -->"));
}

TEST_CASE("quickstart: the README shows the whole program, and it has 20 lines", "[examples]") {
    const std::string program = test::read_source("examples/quickstart.cpp");

    CHECK(std::count(program.begin(), program.end(), '\n') <= 20);
    CHECK(test::block_after(test::read_source("README.md"), "<!-- from: examples/quickstart.cpp -->") == program);
}
