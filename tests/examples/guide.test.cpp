#include "support/catch.hpp"
#include "support/program.hpp"

TEST_CASE("guide: every section does what it says", "[examples]") {
    const test::Run run = test::run("guide");

    INFO(run.output);
    CHECK(run.exit == 0);
    CHECK(run.output.find("withheld: 10 tokens allowed, ") == 0);
}
