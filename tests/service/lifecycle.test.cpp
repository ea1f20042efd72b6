// How a task is paused, resumed, ended and expired.

#include "support/steps.hpp"

using namespace taskstate;
using test::check_decision;
using test::check_refused;
using test::decided;
using test::Desk;
using test::home;
using test::hour_ms;
using test::minute_ms;
using test::proposal;

namespace {

const TaskAddress task{home, "delivery-42"};

LifecycleInput change(std::string key, std::uint64_t base, Lifecycle to, OptText reason = std::nullopt) {
    return {.task = task,
            .key = std::move(key),
            .actor = test::operator_olga,
            .to = to,
            .base = {base},
            .reason = std::move(reason)};
}

/// A desk with a task that expires by such a rule.
Desk expiring(ExpiryRule rule) {
    Desk desk;
    StartInput request = test::start_input();
    request.profile = test::add_profile(desk, "hasty-v1", rule);
    decided(desk.service.start(request));
    return desk;
}

ProposalInput next_phase(std::string key, std::uint64_t base = 1) {
    return proposal({.key = std::move(key), .base = base, .operations = {SetPhase{"collect"}}});
}

}  // namespace

TEST_CASE("lifecycle: pause, resume, cancel, and then nothing more", "[service][governed:4.1][governed:4.10]") {
    Desk desk;
    decided(desk.service.start(test::start_input()));
    check_decision(desk.service.lifecycle(change("l1", 1, Lifecycle::open)), Outcome::no_change,
                   Reason::state_already_matches);
    check_decision(desk.service.lifecycle(change("l2", 1, Lifecycle::paused)), Outcome::accepted,
                   Reason::lifecycle_change_accepted);
    CHECK(head_of(desk).pause.paused_at == desk.clock->now());
    check_decision(desk.service.submit(next_phase("k1", 2)), Outcome::rejected, Reason::task_is_paused);
    ProposalInput correction = next_phase("k2", 2);
    correction.actor = test::operator_olga;
    correction.reason = "It must";
    check_decision(desk.service.correct(correction), Outcome::rejected, Reason::task_is_paused);
    check_decision(desk.service.lifecycle(change("l3", 2, Lifecycle::open)), Outcome::accepted,
                   Reason::lifecycle_change_accepted);
    check_decision(desk.service.lifecycle(change("l4", 3, Lifecycle::cancelled)), Outcome::rejected,
                   Reason::reason_required);
    check_decision(desk.service.lifecycle(change("l5", 2, Lifecycle::cancelled, "Old base")), Outcome::conflict,
                   Reason::stale_base_revision);
    check_decision(desk.service.lifecycle(change("l6", 3, Lifecycle::cancelled, "Not needed")), Outcome::accepted,
                   Reason::lifecycle_change_accepted);
    CHECK(head_of(desk).terminal_reason == "Not needed");
    CHECK(revisions_of(desk).back().origin.method == "lifecycle_cancelled");
    CHECK(revisions_of(desk).back().origin.assurance == Assurance::operator_confirmed);
    check_decision(desk.service.lifecycle(change("l7", 4, Lifecycle::completed)), Outcome::rejected,
                   Reason::task_is_terminal);
    check_refused(desk.service.lifecycle(change("l8", 4, Lifecycle::expired)), Reason::unknown_word);
}

TEST_CASE("lifecycle: completing over open gates is the administrator's, and says what was open",
          "[service][governed:5.9]") {
    Desk desk;
    decided(desk.service.start(test::start_input()));
    LifecycleInput request = change("l1", 1, Lifecycle::completed, "The customer came by");
    request.over_open_gates = true;
    check_decision(desk.service.lifecycle(request), Outcome::rejected, Reason::capability_denied);
    request.key = "l2";
    request.actor = test::admin_ada;
    const DecisionRecord done = decided(desk.service.lifecycle(request));
    CHECK(done.outcome == Outcome::accepted);
    REQUIRE(done.guards.size() == 2);
    CHECK(done.guards[1].kind == GuardKind::completion_not_allowed);
    CHECK(done.guards[1].blocking == std::vector<std::string>{"review", "deploy", "constraint:constraint-1"});
    CHECK(revisions_of(desk).back().origin.reason == "The customer came by");
}

TEST_CASE("expiry: a request that finds the task overdue expires it first", "[service][governed:4.6][governed:4.7]") {
    Desk desk = expiring({.absolute_age_ms = 2 * hour_ms});
    desk.clock->advance(2 * hour_ms - 1);
    check_decision(desk.service.lifecycle(change("l1", 1, Lifecycle::completed)), Outcome::rejected,
                   Reason::required_items_incomplete);
    desk.clock->advance(1);
    check_decision(desk.service.lifecycle(change("l2", 1, Lifecycle::completed)), Outcome::rejected,
                   Reason::task_is_terminal);
    const TaskHead head = head_of(desk);
    CHECK(head.frame.lifecycle == Lifecycle::expired);
    CHECK(head.terminal_reason == "expired_absolute_age");
    CHECK_FALSE(head.due_at);
    const RevisionRecord expired = revisions_of(desk).back();
    CHECK(expired.origin.actor.role == Role::evaluator);
    CHECK(expired.origin.assurance == Assurance::rule_extracted);
    CHECK(expired.origin.evidence ==
          std::vector<EvidenceInput>{{.kind = EvidenceKind::policy_rule, .id = "expired_absolute_age"}});
    const DecisionRecord decision = decisions_of(desk)[2];
    CHECK(decision.kind == StepKind::expiry);
    CHECK(decision.reason == Reason::expired_absolute_age);
    CHECK_FALSE(decision.key);
}

