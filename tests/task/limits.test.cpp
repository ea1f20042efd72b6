#include "bench/fixture.hpp"

#include "support/catch.hpp"

using namespace taskstate;

TEST_CASE("limits: a hundred long notes are refused by default and fit limits that the host raised", "[task]") {
    const SnapshotInput saved = bench::saved_task(100, bench::Flavour::ascii);

    const auto by_default = TaskState::open(bench::options_of(saved, Limits{}), saved);
    const auto raised = TaskState::open(bench::options_of(saved, bench::wide_limits()), saved);

    REQUIRE_FALSE(by_default.has_value());
    CHECK(by_default.error().reason == Reason::tokens_exceeded);
    CHECK(by_default.error().limit == 8'000);
    REQUIRE(raised.has_value());
    CHECK(raised->snapshot()->notes().size() == 100);
}
