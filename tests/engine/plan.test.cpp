#include "support/builders.hpp"

#include <taskstate/model/profile.hpp>

#include <array>
#include <string>
#include <string_view>

using namespace taskstate;

namespace {

/// From each status, what may follow; the columns are the statuses in the order of their words.
constexpr std::array graph = std::to_array<std::string_view>({
    // pending ready running blocked completed failed skipped
    "= y y y y y y",  // pending
    "- = y y y y y",  // ready
    "- y = y y y -",  // running
    "y y - = - y y",  // blocked
    "- - - - = - -",  // completed
    "- y - - - = y",  // failed
    "- - - - - - =",  // skipped
});

constexpr std::size_t statuses = Words<ItemStatus>::list.size();

/// A task whose one item has come to this status.
TaskState task_with_item(ItemStatus status) {
    TaskState task = test::open_task();
    test::accept(task, {.add_items = {{.title = "Do it", .id = "a"}}});
    if (status != ItemStatus::pending)
        test::accept(task, {.items = {{.id = "a", .status = status, .reason = "Because."}}});
    return task;
}

}  // namespace

TEST_CASE("plan: an item moves along the graph of statuses and not otherwise", "[engine][governed:7.1]") {
    for (std::size_t from = 0; from < statuses; ++from) {
        for (std::size_t to = 0; to < statuses; ++to) {
            const auto before = static_cast<ItemStatus>(from), after = static_cast<ItemStatus>(to);
            INFO(word(before) << " to " << word(after));
            TaskState task = task_with_item(before);
            const auto moved =
                task.update({.items = {{.id = "a", .status = after, .reason = "Because."}}}, task.revision());
            const char expected = graph[from][2 * to];
            REQUIRE(moved.has_value() == (expected != '-'));
            if (!moved) {
                CHECK(moved.error().reason == Reason::illegal_status_transition);
                CHECK(moved.error().path == "/items/0/status");
            } else {
                CHECK((moved->outcome == Outcome::accepted) == (expected == 'y'));
            }
        }
    }
}

TEST_CASE("plan: progress is an item that runs or is settled, a phase, an inspected source",
          "[engine][governed:7.11]") {
    auto clock = std::make_shared<test::FixedClock>();
    TaskState task = *TaskState::create(
        {.id = "t", .scope = {.owner = "u", .workspace = "w"}, .profile = "general-v1", .clock = clock});
    const auto progresses = [&](const HostDelta& delta) {
        clock->advance(1000);
        const Snapshot after = test::accept(task, delta);
        return after.last_progress_at() == after.updated_at();
    };
    CHECK_FALSE(
        progresses({.add_sources = {"s"}, .add_items = {{.title = "A", .id = "a"}, {.title = "B", .id = "b"}}}));
    CHECK_FALSE(progresses({.items = {{.id = "a", .status = ItemStatus::ready}}}));
    CHECK_FALSE(progresses({.items = {{.id = "b", .status = ItemStatus::blocked, .reason = "Waits."}}}));
    CHECK(progresses({.items = {{.id = "a", .status = ItemStatus::running}}}));
    CHECK_FALSE(progresses({.items = {{.id = "a", .title = "Do A"}}}));
    CHECK_FALSE(progresses({.items = {{.id = "a", .status = ItemStatus::running, .title = "A again"}}}));
    CHECK(progresses({.items = {{.id = "a", .status = ItemStatus::completed}}}));
    CHECK(progresses({.items = {{.id = "b", .status = ItemStatus::skipped, .reason = "Not needed."}}}));
    CHECK(progresses({.phase = "collect"}));
    CHECK_FALSE(progresses({.phase = "collect", .lock_schema = true, .reason = "The plan stands."}));
    CHECK(progresses({.inspected = {"s"}}));
    CHECK_FALSE(progresses({.add_sources = {"s2"}, .inspected = {"s"}}));
}

TEST_CASE("plan: after the lock a note may take the place of a gate, and none become a new one",
          "[engine][governed:8]") {
    TaskOptions options = test::options();
    options.profile = "general-v1";
    TaskState task = test::open_task(options);
    NoteInput loose = test::constraint("loose");
    loose.gates_completion = false;
    test::accept(task,
                 {.notes = {test::constraint("gate"), loose}, .lock_schema = true, .reason = "The plan is whole."});

    NoteInput gate = test::constraint("new-gate");
    gate.supersedes = "loose";
    const auto more = task.update({.notes = {gate}}, task.revision());
    REQUIRE_FALSE(more.has_value());
    CHECK(more.error().reason == Reason::schema_is_locked);
    gate.supersedes = "gate";
    test::accept(task, {.notes = {gate}});
}