TEST_CASE("expiry: every trigger leaves the stored task expired, once",
          "[service][governed:29.9][governed:13.7][governed:30.33]") {
    Desk desk = expiring({.no_progress_ms = hour_ms});
    desk.clock->advance(hour_ms);
    SECTION("a read") { CHECK(desk.service.read(task)->snapshot.lifecycle() == Lifecycle::expired); }
    SECTION("a list") { CHECK(desk.service.list({.scope = home})->tasks[0].frame.lifecycle == Lifecycle::expired); }
    SECTION("a proposal") {
        check_decision(desk.service.submit(next_phase("k1")), Outcome::rejected, Reason::task_is_terminal);
    }
    SECTION("a change of lifecycle") {
        check_decision(desk.service.lifecycle(change("l1", 1, Lifecycle::paused)), Outcome::rejected,
                       Reason::task_is_terminal);
    }
    SECTION("a preparation") {
        CHECK(desk.service.prepare({.scope = home, .task = "delivery-42"})->withheld ==
              Reason::task_context_not_eligible);
    }
    SECTION("a scan") { CHECK(*desk.service.expire_due() == std::vector{task}); }

    for (int i = 0; i < 5; ++i) {
        CHECK(desk.service.read(task)->snapshot.revision() == Revision{2});
        CHECK(desk.service.expire_due()->empty());
    }
    CHECK(head_of(desk).frame.lifecycle == Lifecycle::expired);
    CHECK(head_of(desk).frame.revision == Revision{2});
    CHECK(revisions_of(desk).size() == 2);
}

TEST_CASE("expiry: only the time without a pause counts, and progress begins it anew",
          "[service][governed:30.5][governed:13.12]") {
    Desk desk = expiring({.no_progress_ms = hour_ms});
    desk.clock->advance(30 * minute_ms);
    decided(desk.service.lifecycle(change("l1", 1, Lifecycle::paused)));
    desk.clock->advance(5 * hour_ms);
    decided(desk.service.lifecycle(change("l2", 2, Lifecycle::open)));
    CHECK(desk.service.read(task)->expiry.no_progress_age_ms == 30 * minute_ms);
    CHECK(head_of(desk).due_at == Timestamp{desk.clock->now().ms + 30 * minute_ms});

    decided(desk.service.submit(next_phase("k1", 3)));  // progress: the five hours are no longer to be taken off
    CHECK(head_of(desk).pause == PauseRecord{});
    desk.clock->advance(hour_ms - 1);
    CHECK(desk.service.read(task)->snapshot.lifecycle() == Lifecycle::open);
    desk.clock->advance(1);
    CHECK(desk.service.read(task)->snapshot.lifecycle() == Lifecycle::expired);
}

TEST_CASE("expiry: the rule is the one that the task started with, whatever the profile says later",
          "[service][governed:13.2]") {
    Desk desk = expiring({.absolute_age_ms = hour_ms});
    CHECK(head_of(desk).expiry == ExpiryRule{.absolute_age_ms = hour_ms});
    CHECK(head_of(desk).clock == "system-utc-v1");
    CHECK(head_of(desk).due_at == Timestamp{desk.clock->now().ms + hour_ms});
}

TEST_CASE("expire_due: scopes that are off or in shadow are passed over, and do not keep others from it",
          "[service][governed:16.3]") {
    Desk desk;
    const std::string profile = test::add_profile(desk, "hasty-v1", {.absolute_age_ms = hour_ms});
    for (const Scope& scope : {home, test::abroad}) {
        StartInput request = test::start_input();
        request.task.scope = scope;
        request.profile = profile;
        decided(desk.service.start(request));
        desk.clock->advance(1);
    }
    desk.clock->advance(2 * hour_ms);
    const auto off = GENERATE(ScopeMode::disabled, ScopeMode::shadow);
    REQUIRE(desk.service.set_mode(home, off).has_value());

    CHECK(*desk.service.expire_due(1) == std::vector<TaskAddress>{{test::abroad, "delivery-42"}});
    CHECK(desk.service.expire_due(1)->empty());
    CHECK(head_of(desk).frame.lifecycle == Lifecycle::open);
    if (off == ScopeMode::shadow) {  // it would have ended, so nothing more could be done to it
        check_decision(desk.service.submit(next_phase("k1")), Outcome::rejected, Reason::task_is_terminal);
        CHECK(head_of(desk).frame.revision == Revision{1});
    }
}

TEST_CASE("start: a task may go on with an ended one", "[service][governed:4.9]") {
    Desk desk;
    decided(desk.service.start(test::start_input()));
    StartInput next = test::start_input("delivery-43");
    next.continues = "delivery-42";
    decided(desk.service.start(next));
    CHECK(desk.service.read(next.task)->continues == "delivery-42");
}
