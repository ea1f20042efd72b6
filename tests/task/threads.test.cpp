// One task, many threads: every acknowledged change is there, every loser was told.

#include "support/builders.hpp"
#include "support/catch.hpp"

#include <taskstate/engine/apply.hpp>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace taskstate;

// Catch's assertions are not for other threads: those count, and the test's thread judges.

TEST_CASE("threads: writers that retry lose nothing, and readers see whole states only", "[task][spec:N2][hazard:4]") {
    constexpr int writers = 4, updates = 25;
    TaskState task = test::open_task();
    std::atomic<int> accepted{0}, unexpected{0};
    std::atomic<bool> done{false};

    std::vector<std::thread> threads;
    for (int writer = 0; writer < writers; ++writer) {
        threads.emplace_back([&, writer] {
            for (int update = 0; update < updates;) {
                const std::string id = "w" + std::to_string(writer) + "-" + std::to_string(update);
                const auto result = task.update({.notes = {test::constraint(id)}}, task.revision());
                if (result) {
                    ++accepted;
                    ++update;
                } else if (result.error().code() != Errc::conflict) {
                    ++unexpected;
                    return;
                }
            }
        });
    }
    std::thread reader([&] {
        while (!done) {
            const Snapshot snapshot = *task.snapshot();
            const auto block = task.prompt();
            if (snapshot.notes().size() != snapshot.revision().number || !block ||
                !validate(snapshot.state(), test::notebook_rules())) {
                ++unexpected;
            }
        }
    });
    for (std::thread& thread : threads) thread.join();
    done = true;
    reader.join();

    CHECK(unexpected == 0);
    CHECK(accepted == writers * updates);
    CHECK(task.revision().number == writers * updates);
    const Snapshot snapshot = *task.snapshot();
    for (int writer = 0; writer < writers; ++writer) {
        for (int update = 0; update < updates; ++update) {
            CHECK(snapshot.notes().find("w" + std::to_string(writer) + "-" + std::to_string(update)));
        }
    }
}

TEST_CASE("threads: of two writers on one base exactly one wins, each round", "[task][spec:N2][hazard:5]") {
    TaskState task = test::open_task();
    for (std::uint64_t round = 0; round < 200; ++round) {
        const HostDelta delta = round % 2 == 0 ? HostDelta{.notes = {test::constraint("a")}}
                                               : HostDelta{.resolve = {"a"}, .prune = {.notes = {"a"}}};
        std::array<bool, 2> won{}, lost{};
        std::array<std::thread, 2> writers;
        for (std::size_t i = 0; i < writers.size(); ++i) {
            writers[i] = std::thread([&, i] {
                const auto result = task.update(delta, Revision{round});
                won[i] = result.has_value();
                lost[i] = !result && result.error().code() == Errc::conflict && result.error().limit == round + 1;
            });
        }
        for (std::thread& writer : writers) writer.join();
        CHECK(won[0] != won[1]);
        CHECK(lost[0] != lost[1]);
        CHECK(task.revision().number == round + 1);
    }
}

TEST_CASE("threads: a refresh and a commit on one base never both pass", "[task][spec:L6]") {
    TaskOptions options = test::options();
    options.link = LinkTarget{LinkKind::memory, "m-1"};
    for (int round = 0; round < 100; ++round) {
        TaskState task = test::open_task(options);
        auto ticket = task.begin_refresh("host-user", Revision{0});
        REQUIRE(ticket);
        bool refreshed = false, committed = false;
        std::thread refresher([&] {
            refreshed = task.commit_refresh(*std::move(ticket), {.type = "task", .state = "done"}).has_value();
        });
        std::thread committer(
            [&] { committed = task.update({.notes = {test::constraint("a")}}, Revision{0}).has_value(); });
        refresher.join();
        committer.join();
        CHECK(refreshed != committed);
        CHECK(task.revision() == Revision{1});
    }
}

TEST_CASE("threads: destruction meets readers and writers at any moment", "[task][spec:Z1]") {
    for (int round = 0; round < 50; ++round) {
        TaskState task = test::open_task();
        std::atomic<int> unexpected{0};
        const auto wrong = [](const Error& error) {
            return error.reason != Reason::task_destroyed && error.code() != Errc::conflict;
        };
        std::thread writer([&] {
            for (int i = 0; i < 20; ++i) {
                const auto result =
                    task.update({.notes = {test::constraint("n" + std::to_string(i))}}, task.revision());
                if (!result && wrong(result.error())) ++unexpected;
            }
        });
        std::thread reader([&] {
            for (int i = 0; i < 20; ++i) {
                const auto block = task.prompt();
                if (!block && wrong(block.error())) ++unexpected;
            }
        });
        task.destroy();
        writer.join();
        reader.join();
        CHECK(unexpected == 0);
        CHECK(task.snapshot().error().reason == Reason::task_destroyed);
    }
}

TEST_CASE("threads: everything a task can do, at once, and then its end", "[task][spec:N2][spec:Z1][hazard:4]") {
    TaskOptions options = test::options();
    options.link = LinkTarget{LinkKind::memory, "m-1"};
    for (int round = 0; round < 10; ++round) {
        TaskState task = test::open_task(options);
        std::atomic<int> unexpected{0}, shown{0};
        // Another was first, or restored or cleared what the call is about.
        const auto note_error = [&unexpected](const Error& error) {
            const Errc code = error.code();
            if (code != Errc::destroyed && code != Errc::conflict && code != Errc::invalid) ++unexpected;
            return error.reason == Reason::task_destroyed;
        };
        // Each kind of caller goes on until it is told that the task is gone.
        const auto until_destroyed = [&](auto call) {
            return std::thread([call, &note_error] {
                for (int i = 0;; ++i) {
                    const auto result = call(i);
                    if (!result && note_error(result.error())) return;
                }
            });
        };
        std::vector<std::thread> threads;
        threads.push_back(until_destroyed([&](int i) {
            const std::string id = "n" + std::to_string(i % 20);
            return i % 40 < 20 ? task.update({.notes = {test::constraint(id)}}, task.revision())
                               : task.update({.resolve = {id}, .prune = {.notes = {id}}}, task.revision());
        }));
        threads.push_back(until_destroyed([&](int) -> Result<Commit> {
            auto ticket = task.begin_refresh("host-user", task.revision());
            if (!ticket) return ticket.error();
            return task.commit_refresh(*std::move(ticket), {.type = "task", .state = "done"});
        }));
        threads.push_back(until_destroyed([&](int) -> Result<void> {
            const auto block = task.prompt();
            if (!block) return block.error();
            const Message message{.role = "system", .parts = {block->text()}};
            ++shown;
            return task.verify_dispatch(*block, {&message, 1});
        }));
        threads.push_back(until_destroyed([&](int) -> Result<void> {
            const auto before = task.snapshot();
            if (!before) return before.error();
            if (!validate(before->state(), test::notebook_rules())) ++unexpected;
            const auto again = task.rebase({.resolve = {"nobody"}}, before->revision());
            return again ? Result<void>() : again.error();
        }));
        threads.push_back(until_destroyed([&](int i) -> Result<void> {
            const auto snapshot = task.snapshot();
            if (!snapshot) return snapshot.error();
            if (i % 8 == 0) return task.clear();
            if (auto restored = task.restore(to_input(*snapshot)); !restored) return restored.error();
            return {};
        }));
        while (shown < 20) std::this_thread::yield();
        task.destroy();
        for (std::thread& thread : threads) thread.join();
        CHECK(unexpected == 0);
        CHECK(task.prompt().error().reason == Reason::task_destroyed);
    }
}
