// What an adapter of a session may bring in.

#include "support/steps.hpp"

using namespace taskstate;
using test::chat;
using test::check_decision;
using test::check_refused;
using test::decided;
using test::Desk;
using test::home;
using test::status;
using enum taskstate::ItemStatus;

namespace {

/// A desk with a task that `chat` is bound to, and a sibling.
Desk bound_desk(std::shared_ptr<ObservationInterpreter> interpreter = nullptr) {
    Desk desk(memory_store());
    desk.service = *TaskService::open({.store = desk.store,
                                       .clock = desk.clock,
                                       .ids = std::make_shared<test::CountingIds>(),
                                       .interpreter = std::move(interpreter)});
    decided(desk.service.start(test::start_input()));
    decided(desk.service.start(test::start_input("sibling")));
    desk.bind("delivery-42", chat);
    return desk;
}

HostProposalInput delta(std::string key, std::uint64_t base, std::vector<Operation> operations) {
    return {.task = {home, "delivery-42"},
            .identity = chat,
            .key = std::move(key),
            .base = {base},
            .operations = std::move(operations),
            .adapter = test::adapter};
}
HostLifecycleInput request(std::string key, std::uint64_t base, Lifecycle to) {
    return {.task = {home, "delivery-42"},
            .identity = chat,
            .key = std::move(key),
            .to = to,
            .base = {base},
            .adapter = test::adapter};
}
ObservationInput seen(std::string key, std::string words = "The form was sent.") {
    return {.task = {home, "delivery-42"},
            .identity = chat,
            .key = std::move(key),
            .observation = std::move(words),
            .adapter = test::adapter};
}

/// Answers every observation with the same operations, and keeps what it was asked.
class Scripted : public ObservationInterpreter {
 public:
    explicit Scripted(std::vector<Operation> operations) : operations_(std::move(operations)) {}
    std::string name() const override { return "scripted-1"; }
    std::vector<Operation> interpret(const Snapshot&, std::string_view observation) override {
        asked.emplace_back(observation);
        return operations_;
    }
    std::vector<std::string> asked{};

 private:
    std::vector<Operation> operations_;
};

}  // namespace

TEST_CASE("boundary: a delta of the bound task is judged as the adapter's, which vouches for nothing",
          "[service][governed:6.10][governed:11.10]") {
    auto desk = bound_desk();

    check_decision(desk.service.propose_delta(delta("run-1:call-1", 1, {status("review", completed)})),
                   Outcome::rejected, Reason::evidence_required);
    HostProposalInput cited = delta("run-1:call-2", 1, {status("review", completed)});
    cited.evidence = {test::tool_call};
    const DecisionRecord decision = decided(desk.service.propose_delta(cited));

    CHECK(decision.outcome == Outcome::accepted);
    CHECK(decision.kind == StepKind::host_proposal);
    CHECK(decision.key == "host:openclaw:run-1:call-2");
    CHECK(decision.actor == Actor{.role = Role::agent, .name = "openclaw"});
    CHECK(decision.assurance == Assurance::asserted);
    CHECK(revisions_of(desk).back().origin.interpreter == "2.3");
    const auto again = desk.service.propose_delta(cited);
    REQUIRE(again.has_value());
    CHECK(again->replayed);
    CHECK(again->decision == decision);
}

TEST_CASE("boundary: what an adapter may not do is denied", "[service][governed:21.2]") {
    auto desk = bound_desk();
    auto denied = [&desk, n = 0](Operation operation) mutable {
        const auto done = desk.service.propose_delta(delta("k" + std::to_string(++n), 1, {std::move(operation)}));
        check_decision(done, Outcome::rejected, Reason::capability_denied);
    };
    denied(LockSchema{});
    denied(AddNote{.note = test::constraint("more")});
    denied(status("review", skipped, "No time"));
    denied(Prune{.notes = {"constraint-1"}});
}

