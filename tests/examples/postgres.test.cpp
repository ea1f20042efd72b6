#include <cstdlib>

#include "store/postgres_server.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

TEST_CASE("walkthrough: with a database in place of the snapshot file the model sees the same bytes", "[examples]") {
    const std::string with_file = test::run("walkthrough").output;
    setenv("TASKSTATE_POSTGRES_URL", test::postgres_url().c_str(), 1);

    // A second run finds nothing of the first.
    for (int i = 0; i < 2; ++i) {
        const test::Run run = test::run("walkthrough", "--store postgres");
        CHECK(run.exit == 0);
        CHECK(run.output == with_file);
    }
}

TEST_CASE("postgres_store: of two hosts on one revision one is late, and decides again", "[examples]") {
    for (int i = 0; i < 2; ++i) {
        const test::Run run = test::run("postgres_store", "'" + test::postgres_url() + "'");
        CHECK(run.output == "south was late: concurrent_successor_committed\nrevision 2, notes: 2\n");
        CHECK(run.exit == 0);
    }
    CHECK(test::run("postgres_store").exit == 2);
}
