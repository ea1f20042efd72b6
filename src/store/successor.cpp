#include "store/successor.hpp"

#include <taskstate/engine/changes.hpp>

#include <memory>
#include <utility>

namespace taskstate::inline v0 {

Snapshot nothing_of(const Identity& identity, Revision before) {
    return Snapshot(State{.identity = std::make_shared<const Identity>(identity),
                          .revision = before,
                          .updated_at = identity.created_at,
                          .last_progress_at = identity.created_at});
}

TaskHead next_head(const Succession& step) {
    const Snapshot &before = step.before, &after = step.after;
    TaskHead head = step.head;
    head.frame = frame_of(after.state());
    head.state_digest = after.state_digest();
    head.pause = advance(head.pause, before, after, step.progressed);
    head.due_at.reset();
    if (is_terminal(after.lifecycle())) {
        head.terminal_reason = step.origin.reason;
    } else {
        head.due_at = due_at(head.expiry, after.created_at(), after.last_progress_at(), head.pause);
    }
    return head;
}

RevisionRecord next_revision(const Succession& step) {
    RevisionRecord revision{.frame = frame_of(step.after.state()),
                            .state_digest = step.after.state_digest(),
                            .semantic_digest = step.after.semantic_digest(),
                            .changes = changes(step.before, step.after),
                            .origin = step.origin,
                            .lineage = {},
                            .progressed = step.progressed};
    if (step.whole) revision.lineage.push_back(*step.whole);
    auto values = lineage(step.before, step.after, step.values);
    revision.lineage.insert(revision.lineage.end(), values.begin(), values.end());
    return revision;
}

Lineage transition_of(std::string decision, const Snapshot& before, Assurance assurance) {
    return {.kind = TargetKind::transition,
            .id = std::move(decision),
            .supersedes = before.revision(),
            .assurance = assurance};
}

}  // namespace taskstate::inline v0
