#include "service/evidence.hpp"
#include "service/request.hpp"

namespace taskstate::inline v0 {

using Core = TaskService::Core;

Rules usual_rules(const Core& core) {
    Rules rules = core.rules(*find_profile("general-v1"));
    rules.limits = unbounded;
    return rules;
}

Result<Addressee> find_addressee(const Core& core, const TaskAddress& task, const std::string& key) {
    auto found = core.store().find(task, key);
    if (!found) return std::move(found).error();
    auto profile = core.profile(*found ? std::string_view((*found)->head.identity.profile) : "general-v1");
    if (!profile) return std::move(profile).error();
    return Addressee{*std::move(found), *std::move(profile)};
}

Result<StepResult> take_proposal(Core& core, ScopeMode mode, const ProposalInput& proposal, const Channel& channel) {
    auto addressee = find_addressee(core, proposal.task, channel.key);
    if (!addressee) return std::move(addressee).error();
    auto transaction = admit(proposal, channel.intake, core.rules(*addressee->profile));
    if (!transaction) return std::move(transaction).error();
    if (!addressee->found) return fail(Reason::task_not_eligible);

    const bool corrects = channel.intake == Intake::correction;
    StepRequest request{.kind = channel.kind,
                        .task = proposal.task,
                        .key = channel.key,
                        .payload = channel.payload,
                        .actor = proposal.actor,
                        .base = proposal.base,
                        .assurance = proposal.assurance,
                        .method = corrects ? "operator_correction" : "typed_delta",
                        .interpreter = proposal.interpreter,
                        .reason = transaction->reason(),
                        .action_fingerprint = proposal.action_fingerprint,
                        .evidence = proposal.evidence};
    const auto judge = [&](StepRequest&, const SeenTask& seen, Timestamp now) {
        auto unknown = unknown_evidence(core.options().evidence.get(), proposal.task.scope, *transaction);
        if (unknown) transaction->reject_evidence(*std::move(unknown));
        Decision decision = apply(seen.snapshot, *transaction, core.rules(*seen.profile), now);
        const bool accepted = decision.outcome == Outcome::accepted;
        if (accepted && corrects) decision.error = fail(Reason::operator_correction_accepted);
        return decision;
    };
    return take_step(core, mode, *std::move(addressee->found), std::move(request), judge);
}

namespace {

/// A proposal that somebody makes in his own name.
Result<StepResult> take_own(Core& core, const ProposalInput& proposal, StepKind kind, Intake intake) {
    const auto mode = core.check_mode(proposal.task.scope);
    if (!mode) return mode.error();
    if (auto own = check_own_key(proposal.key); !own) return std::move(own).error();
    return take_proposal(core, *mode, proposal, {kind, intake, proposal.key, proposal_digest(proposal)});
}

}  // namespace

Result<StepResult> TaskService::submit(const ProposalInput& request) {
    return take_own(*core_, request, StepKind::proposal, Intake::submission);
}

Result<StepResult> TaskService::correct(const ProposalInput& request) {
    return take_own(*core_, request, StepKind::correction, Intake::correction);
}

}  // namespace taskstate::inline v0
