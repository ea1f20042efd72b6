#pragma once
// The closed vocabularies of a task; enumerators are spelled as on the wire.

#include <taskstate/base/word.hpp>

#include <cstdint>

namespace taskstate::inline v0 {

enum class Category : std::uint8_t { objective, constraint, decision, question, artifact };
/// Who stands behind a note; `authority` on the wire.
enum class Standing : std::uint8_t { host, proposal, assumption };
/// What the caller of an action observed; `started` is recorded before the act.
enum class ActionStatus : std::uint8_t { started, succeeded, failed, timed_out, cancelled, denied };
/// Whether the underlying call definitely finished before the observation.
enum class Completion : std::uint8_t { settled, unknown };
enum class Cancellation : std::uint8_t { none, requested, acknowledged };
/// The host's workflow status of an action.
enum class Confirmed : std::uint8_t {
    pending,
    blocked,
    in_progress,
    waiting_external,
    completed,
    failed,
    skipped,
    cancelled
};
enum class EvidenceKind : std::uint8_t {
    source,
    record,
    audit_event,
    blackbox_event,
    tool_call,
    verifier_result,
    operator_request,
    policy_rule,
};
/// Whether the evidence store acknowledged durability.
enum class Acknowledged : std::uint8_t { acknowledged, pending, failed };
enum class ItemStatus : std::uint8_t { pending, ready, running, blocked, completed, failed, skipped };
/// How strongly a value is vouched for, weakest first.
enum class Assurance : std::uint8_t {
    asserted,
    model_interpreted,
    rule_extracted,
    host_reported,
    operator_confirmed,
    independently_verified,
};
enum class Lifecycle : std::uint8_t { open, paused, completed, cancelled, expired };
enum class LinkKind : std::uint8_t { task, routine, memory };
/// Status words of a linked routine; a linked task uses `Confirmed`, a linked memory any Ref.
enum class RoutineStatus : std::uint8_t { pending, running, paused, completed, failed, cancelled };

/// Who speaks.  `authority` is trusted application code that links the library; everyone else proposes.
enum class Role : std::uint8_t {
    authority,
    evaluator,
    companion,
    agent,
    // NOLINTNEXTLINE(readability-identifier-naming): the word itself is a keyword
    operator_,  ///< `operator` on the wire
    administrator,
    verifier,
    auditor,
    delegate,
};
enum class Capability : std::uint8_t {
    read_state,
    propose_delta,
    commit_state,
    correct_state,
    register_profile,
    change_lifecycle,
    expire_task,
    deliver_context,
    delete_state,
    request_lifecycle,
};
/// The kinds of operations, as a proposal and a profile name them.
enum class OperationKind : std::uint8_t {
    add_note,
    resolve_note,
    add_item,
    set_item_status,
    set_item_title,
    set_item_content,
    set_item_blocker,
    add_source,
    mark_source_inspected,
    set_phase,
    lock_schema,
    record_action,
    confirm_action,
    prune,
    sync_link,
};
/// What may be left out of a block, in library order.
enum class Drop : std::uint8_t {
    completed_sources,
    sources_to_inspect,
    item_content,
    settled_items,
    confirmed_actions,
    historical_notes,
    note_sources,
    artifacts,
    questions,
    decisions,
    assumptions,
    proposals,
};

template <>
struct Words<Category> {
    static constexpr std::array<std::string_view, 5> list{"objective", "constraint", "decision", "question",
                                                          "artifact"};
};
template <>
struct Words<Standing> {
    static constexpr std::array<std::string_view, 3> list{"host", "proposal", "assumption"};
};
template <>
struct Words<ActionStatus> {
    static constexpr std::array<std::string_view, 6> list{"started",   "succeeded", "failed",
                                                          "timed_out", "cancelled", "denied"};
};
template <>
struct Words<Completion> {
    static constexpr std::array<std::string_view, 2> list{"settled", "unknown"};
};
template <>
struct Words<Cancellation> {
    static constexpr std::array<std::string_view, 3> list{"none", "requested", "acknowledged"};
};
template <>
struct Words<Confirmed> {
    static constexpr std::array<std::string_view, 8> list{"pending",   "blocked", "in_progress", "waiting_external",
                                                          "completed", "failed",  "skipped",     "cancelled"};
};
template <>
struct Words<EvidenceKind> {
    static constexpr std::array<std::string_view, 8> list{"source",           "record",     "audit_event",
                                                          "blackbox_event",   "tool_call",  "verifier_result",
                                                          "operator_request", "policy_rule"};
};
template <>
struct Words<Acknowledged> {
    static constexpr std::array<std::string_view, 3> list{"acknowledged", "pending", "failed"};
};
template <>
struct Words<ItemStatus> {
    static constexpr std::array<std::string_view, 7> list{"pending",   "ready",  "running", "blocked",
                                                          "completed", "failed", "skipped"};
};
template <>
struct Words<Assurance> {
    static constexpr std::array<std::string_view, 6> list{"asserted",           "model_interpreted",
                                                          "rule_extracted",     "host_reported",
                                                          "operator_confirmed", "independently_verified"};
};
template <>
struct Words<Lifecycle> {
    static constexpr std::array<std::string_view, 5> list{"open", "paused", "completed", "cancelled", "expired"};
};
template <>
struct Words<LinkKind> {
    static constexpr std::array<std::string_view, 3> list{"task", "routine", "memory"};
};
template <>
struct Words<RoutineStatus> {
    static constexpr std::array<std::string_view, 6> list{"pending",   "running", "paused",
                                                          "completed", "failed",  "cancelled"};
};
template <>
struct Words<Role> {
    static constexpr std::array<std::string_view, 9> list{
        "authority", "evaluator", "companion", "agent", "operator", "administrator", "verifier", "auditor", "delegate"};
};
template <>
struct Words<Capability> {
    static constexpr std::array<std::string_view, 10> list{
        "read_state",       "propose_delta", "commit_state",    "correct_state", "register_profile",
        "change_lifecycle", "expire_task",   "deliver_context", "delete_state",  "request_lifecycle"};
};
template <>
struct Words<OperationKind> {
    static constexpr std::array<std::string_view, 15> list{
        "add_note",         "resolve_note",   "add_item",
        "set_item_status",  "set_item_title", "set_item_content",
        "set_item_blocker", "add_source",     "mark_source_inspected",
        "set_phase",        "lock_schema",    "record_action",
        "confirm_action",   "prune",          "sync_link"};
};
template <>
struct Words<Drop> {
    static constexpr std::array<std::string_view, 12> list{
        "completed_sources", "sources_to_inspect", "item_content", "settled_items",
        "confirmed_actions", "historical_notes",   "note_sources", "artifacts",
        "questions",         "decisions",          "assumptions",  "proposals"};
};

/// Whether the host's status closes the action.
[[nodiscard]] constexpr bool is_terminal(Confirmed status) noexcept {
    return status == Confirmed::completed || status == Confirmed::failed || status == Confirmed::skipped ||
           status == Confirmed::cancelled;
}
/// Whether nothing is left to do for the item; `failed` still is.
[[nodiscard]] constexpr bool is_settled(ItemStatus status) noexcept {
    return status == ItemStatus::completed || status == ItemStatus::skipped;
}
[[nodiscard]] constexpr bool is_terminal(Lifecycle lifecycle) noexcept {
    return lifecycle == Lifecycle::completed || lifecycle == Lifecycle::cancelled || lifecycle == Lifecycle::expired;
}

}  // namespace taskstate::inline v0
