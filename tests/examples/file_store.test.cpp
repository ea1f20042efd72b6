#include "store/temporary_folder.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

TEST_CASE("file_store: going back is one more revision, in every process again", "[examples]") {
    const test::TemporaryFolder folder;
    const std::string tasks = "'" + (folder / "tasks") + "'";
    CHECK(test::run("file_store", tasks).output == "revision 3, returned_to_revision_1, notes: 1\n");
    CHECK(test::run("file_store", tasks).output == "revision 6, returned_to_revision_4, notes: 2\n");
    CHECK(test::run("file_store").exit == 2);
    CHECK(test::run("file_store", "'" + (folder / "nowhere/tasks") + "'").exit == 1);
}
