// W18: a SQLite file with very many tasks.

#include "bench/measure.hpp"
#include "bench/raw_sqlite.hpp"
#include "bench/residence.hpp"
#include "bench/turns.hpp"
#include "store/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>

namespace taskstate::bench {
namespace {

constexpr std::size_t page = 50, small_count = 100;

std::size_t tasks_stored() { return amount({.whole = 100'000, .quick = 2'000}); }

const Scope& small_scope() {
    static const Scope scope{.owner = "host-user", .workspace = "small"};
    return scope;
}

std::shared_ptr<Store> open(const std::string& path) {
    auto store = open_sqlite({.path = path, .synchronous = Synchronous::normal});
    if (!store) bug("the bench cannot open its tasks");
    return *std::move(store);
}

/// A file with many tasks and a small scope, and one with the small scope alone.
///
/// They are made where TASKSTATE_BENCH_FOLDER names a folder without them, so that processes share them; else in a
/// folder of this process.
class Files {
 public:
    Files() {
        const char* const shared = std::getenv("TASKSTATE_BENCH_FOLDER");
        const std::string folder = shared != nullptr ? shared : own_.path();
        many = folder + "/many.db";
        small = folder + "/small.db";
        if (std::filesystem::exists(small)) return;
        start_many(*open(many), bench_scope(), tasks_stored(), 10);
        start_many(*open(many), small_scope(), small_count, 10);
        start_many(*open(small), small_scope(), small_count, 10);
    }
    std::string many{}, small{};

