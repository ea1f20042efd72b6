#include <taskstate/base/error.hpp>

#include <taskstate/base/escape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace taskstate::inline v0 {
namespace {

using enum Errc;

constexpr ReasonRow rows[] = {
    {Reason::transition_accepted, "transition_accepted", none, "The change was made."},
    {Reason::operator_correction_accepted, "operator_correction_accepted", none, "The correction was made."},
    {Reason::lifecycle_change_accepted, "lifecycle_change_accepted", none, "The lifecycle changed."},
    {Reason::state_already_matches, "state_already_matches", none, "Nothing to do: the state is already so."},
    {Reason::expired_absolute_age, "expired_absolute_age", none, "The task expired: it reached its greatest age."},
    {Reason::expired_no_progress, "expired_no_progress", none, "The task expired: it made no progress for too long."},
    {Reason::profile_registered, "profile_registered", none, "The profile was registered."},
    {Reason::profile_already_registered, "profile_already_registered", none, "This profile was registered before."},
    {Reason::dry_run_validated, "dry_run_validated", none, "The call would be accepted; nothing was changed."},

    {Reason::not_json, "not_json", invalid, "Send well-formed JSON."},
    {Reason::trailing_data, "trailing_data", invalid, "Send exactly one JSON value, with nothing after it."},
    {Reason::too_deep, "too_deep", invalid, "Nest the JSON less deeply."},
    {Reason::duplicate_key, "duplicate_key", invalid, "Name each key of an object once."},
    {Reason::wrong_type, "wrong_type", invalid, "Send the JSON type that this field takes."},
    {Reason::unknown_field, "unknown_field", invalid, "Leave out the field that this form does not know."},
    {Reason::missing_field, "missing_field", invalid, "Add the required field."},
    {Reason::unknown_word, "unknown_word", invalid, "Use one of the words that this field allows."},
    {Reason::unknown_call, "unknown_call", invalid, "Name a call that exists."},
    {Reason::not_an_integer, "not_an_integer", invalid, "Send a whole number, without fraction or exponent."},
    {Reason::out_of_range, "out_of_range", invalid, "Stay within the range of this field."},
    {Reason::empty_delta, "empty_delta", invalid, "Send at least one operation."},
    {Reason::too_many_operations, "too_many_operations", invalid, "Send fewer operations at once."},
    {Reason::options_invalid, "options_invalid", invalid, "Mend the options of this call."},
    {Reason::already_exists, "already_exists", invalid, "Choose another name: this one is in use."},

    {Reason::blank, "blank", invalid, "Give a text with something visible in it, or leave the field out."},
    {Reason::too_long, "too_long", invalid, "Shorten the text; nothing is shortened for you."},
    {Reason::invalid_utf8, "invalid_utf8", invalid, "Send well-formed UTF-8."},
    {Reason::control_character, "control_character", invalid, "Remove the control character."},
    {Reason::bidi_control, "bidi_control", invalid, "Remove the control that turns the direction of text."},
    {Reason::tag_character, "tag_character", invalid, "Remove the invisible tag character."},
    {Reason::noncharacter, "noncharacter", invalid, "Remove the code point that is not a character."},
    {Reason::outer_space, "outer_space", invalid, "Remove the white space at the ends."},
    {Reason::bad_id, "bad_id", invalid, "Start the id with a letter or digit and use only letters, digits and . _ : -"},
    {Reason::bad_time, "bad_time", invalid,
     "Write the time as YYYY-MM-DDTHH:MM:SS.mmmZ, a real date from 1970 to 9999."},
    {Reason::bad_digest, "bad_digest", invalid, "Write the digest as sha256: and 64 lower-case hex digits."},
    {Reason::bad_content, "bad_content", invalid, "Send a JSON object within the limits of item content."},
    {Reason::control_spelling, "control_spelling", invalid,
     "Leave this spelling out of the list: it cannot be kept out of a block."},

    {Reason::duplicate_note_id, "duplicate_note_id", invalid, "Choose an id that no note has."},
    {Reason::duplicate_execution_id, "duplicate_execution_id", invalid, "Choose an execution id that no action has."},
    {Reason::duplicate_item_id, "duplicate_item_id", invalid, "Choose an id that no item has."},
    {Reason::duplicate_source_id, "duplicate_source_id", invalid, "Choose an id that no source has."},
    {Reason::duplicate_reference, "duplicate_reference", invalid, "Name each id once in a list."},
    {Reason::self_reference, "self_reference", invalid, "Refer to another entry than this one."},
    {Reason::unknown_note, "unknown_note", invalid, "Name a note that exists."},
    {Reason::unknown_action, "unknown_action", invalid, "Name an action that exists."},
    {Reason::unknown_item, "unknown_item", invalid, "Name an item that exists."},
    {Reason::unknown_source, "unknown_source", invalid, "Name a source that exists."},
    {Reason::note_not_active, "note_not_active", invalid, "Name a note that is neither superseded nor resolved."},
    {Reason::category_mismatch, "category_mismatch", invalid, "Supersede a note by one of the same category."},
    {Reason::supersede_not_allowed, "supersede_not_allowed", invalid, "Only the host supersedes, and only host notes."},
    {Reason::not_prunable, "not_prunable", invalid, "Settle the entry, and what refers to it, before pruning it."},
    {Reason::dependency_cycle, "dependency_cycle", invalid, "Remove the cycle of dependencies."},
    {Reason::no_link, "no_link", invalid, "This task has no linked lifecycle."},
    {Reason::wrong_link_kind, "wrong_link_kind", invalid, "Send the status of the kind of thing that is linked."},
    {Reason::linked_task_unusable, "linked_task_unusable", invalid,
     "The linked task was missing or malformed; read it again."},
    {Reason::evidence_invalid, "evidence_invalid", invalid, "Send evidence that the host can verify."},

    {Reason::identity_changed, "identity_changed", invalid,
     "Keep the call, run, tool and start of a receipt as first recorded."},
    {Reason::settlement_regressed, "settlement_regressed", invalid, "A settled outcome stays as it is."},
    {Reason::illegal_combination, "illegal_combination", invalid, "These values do not go together."},
    {Reason::time_reversed, "time_reversed", invalid, "End no earlier than the start."},
    {Reason::inconsistent_state, "inconsistent_state", invalid, "The entries contradict each other."},
    {Reason::idempotency_key_reused, "idempotency_key_reused", invalid, "Use a new key for a different request."},
    {Reason::transaction_id_reused, "transaction_id_reused", invalid, "Use a new transaction id."},
    {Reason::invalid_profile, "invalid_profile", invalid, "Mend the profile."},
    {Reason::unreachable_phases, "unreachable_phases", invalid, "Connect every phase of the profile."},
    {Reason::no_transitions, "no_transitions", invalid, "Give the profile at least one transition."},

    {Reason::block_missing, "block_missing", invalid, "Put the block into the request."},
    {Reason::block_altered, "block_altered", invalid, "Send the block byte for byte as it was prepared."},
    {Reason::block_duplicated, "block_duplicated", invalid, "Send the block once."},
    {Reason::block_wrong_role, "block_wrong_role", invalid, "Put the block into a message of an allowed role."},
    {Reason::old_block_present, "old_block_present", invalid, "Remove the older blocks of this task."},
    {Reason::request_unreadable, "request_unreadable", invalid, "Send a request body of a known kind."},

    {Reason::stale_base_revision, "stale_base_revision", conflict,
     "The task moved on: read it again and decide again."},
    {Reason::concurrent_successor_committed, "concurrent_successor_committed", conflict,
     "Another writer was first: read again and decide again."},
    {Reason::generation_moved, "generation_moved", conflict, "The task changed meanwhile: begin again."},
    {Reason::block_stale, "block_stale", conflict, "The task changed since the block was prepared: prepare it again."},
    {Reason::rebase_touches_changes, "rebase_touches_changes", conflict,
     "What this change is about was changed: decide again."},
    {Reason::binding_already_active, "binding_already_active", conflict,
     "Another binding is active: read again and decide again."},
    {Reason::profile_version_differs, "profile_version_differs", conflict,
     "Another version of this profile is registered."},

    {Reason::owner_mismatch, "owner_mismatch", scope, "This task belongs to another owner."},
    {Reason::scope_mismatch, "scope_mismatch", scope, "This belongs to another scope."},
    {Reason::task_mismatch, "task_mismatch", scope, "This belongs to another task."},
    {Reason::association_mismatch, "association_mismatch", scope, "This belongs to another association."},
    {Reason::link_mismatch, "link_mismatch", scope, "This is about another linked lifecycle."},
    {Reason::evidence_owner_mismatch, "evidence_owner_mismatch", scope, "This evidence belongs to another owner."},
    {Reason::principal_mismatch, "principal_mismatch", scope, "The linked task belongs to another principal."},

    {Reason::capability_denied, "capability_denied", denied, "This role may not do that."},
    {Reason::assurance_ceiling_exceeded, "assurance_ceiling_exceeded", denied,
     "Claim no more assurance than this role may give."},
    {Reason::owner_required, "owner_required", denied, "Only the owner may do that."},
    {Reason::operation_not_permitted_by_profile, "operation_not_permitted_by_profile", denied,
     "This profile does not allow that operation."},
    {Reason::schema_is_locked, "schema_is_locked", denied,
     "The plan is locked: change only the status of what is in it."},
    {Reason::illegal_phase_transition, "illegal_phase_transition", denied,
     "Move to a phase that the profile allows from here."},
    {Reason::illegal_status_transition, "illegal_status_transition", denied,
     "Set a status that the profile allows from here."},
    {Reason::dependency_unsatisfied, "dependency_unsatisfied", denied, "Settle the dependencies first."},
    {Reason::required_items_incomplete, "required_items_incomplete", denied, "Complete the required items first."},
    {Reason::unknown_evidence, "unknown_evidence", denied, "Refer to evidence that the host knows."},
    {Reason::evidence_required, "evidence_required", denied, "Add evidence."},
    {Reason::reason_required, "reason_required", denied, "Add a reason."},
    {Reason::task_is_terminal, "task_is_terminal", denied, "This task has ended."},
    {Reason::task_is_paused, "task_is_paused", denied, "Resume the task first."},
    {Reason::host_task_not_bound_to_session, "host_task_not_bound_to_session", denied,
     "Bind the task to this session first."},

    {Reason::entries_exceeded, "entries_exceeded", capacity, "Prune settled entries or raise the limit."},
    {Reason::items_exceeded, "items_exceeded", capacity, "Use fewer items or raise the limit."},
    {Reason::sources_exceeded, "sources_exceeded", capacity, "Use fewer sources or raise the limit."},
    {Reason::tokens_exceeded, "tokens_exceeded", capacity, "Prune, write shorter texts, or raise the limit of tokens."},
    {Reason::snapshot_bytes_exceeded, "snapshot_bytes_exceeded", capacity,
     "Prune, write shorter texts, or raise the limit of bytes."},
    {Reason::input_bytes_exceeded, "input_bytes_exceeded", capacity, "Send less at once or raise the limit."},
    {Reason::prompt_budget_exceeded, "prompt_budget_exceeded", capacity,
     "Prune or raise the budget; a block is never cut."},

    {Reason::task_not_eligible, "task_not_eligible", unavailable, "No task is available here."},
    {Reason::task_context_not_eligible, "task_context_not_eligible", unavailable, "No task context is available here."},
    {Reason::task_context_selection_required, "task_context_selection_required", unavailable,
     "Say which task is meant."},
    {Reason::task_binding_conflict, "task_binding_conflict", unavailable, "The binding does not fit this session."},
    {Reason::task_binding_stale_session, "task_binding_stale_session", unavailable,
     "The binding is of an earlier session."},
    {Reason::session_identity_required, "session_identity_required", unavailable, "Say which session this is."},
    {Reason::task_state_disabled, "task_state_disabled", unavailable, "Task state is switched off."},
    {Reason::task_state_shadow_mode, "task_state_shadow_mode", unavailable, "Task state is only observed, not shown."},
    {Reason::binding_not_found, "binding_not_found", unavailable, "There is no such binding."},
    {Reason::unknown_profile, "unknown_profile", unavailable, "Name a profile that is registered."},
    {Reason::capability_unavailable, "capability_unavailable", unavailable, "The host does not offer this."},

    {Reason::task_destroyed, "task_destroyed", destroyed, "Make a new object: this one was destroyed."},

    {Reason::short_file, "short_file", corrupt, "The file ends too early; recover the last good state."},
    {Reason::zeroed, "zeroed", corrupt, "The file was overwritten with zeros; recover the last good state."},
    {Reason::trailing_bytes, "trailing_bytes", corrupt, "The file goes on after its end; recover the last good state."},
    {Reason::digest_mismatch, "digest_mismatch", corrupt,
     "The bytes do not match their digest; recover the last good state."},
    {Reason::unreadable_record, "unreadable_record", corrupt, "A record cannot be read; recover the last good state."},
    {Reason::revision_gap, "revision_gap", corrupt, "A revision is missing; recover the last good state."},
    {Reason::integrity_check_failed, "integrity_check_failed", corrupt,
     "The store failed its check; recover the last good state."},

    {Reason::newer_format, "newer_format", unsupported, "Read this with a newer version."},
    {Reason::foreign_file, "foreign_file", unsupported, "This is not a file of the expected kind."},
    {Reason::unsuitable_file_system, "unsuitable_file_system", unsupported, "Use a local file system."},
    {Reason::not_built, "not_built", unsupported, "This build leaves that part out."},
    {Reason::journalled, "journalled", unsupported, "A task with a journal goes back only by a new revision."},

    {Reason::lock_timeout, "lock_timeout", busy, "Wait and make the same call again."},
    {Reason::commit_in_doubt, "commit_in_doubt", in_doubt, "Send the same request again with the same key."},

    {Reason::storage_full, "storage_full", storage, "Nothing changed; free some space."},
    {Reason::storage_denied, "storage_denied", storage, "Nothing changed; grant the rights."},
    {Reason::storage_failed, "storage_failed", storage, "Nothing changed; the storage reported a failure."},
    {Reason::unsafe_path, "unsafe_path", storage, "Nothing changed; use a plain path without links."},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        if (rows[i].reason != static_cast<Reason>(i)) return false;
    }
    return rows[std::size(rows) - 1].reason == Reason::unsafe_path;
}
static_assert(in_order(), "the table is indexed by the enumerators");