TEST_CASE("boundary: an incomplete identity is refused before anything else, a malformed request next",
          "[service][governed:21]") {
    auto desk = bound_desk();
    for (const SessionIdentity& partial : {SessionIdentity{"", "chat-7", "e1"}, SessionIdentity{"openclaw", "", "e1"},
                                           SessionIdentity{"openclaw", "chat-7", ""}}) {
        HostProposalInput proposal = delta("k1", 1, {SetPhase{"collect"}});
        proposal.identity = partial;
        check_refused(desk.service.propose_delta(proposal), Reason::session_identity_required);
        HostLifecycleInput lifecycle = request("k1", 1, Lifecycle::paused);
        lifecycle.identity = partial;
        check_refused(desk.service.request_lifecycle(lifecycle), Reason::session_identity_required);
        ObservationInput observation = seen("k1");
        observation.identity = partial;
        check_refused(desk.service.observe(observation), Reason::session_identity_required);
    }
    REQUIRE(desk.service.set_mode(home, ScopeMode::disabled).has_value());
    check_refused(desk.service.propose_delta(delta("k1", 1, {})), Reason::empty_delta);
    check_refused(desk.service.request_lifecycle(request("k1", 1, Lifecycle::cancelled)), Reason::unknown_word);
    check_refused(desk.service.observe(seen("k1", " ")), Reason::blank);
    check_refused(desk.service.observe(seen("k1", std::string(2001, 'x'))), Reason::too_long);
    check_refused(desk.service.observe(seen("")), Reason::blank);
    check_refused(desk.service.propose_delta(delta("k1", 1, {SetPhase{"collect"}})), Reason::task_state_disabled);
}

TEST_CASE("boundary: a session may start with any character that a name may start with", "[service][governed:30.19]") {
    auto desk = bound_desk();
    const SessionIdentity uuid{.host = "openclaw", .session = "8", .epoch = "0f8fad5b-d9cb-469f-a165-70867728950e"};
    desk.bind("delivery-42", uuid);
    HostProposalInput proposal = delta("k1", 1, {SetPhase{"collect"}});
    proposal.identity = uuid;
    check_decision(desk.service.propose_delta(proposal), Outcome::accepted, Reason::transition_accepted);
}

TEST_CASE("boundary: a sibling and an invented task are refused alike, and nothing moves", "[service][governed:21.7]") {
    auto desk = bound_desk();
    HostProposalInput proposal = delta("k1", 1, {SetPhase{"collect"}});
    proposal.task.id = "sibling";
    const auto sibling = desk.service.propose_delta(proposal);
    check_refused(sibling, Reason::host_task_not_bound_to_session);
    proposal.task.id = "never-was";
    CHECK(desk.service.propose_delta(proposal).error() == sibling.error());
    proposal.task.id = "delivery-42";
    proposal.identity.epoch = "another";
    check_refused(desk.service.propose_delta(proposal), Reason::task_binding_stale_session);
    proposal.identity.session = "chat-8";
    check_refused(desk.service.propose_delta(proposal), Reason::task_context_selection_required);
    CHECK(decisions_of(desk).size() == 1);
    CHECK(decisions_of(desk, "sibling").size() == 1);
}

TEST_CASE("boundary: an adapter's request to pause, resume and complete succeeds where the gates are closed",
          "[service][governed:30.2][governed:5.7]") {
    auto desk = bound_desk();
    check_decision(desk.service.request_lifecycle(request("k1", 1, Lifecycle::paused)), Outcome::accepted,
                   Reason::lifecycle_change_accepted);
    check_decision(desk.service.request_lifecycle(request("k2", 2, Lifecycle::open)), Outcome::accepted,
                   Reason::lifecycle_change_accepted);
    const auto early = desk.service.request_lifecycle(request("k3", 3, Lifecycle::completed));
    check_decision(early, Outcome::rejected, Reason::required_items_incomplete);
    REQUIRE(early->decision.guards.size() == 1);
    CHECK(early->decision.guards[0].blocking ==
          std::vector<std::string>{"review", "deploy", "constraint:constraint-1"});

    HostProposalInput work =
        delta("k4", 3, {status("review", completed), status("deploy", completed), ResolveNote{"constraint-1"}});
    work.evidence = {test::tool_call};
    check_decision(desk.service.propose_delta(work), Outcome::accepted, Reason::transition_accepted);
    const DecisionRecord done = decided(desk.service.request_lifecycle(request("k5", 4, Lifecycle::completed)));
    CHECK(done.outcome == Outcome::accepted);
    CHECK(done.actor == Actor{.role = Role::agent, .name = "openclaw"});
    CHECK(done.assurance == Assurance::asserted);
    CHECK(head_of(desk).frame.lifecycle == Lifecycle::completed);
}

