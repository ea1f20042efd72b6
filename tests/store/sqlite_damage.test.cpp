// Files that are not what the store left: found before anything is believed, and left as they are.

#include "store/cases.hpp"
#include "store/contract.hpp"
#include "store/faulty_vfs.hpp"
#include "store/processes.hpp"
#include "store/sqlite_file.hpp"
#include "support/desk.hpp"

#include <map>

namespace taskstate::test {
namespace {

/// All files of a folder with their bytes.
std::map<std::string, std::string> files_in(const TemporaryFolder& folder) {
    std::map<std::string, std::string> files;
    for (const std::string& name : folder.names()) files[name] = bytes_of(folder / name);
    return files;
}

/// What stays of a log of a process that was killed; the shared memory beside it means nothing.
std::map<std::string, std::string> evidence_in(const TemporaryFolder& folder) {
    auto files = files_in(folder);
    files.erase("tasks.db-shm");
    return files;
}

/// A file whose last commits stand in a log that nobody has written into it.
std::string killed(const TemporaryFolder& folder) {
    const std::string path = filled(folder);
    (void)exit_code(test::start([&] {
        const auto states = states_of(filed_task, 4);
        const auto store = open_at(path);
        keep(*store, {advance(states[3], states[4])});
        ::_exit(0);  // and the store is never closed
        return 0;
    }));
    REQUIRE(folder.names().contains("tasks.db-wal"));
    return path;
}

/// A file of a service, with a task that went some way.
void serve(const std::string& path) {
    Desk desk(open_at(path));
    desk.start("delivery-42");
    Desk::accept(desk.propose("delivery-42", set_status("review", ItemStatus::running)));
    (void)desk.propose("delivery-42", set_status("deploy", ItemStatus::running));
    desk.bind("delivery-42", stored_session);
}

/// Whether anything that a host can ask tells of damage.
bool tells_of_damage(const std::string& path) {
    if (!check_sqlite(path)) return true;
    const auto store = open_sqlite({.path = path});
    if (!store) return true;
    const TaskAddress task{home, "delivery-42"};
    if (!(*store)->decisions(task, 0, all) || !(*store)->deliveries(task, 0, all) ||
        !(*store)->bindings({.scope = home}) || !(*store)->tally(home)) {
        return true;
    }
    auto service = TaskService::open({.store = *store});
    const auto integrity = service->verify(home);
    return !integrity || !integrity->valid;
}

}  // namespace

TEST_CASE("sqlite damage: an emptied, zeroed, cut or lengthened file is told from a good one and stays as it is",
          "[store][faults][hazard:12]") {
    struct Case {
        std::string what{};
        void (*damage)(std::string& bytes) = nullptr;
        Reason reason{};
    };
    const std::vector<Case> damages{
        {"zeros", [](std::string& bytes) { bytes.assign(bytes.size(), '\0'); }, Reason::zeroed},
        {"a zeroed header", [](std::string& bytes) { bytes.replace(0, 100, 100, '\0'); }, Reason::zeroed},
        {"the last page gone", [](std::string& bytes) { bytes.resize(bytes.size() - 4096); }, Reason::short_file},
        {"cut in a page", [](std::string& bytes) { bytes.resize(bytes.size() / 2 + 77); }, Reason::short_file},
        {"cut in the header", [](std::string& bytes) { bytes.resize(77); }, Reason::short_file},
        {"a tail", [](std::string& bytes) { bytes.append(1'111, 'x'); }, Reason::trailing_bytes},
        {"another file", [](std::string& bytes) { bytes = "{\"a\":1}\n" + std::string(9'000, ' '); },
         Reason::foreign_file}};
    Cases cases("sqlite damaged file");
    for (const auto& [what, damage, reason] : damages) {
        INFO(what);
        const TemporaryFolder folder;
        const std::string path = filled(folder);
        std::string bytes = bytes_of(path);
        damage(bytes);
        put_bytes(path, bytes);
        const auto before = files_in(folder);

        const auto opened = open_sqlite({.path = path});

        REQUIRE_FALSE(opened.has_value());
        CHECK(word(opened.error().reason) == word(reason));
        CHECK(check_sqlite(path).error().reason == reason);
        CHECK(files_in(folder) == before);
        ++cases;
    }
}

TEST_CASE("sqlite damage: a refused file keeps its log, which may be all that is left", "[store][faults][hazard:12]") {
    const TemporaryFolder folder;
    const std::string path = killed(folder);
    SECTION("of a file that was emptied") {
        put_bytes(path, "");
        const auto before = evidence_in(folder);
        CHECK(open_sqlite({.path = path}).error() == fail(Reason::short_file, "", {100, 0}));
        CHECK(evidence_in(folder) == before);
    }
    SECTION("of a newer version, whose number stands in the log alone") {
        (void)exit_code(test::start([&] {
            Stranger stranger(path);
            (void)stranger.run("PRAGMA user_version=99");
            ::_exit(0);
            return 0;
        }));
        REQUIRE(folder.names().contains("tasks.db-wal"));
        const auto before = evidence_in(folder);
        CHECK(open_sqlite({.path = path}).error().reason == Reason::newer_format);
        CHECK(evidence_in(folder) == before);
    }
}

TEST_CASE("sqlite damage: a flipped bit is told of, or leaves the state of the task as it was",
          "[store][faults][hazard:12]") {
    Cases cases("sqlite flipped bit");
    const TemporaryFolder folder;
    const std::string path = folder / "tasks.db";
    serve(path);
    const std::string good = bytes_of(path);
    const TaskAddress task{home, "delivery-42"};
    const StoredTask sound = **open_at(path)->load(task);
    REQUIRE_FALSE(tells_of_damage(path));
    const FaultyVfs quick({});  // which syncs nothing
    for (std::size_t at = 0; at < good.size(); at += 211 * case_step(), ++cases) {
        INFO("byte " << at);
        std::string bytes = good;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
        put_bytes(path, bytes);
        if (!tells_of_damage(path)) CHECK((**open_at(path)->load(task)).snapshot == sound.snapshot);
    }
}

TEST_CASE("sqlite damage: a torn page refuses the commit that meets it", "[store][faults][hazard:12]") {
    const TemporaryFolder folder;
    const std::string path = filled(folder);
    const int page = std::stoi(Stranger(path).column("SELECT rootpage FROM sqlite_master WHERE name='revisions'"));
    std::string bytes = bytes_of(path);
    bytes.replace(static_cast<std::size_t>(page - 1) * 4096, 2048, 2048, '\0');
    put_bytes(path, bytes);
    const auto store = open_at(path);
    const auto states = states_of(filed_task, 4);
    const auto done = store->commit(std::vector<Write>{advance(states[3], states[4])});
    REQUIRE_FALSE(done.has_value());
    CHECK(word(done.error().reason) == word(Reason::integrity_check_failed));
    CHECK(word(check_sqlite(path).error().reason) == word(Reason::integrity_check_failed));
    CHECK((*store->find(filed_task, std::nullopt))->head.frame.revision == Revision{3});
}

TEST_CASE("sqlite damage: a log beside another file is told of", "[store][faults][hazard:12]") {
    const TemporaryFolder folder, other;
    const std::string path = folder / "tasks.db", foreign = killed(other);
    serve(path);
    put_bytes(path + "-wal", bytes_of(foreign + "-wal"));
    CHECK(tells_of_damage(path));
}

TEST_CASE("sqlite damage: a copy that SQLite makes while others write opens as a store", "[store]") {
    const TemporaryFolder folder;
    const std::string path = filled(folder), copy = folder / "copy.db";
    const auto store = open_at(path);
    const Contents sound = contents_of(*store);
    REQUIRE(Stranger(path).run("VACUUM INTO '" + copy + "'") == SQLITE_OK);
    CHECK(check_sqlite(copy));
    CHECK(contents_of(*open_at(copy)) == sound);
}

}  // namespace taskstate::test
