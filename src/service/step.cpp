#include "service/step.hpp"

#include "service/oversight.hpp"
#include "store/successor.hpp"

#include <taskstate/engine/lifecycle.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace taskstate::inline v0 {

using Core = TaskService::Core;

namespace {

/// Signals about what was decided, in the order dependency, completion, scope, repetition.
Result<std::vector<Guard>> guards_of(const Core& core, const StepRequest& request, const SeenTask& seen,
                                     const Decision& decision) {
    std::vector<Guard> guards;
    const auto add = [&guards](std::optional<Guard> guard) {
        if (guard) guards.push_back(*std::move(guard));
    };
    const bool accepted = decision.outcome == Outcome::accepted;
    if (accepted) add(dependency_guard(decision.snapshot));
    const bool completed = accepted && decision.snapshot.lifecycle() == Lifecycle::completed;
    if (completed || decision.error.reason == Reason::required_items_incomplete) {
        add(completion_guard(seen.snapshot, *seen.profile));
    }
    if (decision.error.code() == Errc::scope) add(out_of_scope_guard());
    if (!request.action_fingerprint) return guards;
    auto before =
        core.store().count_repeats(request.task, *request.action_fingerprint, decision.snapshot.last_progress_at());
    if (!before) return std::move(before).error();
    add(no_progress_guard(decision.snapshot, *seen.profile, *before + 1));  // this step is one of them
    return guards;
}

DecisionRecord record_of(const StepRequest& request, const Decision& decision) {
    const bool stands = decision.outcome == Outcome::accepted || decision.outcome == Outcome::no_change;
    return {.kind = request.kind,
            .key = request.key,
            .payload_digest = request.payload,
            .outcome = decision.outcome,
            .reason = decision.error.reason,
            .path = decision.error.path,
            .limit = decision.error.limit,
            .actual = decision.error.actual,
            .base = request.base,
            .result = stands ? std::optional(decision.snapshot.revision()) : std::nullopt,
            .actor = request.actor,
            .assurance = stands ? request.assurance : Assurance::asserted,
            .evidence = request.evidence,
            .action_fingerprint = request.action_fingerprint};
}

/// The successor as the store is to take it.
AdvanceTask advance_of(const StepRequest& request, const SeenTask& seen, const Decision& decision,
                       const std::string& id) {
    const Succession step{.head = seen.head,
                          .before = seen.snapshot,
                          .after = decision.snapshot,
                          .progressed = decision.progressed,
                          .origin = {.actor = request.actor,
                                     .method = request.method,
                                     .assurance = request.assurance,
                                     .interpreter = request.interpreter,
                                     .evidence = request.evidence,
                                     .reason = request.reason},
                          .whole = transition_of(id, seen.snapshot, request.assurance),
                          .values = request.assurance};
    return {.head = next_head(step), .revision = next_revision(step)};
}

/// What is left of a step that another one overtook.
void lose_race(DecisionRecord& record, const Error& lost) {
    record.outcome = Outcome::conflict;
    record.reason = lost.reason;
    record.limit = lost.limit;
    record.actual = lost.actual;
    record.result.reset();
    record.assurance = Assurance::asserted;
    std::erase_if(record.guards, [](const Guard& guard) { return guard.kind != GuardKind::no_progress; });
}

/// Commits the decision with what it leads to.
Result<StepResult> settle(Core& core, const StepRequest& request, DecisionRecord record,
                          std::optional<AdvanceTask> advance) {
    const AddDecision decided{request.task, record};
    auto committed = advance ? core.store().commit(std::array<Write, 2>{*advance, decided})
                             : core.store().commit(std::array<Write, 1>{decided});
    if (!committed && committed.error().reason == Reason::concurrent_successor_committed) {
        lose_race(record, committed.error());
        return settle(core, request, std::move(record), std::nullopt);
    }
    if (committed) return StepResult{.decision = std::move(record)};
    if (committed.error().reason != Reason::idempotency_key_reused) return std::move(committed).error();
    auto found = core.find(request.task, request.key);  // the same request was faster by another way
    if (!found) return std::move(found).error();
    if (!found->decision) return std::move(committed).error();
    return replay(*std::move(found->decision), request.kind, request.payload);
}

}  // namespace

Result<void> check_own_key(const std::string& key) {
    if (auto sound = check_ref(key); !sound) return under("/key", std::move(sound).error());
    if (key.starts_with(host_key_prefix)) return fail(Reason::bad_id, "/key");
    return {};
}

Result<StepResult> replay(DecisionRecord decision, StepKind kind, const Digest& payload) {
    if (decision.kind != kind || decision.payload_digest != payload) {
        return fail(Reason::idempotency_key_reused, "/key");
    }
    decision.sequence = 0;  // as in the first answer, which was given before the store had counted it
    return StepResult{.decision = std::move(decision), .replayed = true};
}

Result<StepResult> take_step(Core& core, ScopeMode mode, Found found, StepRequest request, const StepJudge& judge) {
    if (found.decision) return replay(*std::move(found.decision), request.kind, request.payload);
    const Timestamp began = core.now();
    auto head = core.evaluate(std::move(found.head), mode);
    if (!head) return std::move(head).error();
    auto seen = core.see(*head);
    if (!seen) return std::move(seen).error();
    const Timestamp now = core.now();
    const bool shadow = mode == ScopeMode::shadow;
    if (shadow && expiry_status(seen->head, now).due) seen->snapshot = expire(seen->snapshot, now).snapshot;

    const Decision decision = judge(request, *seen, now);
    auto guards = guards_of(core, request, *seen, decision);
    if (!guards) return std::move(guards).error();
    DecisionRecord record = record_of(request, decision);
    record.id = core.make_id("decision");
    record.guards = *std::move(guards);
    record.decided_at = now;
    record.duration_ms = static_cast<std::uint64_t>(std::max<std::int64_t>(0, core.now().ms - began.ms));
    if (shadow) {
        record.key.reset();
        record.shadow = true;
    }
    if (shadow || decision.outcome != Outcome::accepted) {
        return settle(core, request, std::move(record), std::nullopt);
    }
    AdvanceTask advance = advance_of(request, *seen, decision, record.id);
    const SeenTask after{advance.head, decision.snapshot, seen->profile};
    auto result = settle(core, request, std::move(record), std::move(advance));
    if (result && !result->replayed && result->decision.outcome == Outcome::accepted) core.keep(after);
    return result;
}

}  // namespace taskstate::inline v0
