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

LogState::LogState(const Identity& identity) : seen_(nothing_of(identity)) {}

Result<void> LogState::follow(const RevisionRecord& record) {
    const Revision revision = record.frame.revision;
    const bool anew = record.base && revision > seen_.revision();
    const Snapshot before = anew ? nothing_of(*seen_.state().identity, {revision.number - 1}) : seen_;
    if (revision.number != before.revision().number + 1) return fail(Reason::revision_gap);
    auto state = replay(before.state(), record.frame, record.changes);
    if (!state) return std::move(state).error();
    const Snapshot after(*std::move(state));
    if (after.semantic_digest() != record.semantic_digest || after.state_digest() != record.state_digest) {
        return fail(Reason::digest_mismatch);
    }
    if (anew)
        pause_ = record.base->pause;
    else if (revision > Revision{1})
        pause_ = advance(pause_, before, after, record.progressed);
    seen_ = after;
    return {};
}

LogCheck::LogCheck(const StoredTask& stored, const Profile& profile)
    : stored_(stored), profile_(profile), log_(stored.head.identity) {}

void LogCheck::report(Reason reason, Revision revision) {
    if (!problem_) problem_ = Problem{stored_.head.identity.id, reason, revision};
}

void LogCheck::follow(const RevisionRecord& record) {
    if (problem_) return;
    const Revision next{log_.snapshot().revision().number + 1};
    const auto followed = log_.follow(record);
    if (followed) return;
    const Reason reason = followed.error().reason;
    report(reason, reason == Reason::revision_gap ? next : record.frame.revision);
}

std::optional<Problem> LogCheck::finish() {
    if (!problem_) check_head();
    if (!problem_) check_entries();
    return problem_;
}

void LogCheck::check_head() {
    const Snapshot& seen = log_.snapshot();
    const TaskHead& head = stored_.head;
    const Revision last = head.frame.revision;
    if (last != seen.revision()) return report(Reason::revision_gap, Revision{seen.revision().number + 1});
    if (head.frame != frame_of(seen.state()) || head.state_digest != seen.state_digest()) {
        return report(Reason::digest_mismatch, last);
    }
    if (head.pause != log_.pause() || head.due_at != due_of(head)) report(Reason::integrity_check_failed, last);
}

void LogCheck::check_entries() {
    const Snapshot& seen = log_.snapshot();
    const Rules rules{.profile = &profile_, .limits = unbounded};
    const auto state = admit(stored_.snapshot, rules);
    const bool holds = state && validate(*state, rules) && Snapshot(*state) == seen;
    if (!holds) report(Reason::integrity_check_failed, seen.revision());
}

}  // namespace taskstate::inline v0
