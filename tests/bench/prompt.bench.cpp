// W1–W4: the block.

#include "bench/fixture.hpp"
#include "bench/floors.hpp"
#include "bench/measure.hpp"

#include <taskstate/base/estimate.hpp>
#include <taskstate/prompt/block.hpp>

#include <cstring>
#include <string>

namespace taskstate::bench {
namespace {

constexpr std::string_view key = "0123456789abcdef";

/// A task as loaded, whose blocks nobody has rendered yet.
struct Subject {
    explicit Subject(std::size_t n, Flavour flavour)
        : snapshot(*open_task(saved_task(n, flavour)).snapshot()),
          profile(*find_profile(snapshot.profile())),
          block(*render(snapshot, profile, key)) {}
    Snapshot snapshot;
    const Profile& profile;
    Block block;
};

void cold(benchmark::State& state, std::size_t n, Flavour flavour) {
    const Subject subject(n, flavour);
    time_calls(state, [&] { benchmark::DoNotOptimize(render(subject.snapshot, subject.profile, key)); });
    count_bytes(state, subject.block.bytes());
}

void with_digest(benchmark::State& state, Flavour flavour) {
    const Subject subject(100, flavour);
    time_calls(state, [&] {
        const Block block = *render(subject.snapshot, subject.profile, key);
        benchmark::DoNotOptimize(block.tokens());
        benchmark::DoNotOptimize(block.sha256());
    });
}

void estimate(benchmark::State& state, Flavour flavour) {
    const Subject subject(100, flavour);
    time_calls(state, [&] { benchmark::DoNotOptimize(estimate_tokens(subject.block.text())); });
}

void sha256_of_block(benchmark::State& state, Flavour flavour) {
    const Subject subject(100, flavour);
    for (auto _ : state) benchmark::DoNotOptimize(sha256_floor(subject.block.text()));
    count_bytes(state, subject.block.bytes());
}

void copy_of_block(benchmark::State& state, Flavour flavour) {
    const Subject subject(100, flavour);
    std::string buffer(subject.block.bytes(), ' ');
    for (auto _ : state) {
        std::memcpy(buffer.data(), subject.block.text().data(), buffer.size());
        benchmark::DoNotOptimize(buffer.data());
        benchmark::ClobberMemory();
    }
}

void hot_unchanged(benchmark::State& state) {
    const TaskState task = open_task(saved_task(100, Flavour::ascii));
    time_calls(state, [&] { benchmark::DoNotOptimize(task.prompt()); });
}

void hot_changed(benchmark::State& state, Flavour flavour) {
    const SnapshotInput saved = saved_task(100, flavour);
    const std::vector<std::string> ids = resolvable(saved);
    TaskState task = open_task(saved);
    std::size_t next = ids.size();
    // One prompt a batch: between two of them stands the change, which is not timed.
    const auto change = [&] {
        if (next == ids.size()) {
            benchmark::DoNotOptimize(task.restore(saved));
            benchmark::DoNotOptimize(task.prompt());
            next = 0;
        }
        if (!task.update({.resolve = {ids[next++]}}, task.revision())) bug("the bench cannot resolve");
    };
    change();
    const Memory memory = memory_of([&] { benchmark::DoNotOptimize(task.prompt()); });
    time_batches(state, 1, change, [&](std::size_t) { benchmark::DoNotOptimize(task.prompt()); });
    state.counters["allocations"] = static_cast<double>(memory.allocations);
}

/// The library's order of drops, first first; `notebook-v1` itself drops nothing.
const std::vector<Drop> drop_order{Drop::historical_notes, Drop::note_sources, Drop::artifacts,
                                   Drop::questions,        Drop::decisions,    Drop::proposals};

void bounded(benchmark::State& state) {
    const Subject subject(200, Flavour::utf8);
    Profile profile = subject.profile;
    profile.block.drop_order = drop_order;
    const PromptOptions options{.tokens_max = 8'000};
    const auto block = render(subject.snapshot, profile, key, options);
    if (!block) return state.SkipWithError("the mandatory records do not fit");
    time_calls(state, [&] { benchmark::DoNotOptimize(render(subject.snapshot, profile, key, options)); });
    count_bytes(state, block->bytes());
    state.counters["tokens"] = static_cast<double>(block->tokens());
}

void withheld(benchmark::State& state) {
    const Subject subject(200, Flavour::utf8);
    const PromptOptions options{.tokens_max = 8'000};
    if (render(subject.snapshot, subject.profile, key, options)) return state.SkipWithError("it fits");
    time_calls(state, [&] { benchmark::DoNotOptimize(render(subject.snapshot, subject.profile, key, options)); });
}

[[maybe_unused]] const bool registered = [] {
    for (const Flavour flavour : {Flavour::ascii, Flavour::utf8, Flavour::dirty}) {
        const std::string name = name_of(flavour);
        const auto add = [&](const std::string& start, auto run) {
            return benchmark::RegisterBenchmark((start + "/" + name).c_str(), run);
        };
        add("floor/sha256", [flavour](benchmark::State& state) { sha256_of_block(state, flavour); });
        add("floor/memcpy", [flavour](benchmark::State& state) { copy_of_block(state, flavour); });
        add("prompt/cold", [flavour](benchmark::State& state) { cold(state, 100, flavour); });
        add("prompt/digest", [flavour](benchmark::State& state) { with_digest(state, flavour); });
        add("text/estimate", [flavour](benchmark::State& state) { estimate(state, flavour); });
        add("prompt/changed", [flavour](benchmark::State& state) { hot_changed(state, flavour); })->UseManualTime();
    }
    benchmark::RegisterBenchmark("control/a", [](benchmark::State& state) { cold(state, 100, Flavour::ascii); });
    benchmark::RegisterBenchmark("control/b", [](benchmark::State& state) { cold(state, 100, Flavour::ascii); });
    benchmark::RegisterBenchmark("prompt/unchanged", hot_unchanged);
    benchmark::RegisterBenchmark("prompt/cold/200", [](benchmark::State& state) { cold(state, 200, Flavour::utf8); });
    benchmark::RegisterBenchmark("prompt/bounded", bounded);
    benchmark::RegisterBenchmark("prompt/withheld", withheld);
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
