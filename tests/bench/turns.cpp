#include "bench/turns.hpp"

#include <taskstate/base/result.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <utility>

namespace taskstate::bench {

double Samples::percentile(double share) const {
    std::vector<double> sorted = samples_;
    const auto last = static_cast<double>(sorted.size() - 1);
    const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(share * last + 0.5);
    std::nth_element(sorted.begin(), place, sorted.end());
    return *place;
}

double nanoseconds_of(const std::function<void()>& act) {
    const auto start = std::chrono::steady_clock::now();
    act();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

void Turns::add(std::string name, Act act, Act prepare) {
    ways_.push_back({std::move(name), std::move(act), std::move(prepare)});
}

void Turns::run(std::size_t rounds) {
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            Way& way = ways_[round % 2 == 0 ? i : ways_.size() - 1 - i];
            if (way.prepare) way.prepare(round);
            way.samples.add(nanoseconds_of([&] { way.act(round); }));
        }
    }
}

void Turns::report(benchmark::State& state) const {
    for (const Way& way : ways_) {
        state.counters[way.name + "_p50"] = way.samples.percentile(0.50);
        state.counters[way.name + "_p95"] = way.samples.percentile(0.95);
    }
}

std::uint64_t written_bytes() {
    std::ifstream counts("/proc/self/io");
    std::string name;
    std::uint64_t count = 0;
    while (counts >> name >> count) {
        if (name == "wchar:") return count;
    }
    bug("no /proc/self/io");
}

}  // namespace taskstate::bench
