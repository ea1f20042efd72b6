// A file of the first format, as it was released.

#include "store/contract.hpp"
#include "store/sqlite_file.hpp"
#include "support/desk.hpp"

#include <cstdlib>

namespace taskstate::test {
namespace {

constexpr const char* golden_database = TASKSTATE_SOURCE_DIR "/tests/golden/sqlite-1.db";

/// What a service wrote; only ever added to.
void write_golden(const std::string& path) {
    Desk desk(open_at(path));
    desk.start("delivery-42");
    Desk::accept(desk.propose("delivery-42", set_status("review", ItemStatus::running)));
    (void)desk.propose("delivery-42", set_status("deploy", ItemStatus::running));
    Desk::accept(desk.to("delivery-42", Lifecycle::paused));
    Desk::accept(desk.to("delivery-42", Lifecycle::open));
    desk.bind("delivery-42", stored_session);
    desk.start("delivery-43");
    Desk::accept(desk.to("delivery-43", Lifecycle::completed));
    (void)value_of(desk.service.prepare({.scope = home, .task = "delivery-42"}));
    (void)value_of(desk.service.trim({.task = {home, "delivery-42"}, .actor = admin_ada, .last = 3}));
}

}  // namespace

// TASKSTATE_WRITE_GOLDENS=1 writes the file instead, which is right only as long as no release has this format.
TEST_CASE("sqlite: a file of the first format opens, is sound and goes on", "[store]") {
    if (std::getenv("TASKSTATE_WRITE_GOLDENS") != nullptr) {
        std::filesystem::remove(golden_database);
        write_golden(golden_database);
        return;
    }
    const TemporaryFolder folder;
    const std::string path = folder / "tasks.db", fresh = folder / "fresh.db";
    std::filesystem::copy_file(golden_database, path);
    REQUIRE(check_sqlite(path));

    write_golden(fresh);
    CHECK(contents_of(*open_at(path), {home, abroad}) == contents_of(*open_at(fresh), {home, abroad}));
    CHECK(Stranger(path).column("SELECT sql FROM sqlite_master ORDER BY name") ==
          Stranger(fresh).column("SELECT sql FROM sqlite_master ORDER BY name"));

    const auto store = open_at(path);
    auto service = value_of(TaskService::open({.store = store}));
    const Integrity integrity = value_of(service.verify(home));
    CHECK(integrity.valid);
    CHECK(integrity.checked_tasks == 2);
    const Revision base = value_of(store->find({home, "delivery-42"}, std::nullopt))->head.frame.revision;
    const auto gone_on = value_of(service.lifecycle({.task = {home, "delivery-42"},
                                                     .key = "after-the-golden",
                                                     .actor = admin_ada,
                                                     .to = Lifecycle::cancelled,
                                                     .base = base,
                                                     .reason = "asked for"}));
    CHECK(gone_on.decision.outcome == Outcome::accepted);
}

}  // namespace taskstate::test
