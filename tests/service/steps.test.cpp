// Proposals and corrections: four outcomes, keys, grounds, and what is written down.

#include "support/steps.hpp"

#include <taskstate/engine/governance.hpp>

using namespace taskstate;
using test::check_decision;
using test::check_refused;
using test::decided;
using test::Desk;
using test::home;
using test::proposal;
using test::status;
using enum taskstate::ItemStatus;

namespace {

/// A desk with the task of `start_input`.
Desk begun() {
    Desk desk;
    decided(desk.service.start(test::start_input()));
    return desk;
}

std::vector<std::string> completion_blockers(const DecisionRecord& decision) {
    for (const Guard& guard : decision.guards) {
        if (guard.kind == GuardKind::completion_not_allowed) return guard.blocking;
    }
    return {};
}

LifecycleInput complete(std::string key, std::uint64_t base) {
    return {.task = {home, "delivery-42"},
            .key = std::move(key),
            .actor = test::operator_olga,
            .to = Lifecycle::completed,
            .base = {base}};
}

/// Knows nothing but what begins with "known".
class Picky : public EvidenceResolver {
 public:
    bool known(const Scope&, const EvidenceInput& evidence) override { return evidence.id.starts_with("known"); }
};

}  // namespace

TEST_CASE("a flow of three items: what is done, what is left, and when it may end", "[service][governed:29.1]") {
    auto desk = begun();
    const auto asks = [&](std::string key, std::uint64_t base, Operation operation) {
        return desk.service.submit(proposal({.key = std::move(key),
                                             .base = base,
                                             .operations = {std::move(operation)},
                                             .assurance = Assurance::host_reported}));
    };
    check_decision(asks("k1", 1, status("review", completed)), Outcome::accepted, Reason::transition_accepted);
    CHECK(desk.service.read({home, "delivery-42"})->summary.ready == std::vector<std::string>{"deploy", "notify"});
    const auto same = asks("k2", 2, status("review", completed));
    check_decision(same, Outcome::no_change, Reason::state_already_matches);
    CHECK(same->decision.result == Revision{2});

    check_decision(asks("k3", 2, status("notify", blocked, "No address")), Outcome::accepted,
                   Reason::transition_accepted);
    CHECK(desk.service.read({home, "delivery-42"})->summary.remaining == std::vector<std::string>{"deploy", "notify"});
    auto denied = desk.service.lifecycle(complete("c1", 3));
    check_decision(denied, Outcome::rejected, Reason::required_items_incomplete);
    CHECK(completion_blockers(denied->decision) == std::vector<std::string>{"deploy", "constraint:constraint-1"});

    check_decision(asks("k4", 3, status("deploy", completed)), Outcome::accepted, Reason::transition_accepted);
    denied = desk.service.lifecycle(complete("c2", 4));
    CHECK(completion_blockers(denied->decision) == std::vector<std::string>{"constraint:constraint-1"});
    check_decision(asks("k5", 4, ResolveNote{"constraint-1"}), Outcome::accepted, Reason::transition_accepted);
    CHECK(desk.service.read({home, "delivery-42"})->summary.completion_allowed);

    Desk restarted(desk.store);  // another process over the same store
    const TaskView view = *restarted.service.read({home, "delivery-42"});
    CHECK(view.snapshot.revision() == Revision{5});
    CHECK(view.snapshot.lifecycle() == Lifecycle::open);
    CHECK(view.summary.completed == 2);
    CHECK(view.summary.blocked == std::vector<std::string>{"notify"});
    CHECK(view.summary.remaining == std::vector<std::string>{"notify"});
}

TEST_CASE("every step is recorded with its outcome", "[service][governed:29.2][governed:11.3]") {
    auto desk = begun();
    const auto phase = [&](std::string key, std::uint64_t base, std::string to) {
        return desk.service.submit(proposal({.key = std::move(key), .base = base, .operations = {SetPhase{to}}}));
    };
    check_decision(phase("k1", 1, "collect"), Outcome::accepted, Reason::transition_accepted);
    check_decision(phase("k2", 2, "complete"), Outcome::rejected, Reason::illegal_phase_transition);
    check_decision(phase("k3", 2, "collect"), Outcome::no_change, Reason::state_already_matches);
    check_decision(phase("k4", 1, "validate"), Outcome::conflict, Reason::stale_base_revision);
    check_decision(phase("k5", 9, "validate"), Outcome::conflict, Reason::stale_base_revision);

    std::vector<Outcome> outcomes;
    for (const DecisionRecord& decision : decisions_of(desk)) outcomes.push_back(decision.outcome);
    CHECK(outcomes == std::vector{Outcome::accepted, Outcome::accepted, Outcome::rejected, Outcome::no_change,
                                  Outcome::conflict, Outcome::conflict});
    CHECK(revisions_of(desk).size() == 2);
    const DecisionRecord stale = decisions_of(desk)[4];
    CHECK(stale.limit == 2);
    CHECK(stale.actual == 1);
    CHECK(stale.assurance == Assurance::asserted);
}

