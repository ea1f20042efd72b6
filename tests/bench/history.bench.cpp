// W14: a task that has been changed often.

#include "bench/governed.hpp"
#include "bench/measure.hpp"
#include "bench/turns.hpp"
#include "store/temporary_folder.hpp"

#include <taskstate/store/file_store.hpp>
#include <taskstate/store/sqlite_store.hpp>

#include <filesystem>
#include <functional>

namespace taskstate::bench {
namespace {

using Open = std::function<Result<std::shared_ptr<Store>>(const std::string& folder)>;

std::uint64_t bytes_in(const std::string& folder) {
    std::uint64_t bytes = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
        if (file.is_regular_file()) bytes += file.file_size();
    }
    return bytes;
}

/// The task in a folder of its own, with so many changes behind it.
class Past {
 public:
    Past(const Open& open, const History& history, std::size_t changes)
        : open_(open), history_(history), next_(changes) {
        reopen();
        commit(*store_, history_.start);
        for (std::size_t i = 0; i < changes; ++i) commit(*store_, history_.changes[i]);
    }
    void reopen() {
        store_.reset();
        auto store = open_(folder_.path());
        if (!store) bug("the bench cannot open a store");
        store_ = *std::move(store);
    }
    void change() { commit(*store_, history_.changes[next_++]); }
    void load() {
        const auto task = store_->load(one_task().address);
        if (!task || !*task) bug("a task is gone");
    }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_in(folder_.path()); }

 private:
    const Open& open_;
    const History& history_;
    std::size_t next_;
    test::TemporaryFolder folder_{};
    std::shared_ptr<Store> store_{};
};

void long_past(benchmark::State& state, const Open& open) {
    const std::size_t few = amount({.whole = 100, .quick = 20}), many = amount({.whole = 2'000, .quick = 200}),
                      rounds = amount({.whole = 100, .quick = 10});
    const History history = history_of(one_task(), many + rounds);
    for (auto _ : state) {
        const std::uint64_t first = written_bytes();
        Past young(open, history, few);
        const std::uint64_t second = written_bytes();
        Past old(open, history, many);
        const std::uint64_t third = written_bytes();
        const auto between = static_cast<double>(many - few);
        state.counters["written_bytes"] = static_cast<double>((third - second) - (second - first)) / between;
        young.reopen();
        old.reopen();
        state.counters["kept_bytes"] = static_cast<double>(old.bytes() - young.bytes()) / between;
        Turns turns;
        turns.add("young", [&](std::size_t) { young.change(); });
        turns.add("old", [&](std::size_t) { old.change(); });
        turns.run(rounds);
        turns.report(state);
        Turns loads;
        loads.add("young_load", [&](std::size_t) { young.load(); }, [&](std::size_t) { young.reopen(); });
        loads.add("old_load", [&](std::size_t) { old.load(); }, [&](std::size_t) { old.reopen(); });
        loads.run(rounds);
        loads.report(state);
    }
}

Result<std::shared_ptr<Store>> open_sqlite_in(const std::string& folder) {
    return open_sqlite({.path = folder + "/tasks.db", .synchronous = Synchronous::normal});
}

Result<std::shared_ptr<Store>> open_files_in(const std::string& folder) { return open_files({.path = folder}); }

[[maybe_unused]] const bool registered = [] {
    benchmark::RegisterBenchmark("store/history/sqlite", [](benchmark::State& state) {
        long_past(state, open_sqlite_in);
    })->Iterations(1);
    benchmark::RegisterBenchmark("store/history/files", [](benchmark::State& state) {
        long_past(state, open_files_in);
    })->Iterations(1);
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
