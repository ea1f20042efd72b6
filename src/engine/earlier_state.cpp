#include "engine/earlier_state.hpp"

#include "engine/successor.hpp"

#include <algorithm>
#include <utility>

namespace taskstate::inline v0 {

Decision return_to_earlier(const Snapshot& head, const Snapshot& earlier, Revision base, const Rules& rules,
                           Timestamp now) {
    if (auto open = check_open(head, base); !open) return refuse(head, std::move(open).error());
    const State& then = earlier.state();
    State candidate = head.state();
    candidate.phase = then.phase;
    candidate.notes = then.notes;
    candidate.items = then.items;
    candidate.sources = then.sources;
    candidate.next_ids.item = std::max(candidate.next_ids.item, then.next_ids.item);
    candidate.next_ids.constraint = std::max(candidate.next_ids.constraint, then.next_ids.constraint);
    return conclude(head, std::move(candidate), rules, now, {Reason::transition_accepted, false});
}

}  // namespace taskstate::inline v0
