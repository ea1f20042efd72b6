// How a task begins.

#include "support/steps.hpp"

using namespace taskstate;
using test::check_refused;
using test::decided;
using test::Desk;
using test::home;
using test::start_input;

TEST_CASE("start: revision 1 holds everything that the request says, in its order", "[service][governed:1.11]") {
    Desk desk;

    const DecisionRecord decision = decided(desk.service.start(start_input()));

    CHECK(decision.kind == StepKind::start);
    CHECK(decision.outcome == Outcome::accepted);
    CHECK(decision.reason == Reason::lifecycle_change_accepted);
    CHECK(decision.assurance == Assurance::operator_confirmed);
    const TaskView view = *desk.service.read({home, "delivery-42"});
    CHECK(view.snapshot.revision() == Revision{1});
    CHECK(view.snapshot.phase() == "plan");
    CHECK(view.snapshot.goal() == "Ship the order");
    REQUIRE(view.snapshot.items().size() == 3);
    CHECK(view.snapshot.items()[1].id == "deploy");
    REQUIRE(view.snapshot.notes().size() == 1);
    const Note note = view.snapshot.notes()[0];
    CHECK(note.id == "constraint-1");
    CHECK(note.standing == Standing::host);
    CHECK(note.gates_completion);
    CHECK(note.source.label == "olga");
    CHECK(view.snapshot.state().next_ids.constraint == 2);
    CHECK(view.snapshot.sources()[0].id == "terms.pdf");
    CHECK(view.clock == "system-utc-v1");
}

TEST_CASE("start: the same request gives the same task, another one under its key is refused",
          "[service][governed:11.5]") {
    Desk desk;
    const DecisionRecord first = decided(desk.service.start(start_input()));
    desk.clock->advance(1000);

    const auto again = desk.service.start(start_input());
    REQUIRE(again.has_value());
    CHECK(again->replayed);
    CHECK(again->decision == first);

    StartInput other = start_input();
    other.goal = "Ship another order";
    check_refused(desk.service.start(other), Reason::idempotency_key_reused);
    other = start_input();
    other.task.id = "delivery-43";
    check_refused(desk.service.start(other), Reason::idempotency_key_reused);
    other = start_input();
    other.key = "another key";
    check_refused(desk.service.start(other), Reason::already_exists);
    CHECK(decisions_of(desk).size() == 1);
}

TEST_CASE("start: an id of another scope is free and tells nothing", "[service][governed:30.9]") {
    Desk desk;
    StartInput abroad = start_input();
    abroad.task.scope = test::abroad;
    abroad.goal = "Somebody else's";

    CHECK(decided(desk.service.start(abroad)).outcome == Outcome::accepted);
    CHECK(decided(desk.service.start(start_input())).outcome == Outcome::accepted);

    CHECK(desk.service.read({home, "delivery-42"})->snapshot.goal() == "Ship the order");
    CHECK(desk.service.read({test::abroad, "delivery-42"})->snapshot.goal() == "Somebody else's");
}

TEST_CASE("start: items may depend on later ones, but never in a circle", "[service][governed:7.7]") {
    Desk desk;
    StartInput request = start_input();
    request.items = {test::item("deploy", {"review"}), test::item("review")};
    CHECK(decided(desk.service.start(request)).outcome == Outcome::accepted);
    CHECK(desk.service.read(request.task)->summary.ready == std::vector<std::string>{"review"});

    StartInput circle = start_input("circle");
    circle.items = {test::item("a", {"b"}), test::item("b", {"a"})};
    const auto refused = desk.service.start(circle);
    check_refused(refused, Reason::dependency_cycle);
    CHECK(refused.error().path == "/items/0/depends_on");
    check_refused(desk.service.read(circle.task), Reason::task_not_eligible);
}

