#include "service/evidence.hpp"
#include "service/payload.hpp"
#include "service/request.hpp"

#include "engine/field_checks.hpp"
#include "engine/successor.hpp"

#include <taskstate/engine/lifecycle.hpp>

#include <algorithm>

namespace taskstate::inline v0 {

using Core = TaskService::Core;

Result<LifecycleInput> admit(const LifecycleInput& change, TextPolicy policy) {
    LifecycleInput admitted = change;
    FieldChecks fields(policy);
    fields.inside("/scope", [&] { fields.scope(admitted.task.scope); });
    fields.id("/task", admitted.task.id);
    fields.ref("/key", admitted.key);
    fields.actor(admitted.actor);
    fields.require(admitted.to < Lifecycle::expired, "/to", Reason::unknown_word);
    fields.bound("/base", admitted.base.number, integer_max);
    fields.text("/reason", admitted.reason, reason_max);
    fields.bound("/evidence", admitted.evidence.size(), evidence_max);
    for (std::size_t i = 0; i < admitted.evidence.size(); ++i) fields.evidence(at("evidence", i), admitted.evidence[i]);
    if (fields.error()) return *std::move(fields.error());
    return admitted;
}

Result<StepResult> take_lifecycle(Core& core, ScopeMode mode, const LifecycleInput& change, const Channel& channel) {
    auto addressee = find_addressee(core, change.task, channel.key);
    if (!addressee) return std::move(addressee).error();
    if (!addressee->found) return fail(Reason::task_not_eligible);
    StepRequest request{
        .kind = channel.kind,
        .task = change.task,
        .key = channel.key,
        .payload = channel.payload,
        .actor = change.actor,
        .base = change.base,
        .assurance = std::min(Assurance::operator_confirmed, ceiling(change.actor.role, channel.intake)),
        .method = "lifecycle_" + std::string(word(change.to)),
        .reason = change.reason,
        .evidence = change.evidence};
    const auto judge = [&](StepRequest&, const SeenTask& seen, Timestamp now) {
        const LifecycleChange wanted{.to = change.to,
                                     .base = change.base,
                                     .actor = change.actor,
                                     .reason = change.reason,
                                     .over_open_gates = change.over_open_gates};
        auto grounded = check_evidence(core.options().evidence.get(), change.task.scope, change.evidence);
        const Decision decision = change_lifecycle(seen.snapshot, wanted, core.rules(*seen.profile), now);
        // Who may ask, and of which revision, comes before what he cites; whether it may be done comes after.
        const bool stands = decision.outcome == Outcome::accepted || decision.outcome == Outcome::no_change ||
                            decision.error.reason == Reason::required_items_incomplete;
        return grounded || !stands ? decision : refuse(seen.snapshot, std::move(grounded).error());
    };
    return take_step(core, mode, *std::move(addressee->found), std::move(request), judge);
}

Result<StepResult> TaskService::lifecycle(const LifecycleInput& request) {
    const auto mode = core_->check_mode(request.task.scope);
    if (!mode) return mode.error();
    if (auto own = check_own_key(request.key); !own) return std::move(own).error();
    auto change = admit(request, core_->options().text);
    if (!change) return std::move(change).error();
    return take_lifecycle(*core_, *mode, *change,
                          {StepKind::lifecycle, Intake::submission, request.key, payload_digest(request)});
}

}  // namespace taskstate::inline v0
