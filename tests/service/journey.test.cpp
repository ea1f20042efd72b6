// One conversation from the first refusal to the last.

#include "support/desk.hpp"

using namespace taskstate;
using test::check_refused;
using test::Desk;
using test::home;

namespace {

HostProposalInput proposal(const SessionIdentity& session, std::string task, std::string key, Revision base) {
    return {.task = {home, std::move(task)},
            .identity = session,
            .key = std::move(key),
            .base = base,
            .operations = {test::set_status("review", ItemStatus::running)},
            .adapter = {.name = "chat-adapter", .version = "1.2"}};
}

}  // namespace

TEST_CASE("journey: a task is bound, shown, worked on, ended and unbound, and the counters agree",
          "[service][governed:29.5][governed:30.40]") {
    Desk desk;
    desk.start("task-a");
    desk.start("sibling");
    const SessionIdentity session{"assistant", "chat-7", "e1"};
    const PrepareInput input{.scope = home, .identity = session};
    const auto prepare = [&](const PrepareInput& asked) { return *desk.service.prepare(asked); };

    CHECK(prepare(input).withheld == Reason::task_context_selection_required);
    const Binding bound = desk.bind("task-a", session);
    const std::string delivery = *prepare(input).delivery;
    CHECK(*desk.service.confirm_exposure(home, delivery));
    CHECK_FALSE(*desk.service.confirm_exposure(home, delivery));

    const auto first = desk.service.propose_delta(proposal(session, "task-a", "run-1:call-1", {1}));
    REQUIRE(first.has_value());
    CHECK(first->decision.outcome == Outcome::accepted);
    const auto again = desk.service.propose_delta(proposal(session, "task-a", "run-1:call-1", {1}));
    REQUIRE(again.has_value());
    CHECK(again->replayed);
    CHECK(again->decision.id == first->decision.id);

    const auto early = desk.service.request_lifecycle({.task = {home, "task-a"},
                                                       .identity = session,
                                                       .key = "run-1:finish",
                                                       .to = Lifecycle::completed,
                                                       .base = {2},
                                                       .adapter = {.name = "chat-adapter", .version = "1.2"}});
    REQUIRE(early.has_value());
    CHECK(early->decision.reason == Reason::required_items_incomplete);
    check_refused(desk.service.propose_delta(proposal(session, "sibling", "run-1:call-2", {1})),
                  Reason::host_task_not_bound_to_session);

    desk.to("task-a", Lifecycle::completed);
    CHECK(prepare(input).withheld == Reason::task_context_not_eligible);
    CHECK(prepare({.scope = home, .identity = SessionIdentity{"assistant", "chat-7", "e2"}}).withheld ==
          Reason::task_binding_stale_session);
    REQUIRE(desk.service.unbind({home, bound.id, test::operator_olga, std::nullopt}).has_value());
    CHECK(prepare(input).withheld == Reason::task_context_selection_required);

    const auto health = desk.service.health(home);
    CHECK(health->tally.prepared == 2);
    CHECK(health->tally.exposed == 1);
    CHECK(health->tally.withheld == 1);
    CHECK(health->tally.bindings_active == 0);
    CHECK(health->tally.bindings_revoked == 1);
    CHECK(health->integrity.valid);
    CHECK(desk.revision("sibling") == Revision{1});
}
