#pragma once
// Going back to what a task was, as one more step forward.

#include <taskstate/engine/decision.hpp>
#include <taskstate/engine/transaction.hpp>

namespace taskstate::inline v0 {

/// The head with what was noted in an earlier state of the same task: notes, items, sources and phase.
///
/// What cannot be undone stays as it is in the head: receipts with their confirmations, the status of the link, the
/// lock of the schema, and ids that were given.  It is no progress.
/// Errors (in the decision): `task_is_terminal`, `task_is_paused`, `stale_base_revision`; the capacity reasons.
/// Thread-safety: pure.
[[nodiscard]] Decision return_to_earlier(const Snapshot& head, const Snapshot& earlier, Revision base,
                                         const Rules& rules, Timestamp now);

}  // namespace taskstate::inline v0
