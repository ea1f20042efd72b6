// W13 and W15: commits to a SQLite file, alone and by callers that come at once.

#include "bench/measure.hpp"
#include "bench/raw_sqlite.hpp"
#include "bench/turns.hpp"
#include "store/temporary_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

namespace taskstate::bench {
namespace {

std::shared_ptr<Store> open(const std::string& path, Synchronous synchronous) {
    auto store = open_sqlite({.path = path, .synchronous = synchronous});
    if (!store) bug("the bench cannot open a SQLite file");
    return *std::move(store);
}

// W13.

/// The same file four times, each with the task at its first revision.
struct Files {
    explicit Files(const Batch& start) {
        const std::string first = folder / "first.db";
        commit(*open(first, Synchronous::normal), start);
        for (const std::string* path : {&committed, &submitted, &raw, &again}) std::filesystem::copy_file(first, *path);
    }
    test::TemporaryFolder folder{};
    std::string committed = folder / "committed.db", submitted = folder / "submitted.db", raw = folder / "raw.db",
                again = folder / "again.db";
};

/// Bytes that `act` hands to the system for each of the numbers from `begin` up to `end`.
template <class Act>
double bytes_per_change(std::size_t begin, std::size_t end, const Act& act) {
    const std::uint64_t before = written_bytes();
    for (std::size_t i = begin; i < end; ++i) act(i);
    return static_cast<double>(written_bytes() - before) / static_cast<double>(end - begin);
}

void commits(benchmark::State& state, Synchronous synchronous) {
    const std::size_t rounds = amount({.whole = 1'500, .quick = 60});
    const std::size_t all = rounds + amount({.whole = 500, .quick = 40});
    const GovernedTask task = one_task();
    const History history = history_of(task, all);
    const std::vector<RawChange> changes = raw_changes(history);
    for (auto _ : state) {
        const Files files(history.start);
        const auto store = open(files.committed, synchronous);
        TaskService service = open_service(open(files.submitted, synchronous));
        RawWriter raw(files.raw, synchronous), again(files.again, synchronous);
        const auto committed = [&](std::size_t i) { commit(*store, history.changes[i]); };
        const auto by_hand = [&](std::size_t i) { raw.commit(changes[i]); };
        Turns turns;
        turns.add("commit", committed);
        turns.add("raw", by_hand);
        turns.add("submit", [&](std::size_t i) { change(service, task, i); });
        turns.add("again", [&](std::size_t i) { again.commit(changes[i]); });
        turns.run(rounds);
        turns.report(state);
        state.counters["commit_bytes"] = bytes_per_change(rounds, all, committed);
        state.counters["raw_bytes"] = bytes_per_change(rounds, all, by_hand);
    }
    state.counters["beyond_raw"] = state.counters["commit_p50"] - state.counters["raw_p50"];
}

// W15.

/// Appends 4 KiB to a file and waits until they lie on the disk.
class SyncFloor {
 public:
    explicit SyncFloor(const std::string& path) : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600)) {}
    SyncFloor(const SyncFloor&) = delete;
    SyncFloor& operator=(const SyncFloor&) = delete;
    ~SyncFloor() { ::close(file_); }
    void append() const {
        if (::write(file_, block_.data(), block_.size()) != 4'096 || ::fdatasync(file_) != 0) bug("no disk");
    }

 private:
    std::array<char, 4'096> block_{};
    int file_;
};

/// What `histories.size()` callers saw, each committing the changes of a task of its own.
struct Crowd {
    double nanoseconds = 0;  ///< of all of it
    std::vector<double> longest{};
};

Crowd commit_at_once(Store& store, std::span<const History> histories) {
    for (const History& history : histories) commit(store, history.start);
    Crowd crowd{.longest = std::vector<double>(histories.size())};
    crowd.nanoseconds = nanoseconds_of([&] {
        std::vector<std::jthread> callers;
        for (std::size_t i = 0; i < histories.size(); ++i) {
            callers.emplace_back([&, i] {
                for (const Batch& batch : histories[i].changes) {
                    const double waited = nanoseconds_of([&] { commit(store, batch); });
                    crowd.longest[i] = std::max(crowd.longest[i], waited);
                }
            });
        }
    });
    return crowd;
}

void callers(benchmark::State& state) {
    const std::size_t each = amount({.whole = 300, .quick = 20});
    std::vector<History> histories;
    for (std::size_t i = 0; i < 16; ++i) {
        GovernedTask task = one_task();
        task.address.id += "-" + std::to_string(i);
        histories.push_back(history_of(task, each));
    }
    for (auto _ : state) {
        const test::TemporaryFolder folder;
        const SyncFloor floor(folder / "floor");
        Samples syncs;
        for (const std::size_t count : {1, 2, 4, 16}) {
            const std::string number = std::to_string(count);
            const auto store = open(folder / (number + ".db"), Synchronous::full);
            const Crowd crowd = commit_at_once(*store, std::span(histories).first(count));
            state.counters["each_" + number] = crowd.nanoseconds / static_cast<double>(count * each);
            state.counters["longest_" + number] = *std::ranges::max_element(crowd.longest);
            for (std::size_t i = 0; i < each; ++i) syncs.add(nanoseconds_of([&] { floor.append(); }));
        }
        state.counters["sync"] = syncs.percentile(0.5);
    }
}

[[maybe_unused]] const bool registered = [] {
    benchmark::RegisterBenchmark("store/sqlite/normal", [](benchmark::State& state) {
        commits(state, Synchronous::normal);
    })->Iterations(1);
    benchmark::RegisterBenchmark("store/sqlite/full", [](benchmark::State& state) {
        commits(state, Synchronous::full);
    })->Iterations(1);
    benchmark::RegisterBenchmark("store/callers", callers)->Iterations(1);
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
