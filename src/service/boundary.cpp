// What comes in from a session of a host: an adapter speaks, and only of the task that the session is bound to.

#include "service/evidence.hpp"
#include "service/payload.hpp"
#include "service/request.hpp"
#include "service/resolution.hpp"

#include "engine/field_checks.hpp"
#include "engine/successor.hpp"

#include <taskstate/engine/governance.hpp>

#include <algorithm>

namespace taskstate::inline v0 {

using Core = TaskService::Core;

namespace {

constexpr std::size_t observation_max = 2'000, inferred_max = 10;

/// What every request of an adapter says of itself.
template <class Request>
Result<void> check_sender(const Request& request) {
    if (auto session = check_identity(request.identity); !session) return session;
    FieldChecks fields(TextPolicy::refuse);
    fields.inside("/scope", [&] { fields.scope(request.task.scope); });
    fields.id("/task", request.task.id);
    fields.ref("/key", request.key);
    fields.ref("/adapter/name", request.adapter.name);
    // A colon ends the name in a stored key: two adapters can never mean the same one.
    fields.require(request.adapter.name.find(':') == std::string::npos, "/adapter/name", Reason::bad_id);
    fields.ref("/adapter/version", request.adapter.version);
    if (fields.error()) return *std::move(fields.error());
    return {};
}

/// The mode of the scope, for a session that is bound to the very task.  A sibling and an invented task look alike.
template <class Request>
Result<ScopeMode> open_boundary(const Core& core, const Request& request) {
    auto mode = core.check_mode(request.task.scope);
    if (!mode) return mode;
    const ResolveInput asked{
        .scope = request.task.scope, .identity = request.identity, .session_started_at = request.session_started_at};
    const auto resolved = resolve_session(core.store(), asked, core.now());
    if (!resolved) return resolved.error();
    if (resolved->task != request.task.id) return fail(Reason::host_task_not_bound_to_session, "/task");
    return mode;
}

template <class Request>
Channel channel_of(const Request& request, StepKind kind) {
    return {.kind = kind,
            .intake = Intake::boundary,
            .key = std::string(host_key_prefix) + request.adapter.name + ":" + request.key,
            .payload = payload_digest(request)};
}

ProposalInput proposal_of(const HostProposalInput& request) {
    ProposalInput proposal{.task = request.task,
                           .actor = {.role = Role::agent, .name = request.adapter.name},
                           .key = request.key,
                           .base = request.base,
                           .evidence = request.evidence,
                           .assurance = Assurance::asserted,
                           .reason = request.reason,
                           .interpreter = request.adapter.version,
                           .action_fingerprint = request.action_fingerprint};
    for (const Operation& operation : request.operations) proposal.operations.push_back({.operation = operation});
    return proposal;
}

/// What was observed, on one line, with the evidence for it.
Result<std::string> admit_observation(const ObservationInput& request, TextPolicy policy) {
    std::string observation = request.observation;
    FieldChecks fields(policy);
    fields.title("/observation", observation, observation_max);
    fields.bound("/evidence", request.evidence.size(), evidence_max);
    for (std::size_t i = 0; i < request.evidence.size(); ++i) fields.evidence(at("evidence", i), request.evidence[i]);
    if (fields.error()) return *std::move(fields.error());
    return observation;
}

/// What an interpreter makes of an observation, as far as a companion may ask for it; nothing of an answer that is too
/// long.
std::vector<ProposedOperation> infer(ObservationInterpreter* interpreter, const Snapshot& snapshot,
                                     std::string_view observation) {
    std::vector<ProposedOperation> inferred;
    if (interpreter == nullptr || snapshot.lifecycle() != Lifecycle::open) return inferred;
    auto operations = interpreter->interpret(snapshot, observation);
    if (operations.size() > inferred_max) return inferred;
    for (Operation& operation : operations) {
        // What a model names as evidence is none: only that of the request counts.
        if (auto* status = std::get_if<SetItemStatus>(&operation)) status->evidence.clear();
        if (!permits(Role::companion, Intake::submission, kind_of(operation))) continue;
        inferred.push_back({.operation = std::move(operation), .assurance = Assurance::model_interpreted});
    }
    return inferred;
}

/// The transaction of an observation: what was inferred from it, or nothing, which an open task takes as no change.
Result<Transaction> observed(const ProposalInput& proposal, const Rules& rules) {
    if (!proposal.operations.empty()) {
        if (auto transaction = admit(proposal, Intake::submission, rules)) return transaction;
    }
    return admit(HostDelta{}, proposal.base, rules);
}

}  // namespace

Result<StepResult> TaskService::observe(const ObservationInput& request) {
    if (auto sender = check_sender(request); !sender) return std::move(sender).error();
    const auto observation = admit_observation(request, core_->options().text);
    if (!observation) return observation.error();
    const auto mode = open_boundary(*core_, request);
    if (!mode) return mode.error();
    Channel channel = channel_of(request, StepKind::observation);
    auto found = core_->find(request.task, channel.key);
    if (!found) return std::move(found).error();

    ObservationInterpreter* interpreter = core_->options().interpreter.get();
    StepRequest step{.kind = channel.kind,
                     .task = request.task,
                     .key = std::move(channel.key),
                     .payload = channel.payload,
                     .actor = {.role = Role::companion, .name = request.adapter.name},
                     .assurance = Assurance::model_interpreted,
                     .method = "typed_delta",
                     .interpreter = interpreter == nullptr ? request.adapter.version : interpreter->name(),
                     .evidence = request.evidence};
    const auto judge = [&](StepRequest& taken, const SeenTask& seen, Timestamp now) {
        taken.base = seen.snapshot.revision();
        const Rules rules = core_->rules(*seen.profile);
        auto transaction = observed({.task = taken.task,
                                     .actor = taken.actor,
                                     .key = request.key,
                                     .base = taken.base,
                                     .operations = infer(interpreter, seen.snapshot, *observation),
                                     .evidence = taken.evidence,
                                     .assurance = taken.assurance,
                                     .interpreter = taken.interpreter},
                                    rules);
        EvidenceResolver* resolver = core_->options().evidence.get();
        if (auto unknown = unknown_evidence(resolver, taken.task.scope, taken.evidence)) {
            transaction->reject_evidence(*std::move(unknown));
        }
        Decision decision = apply(seen.snapshot, *transaction, rules, now);
        if (decision.outcome != Outcome::no_change) return decision;
        auto owned = check_owned(taken.task.scope, taken.evidence);  // of an observation that leads to nothing
        return owned ? decision : refuse(seen.snapshot, std::move(owned).error());
    };
    return take_step(*core_, *mode, *std::move(found), std::move(step), judge);
}

Result<StepResult> TaskService::propose_delta(const HostProposalInput& request) {
    if (auto sender = check_sender(request); !sender) return std::move(sender).error();
    const ProposalInput proposal = proposal_of(request);
    if (auto sound = admit(proposal, Intake::boundary, usual_rules(*core_)); !sound) return std::move(sound).error();
    const auto mode = open_boundary(*core_, request);
    if (!mode) return mode.error();
    return take_proposal(*core_, *mode, proposal, channel_of(request, StepKind::host_proposal));
}

Result<StepResult> TaskService::request_lifecycle(const HostLifecycleInput& request) {
    if (auto sender = check_sender(request); !sender) return std::move(sender).error();
    if (request.to > Lifecycle::completed) return fail(Reason::unknown_word, "/to");
    const auto change = admit(LifecycleInput{.task = request.task,
                                             .key = request.key,
                                             .actor = {.role = Role::agent, .name = request.adapter.name},
                                             .to = request.to,
                                             .base = request.base,
                                             .reason = request.reason},
                              core_->options().text);
    if (!change) return change.error();
    const auto mode = open_boundary(*core_, request);
    if (!mode) return mode.error();
    return take_lifecycle(*core_, *mode, *change, channel_of(request, StepKind::lifecycle));
}

}  // namespace taskstate::inline v0
