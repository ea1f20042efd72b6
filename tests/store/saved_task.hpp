#pragma once
// States of one task, to be saved.

#include "support/builders.hpp"

#include <taskstate/store/snapshot_file.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace taskstate::test {

inline TaskOptions saved_task_options() {
    return {.id = "delivery-42",
            .scope = {.owner = "host-user", .workspace = "deliveries"},
            .clock = std::make_shared<FixedClock>()};
}

inline HostDelta one_note(const std::string& id) {
    return {.notes = {{.id = id,
                       .category = Category::decision,
                       .text = "The fact that " + id + " was decided.",
                       .source = {.label = "Test"}}}};
}

/// The states at the revisions 0 to `last`; each holds one note more than the one before.
inline std::vector<Snapshot> saved_task(std::size_t last, const TaskOptions& options = saved_task_options()) {
    TaskState task = *TaskState::create(options);
    std::vector<Snapshot> states{*task.snapshot()};
    while (states.size() <= last) {
        states.push_back(task.update(one_note("n" + std::to_string(states.size())), task.revision())->snapshot);
    }
    return states;
}

/// The change number `number` of a writer: its note `<name>-<number>` takes the place of the one before.
///
/// So the state stays small, and once a change was lost the writer's next one is refused.
inline HostDelta next_change(const std::string& name, std::uint64_t number) {
    HostDelta delta = one_note(name + '-' + std::to_string(number));
    if (number > 1) {
        const std::string before = name + '-' + std::to_string(number - 1);
        delta.resolve = {before};
        delta.prune.notes = {before};
    }
    return delta;
}

struct Score {
    std::uint64_t accepted = 0, conflicts = 0;
    bool broken = false;  ///< something else went wrong
};

/// Makes `count` changes to the task in the file, each on what lies there, and again where another writer was quicker.
inline Score make_changes(SnapshotFile& file, const std::string& name, std::uint64_t count) {
    Score score{.broken = true};
    while (score.accepted < count) {
        const auto saved = file.load();
        if (!saved) return score;
        const auto base = *saved ? std::optional((*saved)->revision) : std::nullopt;
        auto task = *saved ? TaskState::open(saved_task_options(), **saved) : TaskState::create(saved_task_options());
        if (!task) return score;
        const auto commit = task->update(next_change(name, score.accepted + 1), task->revision());
        if (!commit) return score;
        const auto result = file.save(commit->snapshot, base);
        if (!result && result.error().reason != Reason::stale_base_revision) return score;
        ++(result ? score.accepted : score.conflicts);
    }
    score.broken = false;
    return score;
}

/// The ids of the notes of a state.
inline std::vector<std::string> note_ids(const SnapshotInput& state) {
    std::vector<std::string> ids;
    for (const auto& note : state.notes) ids.push_back(note.note.id);
    return ids;
}

}  // namespace taskstate::test
