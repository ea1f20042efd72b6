// Many threads on one store: nothing is half there, nobody wins twice, nobody loses in silence.

#include "store/contract.hpp"

#include <array>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

// Catch's assertions are not for other threads: those count, and the test's thread judges.

namespace taskstate::test {
namespace {

const TaskAddress task{.scope = stored_scope, .id = "delivery-42"};

/// The successor of `before` that writer `writer` makes.
std::vector<Write> successor(const Snapshot& before, std::size_t writer) {
    State next = before.state();
    next.revision = {next.revision.number + 1};
    next.phase = "writer-" + std::to_string(writer);
    const Snapshot after{std::move(next)};
    const std::string id = std::to_string(after.revision().number) + "-" + std::to_string(writer);
    return {advance(before, after), decision(task, "d" + id, "key-" + id), delivery(task, "p" + id)};
}

/// Runs `work(n)` on `count` threads at once.
template <class Work>
void at_once(std::size_t count, const Work& work) {
    std::vector<std::thread> threads;
    for (std::size_t n = 0; n < count; ++n) threads.emplace_back([&work, n] { work(n); });
    for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE_METHOD(OnEachStore, "store: of two writers released together on one base exactly one wins, each round",
                 "[store][hazard:5][governed:30.27]") {
    constexpr std::size_t rounds = 1'000;
    Snapshot head = keep_task(task).back();
    std::array<Result<void>, 2> done;
    std::array<std::vector<Write>, 2> batches;
    std::barrier together(3);
    const auto write = [&](std::size_t n) {
        for (std::size_t round = 0; round < rounds; ++round) {
            together.arrive_and_wait();
            done[n] = store->commit(batches[n]);
            together.arrive_and_wait();
        }
    };
    std::thread first(write, 0), second(write, 1);
    std::size_t won = 0, told = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t n = 0; n < 2; ++n) batches[n] = successor(head, n);
        together.arrive_and_wait();
        together.arrive_and_wait();
        const std::size_t winner = done[0] ? 0 : 1;
        if (done[winner]) ++won;
        const auto& lost = done[1 - winner];
        const std::uint64_t base = head.revision().number;
        if (!lost && lost.error() == fail(Reason::concurrent_successor_committed, "", {base + 1, base})) ++told;
        State next = head.state();
        next.revision = {base + 1};
        next.phase = "writer-" + std::to_string(winner);
        head = Snapshot(std::move(next));
    }
    first.join();
    second.join();

