// Constraints that come after the start.

#include "support/desk.hpp"

using namespace taskstate;
using test::Desk;
using test::home;

namespace {

Result<StepResult> add(Desk& desk, const std::string& id, Revision base) {
    return desk.service.correct({.task = {home, "task-a"},
                                 .actor = test::operator_olga,
                                 .key = "add:" + id,
                                 .base = base,
                                 .operations = {{AddNote{test::constraint(id)}, std::nullopt}},
                                 .reason = "The customer asked for it"});
}

}  // namespace

TEST_CASE("correct: a constraint counts against the cap whenever it comes, and a taken id says so",
          "[service][governed:30.12]") {
    Desk desk;
    const std::vector<std::string> constraints(99, "Stay small");
    REQUIRE(
        desk.service
            .start({.task = {home, "task-a"}, .key = "start", .actor = test::operator_olga, .constraints = constraints})
            .has_value());

    const auto taken = add(desk, "constraint-7", {1});
    const auto last = add(desk, "budget", {1});
    const auto beyond = add(desk, "deadline", {2});

    CHECK(word(taken->decision.reason) == "duplicate_note_id");
    CHECK(last->decision.outcome == Outcome::accepted);
    CHECK(word(beyond->decision.reason) == "entries_exceeded");
    CHECK(beyond->decision.limit == 100);
    CHECK(beyond->decision.actual == 101);
}
