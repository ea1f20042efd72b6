#include "support/catch.hpp"
#include "support/document.hpp"
#include "support/program.hpp"

TEST_CASE("lost_race: it prints what the page on the service says", "[examples][governed:9.8]") {
    const test::Run run = test::run("lost_race");

    CHECK(run.exit == 0);
    CHECK(run.output ==
          test::block_after(test::read_source("docs/service.md"), "<!-- output of: examples/lost_race.cpp -->"));
}
