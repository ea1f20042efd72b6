// The end of everything that is kept of a task.

#include "service/core.hpp"

#include <taskstate/engine/governance.hpp>

#include "engine/field_checks.hpp"

#include <utility>

namespace taskstate::inline v0 {

Result<DeletionReceipt> TaskService::forget(const TaskAddress& task, const Actor& actor) {
    FieldChecks fields(core_->options().text);
    fields.actor(actor);
    if (auto& wrong = fields.error()) return *std::move(wrong);
    if (auto may = check_capability(actor.role, Capability::delete_state); !may) {
        return under("/actor/role", std::move(may).error());
    }
    const auto found = core_->find(task);
    if (!found) return found.error();
    const std::string goal = found->head.identity.goal.value_or("");
    const auto& secrets = core_->options().secrets;
    const Digest digest = secrets.empty() ? sha256(goal) : hmac_sha256(secrets.front().bytes, goal);

    const Timestamp now = core_->now();
    const auto removed = core_->store().forget(task);
    core_->drop(task);
    if (!removed) return removed.error();
    if (!*removed) return fail(Reason::task_not_eligible);
    return DeletionReceipt{.task = task.id,
                           .removed = **removed,
                           .goal_digest = format_digest(digest),
                           .actor = actor.name,
                           .deleted_at = now};
}

}  // namespace taskstate::inline v0
