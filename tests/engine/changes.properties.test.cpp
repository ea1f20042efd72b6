#include "support/builders.hpp"
#include "support/generate.hpp"

#include <taskstate/engine/changes.hpp>

#include <rapidcheck.h>

namespace taskstate {
namespace {

EntryList& list_in(State& state, EntryKind kind) {
    EntryList* const lists[] = {&state.notes, &state.items, &state.sources, &state.actions};
    return *lists[static_cast<std::size_t>(kind)];
}

/// What a journal would make of `before` with nothing but the changes.
State replayed(const Snapshot& before, const std::vector<EntryChange>& changes) {
    State state = before.state();
    for (const EntryChange& change : changes) {
        EntryList& list = list_in(state, change.kind);
        if (change.entry.get() == nullptr) {
            const std::size_t gone[] = {*list.find(change.id)};
            list.erase(gone);
        } else if (const auto index = list.find(change.id)) {
            list.replace(*index, change.entry);
        } else {
            list.push_back(change.entry);
        }
    }
    return state;
}

}  // namespace

TEST_CASE("changes: replaying them on the earlier state gives the entries of the later one", "[engine]") {
    REQUIRE(rc::check("any two states", [] {
        const Snapshot before = test::admitted(*test::any_snapshot());
        const Snapshot after = test::admitted(*test::any_snapshot());
        const State state = replayed(before, changes(before, after));
        RC_ASSERT(state.notes == after.state().notes);
        RC_ASSERT(state.items == after.state().items);
        RC_ASSERT(state.sources == after.state().sources);
        RC_ASSERT(state.actions == after.state().actions);
    }));
}

}  // namespace taskstate
