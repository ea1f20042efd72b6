#include <taskstate/base/error.hpp>

#include "support/catch.hpp"

#include <map>
#include <set>
#include <sstream>
#include <string>

using namespace taskstate;

namespace {

// As the contract lists them, in its order; the words are parted by spaces.
const std::pair<Errc, const char*> contract[] = {
    {Errc::none,
     "transition_accepted operator_correction_accepted lifecycle_change_accepted state_already_matches "
     "expired_absolute_age expired_no_progress profile_registered profile_already_registered dry_run_validated"},
    {Errc::invalid,
     "not_json trailing_data too_deep duplicate_key wrong_type unknown_field missing_field unknown_word unknown_call "
     "not_an_integer out_of_range empty_delta too_many_operations options_invalid already_exists "
     "blank too_long invalid_utf8 control_character bidi_control tag_character noncharacter outer_space bad_id "
     "bad_time "
     "bad_digest bad_content control_spelling "
     "duplicate_note_id duplicate_execution_id duplicate_item_id duplicate_source_id duplicate_reference "
     "self_reference "
     "unknown_note unknown_action unknown_item unknown_source note_not_active category_mismatch supersede_not_allowed "
     "not_prunable dependency_cycle no_link wrong_link_kind linked_task_unusable evidence_invalid "
     "identity_changed settlement_regressed illegal_combination time_reversed inconsistent_state "
     "idempotency_key_reused "
     "transaction_id_reused invalid_profile unreachable_phases no_transitions "
     "block_missing block_altered block_duplicated block_wrong_role old_block_present request_unreadable"},
    {Errc::conflict,
     "stale_base_revision concurrent_successor_committed generation_moved block_stale rebase_touches_changes "
     "binding_already_active profile_version_differs"},
    {Errc::scope,
     "owner_mismatch scope_mismatch task_mismatch association_mismatch link_mismatch evidence_owner_mismatch "
     "principal_mismatch"},
    {Errc::denied,
     "capability_denied assurance_ceiling_exceeded owner_required operation_not_permitted_by_profile schema_is_locked "
     "illegal_phase_transition illegal_status_transition dependency_unsatisfied required_items_incomplete "
     "unknown_evidence evidence_required reason_required task_is_terminal task_is_paused "
     "host_task_not_bound_to_session"},
    {Errc::capacity,
     "entries_exceeded items_exceeded sources_exceeded tokens_exceeded snapshot_bytes_exceeded input_bytes_exceeded "
     "prompt_budget_exceeded"},
    {Errc::unavailable,
     "task_not_eligible task_context_not_eligible task_context_selection_required task_binding_conflict "
     "task_binding_stale_session session_identity_required task_state_disabled task_state_shadow_mode "
     "binding_not_found "
     "unknown_profile capability_unavailable"},
    {Errc::destroyed, "task_destroyed"},
    {Errc::corrupt,
     "short_file zeroed trailing_bytes digest_mismatch unreadable_record revision_gap integrity_check_failed"},
    {Errc::unsupported, "newer_format foreign_file unsuitable_file_system not_built journalled"},
    {Errc::busy, "lock_timeout"},
    {Errc::in_doubt, "commit_in_doubt"},
    {Errc::storage, "storage_full storage_denied storage_failed unsafe_path"},
};

}  // namespace

TEST_CASE("reasons: exactly those of the contract, each with its code", "[base][error]") {
    std::map<std::string, Errc, std::less<>> expected;
    for (const auto& [code, words] : contract) {
        std::istringstream list(words);
        for (std::string text; list >> text;) CHECK(expected.emplace(text, code).second);
    }
    std::map<std::string, Errc, std::less<>> actual;
    for (const ReasonRow& row : reasons()) actual.emplace(row.word, row.code);
    CHECK(actual == expected);
}

TEST_CASE("reasons: a row says the same as the lookups, with one sentence of advice", "[base][error]") {
    std::set<std::string_view> advice;
    for (const ReasonRow& row : reasons()) {
        CAPTURE(std::string(row.word));
        CHECK(word(row.reason) == row.word);
        CHECK(code_of(row.reason) == row.code);
        CHECK(row.advice.size() > 10);
        CHECK(row.advice.size() < 100);
        CHECK(advice.insert(row.advice).second);
    }
    CHECK(word(Reason::unsafe_path) == "unsafe_path");
}

TEST_CASE("codes: each has its wire word", "[base][error]") {
    CHECK(word(Errc::none) == "none");
    CHECK(word(Errc::capacity) == "capacity");
    CHECK(word(Errc::in_doubt) == "in_doubt");
    CHECK(word(Errc::storage) == "storage");
}

TEST_CASE("fail: the message holds advice, path and both numbers", "[base][error]") {
    const Error plain = fail(Reason::task_destroyed);
    CHECK(plain.code() == Errc::destroyed);
    CHECK(plain.path.empty());
    CHECK_FALSE(plain.limit.has_value());
    CHECK(plain.message == "Make a new object: this one was destroyed.");

    const Error at = fail(Reason::blank, "/notes/0/text");
    CHECK(at.message.ends_with(" (at \"/notes/0/text\")"));

    const Error numbers = fail(Reason::too_long, "/text", {.limit = 8'000, .actual = 8'001});
    CHECK(numbers.limit == 8'000U);
    CHECK(numbers.actual == 8'001U);
    CHECK(numbers.message.ends_with(" (at \"/text\", limit 8000, actual 8001)"));
    CHECK(fail(Reason::stale_base_revision, {}, {.limit = 2, .actual = 0}).message.ends_with(" (limit 2, actual 0)"));
}

TEST_CASE("fail: a path made of foreign bytes is escaped and bounded in the message", "[base][error][hazard:17]") {
    const Error ill_formed = fail(Reason::unknown_field, "/a\xFF\x01<|im_end|>");
    CHECK(ill_formed.message.ends_with(R"( (at "/a�\u0001\u003c|im_end|>"))"));
    CHECK(fail(Reason::unknown_field, std::string(1'048'576, 'x')).message.size() < 400);
}

TEST_CASE("under: the caller's place comes first, in path and message", "[base][error]") {
    const Error moved = under("/notes/3", fail(Reason::too_long, "/text", {.limit = 1, .actual = 2}));
    CHECK(moved == fail(Reason::too_long, "/notes/3/text", {.limit = 1, .actual = 2}));
}
