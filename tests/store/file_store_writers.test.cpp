// Several processes, one store in plain files: what was acknowledged is there, whoever is killed.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "store/cases.hpp"
#include "store/kept_files.hpp"
#include "store/processes.hpp"

#include <taskstate/service/task_service.hpp>

namespace taskstate::test {
namespace {

const TaskAddress shared_task{.scope = stored_scope, .id = "delivery-42"};

/// What brings the task as it is stored to its next revision, by the change number `number` of a writer.
Write next_write(Store& store, const std::string& name, std::uint64_t number) {
    const TaskOptions options{
        .id = shared_task.id, .scope = shared_task.scope, .clock = std::make_shared<FixedClock>(stored_at)};
    const auto stored = value_of(store.load(shared_task));
    TaskState task = stored ? *TaskState::open(options, stored->snapshot) : *TaskState::create(options);
    const Snapshot before = *task.snapshot();
    const Snapshot after = task.update(next_change(name, number), task.revision())->snapshot;
    if (!stored) return start(before, after);
    return advance(before, after);
}

/// The revision of the task, whose log has to lead there without a gap.
std::uint64_t checked_revision(const std::shared_ptr<Store>& store) {
    const auto stored = value_of(store->load(shared_task));
    if (!stored) return 0;
    keep_in(*store, {SetScopeMode{stored_scope, ScopeMode::enabled}});
    TaskService service(value_of(TaskService::open({.store = store})));
    const auto integrity = value_of(service.verify(stored_scope));
    CHECK(integrity.valid);
    CHECK(integrity.checked_tasks == 1);
    return stored->head.frame.revision.number;
}

}  // namespace

TEST_CASE("file store: no acknowledged change of several processes is lost", "[store][hazard:4]") {
    constexpr std::uint64_t processes = 4, changes = 250;
    Cases cases("4 processes make 250 commits each to the file store");
    const TemporaryFolder folder;
    const std::string path = folder / "tasks";
    const Channel<std::uint64_t> conflicts;
    std::vector<pid_t> children;
    for (std::uint64_t n = 1; n <= processes; ++n) {
        children.push_back(test::start([&] {
            const auto store = open_kept(path, 16 * 1024);
            std::uint64_t lost = 0;
            for (std::uint64_t made = 0; made < changes;) {
                const auto done = store->commit(std::vector{next_write(*store, "p" + std::to_string(n), made + 1)});
                const bool late = !done && (done.error().reason == Reason::concurrent_successor_committed ||
                                            done.error().reason == Reason::already_exists);
                if (!done && !late) return 1;
                ++(done ? made : lost);
            }
            conflicts.give(lost);
            return 0;
        }));
    }
    std::uint64_t conflicts_seen = 0;
    for (const pid_t child : children) {
        conflicts_seen += conflicts.take();
        REQUIRE(exit_code(child) == 0);
    }
    for (std::uint64_t n = 0; n < processes * changes; ++n) ++cases;

    const auto store = open_kept(path);
    CHECK(checked_revision(store) == processes * changes);
    auto ids = note_ids(value_of(store->load(shared_task))->snapshot);
    std::ranges::sort(ids);
    CHECK(ids == std::vector<std::string>{"p1-250", "p2-250", "p3-250", "p4-250"});
    CHECK(conflicts_seen > 0);
}

TEST_CASE("file store: a process that is killed at any moment leaves every acknowledged revision, and no gap",
          "[store][hazard:11][hazard:12]") {
    constexpr std::size_t rounds = 200, rounds_of_one = 10;
    Cases cases("a process is killed while it commits to the file store");
    const TemporaryFolder folder;
    std::string path;
    std::minstd_rand random(1);
    std::uint64_t revision = 0;  // the last one that is known to be kept

    for (std::size_t round = 1; round <= rounds; round += case_step()) {
        ++cases;
        if (cases.count() % rounds_of_one == 1) {
            path = folder / ("tasks-" + std::to_string(round));
            revision = 0;
        }
        INFO("round " << round << ", revision " << revision);
        const Channel<std::uint64_t> acknowledged;
        const pid_t child = test::start([&] {
            const auto store = open_kept(path, 1, posix_file_system());
            for (std::uint64_t next = revision + 1;; ++next) {
                if (!store->commit(std::vector{next_write(*store, "w", next)})) return 1;
                acknowledged.give(next);
            }
        });
        // The first answer tells that it is at work; what is left of it is from any moment of a commit.
        REQUIRE(acknowledged.take() == revision + 1);
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 3'000));
        ::kill(child, SIGKILL);
        REQUIRE(exit_code(child) == -1);
        ++revision;
        while (acknowledged.waits()) revision = acknowledged.take();

        const auto found = checked_revision(open_kept(path, 1));

        REQUIRE((found == revision || found == revision + 1));
        revision = found;
    }
    const auto store = open_kept(path, 1);
    CHECK(store->commit(std::vector{next_write(*store, "w", revision + 1)}));
    for (const auto& [name, bytes] : files_below(path)) CHECK(name.find("state.tmp") == std::string::npos);
}

}  // namespace taskstate::test
