#include "service/integrity.hpp"

#include "store/stored_state.hpp"
#include "store/successor.hpp"

#include <taskstate/engine/apply.hpp>
#include <taskstate/engine/history.hpp>

#include <utility>

namespace taskstate::inline v0 {
namespace {

std::optional<Timestamp> due_of(const TaskHead& head) {
    if (is_terminal(head.frame.lifecycle)) return std::nullopt;
    return due_at(head.expiry, head.identity.created_at, head.frame.last_progress_at, head.pause);
}

}  // namespace

LogCheck::LogCheck(const StoredTask& stored, const Profile& profile)
    : stored_(stored), profile_(profile), seen_(nothing_of(stored.head.identity)) {}

void LogCheck::report(Reason reason, Revision revision) {
    if (!problem_) problem_ = Problem{stored_.head.identity.id, reason, revision};
}

void LogCheck::follow(const RevisionRecord& record) {
    if (problem_) return;
    const Revision revision = record.frame.revision;
    const Revision next{seen_.revision().number + 1};
    if (revision != next) return report(Reason::revision_gap, next);
    auto state = replay(seen_.state(), record.frame, record.changes);
    if (!state) return report(Reason::unreadable_record, revision);
    const Snapshot after(*std::move(state));
    if (after.semantic_digest() != record.semantic_digest || after.state_digest() != record.state_digest) {
        return report(Reason::digest_mismatch, revision);
    }
    if (revision > Revision{1}) pause_ = advance(pause_, seen_, after, record.progressed);
    seen_ = after;
}

std::optional<Problem> LogCheck::finish() {
    if (!problem_) check_head();
    if (!problem_) check_entries();
    return problem_;
}

void LogCheck::check_head() {
    const TaskHead& head = stored_.head;
    const Revision last = head.frame.revision;
    if (last != seen_.revision()) return report(Reason::revision_gap, Revision{seen_.revision().number + 1});
    if (head.frame != frame_of(seen_.state()) || head.state_digest != seen_.state_digest()) {
        return report(Reason::digest_mismatch, last);
    }
    if (head.pause != pause_ || head.due_at != due_of(head)) report(Reason::integrity_check_failed, last);
}

void LogCheck::check_entries() {
    const Rules rules{.profile = &profile_, .limits = unbounded};
    const auto state = admit(stored_.snapshot, rules);
    const bool holds = state && validate(*state, rules) && Snapshot(*state) == seen_;
    if (!holds) report(Reason::integrity_check_failed, seen_.revision());
}

}  // namespace taskstate::inline v0