TEST_CASE("submit: the same key and payload replay the decision for ever", "[service][governed:11.1][governed:30.26]") {
    auto desk = begun();
    const ProposalInput request =
        proposal({.key = "k1", .operations = {status("review", completed)}, .evidence = {test::tool_call}});
    const DecisionRecord first = decided(desk.service.submit(request));
    REQUIRE(first.outcome == Outcome::accepted);
    decided(desk.service.lifecycle({.task = request.task,
                                    .key = "end",
                                    .actor = test::operator_olga,
                                    .to = Lifecycle::cancelled,
                                    .base = {2},
                                    .reason = "Not needed"}));

    Desk restarted(desk.store);
    const auto again = restarted.service.submit(request);
    REQUIRE(again.has_value());
    CHECK(again->replayed);
    CHECK(again->decision == first);
    CHECK(again->decision.evidence == std::vector{test::tool_call});
    CHECK(decisions_of(desk).size() == 3);
}

TEST_CASE("submit: a refused step replays as it was refused", "[service][governed:11.3]") {
    auto desk = begun();
    const ProposalInput early = proposal({.key = "k1", .operations = {status("deploy", running)}});
    check_decision(desk.service.submit(early), Outcome::rejected, Reason::dependency_unsatisfied);
    decided(desk.service.submit(
        proposal({.key = "k2", .operations = {status("review", completed)}, .evidence = {test::tool_call}})));

    const auto again = desk.service.submit(early);  // would be allowed by now, but for its base
    check_decision(again, Outcome::rejected, Reason::dependency_unsatisfied);
    CHECK(again->replayed);
}

TEST_CASE("submit: another request under a key is an error and is not recorded", "[service][governed:11.2]") {
    auto desk = begun();
    ProposalInput request = proposal({.key = "k1", .operations = {SetPhase{"collect"}}});
    decided(desk.service.submit(request));

    ProposalInput other = request;
    other.base = {2};
    check_refused(desk.service.submit(other), Reason::idempotency_key_reused);
    check_refused(desk.service.correct(request), Reason::idempotency_key_reused);  // another kind of step
    other.key = "start:delivery-42";
    check_refused(desk.service.submit(other), Reason::idempotency_key_reused);
    LifecycleInput lifecycle = complete("k1", 2);
    check_refused(desk.service.lifecycle(lifecycle), Reason::idempotency_key_reused);
    CHECK(decisions_of(desk).size() == 2);
}

TEST_CASE("submit: a key belongs to its task", "[service][governed:30.20]") {
    auto desk = begun();
    decided(desk.service.start(test::start_input("delivery-43")));
    const std::string long_key(256, 'k');
    ProposalInput request = proposal({.key = long_key, .operations = {SetPhase{"collect"}}});
    const DecisionRecord here = decided(desk.service.submit(request));
    request.task.id = "delivery-43";
    const DecisionRecord there = decided(desk.service.submit(request));
    CHECK(here.outcome == Outcome::accepted);
    CHECK(there.outcome == Outcome::accepted);
    CHECK(here.id != there.id);

    request.key = long_key.substr(0, 255) + "j";  // equal but for its end
    check_decision(desk.service.submit(request), Outcome::conflict, Reason::stale_base_revision);
}

TEST_CASE("submit: unknown and foreign tasks look the same", "[service][governed:9.1]") {
    auto desk = begun();
    const auto at = [&](Scope scope, std::string id) {
        ProposalInput request = proposal({.key = "k1", .operations = {SetPhase{"collect"}}});
        request.task = {std::move(scope), std::move(id)};
        const auto done = desk.service.submit(request);
        REQUIRE_FALSE(done.has_value());
        return done.error();
    };
    const Error foreign = at(test::abroad, "delivery-42");
    CHECK(foreign.reason == Reason::task_not_eligible);
    CHECK(at(home, "never-was") == foreign);

    ProposalInput malformed = proposal({.key = "k1"});
    malformed.task.id = "never-was";
    const auto shape = desk.service.submit(malformed);
    check_refused(shape, Reason::empty_delta);
    malformed.task.id = "delivery-42";
    CHECK(desk.service.submit(malformed).error() == shape.error());
}