const ReasonRow& row(Reason reason) noexcept { return rows[static_cast<std::size_t>(reason)]; }

// A path may hold a key that the caller made up, so it is escaped and bounded like any foreign text.
void append_path(std::string& out, std::string_view path) {
    constexpr std::size_t bytes_max = 200;
    append_escaped(out, path.substr(0, bytes_max));
    if (path.size() > bytes_max) out += "…";
}

std::string message_of(const Error& error) {
    std::string message;
    message.reserve(160);  // most messages with their path and numbers
    message += row(error.reason).advice;
    const char* separator = " (";
    if (!error.path.empty()) {
        message += " (at ";
        append_path(message, error.path);
        separator = ", ";
    }
    if (error.limit) message += std::exchange(separator, ", ") + ("limit " + std::to_string(*error.limit));
    if (error.actual) message += std::exchange(separator, ", ") + ("actual " + std::to_string(*error.actual));
    if (separator[0] == ',') message += ')';
    return message;
}

Error with_message(Error error) {
    error.message = message_of(error);
    return error;
}

}  // namespace

std::span<const ReasonRow> reasons() noexcept { return rows; }

Errc code_of(Reason reason) noexcept { return row(reason).code; }

std::string_view word(Reason reason) noexcept { return row(reason).word; }

std::string_view word(Errc code) noexcept {
    constexpr std::string_view words[] = {"none",     "invalid",     "conflict",  "scope",   "denied",
                                          "capacity", "unavailable", "destroyed", "corrupt", "unsupported",
                                          "busy",     "in_doubt",    "storage"};
    static_assert(std::size(words) == static_cast<std::size_t>(storage) + 1);
    return words[static_cast<std::size_t>(code)];
}

Error fail(Reason reason, std::string path) { return with_message({.reason = reason, .path = std::move(path)}); }

Error fail(Reason reason, std::string path, Numbers numbers) {
    return with_message({.reason = reason, .path = std::move(path), .limit = numbers.limit, .actual = numbers.actual});
}

Error under(std::string_view prefix, Error error) {
    // What was added behind the composed message, such as the ids that would have been valid, stays.
    const std::size_t composed = message_of(error).size();
    const std::string added = error.message.substr(std::min(composed, error.message.size()));
    error.path.insert(0, prefix);
    error.message = message_of(error) + added;
    return error;
}

void bug(const char* what) noexcept {
    std::fprintf(stderr, "taskstate: %s\n", what);
    std::abort();
}

}  // namespace taskstate::inline v0
