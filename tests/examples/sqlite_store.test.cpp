#include "store/temporary_folder.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

TEST_CASE("sqlite_store: the next process goes on where the last one ended", "[examples]") {
    const test::TemporaryFolder folder;
    for (const char* expected : {"revision 1\n", "revision 2\n", "revision 3\n"}) {
        CHECK(test::run("sqlite_store", "'" + (folder / "tasks.db") + "'").output == expected);
    }
    CHECK(test::run("sqlite_store").exit == 2);
    CHECK(test::run("sqlite_store", "'" + (folder / "nowhere/tasks.db") + "'").exit == 1);
}

TEST_CASE("walkthrough: with SQLite in place of the snapshot file the model sees the same bytes", "[examples]") {
    const test::Run run = test::run("walkthrough", "--store sqlite");
    CHECK(run.exit == 0);
    CHECK(run.output == test::run("walkthrough").output);
}