TEST_CASE("submit: who may propose, and who may not", "[service][governed:29.6]") {
    for (std::size_t i = 0; i < Words<Role>::list.size(); ++i) {
        const auto role = static_cast<Role>(i);
        CAPTURE(word(role));
        auto desk = begun();
        const auto done = desk.service.submit(
            proposal({.key = "k1", .operations = {SetPhase{"collect"}}, .actor = {.role = role, .name = "somebody"}}));
        if (holds(role, Capability::propose_delta)) {
            check_decision(done, Outcome::accepted, Reason::transition_accepted);
        } else {
            check_decision(done, Outcome::rejected, Reason::capability_denied);
            CHECK(decisions_of(desk).size() == 2);  // recorded all the same
        }
    }
}

TEST_CASE("correct: only with the capability and a reason, and then it may touch what the host said",
          "[service][governed:8.2]") {
    auto desk = begun();
    ProposalInput request = proposal(
        {.key = "k1", .operations = {status("review", skipped, "Done by hand")}, .actor = test::operator_olga});
    check_decision(desk.service.submit(request), Outcome::rejected, Reason::capability_denied);  // required work
    request.key = "k2";
    check_decision(desk.service.correct(request), Outcome::rejected, Reason::reason_required);
    request.key = "k3";
    request.reason = "The customer asked for it";
    check_decision(desk.service.correct(request), Outcome::accepted, Reason::operator_correction_accepted);
    CHECK(revisions_of(desk).back().origin.method == "operator_correction");
    CHECK(revisions_of(desk).back().origin.reason == "The customer asked for it");
    request = proposal({.key = "k4", .base = 2, .operations = {SetPhase{"collect"}}, .reason = "Because"});
    check_decision(desk.service.correct(request), Outcome::rejected, Reason::capability_denied);
}

TEST_CASE("assurance is bounded for the proposal and for each operation", "[service][governed:30.1][governed:6.2]") {
    auto desk = begun();
    ProposalInput request = proposal({.key = "k1", .operations = {status("review", completed)}});
    request.assurance = Assurance::operator_confirmed;
    check_decision(desk.service.submit(request), Outcome::rejected, Reason::assurance_ceiling_exceeded);
    request.key = "k2";
    request.assurance = Assurance::asserted;
    request.operations[0].assurance = Assurance::independently_verified;
    const auto laundered = desk.service.submit(request);
    check_decision(laundered, Outcome::rejected, Reason::assurance_ceiling_exceeded);
    CHECK(laundered->decision.path == "/operations/0/assurance");
    CHECK(desk.service.read(request.task)->snapshot.items()[0].assurance == Assurance::asserted);
}

TEST_CASE("a blocker never reopens settled work", "[service][governed:30.3]") {
    auto desk = begun();
    decided(desk.service.submit(
        proposal({.key = "k1", .operations = {status("review", completed)}, .evidence = {test::tool_call}})));
    check_decision(
        desk.service.submit(proposal({.key = "k2", .base = 2, .operations = {SetItemBlocker{"review", "Stop"}}})),
        Outcome::rejected, Reason::illegal_status_transition);
}

