#pragma once
// How a task gets its next state, whatever it was that changed it.

#include <taskstate/engine/decision.hpp>
#include <taskstate/engine/transaction.hpp>

namespace taskstate::inline v0 {

/// The decision against a change; the head stays.
[[nodiscard]] Decision refuse(const Snapshot& head, Error error);

/// Whether something that was decided about `base` may still follow on the head.
///
/// Errors: `stale_base_revision` with both revisions; `out_of_range` after the last revision that there can be.
[[nodiscard]] Result<void> check_base(const Snapshot& head, Revision base);

/// Whether the head takes changes of what it holds at all, and from this base.
///
/// Errors: `task_is_terminal`, `task_is_paused`; those of `check_base`.
[[nodiscard]] Result<void> check_open(const Snapshot& head, Revision base);

/// Makes the copy of a state the one after it: one revision on, and no earlier.
void make_successor(State& candidate, Timestamp now);

/// What is said of a candidate that is accepted.
struct Acceptance {
    Reason reason{};
    bool progressed = false;
};
/// The decision on a candidate that every rule let pass: the successor, or no change.
///
/// Errors (in the decision): the capacity reasons.
[[nodiscard]] Decision conclude(const Snapshot& head, State candidate, const Rules& rules, Timestamp now,
                                const Acceptance& acceptance);

}  // namespace taskstate::inline v0
