#include "bench/raw_change.hpp"

#include "store/row_text.hpp"

namespace taskstate::bench {

RawChange::RawChange(const Batch& batch, std::int64_t number) : sequence(number) {
    const auto& next = std::get<AdvanceTask>(batch[0]);
    DecisionRecord decided = std::get<AddDecision>(batch[1]).decision;
    const Frame& frame = next.head.frame;
    revision = static_cast<std::int64_t>(frame.revision.number);
    lifecycle = frame.lifecycle;
    last_progress_at = frame.last_progress_at.ms;
    if (next.head.due_at) due_at = next.head.due_at->ms;
    head = encode_row(next.head);
    record = encode_row(next.revision);
    for (const Lineage& value : next.revision.lineage) lineage.push_back({value.kind, value.id});
    for (const EntryChange& change : next.revision.changes) {
        entries.push_back({change.kind, change.id, encode_row(*change.entry)});
    }
    decided.sequence = static_cast<std::uint64_t>(sequence);
    decided_at = decided.decided_at.ms;
    duration_ms = static_cast<std::int64_t>(decided.duration_ms);
    id = decided.id;
    key = decided.key.value();
    outcome = word(decided.outcome);
    reason = word(decided.reason);
    decision = encode_row(decided);
}

std::vector<RawChange> raw_changes(const History& history) {
    std::vector<RawChange> changes;
    for (const Batch& batch : history.changes)
        changes.emplace_back(batch, static_cast<std::int64_t>(changes.size()) + 2);
    return changes;
}

}  // namespace taskstate::bench