    CHECK(won == rounds);
    CHECK(told == rounds);
    CHECK(value_of(store->load(task))->snapshot == to_input(head));
    CHECK(store->decisions(task, 0, all)->size() == rounds);
    CHECK(store->deliveries(task, 0, all)->size() == rounds);
}

TEST_CASE_METHOD(OnEachStore, "store: of a thousand commits on one base one wins, and the others are told", "[store]") {
    constexpr std::size_t threads = 8, commits = 1'000;
    const Snapshot head = keep_task(task).back();
    std::atomic<std::size_t> won{0}, lost{0};
    at_once(threads, [&](std::size_t thread) {
        for (std::size_t n = thread; n < commits; n += threads) {
            const auto done = store->commit(successor(head, n));
            if (done) {
                ++won;
            } else if (done.error() == fail(Reason::concurrent_successor_committed, "", {2, 1})) {
                ++lost;
            }
        }
    });
    CHECK(won == 1);
    CHECK(lost == commits - 1);
    CHECK(store->revisions(task, {}, all)->size() == 2);
    CHECK(store->decisions(task, 0, all)->size() == 1);
}

TEST_CASE_METHOD(OnEachStore, "store: a key, a start, a session and a delivery are won once", "[store]") {
    constexpr std::size_t threads = 8, rounds = 50;
    keep_task(task);
    std::array<std::atomic<std::size_t>, 4> won{};
    std::barrier together(static_cast<std::ptrdiff_t>(threads));
    at_once(threads, [&](std::size_t thread) {
        for (std::size_t round = 0; round < rounds; ++round) {
            const std::string n = std::to_string(round), mine = n + "-" + std::to_string(thread);
            const auto states = states_of({stored_scope, "new-" + n}, 1);
            together.arrive_and_wait();
            if (store->commit(std::vector<Write>{decision(task, mine, "key-" + n)})) ++won[0];
            if (store->commit(std::vector<Write>{start(states[0], states[1])})) ++won[1];
            if (store->commit(std::vector<Write>{binding(task, mine, {"chat", "session-" + n, "epoch-1"})})) ++won[2];
            if (thread == 0) static_cast<void>(store->commit(std::vector<Write>{delivery(task, n)}));
            together.arrive_and_wait();
            if (store->expose(stored_scope, n, later(1)).value_or(false)) ++won[3];
        }
    });
    for (const auto& count : won) CHECK(count == rounds);
}

TEST_CASE_METHOD(OnEachStore, "store: a reader sees all of a batch or nothing of it", "[store][hazard:4]") {
    constexpr std::uint64_t last = 200;
    Snapshot head = keep_task(task).back();
    std::atomic<bool> done{false};
    std::atomic<int> torn{0};
    const auto look = [&](std::size_t) {
        std::uint64_t seen = 1;
        while (!done) {
            const auto loaded = store->load(task);
            if (!loaded || !*loaded) {
                ++torn;
                continue;
            }
            const TaskHead& found = (*loaded)->head;
            const SnapshotInput& state = (*loaded)->snapshot;
            const std::uint64_t number = found.frame.revision.number;
            if (number < seen || state.revision.number != number || state.phase != found.frame.phase) ++torn;
            seen = number;
            // What was written with the revision that was seen is there, and the batch after it is there or not.
            const auto decided = store->decisions(task, 0, all);
            const auto delivered = store->deliveries(task, 0, all);
            const auto kept = store->revisions(task, {number - 1}, 1);
            const auto keyed = store->find(task, "key-" + std::to_string(number) + "-0");
            if (!decided || decided->size() + 1 < number) ++torn;
            if (!delivered || !decided || delivered->size() < decided->size()) ++torn;
            if (!kept || kept->size() != 1) ++torn;
            if (!keyed || !*keyed || (number > 1 && !(*keyed)->decision)) ++torn;
            const auto listed = store->list({.scope = stored_scope});
            if (!listed || listed->size() != 1) ++torn;
        }
    };
    std::thread reader(look, 0), other(look, 1);
    while (head.revision().number < last) {
        keep(successor(head, 0));
        State next = head.state();
        next.revision = {head.revision().number + 1};
        next.phase = "writer-0";
        head = Snapshot(std::move(next));
        // One that is refused at its end shows nothing either.
        auto refused = successor(head, 1);
        refused.emplace_back(revoke(stored_scope, "none"));
        CHECK_FALSE(commit(refused));
    }
    done = true;
    reader.join();
    other.join();
    CHECK(torn == 0);
}

TEST_CASE_METHOD(OnEachStore, "store: a task that is forgotten while others work on it is gone whole", "[store]") {
    constexpr int rounds = 50;
    const auto states = states_of(task, 2);
    std::atomic<bool> done{false};
    std::atomic<int> odd{0};
    std::thread writer([&] {
        for (int n = 0; !done; ++n) {
            const std::string id = std::to_string(n);
            static_cast<void>(store->commit(std::vector<Write>{decision(task, id), delivery(task, id)}));
            const auto bound = binding(task, id, {"chat", id, "epoch-1"});
            static_cast<void>(store->commit(std::vector<Write>{bound, revoke(stored_scope, id)}));
        }
    });
    for (int round = 0; round < rounds; ++round) {
        keep(history(states));
        const auto removed = value_of(store->forget(task));
        if (!removed || removed->heads != 1 || removed->revisions != 2 || removed->decisions != removed->deliveries)
            ++odd;
        if (!store->bindings({.scope = stored_scope, .revoked_too = true})->empty()) ++odd;
    }
    done = true;
    writer.join();
    CHECK(odd == 0);
    CHECK(contents() == Contents{.modes = {ScopeMode::disabled}, .tallies = {{}}});
}

}  // namespace taskstate::test