 private:
    test::TemporaryFolder own_{};
};
const Files& files() {
    static const Files made;
    return made;
}

/// The number of a task or a page, jumping about.
std::size_t at_random(std::size_t number, std::size_t count) { return number * 7'919 % count; }

std::string task_id(std::size_t round) { return "task-" + std::to_string(at_random(round, tasks_stored())); }

template <class T>
T need(Result<T> result) {
    if (!result) bug("the bench cannot read its tasks");
    return *std::move(result);
}

// What a program written by hand asks.

using Rows = std::vector<std::string>;

void take(RawStatement& statement, Rows& rows) {
    while (statement.step()) rows.emplace_back(statement.text(0));
}

class RawScope {
 public:
    explicit RawScope(const RawDatabase& database)
        : query_(database.prepare("SELECT row FROM scopes WHERE owner=? AND workspace=? AND tenant=? AND agent=?")) {}
    std::int64_t row(const Scope& scope) {
        query_.bind(scope.owner, scope.workspace, scope.tenant, scope.agent);
        if (!query_.step()) bug("a scope is gone");
        const std::int64_t row = query_.integer(0);
        query_.reset();
        return row;
    }

 private:
    RawStatement query_;
};

class RawLoad {
 public:
    explicit RawLoad(const RawDatabase& database)
        : begin_(database.prepare("BEGIN")),
          scope_(database),
          head_(database.prepare("SELECT head, row FROM tasks WHERE scope=? AND id=?")),
          entries_(database.prepare("SELECT entry, kind FROM entries WHERE task=? ORDER BY row")),
          end_(database.prepare("COMMIT")) {}
    Rows operator()(const TaskAddress& task) {
        begin_.run();
        head_.bind(scope_.row(task.scope), task.id);
        if (!head_.step()) bug("a task is gone");
        Rows rows{std::string(head_.text(0))};
        take(entries_.bind(head_.integer(1)), rows);
        head_.reset();
        end_.run();
        return rows;
    }

 private:
    RawStatement begin_;
    RawScope scope_;
    RawStatement head_, entries_, end_;
};

class RawLists {
 public:
    explicit RawLists(const RawDatabase& database)
        : begin_(database.prepare("BEGIN")),
          scope_(database),
          page_(database.prepare("SELECT head FROM tasks WHERE scope=? AND (created_at, id) > (?,?) "
                                 "ORDER BY created_at, id LIMIT ?")),
          due_(database.prepare("SELECT head FROM tasks WHERE due_at<=? ORDER BY due_at LIMIT ?")),
          end_(database.prepare("COMMIT")) {}
    Rows list(const HeadQuery::Place& after) {
        begin_.run();
        Rows rows;
        take(page_.bind(scope_.row(bench_scope()), after.created_at.ms, after.id, limit), rows);
        end_.run();
        return rows;
    }
    Rows due() {
        begin_.run();
        Rows rows;
        take(due_.bind(timestamp_max.ms, limit), rows);
        end_.run();
        return rows;
    }

 private:
    static constexpr std::int64_t limit = page;
    RawStatement begin_;
    RawScope scope_;
    RawStatement page_, due_, end_;
};

void parse(const Rows& rows) {
    for (const std::string& row : rows) benchmark::DoNotOptimize(nlohmann::json::parse(row));
}

/// A place in the list before each page.
std::vector<HeadQuery::Place> places(Store& store) {
    std::vector<HeadQuery::Place> found{{.created_at = {-1}}};
    for (;;) {
        const auto heads = need(store.list({.scope = bench_scope(), .after = found.back(), .limit = page}));
        if (heads.size() < page) return found;
        found.push_back({heads.back().identity.created_at, heads.back().identity.id});
    }
}

void reads(benchmark::State& state) {
    const auto store = open(files().many);
    const RawDatabase raw(files().many, Synchronous::normal);
    RawLoad raw_load(raw);
    RawLists raw_lists(raw);
    const auto after = places(*store);
    const auto place = [&](std::size_t i) { return after[at_random(i, after.size() - 1)]; };
    for (auto _ : state) {
        Turns turns;
        turns.add("load", [&](std::size_t i) { need(store->load({bench_scope(), task_id(i)})); });
        turns.add("raw_load", [&](std::size_t i) { raw_load({bench_scope(), task_id(i)}); });
        turns.add("parsed_load", [&](std::size_t i) { parse(raw_load({bench_scope(), task_id(i)})); });
        turns.add("list", [&](std::size_t i) {
            need(store->list({.scope = bench_scope(), .after = place(i), .limit = page}));
        });
        turns.add("raw_list", [&](std::size_t i) { raw_lists.list(place(i)); });
        turns.add("parsed_list", [&](std::size_t i) { parse(raw_lists.list(place(i))); });
        turns.add("due", [&](std::size_t) { need(store->due(timestamp_max, page)); });
        turns.add("raw_due", [&](std::size_t) { raw_lists.due(); });
        turns.run(amount({.whole = 500, .quick = 20}));
        turns.report(state);
    }
}

/// The same of a file that has little more than the small scope.
void flatness(benchmark::State& state) {
    const auto first_load = [](const std::string& path) { need(open(path)->load({small_scope(), "task-7"})); };
    const auto first_load_raw = [](const std::string& path) {
        // One connection to write and one to read, as the store has, so that neither waits for the other.
        const RawDatabase writer(path, Synchronous::normal), reader(path, Synchronous::normal);
        RawLoad load(reader);
        load({small_scope(), "task-7"});
    };
    const auto many = open(files().many), small = open(files().small);
    for (auto _ : state) {
        Turns turns;
        turns.add("open", [&](std::size_t) { first_load(files().many); });
        turns.add("open_small", [&](std::size_t) { first_load(files().small); });
        turns.add("raw_open", [&](std::size_t) { first_load_raw(files().many); });
        turns.add("tally", [&](std::size_t) { need(many->tally(small_scope())); });
        turns.add("tally_small", [&](std::size_t) { need(small->tally(small_scope())); });
        turns.run(amount({.whole = 200, .quick = 10}));
        turns.report(state);
    }
}

/// A service that has listed, read and judged for a while.
TaskService used_service(const std::string& path) {
    TaskService service = open_service(open(path));
    OptText cursor;
    for (std::size_t i = 0; i < 100; ++i) {
        ListPage listed = need(service.list({.scope = bench_scope(), .cursor = cursor}));
        if (!(cursor = std::move(listed.cursor))) break;
    }
    for (std::size_t i = 0; i < 500; ++i) need(service.read({bench_scope(), task_id(i)}));
    need(service.health(small_scope()));
    return service;
}

void residence(benchmark::State& state) {
    for (auto _ : state) {
        const std::size_t bytes = resident_bytes_of([] { return used_service(files().many); });
        state.counters["service_bytes"] = static_cast<double>(bytes);
    }
}

[[maybe_unused]] const bool registered = [] {
    benchmark::RegisterBenchmark("store/scale/reads", reads)->Iterations(1);
    benchmark::RegisterBenchmark("store/scale/flat", flatness)->Iterations(1);
    benchmark::RegisterBenchmark("store/scale/residence", residence)->Iterations(1);
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
