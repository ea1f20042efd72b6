#include "cli/task_copy.hpp"

#include "store/stored_state.hpp"
#include "store/successor.hpp"

#include <taskstate/engine/lifecycle.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t page_rows = 500, batch_writes_max = 500;

/// What a task is before its first revision arrives.
TaskHead bare(const TaskHead& head) {
    return {.identity = head.identity,
            .continues = head.continues,
            .expiry = head.expiry,
            .clock = head.clock,
            .start_key = head.start_key,
            .start_digest = head.start_digest};
}

/// Whether both are rows of the same task, whatever its revision.
bool same_task(const TaskHead& a, const TaskHead& b) {
    return a.identity == b.identity && a.start_key == b.start_key && a.start_digest == b.start_digest;
}

/// Whether both records are of the same commit; one of them may have become a base.
bool same_commit(const RevisionRecord& a, const RevisionRecord& b) {
    if (a.base.has_value() == b.base.has_value()) return a == b;
    return a.frame == b.frame && a.state_digest == b.state_digest && a.semantic_digest == b.semantic_digest &&
           a.origin == b.origin;
}

}  // namespace

Result<void> TaskCopy::write(Copied& copied) {
    const std::uint64_t before = copied.revisions + copied.decisions + copied.deliveries;
    for (const auto part : {&TaskCopy::write_log, &TaskCopy::write_decisions, &TaskCopy::write_deliveries}) {
        if (auto done = (this->*part)(copied); !done) return done;
    }
    if (copied.revisions + copied.decisions + copied.deliveries > before) ++copied.tasks;
    return {};
}

/// Goes on from what the other store has of the task, if that is a state of it.
Result<void> TaskCopy::begin() {
    auto there = to_.load(task_);
    if (!there) return std::move(there).error();
    if (!*there) {
        row_ = bare(stored_.head);
        seen_ = nothing_of(stored_.head.identity);
        return {};
    }
    row_ = (*there)->head;
    const Revision theirs = row_.frame.revision, ours = stored_.head.frame.revision;
    if (!same_task(row_, stored_.head)) return fail(Reason::already_exists, "/id");
    if (theirs > ours) return fail(Reason::concurrent_successor_committed, "", {theirs.number, ours.number});
    auto record = from_.revisions(task_, {theirs.number - 1}, 1);
    if (!record) return std::move(record).error();
    const bool kept = !record->empty() && record->front().frame.revision == theirs;
    if (kept && record->front().state_digest != row_.state_digest) return fail(Reason::already_exists, "/id");
    const auto profile = profile_of(from_, stored_.head.identity.profile);
    if (!profile) return profile.error();
    auto state = state_of(**there, **profile);
    if (!state) return std::move(state).error();
    seen_ = *std::move(state);
    return {};
}

Result<void> TaskCopy::write_log(Copied& copied) {
    if (auto begun = begin(); !begun) return begun;
    const Revision last = stored_.head.frame.revision;
    while (seen_.revision() < last) {
        const auto page = from_.revisions(task_, seen_.revision(), page_rows);
        if (!page) return page.error();
        if (page->empty()) return fail(Reason::revision_gap, "", {seen_.revision().number + 1, last.number});
        for (const RevisionRecord& record : *page) {
            if (record.frame.revision > last) break;
            if (auto added = add(record); !added) return added;
            ++copied.revisions;
        }
    }
    if (auto ended = end_bases(); !ended) return ended;
    return flush();
}

Result<void> TaskCopy::add(const RevisionRecord& record) {
    if (record.base) return add_base(record);
    if (auto ended = end_bases(); !ended) return ended;
    return advance(record);
}

/// What a log begins anew with is written as the successor of what was before: empty steps, then all that differs.
Result<void> TaskCopy::add_base(const RevisionRecord& base) {
    const Revision before{base.frame.revision.number - 1};
    const Snapshot nothing = nothing_of(stored_.head.identity, before);
    auto state = replay(nothing.state(), base.frame, base.changes);
    if (!state) return std::move(state).error();
    const Snapshot then(*std::move(state));
    while (seen_.revision() < before) {
        RevisionRecord step{.frame = frame_of(seen_.state()), .origin = base.origin};
        ++step.frame.revision.number;
        State next = seen_.state();
        next.revision = step.frame.revision;
        const Snapshot reached(std::move(next));
        step.state_digest = reached.state_digest();
        step.semantic_digest = reached.semantic_digest();
        if (auto added = advance(std::move(step)); !added) return added;
    }
    RevisionRecord record = base;
    record.base.reset();
    record.changes = changes(seen_, then);
    bases_.push_back(base);
    return advance(std::move(record));
}

