#pragma once
// Pausing, resuming and ending a task: requests of their own, never operations.

#include <taskstate/engine/apply.hpp>
#include <taskstate/engine/governance.hpp>

namespace taskstate::inline v0 {

/// What somebody wants of a task's lifecycle, admitted by the caller.
///
/// Shape: `to` is open (resume), paused, completed or cancelled; expiry has its own call.
struct LifecycleChange {
    Lifecycle to{};
    Revision base{};
    Actor actor{};
    OptText reason{};
    bool over_open_gates = false;  ///< complete although gates are open: authority or administrator, with a reason
};

/// The successor with that lifecycle, or why there is none.
///
/// Order of checks: the word of `to`, a reason where one is needed, the role, terminal, base, gates, the same value (no
/// change), capacity.
/// Errors (in the decision): `unknown_word` for expired; `reason_required`; `capability_denied`; `task_is_terminal`;
///         `stale_base_revision`, `out_of_range` after the last revision; `required_items_incomplete`; the capacity
///         reasons.
/// Thread-safety: pure.
/// Source: docs/lifecycle.md.
[[nodiscard]] Decision change_lifecycle(const Snapshot& head, const LifecycleChange& change, const Rules& rules,
                                        Timestamp now);

/// The expired successor of a task that is not terminal; for the evaluator alone.
[[nodiscard]] Decision expire(const Snapshot& head, Timestamp now);

}  // namespace taskstate::inline v0
