// How SQLite finds what the store asks for: by an index, however much there is.

#include "store/contract.hpp"
#include "store/sqlite_file.hpp"

#include <set>

namespace taskstate::test {
namespace {

/// What every connection that is opened while it lives has SQLite do.
///
/// Thread-safety: confined.
class StatementLog {
 public:
    StatementLog() {
        seen() = {};
        sqlite3_auto_extension(reinterpret_cast<void (*)()>(listen));
    }
    StatementLog(const StatementLog&) = delete;
    StatementLog& operator=(const StatementLog&) = delete;
    ~StatementLog() { sqlite3_reset_auto_extension(); }

    [[nodiscard]] static const std::set<std::string>& statements() { return seen().statements; }
    /// Steps of SQLite's machine until now.
    [[nodiscard]] static int steps() { return seen().steps; }

 private:
    struct Seen {
        std::set<std::string> statements{};
        int steps = 0;
    };
    static Seen& seen() {
        static Seen all;
        return all;
    }
    static int listen(sqlite3* connection, char**, const void*) {
        return sqlite3_trace_v2(connection, SQLITE_TRACE_PROFILE, record, nullptr);
    }
    static int record(unsigned, void*, void* subject, void*) {
        auto* const statement = static_cast<sqlite3_stmt*>(subject);
        seen().statements.emplace(sqlite3_sql(statement));
        seen().steps += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1);
        return 0;
    }
};

/// Makes every call of a store once.
void use_everything(const std::string& path) {
    const auto store = open_at(path);
    const auto states = states_of(filed_task, 4);
    keep(*store, history(states));
    keep(*store, {decision(filed_task, "d1", "k1"), delivery(filed_task, "v1"), withheld(filed_task, "v2"),
                  binding(filed_task, "b1"), SetScopeMode{stored_scope, ScopeMode::enabled}});
    keep(*store, {AddProfile{*find_profile("general-v1")}});
    (void)contents_of(*store);
    (void)value_of(store->scopes());
    (void)value_of(store->profile("general-v1"));
    (void)value_of(store->list({.scope = stored_scope,
                                .lifecycles = {Lifecycle::open, Lifecycle::paused},
                                .after = HeadQuery::Place{stored_at, "a"}}));
    (void)value_of(store->find(filed_task, "k1"));
    (void)value_of(store->find_started(stored_scope, start_key(filed_task.id)));
    (void)value_of(store->lineage(filed_task, TargetKind::note, "n1"));
    (void)value_of(store->lineage(filed_task, std::nullopt, ""));
    (void)value_of(store->count_repeats(filed_task, "f", stored_at));
    (void)value_of(store->expose(stored_scope, "v1", stored_at));
    (void)value_of(store->bindings({.scope = stored_scope, .host = "chat", .session = "session-1"}));
    keep(*store, {TrimLog{.task = filed_task, .first = {4}, .kept = {based(states, 4)}}, revoke(stored_scope, "b1")});
    (void)value_of(store->forget(filed_task));
}

/// Whether a line of a plan reads a whole table that grows with what is kept; scopes and profiles are listed whole.
bool reads_a_table(const std::string& line) {
    for (const char* const table :
         {"tasks", "entries", "revisions", "lineage", "decisions", "deliveries", "bindings"}) {
        if (line.starts_with("SCAN " + std::string(table))) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("sqlite: no call of a store reads a whole table", "[store]") {
    const TemporaryFolder folder;
    const std::string path = folder / "tasks.db";
    (void)open_at(path);
    std::set<std::string> asked;
    {
        const StatementLog log;
        use_everything(path);
        asked = StatementLog::statements();
    }
    std::size_t plans = 0;
    Stranger stranger(path);
    for (const std::string& sql : asked) {
        const bool is_query = sql.starts_with("SELECT") || sql.starts_with("UPDATE") || sql.starts_with("DELETE");
        if (!is_query || sql.find("sqlite_master") != std::string::npos) continue;
        INFO(sql);
        std::istringstream lines(stranger.column("EXPLAIN QUERY PLAN " + sql, 3));
        for (std::string line; std::getline(lines, line);) {
            INFO(line);
            CHECK_FALSE(reads_a_table(line));
        }
        ++plans;
    }
    CHECK(plans > 40);
}

TEST_CASE("sqlite: a page of heads and what is due cost the same among many tasks as among few", "[store]") {
    const TemporaryFolder folder;
    const StatementLog log;
    const auto steps_among = [&](std::size_t tasks) {
        const auto store = open_at(folder / (std::to_string(tasks) + ".db"));
        const auto states = states_of(filed_task, 1);
        std::vector<Write> batch;
        for (std::size_t i = 0; i < tasks; ++i) {
            StartTask task = start(states[0], states[1]);
            task.head.identity.id = "task-" + std::to_string(i);
            task.head.start_key = start_key(task.head.identity.id);
            task.head.due_at = later(static_cast<std::int64_t>(i));
            batch.emplace_back(std::move(task));
        }
        keep(*store, batch);
        const int before = StatementLog::steps();
        CHECK(value_of(store->list({.scope = stored_scope, .limit = 20})).size() == 20);
        CHECK(value_of(store->list({.scope = stored_scope, .lifecycles = {Lifecycle::open}, .limit = 20})).size() ==
              20);
        CHECK(value_of(store->due(later(5'000), 20)).size() == 20);
        return StatementLog::steps() - before;
    };
    const int among_few = steps_among(50);
    CHECK(among_few > 0);
    CHECK(steps_among(2'000) == among_few);
}

}  // namespace taskstate::test
