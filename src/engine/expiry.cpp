#include <taskstate/engine/expiry.hpp>

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

/// Whole milliseconds from one time to another; none where the clock went back.
std::uint64_t elapsed(Timestamp from, Timestamp to) noexcept {
    return to <= from ? 0 : static_cast<std::uint64_t>(to.ms) - static_cast<std::uint64_t>(from.ms);
}

/// The time that lies `ms` after `from`; nothing beyond the last one that there is.
std::optional<Timestamp> later(Timestamp from, std::uint64_t ms) noexcept {
    if (ms > elapsed(from, timestamp_max)) return std::nullopt;
    return Timestamp{from.ms + static_cast<std::int64_t>(ms)};
}

bool is_paused(const Snapshot& snapshot) { return snapshot.lifecycle() == Lifecycle::paused; }

/// When the time without progress is over; it stands still from the moment of a pause on.
std::optional<Timestamp> progress_due(std::uint64_t no_progress_ms, Timestamp last_progress_at,
                                      const PauseRecord& pause) {
    const auto resumed = later(last_progress_at, pause.paused_ms);
    const auto due = resumed ? later(*resumed, no_progress_ms) : std::nullopt;
    return due && pause.paused_at && *pause.paused_at < *due ? std::nullopt : due;
}

}  // namespace

PauseRecord advance(PauseRecord pause, const Snapshot& before, const Snapshot& after, bool progressed) {
    if (progressed) pause.paused_ms = 0;
    if (!is_paused(before) && is_paused(after)) {
        pause.paused_at = after.updated_at();
    } else if (pause.paused_at && !is_paused(after)) {
        pause.paused_ms += elapsed(*pause.paused_at, after.updated_at());
        pause.paused_at.reset();
    }
    return pause;
}

ExpiryStatus expiry_status(const ExpiryRule& rule, Timestamp created_at, Timestamp last_progress_at,
                           const PauseRecord& pause, Timestamp now) {
    ExpiryStatus status{.rule = rule,
                        .evaluated_at = now,
                        .absolute_age_ms = elapsed(created_at, now),
                        .paused_ms = pause.paused_ms + (pause.paused_at ? elapsed(*pause.paused_at, now) : 0)};
    const std::uint64_t since_progress = elapsed(last_progress_at, now);
    status.no_progress_age_ms = since_progress - std::min(since_progress, status.paused_ms);
    if (rule.no_progress_ms && status.no_progress_age_ms >= *rule.no_progress_ms) {
        status.due = Reason::expired_no_progress;
    }
    if (rule.absolute_age_ms && status.absolute_age_ms >= *rule.absolute_age_ms) {
        status.due = Reason::expired_absolute_age;
    }
    return status;
}

std::optional<Timestamp> due_at(const ExpiryRule& rule, Timestamp created_at, Timestamp last_progress_at,
                                const PauseRecord& pause) {
    std::optional<Timestamp> by_age, by_progress;
    if (rule.absolute_age_ms) by_age = later(created_at, *rule.absolute_age_ms);
    if (rule.no_progress_ms) by_progress = progress_due(*rule.no_progress_ms, last_progress_at, pause);
    if (by_age && by_progress) return std::min(*by_age, *by_progress);
    return by_age ? by_age : by_progress;
}

}  // namespace taskstate::inline v0
