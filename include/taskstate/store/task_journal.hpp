#pragma once
// One task in memory, kept in a store: each commit is made there before it is seen.

#include <taskstate/store/store.hpp>
#include <taskstate/task/task_state.hpp>

#include <memory>
#include <optional>
#include <string>

namespace taskstate::inline v0 {

/// What the log says of the changes that a host makes.
struct JournalOptions {
    Actor actor{.role = Role::authority, .name = "host"};  ///< who made them
    std::string clock_name = "system-utc-v1";              ///< where the times of a new task come from
};

/// The task of `options`, as the store has it; a new one at revision 0 where the store has none.
///
/// A new task is in the store from its first commit on.  Of several objects on one task, in one process or in many, the
/// first to commit is next; the others get `concurrent_successor_committed` for their next change, and open it again.
/// A commit that is in doubt is sent again at once.  If it is in doubt still, the task stays as it was: make the call
/// again, and open the task again where that is a conflict, as the change may be there.
/// Errors: as `TaskState::create` and `TaskState::open`; `options_invalid` without a store, or where `options` has a
///         journal; those of an actor under `/actor`; `integrity_check_failed`; those of the store.
/// Source: docs/stores.md, "One task".
[[nodiscard]] Result<TaskState> open_task(std::shared_ptr<Store> store, TaskOptions options,
                                          const JournalOptions& journal = {});

/// Going back: which state of a task is to be the next one.
struct ReturnInput {
    TaskAddress task{};
    Revision source{};  ///< whose state it is
    Revision base{};    ///< the revision that this was decided on
    OptText reason{};   ///< Text
    Actor actor{.role = Role::authority, .name = "host"};
    std::optional<Limits> limits{};  ///< absent: the profile's
    std::shared_ptr<Clock> clock{};  ///< absent: the system's
};

/// Makes what was noted at an earlier revision the next revision of an open task, whose method in the log is
/// `returned_to_revision_<source>`.
///
/// Notes, items, sources and phase are as they were then.  What cannot be undone stays: receipts with their
/// confirmations, the status of what is linked, the lock of the schema, ids that were given.  Nothing of the log goes.
/// Objects that hold the task have to open it again.
/// Errors: `task_not_eligible`; `stale_base_revision` with the current revision and the one sent; `task_is_paused`,
///         `task_is_terminal`; `out_of_range` at `/source`, for a revision that the log does not hold; text reasons at
///         `/reason`, those of an actor under `/actor`; the capacity reasons; those of a log that does not lead there;
///         those of the store.
[[nodiscard]] Result<Commit> return_to(Store& store, const ReturnInput& request);

}  // namespace taskstate::inline v0
