// What is true of the SQLite store alone; what it shares with the others is in the contract.

#include "store/faulty_vfs.hpp"
#include "store/sqlite_file.hpp"

#include "store/sqlite/schema.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace taskstate {

using test::filed_task;
using test::filled;
using test::keep;
using test::open_at;
using test::Stranger;
using test::TemporaryFolder;

TEST_CASE("sqlite: what was committed is there after the file is opened again", "[store]") {
    const TemporaryFolder folder;
    const std::string path = filled(folder);
    const auto store = open_at(path);
    const auto task = *store->load(filed_task);
    REQUIRE(task.has_value());
    CHECK(task->head.frame.revision == Revision{3});
    CHECK(task->snapshot == to_input(test::states_of(filed_task, 3).back()));
    CHECK(store->revisions(filed_task, {}, 10)->size() == 3);
    CHECK((*store->find(filed_task, "k"))->decision->id == "d1");
}

TEST_CASE("sqlite: the files are for their owner alone", "[store]") {
    const TemporaryFolder folder;
    const std::string path = folder / "tasks.db";
    const auto store = open_at(path);
    keep(*store, test::history(test::states_of(filed_task, 1)));
    for (const std::string& name : folder.names()) {
        INFO(name);
        CHECK(test::mode_of(folder / name) == 0600);
    }
}

