// What a file that cannot be written, a full disk and a power cut leave of a SQLite store, operation by operation.

#include "store/cases.hpp"
#include "store/contract.hpp"
#include "store/faulty_vfs.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite_file.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace taskstate::test {
namespace {

using Fault = FaultyVfs::Fault;

/// Something that a host has done; done again where it is already so, it is still so.
using Step = std::function<Result<void>(Store&)>;

Step commit(std::vector<Write> batch) {
    return [batch = std::move(batch)](Store& store) { return store.commit(batch); };
}
Step forget(TaskAddress task) {
    return [task = std::move(task)](Store& store) -> Result<void> {
        auto removed = store.forget(task);
        if (!removed) return std::move(removed).error();
        return {};
    };
}

enum class Beginning : std::uint8_t { nothing, tables };

/// What a host does between opening a file and closing it, which empties the log into the file; several times.
struct Story {
    std::string name{};
    Beginning beginning{};
    std::vector<std::vector<Step>> sessions{};
};

const TaskAddress other_task{stored_scope, "delivery-43"};

std::vector<Story> stories() {
    const auto states = states_of(filed_task, 5), others = states_of(other_task, 3);
    const auto next = [&](std::size_t i) { return commit({advance(states[i - 1], states[i])}); };
    const Step begin = commit({start(states[0], states[1]), AddDecision{filed_task, {.id = "d1", .key = "k1"}}});
    return {{"open and a commit", Beginning::nothing, {{begin}}},
            {"commits and checkpoints", Beginning::tables, {{begin, next(2)}, {next(3), next(4)}, {next(5)}}},
            {"forget", Beginning::tables, {{begin, commit(history(others)), forget(filed_task), forget(other_task)}}}};
}

/// The file in which a story takes place.
std::string begin_in(const TemporaryFolder& folder, const Story& story) {
    static const std::string tables = [] {
        const TemporaryFolder made;
        (void)open_at(made / "tasks.db");
        return bytes_of(made / "tasks.db");
    }();
    if (story.beginning == Beginning::tables) put_bytes(folder / "tasks.db", tables);
    return folder / "tasks.db";
}

/// How a story went.
struct Ending {
    std::size_t acknowledged = 0;
    std::optional<Error> error{};
};

/// Up to the first thing that fails; each state that was acknowledged is told.
Ending tell(const Story& story, const std::string& path, const std::function<void(Store&)>& reached = {}) {
    Ending ending;
    for (const auto& session : story.sessions) {
        const auto store = open_sqlite({.path = path});
        if (!store) return {ending.acknowledged, store.error()};
        for (const Step& step : session) {
            if (const auto done = step(**store); !done) return {ending.acknowledged, done.error()};
            ++ending.acknowledged;
            if (reached) reached(**store);
        }
    }
    return ending;
}

/// What the store holds at the beginning and after each step.
std::vector<Contents> states_of(const Story& story) {
    const TemporaryFolder folder;
    std::vector<Contents> states{Contents{.modes = {ScopeMode::disabled}, .tallies = {{}}}};
    const auto ending =
        tell(story, begin_in(folder, story), [&](Store& store) { states.push_back(contents_of(store)); });
    REQUIRE_FALSE(ending.error.has_value());
    return states;
}

bool is_already_so(const Error& error) {
    return error.reason == Reason::already_exists || error.reason == Reason::concurrent_successor_committed;
}

/// A host that, told that something failed, does the same again, and opens the file again where that failed.
void insist(const Story& story, const std::string& path, FaultyVfs& files, Fault fault) {
    const auto retried = [&](const auto& attempt) {
        auto done = attempt();
        if (!done && fault == Fault::fills) CHECK(word(done.error().reason) == word(Reason::storage_full));
        if (!done) files.heal();
        return done ? std::move(done) : attempt();
    };
    for (const auto& session : story.sessions) {
        const auto store = retried([&] { return open_sqlite({.path = path}); });
        REQUIRE(store.has_value());
        for (const Step& step : session) {
            const auto done = retried([&] { return step(**store); });
            if (!done && !is_already_so(done.error())) FAIL(word(done.error().reason));
        }
    }
}

std::size_t count_operations(const Story& story) {
    const TemporaryFolder folder;
    const std::string path = begin_in(folder, story);
    FaultyVfs files({});
    (void)tell(story, path);
    return files.operations();
}

/// A sound file with the state that was acknowledged last, or after a doubt the next one.
void check_state(const std::string& path, const Ending& ending, const std::vector<Contents>& states) {
    const FaultyVfs quick({});  // which syncs nothing
    CHECK(Stranger(path).column("PRAGMA integrity_check") == "ok\n");
    CHECK(Stranger(path).column("PRAGMA foreign_key_check").empty());
    const Contents found = contents_of(*open_at(path));
    const bool doubtful = ending.error && ending.error->reason == Reason::commit_in_doubt;
    const bool old_state = found == states[ending.acknowledged];
    CHECK((old_state || (doubtful && found == states.at(ending.acknowledged + 1))));
}

}  // namespace