TEST_CASE("start: ids that the engine makes go round those that are given, and references hold within the list",
          "[service]") {
    Desk desk;
    StartInput request = start_input();
    request.items = {{.title = "First", .ref = "first"},
                     {.title = "Second", .id = "t2", .depends_on = {"first"}},
                     {.title = "Third"}};

    CHECK(decided(desk.service.start(request)).outcome == Outcome::accepted);

    const Snapshot snapshot = desk.service.read(request.task)->snapshot;
    CHECK(snapshot.items()[0].id == "t1");
    CHECK(snapshot.items()[1].depends_on == std::vector<std::string_view>{"t1"});
    CHECK(snapshot.items()[2].id == "t3");
    CHECK(snapshot.state().next_ids.item == 4);

    request = start_input("doubled");
    request.items = {{.title = "One", .ref = "x"}, {.title = "Two", .ref = "x"}};
    check_refused(desk.service.start(request), Reason::duplicate_reference);
    request.items = {{.title = "One", .because = {"constraint-2"}}};
    const auto unknown = desk.service.start(request);
    check_refused(unknown, Reason::unknown_note);
    CHECK(unknown.error().path == "/items/0/because/0");
}

TEST_CASE("start: only whoever may change the lifecycle starts a task", "[service][governed:1.11]") {
    Desk desk;
    for (std::size_t i = 0; i < Words<Role>::list.size(); ++i) {
        const auto role = static_cast<Role>(i);
        StartInput request = start_input("task-" + std::to_string(i));
        request.actor.role = role;
        const auto done = desk.service.start(request);
        CAPTURE(word(role));
        const bool may = role == Role::authority || role == Role::operator_ || role == Role::administrator;
        CHECK(done.has_value() == may);
        if (!done) CHECK(done.error().reason == Reason::capability_denied);
    }
}

TEST_CASE("start: what is wrong with a request is told with its place", "[service]") {
    Desk desk;
    const auto check = [&desk](const StartInput& request, Reason reason, std::string_view path) {
        const auto done = desk.service.start(request);
        check_refused(done, reason);
        CHECK(done.error().path == path);
    };
    StartInput request = start_input();
    request.task.id = "not an id";
    check(request, Reason::bad_id, "/task");
    request = start_input();
    request.key = "host:mine";
    check(request, Reason::bad_id, "/key");
    request = start_input();
    request.profile = "nobody-v9";
    check(request, Reason::unknown_profile, "/profile");
    request = start_input();
    request.constraints = {"fine", "  "};
    check(request, Reason::blank, "/constraints/1");
    request = start_input();
    request.constraints.assign(101, "one more");
    check(request, Reason::out_of_range, "/constraints");
    request = start_input();
    request.items[1].depends_on = {"nothing"};
    check(request, Reason::unknown_item, "/items/1/depends_on/0");
    request = start_input();
    request.items[0].status = ItemStatus::completed;
    check(request, Reason::illegal_status_transition, "/items/0/status");
    request = start_input();
    request.actor.name = "";
    check(request, Reason::blank, "/actor/name");
    request = start_input();
    request.evidence = {{.kind = EvidenceKind::record, .id = "r-1", .digest = "md5:1"}};
    check(request, Reason::evidence_invalid, "/evidence/0/digest");
    request.evidence = {{.kind = EvidenceKind::record, .id = "r-1", .scope = Scope{.owner = "her", .workspace = "w"}}};
    check(request, Reason::evidence_owner_mismatch, "/evidence/0/scope/owner");
    CHECK_FALSE((*desk.store->find({home, "delivery-42"}, std::nullopt)).has_value());
}

TEST_CASE("start: a scope that is off answers before anything is looked at", "[service][governed:16.3]") {
    Desk desk;
    REQUIRE(desk.service.set_mode(home, ScopeMode::disabled).has_value());
    StartInput nonsense = start_input();
    nonsense.task.id = "not an id";
    check_refused(desk.service.start(nonsense), Reason::task_state_disabled);
}
