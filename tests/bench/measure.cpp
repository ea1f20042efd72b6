#include "bench/measure.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>

namespace taskstate::bench {
namespace {

double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// What lies between two readings that nothing stands between.
double reading() {
    std::array<double, 1'001> samples{};
    for (double& sample : samples) {
        const double start = now();
        sample = now() - start;
    }
    std::ranges::sort(samples);
    return samples[samples.size() / 2];
}

}  // namespace

std::size_t amount(Amount of) { return std::getenv("TASKSTATE_BENCH_QUICK") == nullptr ? of.whole : of.quick; }

Stopwatch::Stopwatch() : start_(now()) {}

double Stopwatch::seconds() const {
    static const double cost = reading();
    return std::max(now() - start_ - cost, 1e-9);
}

}  // namespace taskstate::bench