TEST_CASE("boundary: shadow judges and records what would have been decided", "[service][governed:30.6]") {
    auto desk = bound_desk(std::make_shared<Scripted>(std::vector<Operation>{SetPhase{"collect"}}));
    REQUIRE(desk.service.set_mode(home, ScopeMode::shadow).has_value());

    const DecisionRecord accepted = decided(desk.service.propose_delta(delta("k1", 1, {SetPhase{"collect"}})));
    CHECK(accepted.shadow);
    CHECK(accepted.outcome == Outcome::accepted);
    const DecisionRecord rejected = decided(desk.service.propose_delta(delta("k2", 1, {SetPhase{"complete"}})));
    CHECK(rejected.reason == Reason::illegal_phase_transition);
    CHECK(decided(desk.service.request_lifecycle(request("k3", 1, Lifecycle::paused))).outcome == Outcome::accepted);
    CHECK(decided(desk.service.observe(seen("k4"))).outcome == Outcome::accepted);
    CHECK(decisions_of(desk).size() == 5);
    CHECK(head_of(desk).frame.revision == Revision{1});
}

TEST_CASE("observe: without an interpreter an observation is recorded as no change",
          "[service][governed:22.4][governed:22.7]") {
    auto desk = bound_desk();
    const DecisionRecord decision = decided(desk.service.observe(seen("k1")));
    CHECK(decision.kind == StepKind::observation);
    CHECK(decision.outcome == Outcome::no_change);
    CHECK(decision.reason == Reason::state_already_matches);
    CHECK(decision.actor == Actor{.role = Role::companion, .name = "openclaw"});
    CHECK(decision.base == Revision{1});

    decided(desk.service.request_lifecycle(request("p1", 1, Lifecycle::paused)));
    check_decision(desk.service.observe(seen("k2")), Outcome::rejected, Reason::task_is_paused);
}

TEST_CASE("observe: a profile that permits no phase change has no say in it", "[service][governed:22.4]") {
    auto desk = bound_desk();
    Profile profile = *find_profile("general-v1");
    profile.id = "still-v1";
    profile.permitted = {OperationKind::set_item_title};
    REQUIRE(desk.service.register_profile(profile, test::admin_ada, Registering::in_earnest).has_value());
    StartInput start = test::start_input("still");
    start.profile = "still-v1";
    decided(desk.service.start(start));
    const SessionIdentity other{"openclaw", "chat-9", "e1"};
    desk.bind("still", other);
    ObservationInput observation = seen("k1");
    observation.task.id = "still";
    observation.identity = other;
    check_decision(desk.service.observe(observation), Outcome::no_change, Reason::state_already_matches);
}

TEST_CASE("observe: what is inferred counts as a model's, under the request's own key",
          "[service][governed:30.14][governed:22.3]") {
    const auto interpreter = std::make_shared<Scripted>(std::vector<Operation>{status("review", running)});
    auto desk = bound_desk(interpreter);

    const DecisionRecord first = decided(desk.service.observe(seen("k1", "The review\n  has begun.")));
    CHECK(first.outcome == Outcome::accepted);
    CHECK(first.key == "host:openclaw:k1");
    CHECK(first.assurance == Assurance::model_interpreted);
    CHECK(interpreter->asked == std::vector<std::string>{"The review has begun."});
    CHECK(desk.service.read({home, "delivery-42"})->snapshot.items()[0].assurance == Assurance::model_interpreted);
    CHECK(revisions_of(desk).back().origin.interpreter == "scripted-1");

    const auto again = desk.service.observe(seen("k1", "The review\n  has begun."));  // the head has moved since
    REQUIRE(again.has_value());
    CHECK(again->replayed);
    CHECK(again->decision == first);
    const auto same_words = desk.service.observe(seen("k2", "The review\n  has begun."));
    CHECK_FALSE(same_words->replayed);
    check_decision(same_words, Outcome::no_change, Reason::state_already_matches);
    check_refused(desk.service.observe(seen("k1", "Something else")), Reason::idempotency_key_reused);
}

TEST_CASE("observe: an interpreter may ask only for what a companion may, and for ten things at most",
          "[service][governed:22.2]") {
    SECTION("other kinds are taken away") {
        auto desk = bound_desk(std::make_shared<Scripted>(std::vector<Operation>{
            LockSchema{}, AddSource{"x"}, AddNote{.note = test::constraint("c")}, SetItemTitle{"review", "Other"}}));
        check_decision(desk.service.observe(seen("k1")), Outcome::no_change, Reason::state_already_matches);
    }
    SECTION("an answer that is too long is no answer") {
        auto desk = bound_desk(std::make_shared<Scripted>(std::vector<Operation>(11, SetPhase{"collect"})));
        check_decision(desk.service.observe(seen("k1")), Outcome::no_change, Reason::state_already_matches);
    }
    SECTION("nor is a malformed one") {
        auto desk = bound_desk(std::make_shared<Scripted>(std::vector<Operation>{SetPhase{"no id"}}));
        check_decision(desk.service.observe(seen("k1")), Outcome::no_change, Reason::state_already_matches);
    }
    SECTION("completing needs evidence in the request") {
        auto desk = bound_desk(std::make_shared<Scripted>(std::vector<Operation>{status("review", completed)}));
        check_decision(desk.service.observe(seen("k1")), Outcome::rejected, Reason::evidence_required);
        ObservationInput observation = seen("k2");
        observation.evidence = {test::tool_call};
        check_decision(desk.service.observe(observation), Outcome::accepted, Reason::transition_accepted);
    }
    SECTION("it is not asked about a task that is not open") {
        const auto interpreter = std::make_shared<Scripted>(std::vector<Operation>{SetPhase{"collect"}});
        auto desk = bound_desk(interpreter);
        decided(desk.service.request_lifecycle(request("p1", 1, Lifecycle::paused)));
        check_decision(desk.service.observe(seen("k1")), Outcome::rejected, Reason::task_is_paused);
        CHECK(interpreter->asked.empty());
    }
}