TEST_CASE("evidence is looked up where the host can, and never believed otherwise",
          "[service][governed:30.4][governed:6.9]") {
    const auto clock = std::make_shared<test::FixedClock>();
    auto service = *TaskService::open({.store = memory_store(), .clock = clock, .evidence = std::make_shared<Picky>()});
    REQUIRE(service.set_mode(home, ScopeMode::enabled).has_value());
    decided(service.start(test::start_input()));
    const EvidenceInput known{.kind = EvidenceKind::record, .id = "known-1"};
    const EvidenceInput invented{.kind = EvidenceKind::record, .id = "invented"};

    ProposalInput request =
        proposal({.key = "k1", .operations = {status("review", completed)}, .evidence = {known, invented}});
    const auto refused = service.submit(request);
    check_decision(refused, Outcome::rejected, Reason::unknown_evidence);
    CHECK(refused->decision.path == "/evidence/1");

    request = proposal({.key = "k2",
                        .operations = {SetPhase{"collect"},
                                       SetItemStatus{.id = "review", .status = completed, .evidence = {invented}}}});
    CHECK(decided(service.submit(request)).path == "/operations/1/evidence/0");
    request = proposal({.key = "k3", .operations = {RecordAction{test::succeeded("e1")}}});
    std::get<RecordAction>(request.operations[0].operation).outcome.evidence = invented;
    CHECK(decided(service.submit(request)).path == "/operations/0/evidence");
    request = proposal({.key = "k4", .operations = {AddNote{.note = test::note("n1", Category::decision)}}});
    std::get<AddNote>(request.operations[0].operation).note.source.evidence = invented;
    CHECK(decided(service.submit(request)).path == "/operations/0/source/evidence");
    request =
        proposal({.key = "k5", .operations = {ConfirmAction{test::confirmed("e1")}}, .actor = test::operator_olga});
    std::get<ConfirmAction>(request.operations[0].operation).source.evidence = invented;
    CHECK(decided(service.submit(request)).path == "/operations/0/source/evidence");

    LifecycleInput pause{.task = request.task,
                         .key = "p1",
                         .actor = test::operator_olga,
                         .to = Lifecycle::paused,
                         .base = {1},
                         .evidence = {invented}};
    check_decision(service.lifecycle(pause), Outcome::rejected, Reason::unknown_evidence);
    StartInput other = test::start_input("delivery-43");
    other.evidence = {invented};
    check_refused(service.start(other), Reason::unknown_evidence);
    request = proposal({.key = "k6", .operations = {status("review", completed)}, .evidence = {known}});
    check_decision(service.submit(request), Outcome::accepted, Reason::transition_accepted);
}

TEST_CASE("a completed item that is completed again is no change, with or without evidence",
          "[service][governed:30.25]") {
    auto desk = begun();
    decided(desk.service.submit(
        proposal({.key = "k1", .operations = {status("review", completed)}, .evidence = {test::tool_call}})));
    check_decision(desk.service.submit(proposal({.key = "k2", .base = 2, .operations = {status("review", completed)}})),
                   Outcome::no_change, Reason::state_already_matches);
}

TEST_CASE("only effective changes are progress", "[service][governed:30.24][governed:9.6]") {
    auto desk = begun();
    const Timestamp began = desk.clock->now();
    desk.clock->advance(5000);
    decided(desk.service.submit(
        proposal({.key = "k1", .operations = {SetPhase{"plan"}, SetItemTitle{"notify", "Call the customer"}}})));
    CHECK(head_of(desk).frame.last_progress_at == began);
    check_decision(desk.service.submit(proposal({.key = "k2", .base = 2, .operations = {SetPhase{"plan"}}})),
                   Outcome::no_change, Reason::state_already_matches);
    CHECK(head_of(desk).frame.last_progress_at == began);
    decided(desk.service.submit(proposal({.key = "k3", .base = 2, .operations = {SetPhase{"collect"}}})));
    CHECK(head_of(desk).frame.last_progress_at == desk.clock->now());
}

TEST_CASE("an accepted decision says what waits, and one that is too much repeated says so",
          "[service][governed:9.4][governed:17.3]") {
    auto desk = begun();
    const std::string click = action_fingerprint("click", "item-1", {});
    const auto again = [&](std::string key, std::uint64_t base, Operation operation) {
        return decided(desk.service.submit(proposal(
            {.key = std::move(key), .base = base, .operations = {std::move(operation)}, .fingerprint = click})));
    };
    const DecisionRecord first = again("k1", 1, SetItemTitle{"notify", "Call"});
    REQUIRE(first.guards.size() == 1);
    CHECK(first.guards[0].kind == GuardKind::dependency_unsatisfied);
    CHECK(first.guards[0].blocking == std::vector<std::string>{"deploy"});
    CHECK(again("k2", 1, SetItemTitle{"notify", "Write"}).guards.empty());  // a conflict, seen for the second time
    const DecisionRecord third = again("k3", 2, SetItemTitle{"notify", "Call"});
    CHECK(third.outcome == Outcome::no_change);
    REQUIRE(third.guards.size() == 1);
    CHECK(third.guards[0].kind == GuardKind::no_progress);
    CHECK(third.guards[0].repeated == 3);

    desk.clock->advance(1);
    const DecisionRecord moved = again("k4", 2, SetPhase{"collect"});  // progress begins the count anew, with itself
    CHECK(moved.guards.size() == 1);
    desk.clock->advance(1);
    CHECK(again("k5", 3, SetItemTitle{"notify", "Write"}).guards.size() == 1);
    const DecisionRecord third_since = again("k6", 4, SetItemTitle{"notify", "Call"});
    REQUIRE(third_since.guards.size() == 2);
    CHECK(third_since.guards[1].repeated == 3);
}