TEST_CASE("sqlite faults: after a crash at any operation the old state or the new one is there, whole",
          "[store][faults][hazard:11]") {
    Cases cases("sqlite crash");
    for (const Story& story : stories()) {
        const auto states = states_of(story);
        const std::size_t operations = count_operations(story);
        for (std::size_t at = 1; at <= operations; at += case_step(), ++cases) {
            INFO(story.name << ", at " << at);
            const TemporaryFolder folder;
            const std::string path = begin_in(folder, story);
            Ending ending;
            {
                FaultyVfs files({.at = at, .fault = Fault::tears, .for_good = true});
                ending = tell(story, path);
            }
            if (ending.error) {
                const Reason reason = ending.error->reason;
                INFO(word(reason));
                CHECK((reason == Reason::storage_failed || reason == Reason::commit_in_doubt));
            }
            check_state(path, ending, states);
        }
    }
}

TEST_CASE("sqlite faults: a power cut at any operation takes nothing that was acknowledged", "[store][faults]") {
    Cases cases("sqlite power cut");
    for (const Story& story : stories()) {
        const auto states = states_of(story);
        const std::size_t operations = count_operations(story);
        for (const std::size_t kept : {0u, 2u}) {
            for (std::size_t at = 1; at <= operations; at += case_step(), ++cases) {
                INFO(story.name << ", at " << at << ", kept " << kept);
                const TemporaryFolder folder;
                const std::string path = begin_in(folder, story);
                Ending ending;
                {
                    FaultyVfs files({.at = at, .fault = Fault::tears, .for_good = true});
                    ending = tell(story, path);
                    files.cut_power(kept);
                }
                check_state(path, ending, states);
            }
        }
    }
}

TEST_CASE("sqlite faults: who sends the same again after a failure gets to the end, and nothing twice",
          "[store][faults][hazard:13]") {
    Cases cases("sqlite retry");
    for (const Story& story : stories()) {
        const auto states = states_of(story);
        const std::size_t operations = count_operations(story);
        for (const Fault fault : {Fault::tears, Fault::fills}) {
            for (std::size_t at = 1; at <= operations; at += case_step(), ++cases) {
                INFO(story.name << ", fault " << static_cast<int>(fault) << " at " << at);
                const TemporaryFolder folder;
                const std::string path = begin_in(folder, story);
                {
                    FaultyVfs files({.at = at, .fault = fault, .for_good = fault == Fault::fills});
                    insist(story, path, files, fault);
                }
                check_state(path, {.acknowledged = states.size() - 1}, states);
            }
        }
    }
}

TEST_CASE("sqlite faults: a file that may not be opened or written is denied, and nothing has changed",
          "[store][faults]") {
    Cases cases("sqlite denied");
    const TemporaryFolder folder;
    const std::string path = filled(folder);
    const Contents before = contents_of(*open_at(path));
    const auto states = states_of(filed_task, 4);
    const auto use = [&](const FaultyVfs::Plan& plan) -> Result<void> {
        const FaultyVfs files(plan);
        auto store = open_sqlite({.path = path});
        if (!store) return std::move(store).error();
        if (auto read = (*store)->load(filed_task); !read) return std::move(read).error();
        return (*store)->commit(std::vector<Write>{advance(states[3], states[4])});
    };
    const auto check_denied = [&](const Result<void>& done) {
        ++cases;
        REQUIRE_FALSE(done.has_value());
        CHECK(word(done.error().reason) == word(Reason::storage_denied));
        CHECK(contents_of(*open_at(path)) == before);
    };
    check_denied(use({.read_only = true}));
    for (std::size_t at = 1;; ++at) {
        const auto done = use({.closed_at = at});
        if (done) break;
        INFO("opening " << at);
        check_denied(done);
    }
    CHECK(cases.count() >= 4);
    CHECK((*open_at(path)->find(filed_task, std::nullopt))->head.frame.revision == Revision{4});
    CHECK(open_sqlite({.path = folder / "missing/tasks.db"}).error().reason == Reason::storage_denied);
}

TEST_CASE("sqlite faults: a migration that stops at any operation has lifted the file by whole versions, and goes on",
          "[store][faults]") {
    Cases cases("sqlite migration");
    const TemporaryFolder made;
    const std::string old = bytes_of(filled(made));
    const std::vector<Migration> later{sqlite_migrations().front(),
                                       {"ALTER TABLE profiles ADD COLUMN extra TEXT"},
                                       {"CREATE TABLE extras(row INTEGER PRIMARY KEY); UPDATE profiles SET extra='x'"}};
    const auto lift = [&](const std::string& path) {
        auto database = Database::open(path, Database::Access::write, 1'000);
        return database ? lift_schema(*database, later) : Result<void>(std::move(database).error());
    };
    for (bool struck = true; struck; ++cases) {
        INFO("at " << cases.count() + 1);
        const TemporaryFolder folder;
        const std::string path = folder / "tasks.db";
        put_bytes(path, old);
        {
            const FaultyVfs files({.at = cases.count() + 1, .fault = Fault::tears, .for_good = true});
            (void)lift(path);
            struck = files.operations() > cases.count();
        }
        const FaultyVfs quick({});  // which syncs nothing
        const std::string version = Stranger(path).column("PRAGMA user_version");
        const std::string columns = Stranger(path).column("SELECT count(*) FROM pragma_table_info('profiles')");
        CHECK(columns == (version == "1\n" ? "3\n" : "4\n"));
        REQUIRE(lift(path).has_value());
        CHECK(Stranger(path).column("PRAGMA user_version") == "3\n");
        CHECK(Stranger(path).column("PRAGMA integrity_check") == "ok\n");
        CHECK(Stranger(path).column("SELECT count(*) FROM revisions") == "3\n");
    }
    CHECK(cases.count() > 4);
}

}  // namespace taskstate::test
