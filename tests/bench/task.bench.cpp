// W8, W9 and W23: many readers, many tasks, and a long session of an agent.

#include "bench/fixture.hpp"
#include "bench/floors.hpp"
#include "bench/measure.hpp"
#include "bench/residence.hpp"

#include <array>
#include <string>
#include <unordered_map>

namespace taskstate::bench {
namespace {

// W8.

void reading(benchmark::State& state, std::size_t tasks) {
    static const std::array<TaskState, 2> heads{open_task(saved_task(10, Flavour::ascii)),
                                                open_task(saved_task(10, Flavour::ascii))};
    const TaskState& task = heads[static_cast<std::size_t>(state.thread_index()) % tasks];
    for (auto _ : state) benchmark::DoNotOptimize(task.snapshot());
}

void plain_reading(benchmark::State& state, std::size_t tasks) {
    static const std::array<PlainHead, 2> heads{};
    const PlainHead& head = heads[static_cast<std::size_t>(state.thread_index()) % tasks];
    for (auto _ : state) benchmark::DoNotOptimize(head.read());
}

// W9.

std::size_t tasks_resident() { return amount({.whole = 100'000, .quick = 2'000}); }

std::string task_id(std::size_t n) { return "task-" + std::to_string(n); }

std::size_t payload_bytes(const SnapshotInput& saved) {
    std::size_t bytes = 0;
    for (const SavedNote& note : saved.notes) {
        bytes +=
            note.note.id.size() + note.note.text.size() + note.note.source.label.size() + note.note.source.turn->size();
    }
    return bytes;
}

std::vector<TaskState> many_tasks(std::size_t count, std::size_t entries) {
    SnapshotInput saved = saved_task(entries, Flavour::ascii);
    const auto clock = system_clock();
    std::vector<TaskState> tasks;
    tasks.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        saved.id = task_id(i);
        TaskOptions options = options_of(saved);
        options.clock = clock;
        auto task = entries == 0 ? TaskState::create(options) : TaskState::open(options, saved);
        if (!task) bug(task.error().message.c_str());
        tasks.push_back(*std::move(task));
    }
    return tasks;
}

void residence(benchmark::State& state, std::size_t entries) {
    const std::size_t count = tasks_resident();
    for (auto _ : state) {
        const auto added = static_cast<double>(resident_bytes_of([&] { return many_tasks(count, entries); }));
        state.counters["task_bytes"] = added / static_cast<double>(count);
    }
    state.counters["payload_bytes"] = static_cast<double>(payload_bytes(saved_task(entries, Flavour::ascii)));
}

/// Asks a map for its keys in an order that jumps about.
template <class Map, class Use>
void find_at_random(benchmark::State& state, const Map& map, const Use& use) {
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < map.size(); ++i) ids.push_back(task_id(i * 7'919 % map.size()));
    std::size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(use(map.find(ids[next])->second));
        if (++next == ids.size()) next = 0;
    }
}

void finding(benchmark::State& state) {
    static const auto map = [] {
        std::unordered_map<std::string, TaskState> made;
        std::vector<TaskState> tasks = many_tasks(tasks_resident(), 1);
        for (std::size_t i = 0; i < tasks.size(); ++i) made.emplace(task_id(i), std::move(tasks[i]));
        return made;
    }();
    find_at_random(state, map, [](const TaskState& task) { return task.snapshot(); });
}

void plain_finding(benchmark::State& state) {
    static const auto map = [] {
        std::unordered_map<std::string, std::unique_ptr<PlainHead>> made;
        for (std::size_t i = 0; i < tasks_resident(); ++i) made.emplace(task_id(i), std::make_unique<PlainHead>());
        return made;
    }();
    find_at_random(state, map, [](const std::unique_ptr<PlainHead>& head) { return head->read(); });
}

// W23.

class Session {
 public:
    static constexpr std::size_t turns = 500;

    Session() : task_(open_task(saved_task_with_actions(100, actions, Flavour::ascii))) {
        const std::string filler = "Please look at order 17 again; the user (in the north) asked for [two] changes. ";
        const std::size_t rest = 60'000 - task_.prompt()->bytes();
        for (const char* role : {"system", "user", "assistant"}) {
            std::string text;
            while (text.size() < rest / 3) text += filler;
            messages_.push_back({.role = role, .parts = {text}});
        }
    }

    /// Units: seconds of one turn; putting the block into the request is not timed.
    double turn(std::size_t number) {
        const ConfirmAction confirmation{
            .execution = saved_action(number % actions),
            .status = number / actions % 2 == 0 ? Confirmed::waiting_external : Confirmed::pending,
            .source = {.label = "Remote status page"}};
        const Stopwatch first;
        if (!task_.confirm_action(confirmation, task_.revision())) bug("the bench cannot confirm");
        const Block block = *task_.prompt();
        double seconds = first.seconds();
        request_ = attach(block, messages_);
        const Stopwatch second;
        if (!task_.verify_dispatch(block, request_)) bug("the bench cannot verify");
        return seconds + second.seconds();
    }

    /// Units: seconds of looking once for something in the whole request.
    [[nodiscard]] double scan() const {
        const Stopwatch watch;
        for (const Message& message : request_) {
            for (const std::string& part : message.parts) benchmark::DoNotOptimize(part.find("<unheard-of>"));
        }
        return watch.seconds();
    }

 private:
    static constexpr std::size_t actions = 5;
    std::string saved_action(std::size_t index) const {
        return std::string(task_.snapshot()->state().actions[index].id());
    }

    TaskState task_;
    std::vector<Message> messages_, request_;
};

void session(benchmark::State& state) {
    constexpr double nanoseconds = 1e9 / 50;
    double first = 0, last = 0, scans = 0;
    for (auto _ : state) {
        Session subject;
        double whole = 0;
        for (std::size_t i = 0; i < Session::turns; ++i) {
            const double seconds = subject.turn(i);
            whole += seconds;
            if (i < 50) first += seconds;
            if (i >= Session::turns - 50) last += seconds;
            if (i >= Session::turns - 50) scans += subject.scan();
        }
        state.SetIterationTime(whole);
    }
    const auto sessions = static_cast<double>(state.iterations());
    state.counters["first_ns"] = first / sessions * nanoseconds;
    state.counters["last_ns"] = last / sessions * nanoseconds;
    state.counters["beyond_scan_ns"] = (last - scans) / sessions * nanoseconds;
}

[[maybe_unused]] const bool registered = [] {
    for (const std::size_t tasks : {1, 2}) {
        const std::string name = tasks == 1 ? "/same" : "/two";
        for (const int threads : {1, 2}) {
            if (threads == 1 && tasks == 2) continue;
            const auto add = [&](const std::string& start, auto run) {
                benchmark::RegisterBenchmark((start + name).c_str(),
                                             [=](benchmark::State& state) { run(state, tasks); })
                    ->Threads(threads)
                    ->UseRealTime();
            };
            add("task/read", reading);
            add("floor/read", plain_reading);
        }
    }
    for (const std::size_t entries : {0, 1, 10}) {
        benchmark::RegisterBenchmark(("residence/" + std::to_string(entries)).c_str(), [entries](
                                                                                           benchmark::State& state) {
            residence(state, entries);
        })->Iterations(1);
    }
    benchmark::RegisterBenchmark("residence/find", finding);
    benchmark::RegisterBenchmark("residence/find_floor", plain_finding);
    benchmark::RegisterBenchmark("task/session", session)->UseManualTime();
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