TEST_CASE("boundary: what an interpreter cites is no evidence, whatever it says",
          "[service][governed:22.6][governed:30.4]") {
    const Operation claimed = SetItemStatus{.id = "review", .status = completed, .evidence = {test::tool_call}};
    auto desk = bound_desk(std::make_shared<Scripted>(std::vector{claimed}));
    check_decision(desk.service.observe(seen("k1")), Outcome::rejected, Reason::evidence_required);
    ObservationInput grounded = seen("k2");
    grounded.evidence = {test::tool_call};
    check_decision(desk.service.observe(grounded), Outcome::accepted, Reason::transition_accepted);
}

TEST_CASE("boundary: evidence of another owner is refused even where nothing is inferred", "[service][governed:6.9]") {
    auto desk = bound_desk();
    ObservationInput foreign = seen("k1");
    foreign.evidence = {test::tool_call};
    foreign.evidence.front().scope = Scope{.owner = "somebody-else", .workspace = "w"};
    check_decision(desk.service.observe(foreign), Outcome::rejected, Reason::evidence_owner_mismatch);
}

TEST_CASE("boundary: a session that began after its binding may not write, as it may not read",
          "[service][governed:20.8][governed:21.6]") {
    auto desk = bound_desk();
    HostProposalInput proposal = delta("k1", 1, {SetPhase{"collect"}});
    proposal.session_started_at = Timestamp{desk.clock->now().ms + 1};
    check_refused(desk.service.propose_delta(proposal), Reason::task_binding_stale_session);
    ObservationInput observation = seen("k1");
    observation.session_started_at = proposal.session_started_at;
    check_refused(desk.service.observe(observation), Reason::task_binding_stale_session);
    HostLifecycleInput lifecycle = request("k1", 1, Lifecycle::paused);
    lifecycle.session_started_at = proposal.session_started_at;
    check_refused(desk.service.request_lifecycle(lifecycle), Reason::task_binding_stale_session);
}

TEST_CASE("boundary: no two adapters can mean the same stored key", "[service][governed:11.10][governed:30.20]") {
    auto desk = bound_desk();
    HostProposalInput proposal = delta("k1", 1, {SetPhase{"collect"}});
    proposal.adapter.name = "a:b";
    const auto refused = desk.service.propose_delta(proposal);
    check_refused(refused, Reason::bad_id);
    CHECK(refused.error().path == "/adapter/name");
}

TEST_CASE("boundary: a delta is bounded by the rules of its task, not by the usual ones", "[service]") {
    auto desk = bound_desk();
    Profile roomy = *find_profile("general-v1");
    roomy.id = "roomy-v1";
    roomy.limits.input_bytes_max = 1'000'000;
    roomy.limits.snapshot_bytes_max = 1'000'000;
    roomy.limits.tokens_max = 1'000'000;
    const Actor administrator{.role = Role::administrator, .name = "ada"};
    REQUIRE(desk.service.register_profile(roomy, administrator, Registering::in_earnest).has_value());
    StartInput start = test::start_input("big");
    start.profile = "roomy-v1";
    decided(desk.service.start(start));
    SessionIdentity session = chat;
    session.session = "big";
    desk.bind("big", session);
    std::string title;
    while (title.size() < 4 * 2'000) title += "\U0001f600";  // 50 of them are more than general-v1 takes in
    HostProposalInput proposal = delta("k1", 1, std::vector<Operation>(50, AddItem{.item = {.title = title}}));
    proposal.task.id = "big";
    proposal.identity = session;
    check_decision(desk.service.propose_delta(proposal), Outcome::accepted, Reason::transition_accepted);
}
