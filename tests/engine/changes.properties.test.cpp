#include "support/builders.hpp"
#include "support/generate.hpp"

#include <taskstate/engine/history.hpp>

#include <rapidcheck.h>

#include <utility>

namespace taskstate {

TEST_CASE("changes: replaying them on the earlier state gives the later one", "[engine]") {
    REQUIRE(rc::check("any two states", [] {
        const Snapshot earlier = test::admitted(*test::any_snapshot());
        const Snapshot later = test::admitted(*test::any_snapshot());
        State before = earlier.state(), after = later.state();
        before.revision = {*test::inRange<std::uint64_t>(0, 1000)};
        after.revision = {before.revision.number + 1};
        after.identity = before.identity;

        const auto state = replay(before, frame_of(after), changes(earlier, later));

        RC_ASSERT(state.has_value());
        RC_ASSERT(Snapshot(*state) == Snapshot(std::move(after)));
    }));
}

}  // namespace taskstate
