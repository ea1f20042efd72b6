#pragma once
// How a workload is timed: by the processor time of its own thread, so that other programs disturb it little.

#include "bench/memory.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>

namespace taskstate::bench {

/// How much there is to do: all of it, or what is enough to see that it runs.
struct Amount {
    std::size_t whole = 0, quick = 0;
};
/// The second of both where TASKSTATE_BENCH_QUICK is set.
[[nodiscard]] std::size_t amount(Amount of);

/// Processor time of this thread, as a stopwatch.
///
/// Units: seconds; what reading the clock costs is taken off.
class Stopwatch {
 public:
    Stopwatch();
    [[nodiscard]] double seconds() const;

 private:
    double start_;
};

/// Times only `act(i)` of batches of `size` calls, before each of which stands an untimed `prepare()`.
template <class Prepare, class Act>
void time_batches(benchmark::State& state, std::size_t size, const Prepare& prepare, const Act& act) {
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(size))) {
        prepare();
        const Stopwatch watch;
        for (std::size_t i = 0; i < size; ++i) act(i);
        state.SetIterationTime(watch.seconds());
    }
}

/// Times `act()`, once what it allocates has been counted.
template <class Act>
void time_calls(benchmark::State& state, const Act& act) {
    act();
    const Memory memory = memory_of(act);
    for (auto _ : state) act();
    state.counters["allocations"] = static_cast<double>(memory.allocations);
}

inline void count_bytes(benchmark::State& state, std::size_t bytes) {
    state.counters["bytes"] = static_cast<double>(bytes);
}

}  // namespace taskstate::bench
