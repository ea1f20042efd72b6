#include "support/generate.hpp"

#include <taskstate/engine/expiry.hpp>

#include "support/catch.hpp"

#include <rapidcheck.h>

namespace taskstate {
namespace {

Timestamp early() { return {*test::inRange<std::int64_t>(0, 200)}; }
std::optional<std::uint64_t> threshold() {
    return test::sometimes<std::uint64_t>([] { return *test::inRange<std::uint64_t>(1, 200); });
}

}  // namespace

TEST_CASE("expiry: a scan by the time when a task is due finds what an evaluation finds", "[engine]") {
    REQUIRE(rc::check("any rule, task and time", [] {
        const ExpiryRule rule{threshold(), threshold()};
        PauseRecord pause{.paused_ms = *test::inRange<std::uint64_t>(0, 100)};
        pause.paused_at = test::sometimes<Timestamp>(early);
        const Timestamp created = early(), progress = early(), now{*test::inRange<std::int64_t>(0, 800)};
        const auto due = due_at(rule, created, progress, pause);
        RC_ASSERT(expiry_status(rule, created, progress, pause, now).due.has_value() == (due && *due <= now));
    }));
}

}  // namespace taskstate
