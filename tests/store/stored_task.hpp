#pragma once
// Tasks as a service writes them to a store, made from their states; no rule of a service is in here.

#include "store/saved_task.hpp"

#include <taskstate/engine/changes.hpp>
#include <taskstate/store/store.hpp>

#include <string>
#include <utility>
#include <vector>

namespace taskstate::test {

inline const Scope stored_scope{.tenant = "tenant-a", .owner = "host-user", .agent = "agent-1", .workspace = "depot"};

inline constexpr Timestamp stored_at{1'767'225'600'000};

/// Some time after the beginning of the tests.
inline Timestamp later(std::int64_t ms) { return {stored_at.ms + ms}; }

inline std::string start_key(const std::string& task) { return "start-" + task; }

inline TaskHead head_of(const Snapshot& snapshot) {
    return {.identity = *snapshot.state().identity,
            .frame = frame_of(snapshot.state()),
            .state_digest = snapshot.state_digest(),
            .clock = "fixed-utc-v1",
            .start_key = start_key(snapshot.id()),
            .start_digest = sha256(snapshot.id())};
}

inline RevisionRecord record_of(const Snapshot& before, const Snapshot& after) {
    return {.frame = frame_of(after.state()),
            .state_digest = after.state_digest(),
            .semantic_digest = after.semantic_digest(),
            .changes = changes(before, after),
            .origin = {.actor = {.role = Role::operator_, .name = "olga"},
                       .method = "typed_delta",
                       .assurance = Assurance::operator_confirmed,
                       .evidence = {{.kind = EvidenceKind::operator_request, .id = "ticket-7"}},
                       .reason = "Because it was asked for."},
            .lineage = lineage(before, after, Assurance::operator_confirmed),
            .progressed = true};
}

inline StartTask start(const Snapshot& before, const Snapshot& after) {
    return {.head = head_of(after), .revision = record_of(before, after)};
}
inline AdvanceTask advance(const Snapshot& before, const Snapshot& after) {
    return {.head = head_of(after), .revision = record_of(before, after)};
}

/// Nothing, as it would stand before revision `number`.
inline Snapshot based_on(const std::vector<Snapshot>& states, std::size_t number) {
    State nothing{.identity = states[0].state().identity};
    nothing.revision = {number - 1};
    return Snapshot(std::move(nothing));
}
/// The record of revision `number` as a log begins anew with it.
inline RevisionRecord based(const std::vector<Snapshot>& states, std::size_t number) {
    RevisionRecord record = record_of(states[number - 1], states[number]);
    record.changes = changes(based_on(states, number), states[number]);
    record.base = LogBase{.pause = {.paused_at = later(9), .paused_ms = 7}};
    return record;
}

/// The states of a task of `scope` at the revisions 0 to `last`.
inline std::vector<Snapshot> states_of(const TaskAddress& task, std::size_t last, Timestamp created = stored_at) {
    return saved_task(last, {.id = task.id, .scope = task.scope, .clock = std::make_shared<FixedClock>(created)});
}

/// What brings such a task to its revision `last`.
inline std::vector<Write> history(const std::vector<Snapshot>& states) {
    std::vector<Write> writes{start(states[0], states[1])};
    for (std::size_t i = 2; i < states.size(); ++i) writes.emplace_back(advance(states[i - 1], states[i]));
    return writes;
}

inline AddDecision decision(const TaskAddress& task, const std::string& id, OptText key = std::nullopt) {
    return {.task = task,
            .decision = {.id = id,
                         .kind = StepKind::proposal,
                         .key = std::move(key),
                         .payload_digest = sha256(id),
                         .outcome = Outcome::rejected,
                         .reason = Reason::dependency_unsatisfied,
                         .path = "/operations/0/id",
                         .limit = 3,
                         .actual = 4,
                         .base = {1},
                         .decided_at = stored_at,
                         .actor = {.role = Role::agent, .name = "agent-1"},
                         .evidence = {{.kind = EvidenceKind::tool_call, .id = "call-1"}},
                         .guards = {{.kind = GuardKind::dependency_unsatisfied,
                                     .revision = {1},
                                     .message = "An item waits for another.",
                                     .blocking = {"t1"}}},
                         .duration_ms = 5}};
}

inline AddDelivery delivery(const TaskAddress& task, const std::string& id) {
    return {.task = task,
            .delivery = {.id = id,
                         .revision = {1},
                         .block_digest = sha256(id),
                         .block_bytes = 640,
                         .omitted = {"item_content"},
                         .prepared_at = stored_at}};
}
inline AddDelivery withheld(const TaskAddress& task, const std::string& id) {
    return {
        .task = task,
        .delivery = {.id = id, .revision = {1}, .withheld = Reason::prompt_budget_exceeded, .prepared_at = stored_at}};
}

inline const SessionIdentity stored_session{.host = "chat", .session = "session-1", .epoch = "epoch-1"};

inline AddBinding binding(const TaskAddress& task, const std::string& id, SessionIdentity identity = stored_session) {
    return {{.id = id,
             .scope = task.scope,
             .identity = std::move(identity),
             .task = task.id,
             .actor = {.role = Role::operator_, .name = "olga"},
             .reason = "For the night shift.",
             .registered_at = stored_at}};
}

inline RevokeBinding revoke(const Scope& scope, const std::string& id) {
    return {.scope = scope, .id = id, .at = later(1), .by = "olga", .because = "The shift is over."};
}

}  // namespace taskstate::test