TEST_CASE("sqlite: a file of somebody else, or of a newer version, is refused with its bytes unchanged", "[store]") {
    const TemporaryFolder folder;
    struct Case {
        std::string sql;
        Reason reason;
    };
    const std::string ours = std::to_string(0x74736b31);
    for (const auto& [sql, reason] :
         {Case{"CREATE TABLE theirs(a)", Reason::foreign_file},
          Case{"PRAGMA application_id=7; CREATE TABLE theirs(a)", Reason::foreign_file},
          Case{"PRAGMA application_id=" + ours + "; PRAGMA user_version=2; CREATE TABLE t(a)", Reason::newer_format}}) {
        const std::string path = folder / "other.db";
        REQUIRE(Stranger(path).run(sql) == SQLITE_OK);
        const std::string before = test::bytes_of(path);
        const auto opened = open_sqlite({.path = path});
        REQUIRE_FALSE(opened.has_value());
        CHECK(opened.error().reason == reason);
        CHECK(test::bytes_of(path) == before);
        std::filesystem::remove(path);
    }
    test::put_bytes(folder / "text.db", std::string(5'000, 'x'));
    CHECK(open_sqlite({.path = folder / "text.db"}).error().reason == Reason::foreign_file);
}

TEST_CASE("sqlite: nobody changes what is on record", "[store][governed:26.5]") {
    const TemporaryFolder folder;
    Stranger stranger(filled(folder));
    for (const char* const sql :
         {"UPDATE revisions SET revision_record='{}'", "UPDATE revisions SET revision=9 WHERE revision=3",
          "UPDATE lineage SET id='x'", "UPDATE decisions SET decision='{}'", "UPDATE decisions SET key=NULL",
          "UPDATE deliveries SET delivery='{}'", "UPDATE deliveries SET exposed_at=NULL",
          "UPDATE deliveries SET id='x', exposed_at=1"}) {
        INFO(sql);
        CHECK(stranger.run(sql) == SQLITE_CONSTRAINT);
    }
    CHECK(stranger.run("UPDATE deliveries SET exposed_at=1") == SQLITE_OK);
    CHECK(stranger.run("UPDATE deliveries SET exposed_at=2") == SQLITE_CONSTRAINT);
    CHECK(stranger.run("INSERT INTO revisions(task,revision,revision_record) VALUES(1,3,'{}')") == SQLITE_CONSTRAINT);
}

TEST_CASE("sqlite: a made-up older version is lifted, also after an interruption", "[store]") {
    const TemporaryFolder folder;
    const std::string path = filled(folder);
    const std::vector<Migration> later{sqlite_migrations().front(), {"ALTER TABLE profiles ADD COLUMN extra TEXT"}};
    auto database = Database::open(path, Database::Access::write, 1'000);
    REQUIRE(database.has_value());
    const std::vector<Migration> broken{later.front(), {"ALTER TABLE profiles ADD COLUMN extra TEXT; SELECT nonsense"}};
    CHECK_FALSE(lift_schema(*database, broken).has_value());
    CHECK(*database->number("PRAGMA user_version") == 1);
    REQUIRE(lift_schema(*database, later).has_value());
    REQUIRE(lift_schema(*database, later).has_value());
    CHECK(*database->number("PRAGMA user_version") == 2);
    CHECK(*database->number("SELECT count(*) FROM pragma_table_info('profiles') WHERE name='extra'") == 1);
    CHECK(*database->number("SELECT count(*) FROM revisions") == 3);
}

TEST_CASE("sqlite: two stores on one file are one store", "[store]") {
    const TemporaryFolder folder;
    const std::string path = filled(folder);
    const auto one = open_at(path), other = open_at(path);
    const auto states = test::states_of(filed_task, 4);
    keep(*one, {test::advance(states[3], states[4])});
    CHECK((*other->find(filed_task, std::nullopt))->head.frame.revision == Revision{4});
    const std::vector<Write> late{test::advance(states[3], states[4])};
    const auto refused = other->commit(late);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().reason == Reason::concurrent_successor_committed);
}

TEST_CASE("sqlite: the stores of a process on one file share the connection that writes, so none waits for a lock",
          "[store]") {
    constexpr std::size_t callers = 6, commits = 40;
    const TemporaryFolder folder;
    const SqliteOptions hasty{.path = folder / "tasks.db", .synchronous = Synchronous::normal, .busy_timeout_ms = 0};
    const auto first = open_sqlite(hasty);
    REQUIRE(first);
    keep(**first, test::history(test::states_of(filed_task, 1)));
    std::atomic<std::size_t> refused = 0;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < callers; ++i) {
        const auto store = open_sqlite(hasty);
        REQUIRE(store);
        threads.emplace_back([&, i, store = *store] {
            for (std::size_t n = 0; n < commits; ++n) {
                const std::vector<Write> batch{test::decision(filed_task, std::to_string(i) + '-' + std::to_string(n))};
                if (!store->commit(batch)) ++refused;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(refused == 0);
    CHECK((*first)->decisions(filed_task, 0, 1'000)->size() == callers * commits);
}

TEST_CASE("sqlite: of the stores of a process on one file, the one that wants most of a power cut is served",
          "[store]") {
    test::FaultyVfs files({});
    const TemporaryFolder folder;
    const std::string path = folder / "tasks.db";
    const auto store = open_at(path, Synchronous::normal);
    keep(*store, test::history(test::states_of(filed_task, 1)));
    const auto operations_of = [&](const std::string& id) {
        const std::size_t before = files.operations();
        keep(*store, {test::decision(filed_task, id)});
        return files.operations() - before;
    };
    (void)operations_of("d1");
    const std::size_t unsynced = operations_of("d2");
    const auto strict = open_at(path, Synchronous::full);
    CHECK(operations_of("d3") == unsynced + 1);
}

TEST_CASE("sqlite: what is forgotten is in none of its files", "[store][governed:29.8]") {
    const TemporaryFolder folder;
    const std::string path = folder / "tasks.db";
    {
        const auto store = open_at(path);
        keep(*store, test::history(test::states_of(filed_task, 2)));
        keep(*store, {AddDecision{filed_task, {.id = "secret-decision-1234", .key = "secret-key-1234"}}});
        REQUIRE((*store->forget(filed_task)).has_value());
        for (const std::string& name : folder.names()) {
            INFO(name);
            CHECK(test::bytes_of(folder / name).find("secret-") == std::string::npos);
        }
    }
}

TEST_CASE("sqlite: what only trimmed revisions held is in none of its files", "[store][hazard:25]") {
    const TemporaryFolder folder;
    const std::string path = folder / "tasks.db";
    const auto states = test::states_of(filed_task, 4);
    const auto store = open_at(path);
    auto writes = test::history(states);
    auto& second = std::get<AdvanceTask>(writes[1]).revision;
    second.origin.reason = "a secret-reason-1234";
    second.lineage.push_back({.kind = TargetKind::field, .id = "secret-lineage-1234"});
    keep(*store, writes);

    keep(*store, {TrimLog{.task = filed_task, .first = {4}, .kept = {test::based(states, 4)}}});

    CHECK(store->revisions(filed_task, {}, 10)->size() == 1);
    for (const std::string& name : folder.names()) {
        INFO(name);
        CHECK(test::bytes_of(folder / name).find("secret-") == std::string::npos);
    }
}

TEST_CASE("sqlite: changes of one field grow the file with the change and not with the state", "[store][hazard:25]") {
    constexpr std::size_t rounds = 200;
    const TemporaryFolder folder;
    /// Bytes that a revision costs which adds a note or takes one away, beside `others`.
    const auto bytes_per_change = [&](std::size_t others) {
        const std::string path = folder / (std::to_string(others) + ".db");
        TaskState task = *TaskState::create({.id = filed_task.id, .scope = filed_task.scope});
        const auto step = [&](Store& store, const HostDelta& delta) {
            const Snapshot before = *task.snapshot();
            const auto after = task.update(delta, task.revision());
            REQUIRE(after.has_value());
            const bool first = before.revision() == Revision{};
            keep(store,
                 {first ? Write(test::start(before, after->snapshot)) : Write(test::advance(before, after->snapshot))});
        };
        HostDelta beginning;
        for (std::size_t i = 0; i < others; ++i) {
            beginning.notes.push_back(test::note("n" + std::to_string(i), Category::question));
        }
        step(*open_at(path), beginning);  // whose end writes the log into the file
        const auto before = std::filesystem::file_size(path);
        {
            const auto store = open_at(path);
            for (std::size_t i = 0; i < rounds; ++i) {
                step(*store, {.notes = {test::note("x", Category::question)}});
                step(*store, {.resolve = {"x"}, .prune = {.notes = {"x"}}});
            }
        }
        return (std::filesystem::file_size(path) - before) / (2 * rounds);
    };
    const auto small = bytes_per_change(1), large = bytes_per_change(64);
    CHECK(large < small + small / 10);
    CHECK(large < 2'500);
}

}  // namespace taskstate
