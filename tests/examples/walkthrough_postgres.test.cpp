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
