#pragma once
// Moving tasks from one store to another.

#include <taskstate/store/store.hpp>

#include <cstdint>
#include <string>

namespace taskstate::inline v0 {

/// What a copy wrote; what was there already is not counted, but for `checked`.
struct Copied {
    std::uint64_t scopes = 0, tasks = 0;  ///< to which anything was written
    std::uint64_t revisions = 0, decisions = 0, deliveries = 0, bindings = 0, modes = 0, profiles = 0;
    std::uint64_t checked = 0;  ///< tasks that were compared afterwards, state by state of their logs
    friend bool operator==(const Copied&, const Copied&) = default;
};

/// Writes to `to` what it lacks of everything that `from` holds: profiles, and of each scope its tasks with their logs,
/// decisions and deliveries, its bindings, and at last its mode, where `to` has none.
///
/// A copy that was interrupted goes on when it is made again; of a task there is always a state that it once had.  Every
/// task is compared afterwards: head, entries, log, decisions and deliveries.  Nobody should write to either meanwhile:
/// what `from` gets after its task was copied is for the next copy.
/// Errors: `already_exists` at `/id` where `to` has another task of that name, `concurrent_successor_committed` where it
///         went on by itself; `profile_version_differs`; `revision_gap`, `unreadable_record`, `digest_mismatch`,
///         `integrity_check_failed` for a task of `from` that is damaged, or that did not arrive as it was; those of the
///         stores.
/// Bounds: linear in both; holds one batch of a task.
/// Thread-safety: shared.
/// Source: docs/operating.md, "Moving tasks".
[[nodiscard]] Result<Copied> copy_store(Store& from, Store& to);

/// The answer of the command: what was copied, or why it ended.
[[nodiscard]] std::string copy_answer(const Result<Copied>& copied);

}  // namespace taskstate::inline v0
