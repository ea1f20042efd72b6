#pragma once
// Whether the log of a task leads to what the store says that the task is.

#include <taskstate/service/requests.hpp>
#include <taskstate/store/store.hpp>

#include <optional>

namespace taskstate::inline v0 {

/// The state and the pause that a log leads to, revision by revision.
///
/// Bounds: costs what changed; holds two states.
/// Thread-safety: confined.
class LogState {
 public:
    explicit LogState(const Identity& identity);

    /// Goes on to the next revision, or to a later one whose record is a base.
    ///
    /// Errors: `revision_gap` for any other; `unreadable_record`, `digest_mismatch` for one that does not lead to the
    ///         state that was committed.
    Result<void> follow(const RevisionRecord& record);
    [[nodiscard]] const Snapshot& snapshot() const noexcept { return seen_; }
    [[nodiscard]] const PauseRecord& pause() const noexcept { return pause_; }

 private:
    Snapshot seen_;
    PauseRecord pause_{};
};

/// Follows a log from its first revision, and keeps the first thing that does not hold: what comes after it says
/// nothing.
///
/// Shape: `unreadable_record` for changes that do not fit, `revision_gap` for numbers that are not 1, 2, … up to the
///        head's, but for the gaps in front of bases, `digest_mismatch` for a state that is not the one that was committed, `integrity_check_failed` where
///        entries, pause or due time beside the log are not what the log leads to.
/// Bounds: costs what changed, revision by revision; holds two states.
/// Thread-safety: confined.
class LogCheck {
 public:
    /// `stored` and `profile` must outlive it.
    LogCheck(const StoredTask& stored, const Profile& profile);

    void follow(const RevisionRecord& record);
    [[nodiscard]] bool broken() const noexcept { return problem_.has_value(); }
    /// After the whole log: what does not hold.
    [[nodiscard]] std::optional<Problem> finish();

 private:
    void report(Reason reason, Revision revision);
    void check_head();
    void check_entries();

    const StoredTask& stored_;
    const Profile& profile_;
    LogState log_;
    std::optional<Problem> problem_{};
};

}  // namespace taskstate::inline v0
