#pragma once
// The judge: one function decides what a transaction does to a state.

#include <taskstate/base/time.hpp>
#include <taskstate/engine/decision.hpp>
#include <taskstate/engine/transaction.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// What `transaction` does to `head`: the successor, or why there is none.
///
/// Pure: no clock, randomness, I/O or globals, so a retry, a replay and a shadow run are the same call. All or nothing;
/// `head` is never changed.  Operations apply in order, each seeing the one before; only the final candidate has to fit
/// the limits.
/// Bounds: linear in what changes, plus one pass over the ids.
/// Errors (in the decision): `scope_mismatch`, `task_not_eligible`, `capability_denied`, `reason_required`;
///         `task_is_terminal`, `task_is_paused`, `stale_base_revision`, `out_of_range` after the last revision;
///         `assurance_ceiling_exceeded`, `unknown_evidence`, `evidence_owner_mismatch`;
///         `operation_not_permitted_by_profile`; references, receipts and links; what stands against an item or a
///         phase; the capacity reasons with the limit and the attempt.
/// Thread-safety: pure.
/// Source: docs/transactions.md.
[[nodiscard]] Decision apply(const Snapshot& head, const Transaction& transaction, const Rules& rules, Timestamp now);

/// Whether the parts of a state agree with each other and fit the limits; a commit and a restore share it.
///
/// Errors: `inconsistent_state` and the duplicate reasons with a path into the snapshot; the capacity reasons.
/// Bounds: linear in the state times the logarithm of its entries.
/// Thread-safety: pure.
[[nodiscard]] Result<void> validate(const State& state, const Rules& rules);

/// Whether the totals of a state fit; part of both.
[[nodiscard]] Result<void> check_capacity(const State& state, const Limits& limits);

/// Whether an evidence reference belongs to the task's owner.
[[nodiscard]] Result<void> check_evidence_owner(const std::optional<Evidence>& evidence, const Scope& scope);

/// Whether `status` is a word that a linked task of this kind can be in; a memory task may be in any state.
[[nodiscard]] bool is_link_status(LinkKind kind, std::string_view status) noexcept;

/// Ids that a prune would accept now.
struct Prunable {
    std::vector<std::string_view> notes{}, actions{};
};
[[nodiscard]] Prunable prunable(const State& state);

/// What still stands between the task and its completion.
struct OpenGates {
    std::vector<std::string_view> items{};        ///< required and not settled
    std::vector<std::string_view> kinds{};        ///< asked for by the profile, without an item or with an open one
    std::vector<std::string_view> constraints{};  ///< gating notes that are active
    [[nodiscard]] bool allowed() const noexcept { return items.empty() && kinds.empty() && constraints.empty(); }
    /// All of them in one list, each once: item ids, `kind:<kind>`, `constraint:<id>`.
    [[nodiscard]] std::vector<std::string> names() const;
};
[[nodiscard]] OpenGates open_gates(const State& state, const Profile& profile);
/// Errors: `required_items_incomplete`, naming what is open.
[[nodiscard]] Result<void> check_gates(const State& state, const Profile& profile);

}  // namespace taskstate::inline v0
