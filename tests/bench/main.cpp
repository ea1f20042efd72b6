// The workloads of the bench.  An idle second thread lives beside them: without one the standard library counts
// references without atomics, and a shared pointer looks cheaper than it is in any host.
#include <benchmark/benchmark.h>

#include <condition_variable>
#include <mutex>
#include <thread>

int main(int argc, char** argv) {
    std::mutex mutex;
    std::condition_variable over;
    bool is_over = false;
    std::thread parked([&] {
        std::unique_lock lock(mutex);
        over.wait(lock, [&] { return is_over; });
    });
    benchmark::Initialize(&argc, argv);
    const bool understood = !benchmark::ReportUnrecognizedArguments(argc, argv);
    if (understood) benchmark::RunSpecifiedBenchmarks();
    {
        const std::lock_guard lock(mutex);
        is_over = true;
    }
    over.notify_one();
    parked.join();
    return understood ? 0 : 1;
}