Result<void> TaskCopy::advance(RevisionRecord record) {
    auto state = replay(seen_.state(), record.frame, record.changes);
    if (!state) return std::move(state).error();
    const Snapshot after(*std::move(state));
    if (after.state_digest() != record.state_digest) {
        return fail(Reason::digest_mismatch, "", {after.revision().number, after.revision().number});
    }
    const bool last = after.revision() == stored_.head.frame.revision;
    row_ = last ? stored_.head
                : next_head({.head = row_,
                             .before = seen_,
                             .after = after,
                             .progressed = record.progressed,
                             .origin = record.origin});
    if (seen_.revision() == Revision{}) {
        batch_.emplace_back(StartTask{row_, std::move(record)});
    } else {
        batch_.emplace_back(AdvanceTask{row_, std::move(record)});
    }
    seen_ = after;
    // Steps that nobody made are never seen: they go in the batch that brings them.
    return batch_.size() >= batch_writes_max && bases_.empty() ? flush() : Result<void>();
}

/// The bases take their places, and what stood between them goes.
Result<void> TaskCopy::end_bases() {
    if (bases_.empty()) return {};
    const Revision first = bases_.back().frame.revision;
    batch_.emplace_back(TrimLog{.task = task_, .first = first, .kept = std::exchange(bases_, {})});
    return flush();
}

Result<void> TaskCopy::flush() {
    if (batch_.empty()) return {};
    return to_.commit(std::exchange(batch_, {}));
}

Result<void> TaskCopy::write_decisions(Copied& copied) {
    for (std::uint64_t after = 0;;) {
        const auto ours = from_.decisions(task_, after, page_rows);
        if (!ours) return ours.error();
        if (ours->empty()) return {};
        const auto theirs = to_.decisions(task_, after, page_rows);
        if (!theirs) return theirs.error();
        for (std::size_t i = theirs->size(); i < ours->size(); ++i) {
            batch_.emplace_back(AddDecision{task_, (*ours)[i]});
            ++copied.decisions;
        }
        if (auto done = flush(); !done) return done;
        after = ours->back().sequence;
    }
}

Result<void> TaskCopy::write_deliveries(Copied& copied) {
    for (std::uint64_t after = 0;;) {
        const auto ours = from_.deliveries(task_, after, page_rows);
        if (!ours) return ours.error();
        if (ours->empty()) return {};
        const auto theirs = to_.deliveries(task_, after, page_rows);
        if (!theirs) return theirs.error();
        for (std::size_t i = 0; i < ours->size(); ++i) {
            const DeliveryRecord& delivery = (*ours)[i];
            if (i >= theirs->size()) {
                batch_.emplace_back(AddDelivery{task_, delivery});
                ++copied.deliveries;
            } else if (delivery.exposed_at && !(*theirs)[i].exposed_at) {
                if (auto shown = to_.expose(task_.scope, delivery.id, *delivery.exposed_at); !shown) {
                    return std::move(shown).error();
                }
            }
        }
        if (auto done = flush(); !done) return done;
        after = ours->back().sequence;
    }
}

Result<void> TaskCopy::check() {
    const auto there = to_.load(task_);
    if (!there) return there.error();
    if (*there != stored_) return fail(Reason::integrity_check_failed);
    if (auto log = check_log(); !log) return log;
    if (auto decisions = check_records(&Store::decisions); !decisions) return decisions;
    return check_records(&Store::deliveries);
}

/// Both stores have the same records of a kind.
template <class Record>
Result<void> TaskCopy::check_records(Page<Record> page) {
    for (std::uint64_t after = 0;;) {
        const auto ours = (from_.*page)(task_, after, page_rows), theirs = (to_.*page)(task_, after, page_rows);
        if (!ours) return ours.error();
        if (!theirs) return theirs.error();
        if (*ours != *theirs) return fail(Reason::integrity_check_failed);
        if (ours->empty()) return {};
        after = ours->back().sequence;
    }
}

/// Every commit of the one log is in the other one, which may reach further back.
Result<void> TaskCopy::check_log() {
    for (Revision after{}; after < stored_.head.frame.revision;) {
        const auto ours = from_.revisions(task_, after, page_rows);
        if (!ours) return ours.error();
        if (ours->empty()) return fail(Reason::revision_gap);
        auto theirs = to_.revisions(task_, {ours->front().frame.revision.number - 1}, page_rows);
        if (!theirs) return theirs.error();
        auto there = theirs->begin();
        for (const RevisionRecord& record : *ours) {
            const Revision revision = record.frame.revision;
            if (revision > stored_.head.frame.revision) break;
            while (there != theirs->end() && there->frame.revision < revision) ++there;
            if (there == theirs->end()) {
                theirs = to_.revisions(task_, {revision.number - 1}, page_rows);
                if (!theirs) return theirs.error();
                there = theirs->begin();
            }
            if (there == theirs->end() || !same_commit(record, *there)) {
                return fail(Reason::integrity_check_failed, "", {revision.number, revision.number});
            }
        }
        after = ours->back().frame.revision;
    }
    return {};
}

}  // namespace taskstate::inline v0
