#pragma once
// When a task is overdue.  The rule is copied when the task starts; nothing here reads a clock.

#include <taskstate/model/profile.hpp>
#include <taskstate/model/snapshot.hpp>

#include <optional>

namespace taskstate::inline v0 {

/// How long a task has been paused since it last got on.
///
/// Shape: `paused_at` only while paused; `paused_ms` counts pauses that have ended since the last progress.
struct PauseRecord {
    std::optional<Timestamp> paused_at{};
    std::uint64_t paused_ms = 0;
    friend bool operator==(const PauseRecord&, const PauseRecord&) = default;
};

/// The record after a commit from `before` to `after`: a pause begins or ends, progress starts the count anew.
///
/// Thread-safety: pure.
[[nodiscard]] PauseRecord advance(PauseRecord pause, const Snapshot& before, const Snapshot& after, bool progressed);

/// Where a task stands against its rule.
///
/// Units: milliseconds, cut to whole ones, never below 0.
struct ExpiryStatus {
    ExpiryRule rule{};
    Timestamp evaluated_at{};
    std::uint64_t absolute_age_ms = 0, no_progress_age_ms = 0, paused_ms = 0;
    /// `expired_absolute_age` or `expired_no_progress`; the first where both are due.
    std::optional<Reason> due{};
};

/// Due at the threshold itself.  The absolute age runs while the task is paused; the other one does not.
///
/// Thread-safety: pure.
/// Source: docs/expiry.md.
[[nodiscard]] ExpiryStatus expiry_status(const ExpiryRule& rule, Timestamp created_at, Timestamp last_progress_at,
                                         const PauseRecord& pause, Timestamp now);

/// The earliest time at which such a task is due, if nothing happens to it; what a scan looks for.
[[nodiscard]] std::optional<Timestamp> due_at(const ExpiryRule& rule, Timestamp created_at, Timestamp last_progress_at,
                                              const PauseRecord& pause);

}  // namespace taskstate::inline v0
