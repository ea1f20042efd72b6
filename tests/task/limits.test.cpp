#include "bench/fixture.hpp"

#include "support/builders.hpp"

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

TEST_CASE("limits: the digit that the tenth revision gains is counted before it is committed", "[task][spec:C1]") {
    const auto at_nine = [](TaskState& task) {
        while (task.revision().number < 9) {
            test::accept(task, {.notes = {test::note("n" + std::to_string(task.revision().number))}});
        }
    };
    TaskState wide = test::open_task();
    at_nine(wide);
    const Snapshot tenth = test::accept(wide, {.resolve = {"n0"}});
    const std::uint64_t needed = snapshot_bytes(tenth.state());

    TaskOptions options = test::options();
    options.limits = Limits{.snapshot_bytes_max = needed - 1};
    TaskState tight = test::open_task(options);
    at_nine(tight);
    const auto refused = tight.update({.resolve = {"n0"}}, tight.revision());

    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().reason == Reason::snapshot_bytes_exceeded);
    CHECK(refused.error().limit == needed - 1);
    CHECK(refused.error().actual == needed);
    CHECK(tight.revision().number == 9);
}
