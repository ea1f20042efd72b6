#pragma once
// States of one task, to be saved.

#include "support/builders.hpp"

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

}  // namespace taskstate::test
