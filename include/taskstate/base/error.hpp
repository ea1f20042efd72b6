#pragma once
// What can go wrong, as values: a closed list of reasons, each belonging to exactly one code.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// What the caller should do about a failure; `none` marks reasons that are not failures.
///
/// Thread-safety: value.
/// Source: docs/errors.md.
enum class Errc : std::uint8_t {
    none,
    invalid,
    conflict,
    scope,
    denied,
    capacity,
    unavailable,
    destroyed,
    corrupt,
    unsupported,
    busy,
    in_doubt,
    storage,
};

/// Why a call ended as it did.  Closed: no other reason is ever reported.
///
/// Shape: each enumerator is spelled as on the wire and belongs to one `Errc`.
/// Thread-safety: value.
/// Source: docs/errors.md.
enum class Reason : std::uint8_t {
    // decisions: nothing failed
    transition_accepted,
    operator_correction_accepted,
    lifecycle_change_accepted,
    state_already_matches,
    expired_absolute_age,
    expired_no_progress,
    profile_registered,
    profile_already_registered,
    dry_run_validated,
    // invalid: shape
    not_json,
    trailing_data,
    too_deep,
    duplicate_key,
    wrong_type,
    unknown_field,
    missing_field,
    unknown_word,
    unknown_call,
    not_an_integer,
    out_of_range,
    empty_delta,
    too_many_operations,
    options_invalid,
    already_exists,
    // invalid: text
    blank,
    too_long,
    invalid_utf8,
    control_character,
    bidi_control,
    tag_character,
    noncharacter,
    outer_space,
    bad_id,
    bad_time,
    bad_digest,
    bad_content,
    control_spelling,
    // invalid: references
    duplicate_note_id,
    duplicate_execution_id,
    duplicate_item_id,
    duplicate_source_id,
    duplicate_reference,
    self_reference,
    unknown_note,
    unknown_action,
    unknown_item,
    unknown_source,
    note_not_active,
    category_mismatch,
    supersede_not_allowed,
    not_prunable,
    dependency_cycle,
    no_link,
    wrong_link_kind,
    linked_task_unusable,
    evidence_invalid,
    // invalid: receipts, state, keys, profiles
    identity_changed,
    settlement_regressed,
    illegal_combination,
    time_reversed,
    inconsistent_state,
    idempotency_key_reused,
    transaction_id_reused,
    invalid_profile,
    unreachable_phases,
    no_transitions,
    // invalid: dispatch
    block_missing,
    block_altered,
    block_duplicated,
    block_wrong_role,
    old_block_present,
    request_unreadable,
    // conflict
    stale_base_revision,
    concurrent_successor_committed,
    generation_moved,
    block_stale,
    rebase_touches_changes,
    binding_already_active,
    profile_version_differs,
    // scope
    owner_mismatch,
    scope_mismatch,
    task_mismatch,
    association_mismatch,
    link_mismatch,
    evidence_owner_mismatch,
    principal_mismatch,
    // denied
    capability_denied,
    assurance_ceiling_exceeded,
    owner_required,
    operation_not_permitted_by_profile,
    schema_is_locked,
    illegal_phase_transition,
    illegal_status_transition,
    dependency_unsatisfied,
    required_items_incomplete,
    unknown_evidence,
    evidence_required,
    reason_required,
    task_is_terminal,
    task_is_paused,
    host_task_not_bound_to_session,
    // capacity
    entries_exceeded,
    items_exceeded,
    sources_exceeded,
    tokens_exceeded,
    snapshot_bytes_exceeded,
    input_bytes_exceeded,
    prompt_budget_exceeded,
    // unavailable
    task_not_eligible,
    task_context_not_eligible,
    task_context_selection_required,
    task_binding_conflict,
    task_binding_stale_session,
    session_identity_required,
    task_state_disabled,
    task_state_shadow_mode,
    binding_not_found,
    unknown_profile,
    capability_unavailable,
    // destroyed
    task_destroyed,
    // corrupt
    short_file,
    zeroed,
    trailing_bytes,
    digest_mismatch,
    unreadable_record,
    revision_gap,
    integrity_check_failed,
    // unsupported
    newer_format,
    foreign_file,
    unsuitable_file_system,
    not_built,
    journalled,
    // busy, in doubt
    lock_timeout,
    commit_in_doubt,
    // storage
    storage_full,
    storage_denied,
    storage_failed,
    unsafe_path,
};

/// One line of the table behind `Reason`: its wire word, its code, and what to do, as a short sentence.
struct ReasonRow {
    Reason reason{};
    std::string_view word{};
    Errc code{};
    std::string_view advice{};
};

/// The whole table, in the order of the enumerators.
[[nodiscard]] std::span<const ReasonRow> reasons() noexcept;

[[nodiscard]] Errc code_of(Reason reason) noexcept;
[[nodiscard]] std::string_view word(Reason reason) noexcept;
[[nodiscard]] std::string_view word(Errc code) noexcept;

/// One failure.
///
/// Shape: `path` is a JSON pointer into the input ("" = the whole of it); `limit` and `actual` are present where two
///        numbers explain the failure (for a stale base: the current revision and the one sent). `message` is for
///        people: never parsed, never quoting stored text.
/// Thread-safety: value.
struct Error {
    Reason reason{};
    std::string path{};
    std::optional<std::uint64_t> limit{}, actual{};
    std::string message{};

    [[nodiscard]] Errc code() const noexcept { return code_of(reason); }
    friend bool operator==(const Error&, const Error&) = default;
};

/// An error whose message is made from the table.
[[nodiscard]] Error fail(Reason reason, std::string path = {});

/// The same with the bound and the attempt.
struct Numbers {
    std::uint64_t limit = 0, actual = 0;
};
[[nodiscard]] Error fail(Reason reason, std::string path, Numbers numbers);

/// `error` with `prefix` before its path: what a caller adds that knows where the part stood.
[[nodiscard]] Error under(std::string_view prefix, Error error);

/// Reports a programming error and aborts.
[[noreturn]] void bug(const char* what) noexcept;

}  // namespace taskstate::inline v0
