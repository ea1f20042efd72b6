// W5: one change to a task of n entries.

#include "bench/fixture.hpp"
#include "bench/floors.hpp"
#include "bench/measure.hpp"

#include <string>

namespace taskstate::bench {
namespace {

enum class Asked { nothing, digest };

void resolve(TaskState& task, const std::string& id, Asked asked) {
    const auto done = task.update({.resolve = {id}}, task.revision());
    if (!done) bug("the bench cannot resolve");
    if (asked == Asked::digest) benchmark::DoNotOptimize(done->snapshot.state_digest());
}

void update(benchmark::State& state, std::size_t n, Asked asked) {
    const SnapshotInput saved = saved_task(n, Flavour::ascii);
    const std::vector<std::string> ids = resolvable(saved);
    TaskState task = open_task(saved);
    const auto start_over = [&] {
        benchmark::DoNotOptimize(task.restore(saved));
        if (asked == Asked::digest) benchmark::DoNotOptimize(task.snapshot()->state_digest());
    };
    start_over();
    const Memory memory = memory_of([&] { resolve(task, ids.front(), asked); });
    time_batches(state, ids.size(), start_over, [&](std::size_t i) { resolve(task, ids[i], asked); });
    state.counters["allocations"] = static_cast<double>(memory.allocations);
}

void plain_update(benchmark::State& state, std::size_t n, PlainState::Digests digests) {
    const SnapshotInput saved = saved_task(n, Flavour::ascii);
    const std::vector<std::string> ids = resolvable(saved);
    PlainState head(saved, digests);
    std::size_t next = 0;
    for (auto _ : state) {
        head = head.with_toggled(ids[next]);
        benchmark::DoNotOptimize(head.digest());
        if (++next == ids.size()) next = 0;
    }
}

void copy_of_entry(benchmark::State& state) {
    const SnapshotInput saved = saved_task(100, Flavour::ascii);
    std::vector<PlainEntry> entries;
    for (const SavedNote& note : saved.notes) entries.push_back(plain_entry(note));
    std::size_t next = 0;
    for (auto _ : state) {
        PlainEntry copy = entries[next];
        copy.resolved = !copy.resolved;
        benchmark::DoNotOptimize(copy);
        if (++next == entries.size()) next = 0;
    }
}

[[maybe_unused]] const bool registered = [] {
    for (const std::size_t n : {10, 100, 1'000, 10'000}) {
        const std::string size = std::to_string(n);
        const auto add = [&](const std::string& start, auto run) {
            return benchmark::RegisterBenchmark((start + "/" + size).c_str(), run);
        };
        add("task/update", [n](benchmark::State& state) { update(state, n, Asked::nothing); })->UseManualTime();
        add("task/update_digest", [n](benchmark::State& state) { update(state, n, Asked::digest); })->UseManualTime();
        add("floor/update", [n](benchmark::State& state) { plain_update(state, n, PlainState::Digests::none); });
        add("floor/update_digest", [n](benchmark::State& state) { plain_update(state, n, PlainState::Digests::kept); });
    }
    benchmark::RegisterBenchmark("floor/entry_copy", copy_of_entry);
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
