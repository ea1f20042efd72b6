#include "engine/successor.hpp"

#include <taskstate/engine/apply.hpp>

#include <algorithm>
#include <utility>

namespace taskstate::inline v0 {

Decision refuse(const Snapshot& head, Error error) {
    const Outcome outcome = error.code() == Errc::conflict ? Outcome::conflict : Outcome::rejected;
    return {.outcome = outcome, .snapshot = head, .error = std::move(error)};
}

Result<void> check_base(const Snapshot& head, Revision base) {
    if (base != head.revision()) {
        return fail(Reason::stale_base_revision, "", {head.revision().number, base.number});
    }
    if (base.number == integer_max) return fail(Reason::out_of_range, "", {integer_max, integer_max});
    return {};
}

Result<void> check_open(const Snapshot& head, Revision base) {
    if (is_terminal(head.lifecycle())) return fail(Reason::task_is_terminal);
    if (head.lifecycle() == Lifecycle::paused) return fail(Reason::task_is_paused);
    return check_base(head, base);
}

void make_successor(State& candidate, Timestamp now) {
    ++candidate.revision.number;
    candidate.updated_at = std::max(now, candidate.updated_at);
}

Decision conclude(const Snapshot& head, State candidate, const Rules& rules, Timestamp now,
                  const Acceptance& acceptance) {
    if (same_content(candidate, head.state())) {
        return {.outcome = Outcome::no_change, .snapshot = head, .error = fail(Reason::state_already_matches)};
    }
    make_successor(candidate, now);
    if (acceptance.progressed) candidate.last_progress_at = candidate.updated_at;
    // Of the whole successor: its revision may be a digit longer.
    if (auto fits = check_capacity(candidate, rules.limits); !fits) return refuse(head, std::move(fits).error());
#ifndef NDEBUG
    if (!validate(candidate, rules)) bug("the judge made a state that validation refuses");
#endif
    return {.outcome = Outcome::accepted,
            .snapshot = Snapshot(std::move(candidate)),
            .error = fail(acceptance.reason),
            .progressed = acceptance.progressed};
}

}  // namespace taskstate::inline v0
