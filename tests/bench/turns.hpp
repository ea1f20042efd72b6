#pragma once
// How a workload is timed that waits for a disk: by the clock on the wall, in turns, every sample kept.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace taskstate::bench {

/// Units: nanoseconds.
class Samples {
 public:
    void add(double nanoseconds) { samples_.push_back(nanoseconds); }
    /// Shape: `share` of 0 … 1 of the samples are no longer than this one.
    [[nodiscard]] double percentile(double share) const;

 private:
    std::vector<double> samples_{};
};

/// Units: nanoseconds that `act()` takes.
[[nodiscard]] double nanoseconds_of(const std::function<void()>& act);

/// Several ways to do one thing, one after the other: forwards, then backwards, so that none has better neighbours.
class Turns {
 public:
    using Act = std::function<void(std::size_t)>;
    /// Both get the number of the round; what `prepare` does is not timed.
    void add(std::string name, Act act, Act prepare = {});
    void run(std::size_t rounds);
    /// Counts `<name>_p50` and `<name>_p95` of each way.
    void report(benchmark::State& state) const;

 private:
    struct Way {
        std::string name{};
        Act act{}, prepare{};
        Samples samples{};
    };
    std::vector<Way> ways_{};
};

/// Bytes that this process has handed to the system to be written.
[[nodiscard]] std::uint64_t written_bytes();

}  // namespace taskstate::bench