TEST_CASE("evidence of another owner is out of scope", "[service][governed:17.6]") {
    auto desk = begun();
    EvidenceInput foreign = test::tool_call;
    foreign.scope = Scope{.owner = "somebody-else", .workspace = "deliveries"};
    ProposalInput request = proposal(
        {.key = "k1", .operations = {SetItemStatus{.id = "review", .status = completed, .evidence = {foreign}}}});
    const DecisionRecord decision = decided(desk.service.submit(request));
    CHECK(decision.reason == Reason::evidence_owner_mismatch);
    REQUIRE(decision.guards.size() == 1);
    CHECK(decision.guards[0].kind == GuardKind::out_of_scope);
    request = proposal({.key = "k2", .operations = {status("review", completed)}, .evidence = {foreign}});
    check_decision(desk.service.submit(request), Outcome::rejected, Reason::evidence_owner_mismatch);
}

TEST_CASE("shadow: everything is judged and recorded, nothing is committed",
          "[service][governed:30.7][governed:16.3]") {
    auto desk = begun();
    REQUIRE(desk.service.set_mode(home, ScopeMode::shadow).has_value());
    const ProposalInput request = proposal({.key = "k1", .operations = {SetPhase{"collect"}}});

    const DecisionRecord would = decided(desk.service.submit(request));
    CHECK(would.shadow);
    CHECK(would.outcome == Outcome::accepted);
    CHECK(would.result == Revision{2});
    CHECK_FALSE(would.key);
    CHECK(decided(desk.service.submit(proposal({.key = "k2", .operations = {SetPhase{"verify"}}}))).reason ==
          Reason::illegal_phase_transition);
    CHECK(decided(desk.service.lifecycle(complete("c1", 1))).reason == Reason::required_items_incomplete);
    CHECK(head_of(desk).frame.revision == Revision{1});
    CHECK(revisions_of(desk).size() == 1);
    CHECK(decisions_of(desk).size() == 4);

    const auto started = desk.service.start(test::start_input("delivery-43"));
    CHECK(decided(started).shadow);
    CHECK_FALSE((*desk.store->find({home, "delivery-43"}, std::nullopt)).has_value());

    REQUIRE(desk.service.set_mode(home, ScopeMode::enabled).has_value());
    const auto real = desk.service.submit(request);  // its key is still free
    CHECK_FALSE(decided(real).shadow);
    CHECK_FALSE(real->replayed);
    CHECK(head_of(desk).frame.revision == Revision{2});
}

TEST_CASE("a key of the host boundary is nobody else's", "[service][governed:11.10]") {
    auto desk = begun();
    check_refused(desk.service.submit(proposal({.key = "host:openclaw:1", .operations = {SetPhase{"collect"}}})),
                  Reason::bad_id);
    check_refused(desk.service.lifecycle(complete("host:openclaw:1", 1)), Reason::bad_id);
}

TEST_CASE("a profile with an empty list of operations permits none and cannot be registered",
          "[service][governed:30.15]") {
    auto desk = begun();
    Profile profile = *find_profile("general-v1");
    profile.id = "silent-v1";
    profile.permitted = std::vector<OperationKind>{};
    check_refused(desk.service.register_profile(profile, test::admin_ada, Registering::in_earnest),
                  Reason::invalid_profile);
    profile.permitted = {OperationKind::set_phase};
    REQUIRE(desk.service.register_profile(profile, test::admin_ada, Registering::in_earnest).has_value());
    StartInput start = test::start_input("quiet");
    start.profile = "silent-v1";
    decided(desk.service.start(start));
    check_decision(
        desk.service.submit(proposal({.key = "k1", .operations = {status("review", running)}, .task = "quiet"})),
        Outcome::rejected, Reason::operation_not_permitted_by_profile);
}
