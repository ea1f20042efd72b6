#include "service/oversight.hpp"

#include <algorithm>
#include <utility>

namespace taskstate::inline v0 {
std::optional<std::uint64_t> percentile(std::vector<std::uint64_t> values, std::uint64_t percent) {
    if (values.empty()) return std::nullopt;
    std::sort(values.begin(), values.end());
    const std::uint64_t hundredths = percent * (values.size() - 1);
    std::uint64_t index = hundredths / 100;
    const std::uint64_t rest = hundredths % 100;
    if (rest > 50 || (rest == 50 && index % 2 == 1)) ++index;
    return values[index];
}

std::optional<Overdue> overdue(const TaskHead& head, Timestamp now) {
    if (is_terminal(head.frame.lifecycle)) return std::nullopt;
    const ExpiryStatus status =
        expiry_status(head.expiry, head.identity.created_at, head.frame.last_progress_at, head.pause, now);
    if (!status.due) return std::nullopt;
    return Overdue{head.identity.id, *status.due, status.absolute_age_ms, status.no_progress_age_ms};
}

RevisionRecord content_free(RevisionRecord record) {
    record.changes.clear();
    record.lineage.clear();
    record.frame.link.reset();
    record.origin.reason.reset();
    record.origin.interpreter.reset();
    record.origin.evidence.clear();
    return record;
}

DecisionRecord content_free(DecisionRecord decision) {
    decision.key.reset();
    decision.evidence.clear();
    return decision;
}

}  // namespace taskstate::inline v0
