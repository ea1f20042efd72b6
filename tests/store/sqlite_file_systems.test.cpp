// Where a file may lie.

#include "store/contract.hpp"
#include "store/sqlite_file.hpp"

#include "store/sqlite/open.hpp"

namespace taskstate::test {
namespace {

/// The numbers of statfs for nfs, smb, cifs, afs, 9p, virtiofs, fuse, and one that nobody knows.
constexpr std::uint64_t untrusted[] = {0x6969,     0x517B,     0xFF534D42, 0x5346414F,
                                       0x01021997, 0x6A656A62, 0x65735546, 0x12345678};

}  // namespace

TEST_CASE("sqlite: a network, virtual or unknown file system gets a rollback journal and a warning",
          "[store][hazard:14]") {
    for (const std::uint64_t type : untrusted) {
        INFO(type);
        const TemporaryFolder folder;
        const std::string path = folder / "tasks.db";
        SqliteReport report;
        const auto states = states_of(filed_task, 3);
        {
            const auto store = open_sqlite_on(file_system_kind(type), {.path = path}, &report);
            REQUIRE(store.has_value());
            keep(**store, history(states));
            CHECK((*store)->load(filed_task)->has_value());
            CHECK_FALSE(folder.names().contains("tasks.db-wal"));
        }
        CHECK(report.file_system == file_system_kind(type).name);
        CHECK_FALSE(report.suitable);
        CHECK(report.journal == SqliteJournal::rollback);
        CHECK(Stranger(path).column("PRAGMA journal_mode") == "delete\n");
        CHECK(contents_of(*open_at(path)).revisions.size() == 3);  // moved to a local disk, it is as any other
    }
}

TEST_CASE("sqlite: a file that was in WAL mode loses nothing when it is opened with a rollback journal",
          "[store][hazard:14]") {
    const TemporaryFolder folder;
    const std::string path = filled(folder);
    const Contents before = contents_of(*open_at(path));
    const auto store = open_sqlite_on(file_system_kind(0x6969), {.path = path}, nullptr);
    REQUIRE(store.has_value());
    CHECK(contents_of(**store) == before);
}

TEST_CASE("sqlite: a host may have an unsuitable file system refused, or keep the WAL", "[store][hazard:14]") {
    for (const std::uint64_t type : untrusted) {
        const TemporaryFolder folder;
        const std::string path = folder / "tasks.db";
        const FileSystemKind kind = file_system_kind(type);
        const auto refused = open_sqlite_on(kind, {.path = path, .unsuitable = Unsuitable::refuse}, nullptr);
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().reason == Reason::unsuitable_file_system);
        CHECK(folder.names().empty());
        SqliteReport report;
        REQUIRE(open_sqlite_on(kind, {.path = path, .unsuitable = Unsuitable::ignore}, &report).has_value());
        CHECK(report.journal == SqliteJournal::wal);
        CHECK_FALSE(report.suitable);
    }
}

TEST_CASE("sqlite: a local file system is suitable, and the report names it", "[store][hazard:14]") {
    SqliteReport report;
    const TemporaryFolder folder;
    REQUIRE(open_sqlite_on(file_system_kind(0xEF53), {.path = folder / "tasks.db"}, &report).has_value());
    CHECK(report.file_system == "ext");
    CHECK(report.suitable);
    CHECK(report.journal == SqliteJournal::wal);
    REQUIRE(open_sqlite({.path = folder / "tasks.db"}, &report).has_value());
    CHECK_FALSE(report.file_system.empty());
    CHECK(file_system_of(folder / "missing").name == "unknown");
}

}  // namespace taskstate::test
