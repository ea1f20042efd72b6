#pragma once
// The task that deltas and commands are tried on.

#include "fuzz/task_rules.hpp"

namespace taskstate::fuzz {

/// A task at revision 2 with one note of each sort, one action in each stage, and a link.
inline TaskState busy_task(TextPolicy policy) {
    SnapshotInput none{.id = "t", .profile = "notebook-v1", .scope = {.owner = "u", .workspace = "w"}};
    none.link = SavedLink{{LinkKind::task, "job"}, std::nullopt};
    auto task = TaskState::create(options_of(none, policy));
    require(task.has_value(), "the task can be made");
    const auto note = [](const char* id, Category category) {
        return NoteInput{.id = id, .category = category, .text = "Text.", .source = {.label = "User"}};
    };
    const auto action = [](const char* execution, ActionStatus status) {
        return ActionOutcome{.execution = execution,
                             .tool = "submit",
                             .status = status,
                             .completion = Completion::unknown,
                             .started_at = Timestamp{1'767'225'600'000}};
    };
    HostDelta first{.notes = {note("a", Category::constraint), note("b", Category::objective),
                              note("c", Category::question), note("d", Category::decision)},
                    .resolve = {"c"},
                    .record_actions = {action("e1", ActionStatus::started), action("e2", ActionStatus::failed),
                                       action("e3", ActionStatus::timed_out)},
                    .confirm_actions = {{"e3", Confirmed::failed, {.label = "Status page"}}},
                    .link = LinkStatus{"job", "pending"}};
    first.notes[1].gates_completion = true;
    NoteInput second = note("a2", Category::constraint);
    second.supersedes = "a";
    require(task->update(first, {}).has_value(), "the task can be filled");
    require(task->update({.notes = {second}}, Revision{1}).has_value(), "a note of the task can be corrected");
    return *std::move(task);
}

}  // namespace taskstate::fuzz
