// Who may propose what to a task that is not his, and in which order that is found out.

#include "support/governed.hpp"

#include <array>

using namespace taskstate;
using test::completed;
using test::Governed;
using test::to;

namespace {

/// Why a decision was refused, and where.
std::string why(const Decision& decision) {
    return std::string(word(decision.outcome)) + " " + std::string(word(decision.error.reason)) + " " +
           decision.error.path;
}

Snapshot with_lifecycle(Lifecycle lifecycle) {
    SnapshotInput saved = test::governed_task();
    saved.lifecycle = lifecycle;
    return test::admitted(saved);
}

const Operation new_note = AddNote{.note = test::note("n1", Category::decision, "Ask twice.")};

}  // namespace

TEST_CASE("proposal: no operation vouches for more than its actor may", "[engine][governed:30.1][governed:6.3]") {
    const Governed task;
    ProposalInput input = task.proposal(Role::agent, {to("notify", ItemStatus::running), completed("review")});
    input.operations[1].assurance = Assurance::independently_verified;
    CHECK(why(task.judge(input)) == "rejected assurance_ceiling_exceeded /operations/1/assurance");
    input.operations[1].assurance = Assurance::host_reported;
    CHECK(task.judge(input).outcome == Outcome::accepted);
    CHECK(why(task.judge(input, Intake::boundary)) == "rejected assurance_ceiling_exceeded /operations/1/assurance");
    input.assurance = Assurance::operator_confirmed;
    CHECK(why(task.judge(input)) == "rejected assurance_ceiling_exceeded /assurance");
}

TEST_CASE("proposal: only the strongest word makes an item independently verified", "[engine][governed:6.6]") {
    Governed task;
    ProposalInput input = task.proposal(Role::verifier, {completed("review")});
    input.operations[0].assurance = Assurance::independently_verified;
    task.take(task.judge(input));
    CHECK(task.head.items()[0].assurance == Assurance::independently_verified);
    input = task.proposal(Role::agent, {SetItemStatus{.id = "review"}});
    input.operations[0].assurance = Assurance::host_reported;
    CHECK(task.judge(input).outcome == Outcome::no_change);
}

TEST_CASE("proposal: a blocker does not open what is settled, and does not stand without a reason",
          "[engine][governed:30.3][governed:8.4]") {
    Governed task;
    task.take(task.submit(Role::agent, {completed("review"), to("notify", ItemStatus::skipped, "No reader left.")}));
    CHECK(why(task.submit(Role::agent, {SetItemBlocker{"review", "Waits."}})) ==
          "rejected illegal_status_transition /operations/0/status");
    CHECK(why(task.submit(Role::agent, {SetItemBlocker{"notify", "Waits."}})) ==
          "rejected illegal_status_transition /operations/0/status");
    const Decision blocked = task.submit(Role::agent, {SetItemBlocker{"deploy", "Waits for the window."}});
    REQUIRE(blocked.outcome == Outcome::accepted);
    CHECK(blocked.snapshot.items()[1].status == ItemStatus::blocked);
    CHECK(blocked.snapshot.items()[1].reason == "Waits for the window.");
    const auto unsaid =
        admit(task.proposal(Role::agent, {SetItemBlocker{"deploy", ""}}), Intake::submission, task.rules());
    REQUIRE_FALSE(unsaid.has_value());
    CHECK(unsaid.error().reason == Reason::blank);
}

TEST_CASE("proposal: completing needs evidence, or the word of a host", "[engine][governed:6.4][governed:6.10]") {
    const Governed task;
    const SetItemStatus done = to("review", ItemStatus::completed);
    CHECK(why(task.submit(Role::agent, {done})) == "rejected evidence_required /operations/0/evidence");
    CHECK(task.submit(Role::agent, {completed("review")}).outcome == Outcome::accepted);

    ProposalInput input = task.proposal(Role::agent, {done});
    input.evidence = {test::tool_call()};
    CHECK(task.judge(input).outcome == Outcome::accepted);
    CHECK(task.judge(input, Intake::boundary).outcome == Outcome::accepted);
    input.evidence.clear();
    input.assurance = Assurance::host_reported;
    CHECK(task.judge(input).outcome == Outcome::accepted);
    input.assurance = Assurance::asserted;
    input.operations[0].assurance = Assurance::host_reported;
    CHECK(task.judge(input).outcome == Outcome::accepted);
    input.actor.role = Role::companion;
    input.operations[0].assurance = Assurance::model_interpreted;
    CHECK(why(task.judge(input)) == "rejected evidence_required /operations/0/evidence");
}

TEST_CASE("proposal: skipping what is required is for a correction, and says why first",
          "[engine][governed:7.9][governed:7.10]") {
    const Governed task;
    CHECK(why(task.submit(Role::operator_, {to("review", ItemStatus::skipped)})) ==
          "rejected reason_required /operations/0/reason");
    CHECK(why(task.submit(Role::operator_, {to("review", ItemStatus::skipped, "Too late.")})) ==
          "rejected capability_denied /operations/0/status");
    CHECK(task.correct(Role::operator_, {to("review", ItemStatus::skipped)}).outcome == Outcome::accepted);
    CHECK(task.submit(Role::verifier, {to("notify", ItemStatus::skipped, "Nobody asks.")}).outcome ==
          Outcome::accepted);
}

TEST_CASE("proposal: a change of status is checked in one order", "[engine][governed:7.10]") {
    Governed task;
    CHECK(why(task.submit(Role::agent, {to("gone", ItemStatus::completed)})) ==
          "rejected unknown_item /operations/0/id");
    task.take(task.submit(Role::agent, {SetItemBlocker{"deploy", "Waits."}}));
    // Blocked to completed is no way, whatever else is missing; then come dependencies, then evidence.
    CHECK(why(task.submit(Role::agent, {to("deploy", ItemStatus::completed)})) ==
          "rejected illegal_status_transition /operations/0/status");
    task.take(task.submit(Role::agent, {to("deploy", ItemStatus::ready)}));
    CHECK(why(task.submit(Role::agent, {to("deploy", ItemStatus::completed)})) ==
          "rejected dependency_unsatisfied /operations/0/status");
    CHECK(why(task.submit(Role::agent, {completed("review"), to("deploy", ItemStatus::completed)})) ==
          "rejected evidence_required /operations/1/evidence");
}

TEST_CASE("proposal: each operation sees what the ones before it did, and one failure refuses all",
          "[engine][governed:8.1]") {
    const Governed task;
    CHECK(task.submit(Role::agent, {completed("review"), completed("deploy")}).outcome == Outcome::accepted);
    const Decision refused = task.submit(Role::agent, {completed("review"), to("gone", ItemStatus::running)});
    CHECK(why(refused) == "rejected unknown_item /operations/1/id");
    CHECK(refused.snapshot.same_object(task.head));
}

TEST_CASE("proposal: a companion asks for the six kinds and nothing else", "[engine][governed:22.2]") {
    const Governed task;
    const std::array<Operation, 6> granted{SetPhase{"collect"},          to("review", ItemStatus::running),
                                           SetItemContent{"review", {}}, SetItemBlocker{"review", "Waits."},
                                           ResolveNote{"constraint-1"},  MarkSourceInspected{"doc"}};
    for (const Operation& operation : granted) {
        INFO(word(kind_of(operation)));
        CHECK(task.submit(Role::companion, {operation}).outcome != Outcome::rejected);
    }
    const std::array<Operation, 9> denied{new_note,
                                          AddItem{{.title = "More"}},
                                          SetItemTitle{"review", "Other"},
                                          AddSource{"doc-2"},
                                          LockSchema{},
                                          RecordAction{test::started("e1")},
                                          test::confirmed("e1"),
                                          Prune{.notes = {"p1"}},
                                          SyncLink{.seen = {"l", "pending"}}};
    for (const Operation& operation : denied) {
        INFO(word(kind_of(operation)));
        CHECK(why(task.submit(Role::companion, {operation})) == "rejected capability_denied /operations/0");
    }
}

TEST_CASE("proposal: an agent locks nothing, confirms nothing and prunes nothing", "[engine][governed:21.2]") {
    const Governed task;
    for (const Operation& operation : std::array<Operation, 4>{
             LockSchema{}, test::confirmed("e1"), Prune{.notes = {"p1"}}, SyncLink{.seen = {"l", "pending"}}}) {
        INFO(word(kind_of(operation)));
        CHECK(why(task.submit(Role::agent, {operation})) == "rejected capability_denied /operations/0");
    }
    CHECK(task.submit(Role::agent, {RecordAction{test::started("e1")}}).outcome == Outcome::accepted);
}

TEST_CASE("proposal: a lock is for a correction", "[engine][governed:8.2]") {
    Governed task;
    CHECK(why(task.submit(Role::administrator, {LockSchema{}})) == "rejected capability_denied /operations/0");
    task.take(task.correct(Role::operator_, {LockSchema{}}));
    CHECK(task.head.schema_locked());
    CHECK(why(task.submit(Role::agent, {AddItem{{.title = "More"}}})) == "rejected schema_is_locked /operations/0");
}

TEST_CASE("proposal: the standing of a note is that of its role", "[engine][governed:5.4]") {
    const Governed task;
    const auto standing_by = [&](Role role, Intake intake) {
        ProposalInput input = task.proposal(role, {new_note});
        input.reason = "The order changed.";
        const Decision decision = task.judge(input, intake);
        REQUIRE(decision.outcome == Outcome::accepted);
        const Snapshot& after = decision.snapshot;
        return after.notes()[3].standing;
    };
    CHECK(standing_by(Role::agent, Intake::submission) == Standing::proposal);
    CHECK(standing_by(Role::verifier, Intake::submission) == Standing::proposal);
    CHECK(standing_by(Role::operator_, Intake::submission) == Standing::proposal);
    CHECK(standing_by(Role::operator_, Intake::correction) == Standing::host);
    CHECK(standing_by(Role::administrator, Intake::correction) == Standing::host);
    CHECK(standing_by(Role::authority, Intake::submission) == Standing::host);

    AddNote weaker = std::get<AddNote>(new_note);
    weaker.standing = Standing::assumption;
    const Decision assumed = task.submit(Role::agent, {weaker});
    const Snapshot& after = assumed.snapshot;
    CHECK(after.notes()[3].standing == Standing::assumption);
    weaker.standing = Standing::host;
    CHECK(why(task.submit(Role::agent, {weaker})) == "rejected capability_denied /operations/0/authority");
    CHECK(why(task.judge(task.proposal(Role::agent, {new_note}), Intake::boundary)) ==
          "rejected capability_denied /operations/0");
}

TEST_CASE("proposal: what the host said is superseded, resolved and made a gate by the privileged alone",
          "[engine][governed:5.9]") {
    const Governed task;
    AddNote successor{.note = test::note("d2", Category::decision, "Ship on Sunday.")};
    successor.note.supersedes = "d1";
    // Only a host note supersedes, so that for anybody else this is a matter of the note's shape.
    const auto shape = admit(task.proposal(Role::agent, {successor}), Intake::submission, task.rules());
    REQUIRE_FALSE(shape.has_value());
    CHECK(shape.error().reason == Reason::supersede_not_allowed);
    CHECK(task.correct(Role::operator_, {successor}).outcome == Outcome::accepted);

    CHECK(why(task.submit(Role::agent, {ResolveNote{"d1"}})) == "rejected capability_denied /operations/0");
    CHECK(why(task.submit(Role::operator_, {ResolveNote{"p1"}})) == "rejected capability_denied /operations/0");
    CHECK(task.correct(Role::operator_, {ResolveNote{"d1"}}).outcome == Outcome::accepted);
    CHECK(task.submit(Role::agent, {ResolveNote{"constraint-1"}}).outcome == Outcome::accepted);

    AddNote gate{.note = test::constraint("c2")};
    gate.note.gates_completion = true;
    CHECK(why(task.submit(Role::verifier, {gate})) == "rejected capability_denied /operations/0/gates_completion");
    CHECK(task.correct(Role::administrator, {gate}).outcome == Outcome::accepted);
    const Decision proposed = task.submit(Role::agent, {AddNote{.note = test::constraint("c2")}});
    const Snapshot& after = proposed.snapshot;
    CHECK_FALSE(after.notes()[3].gates_completion);
}

TEST_CASE("proposal: a correction takes the capability and a reason", "[engine][governed:8.2][governed:5.9]") {
    const Governed task;
    const std::vector<Operation> operations{to("notify", ItemStatus::running)};
    for (const Role role : {Role::agent, Role::verifier, Role::companion}) {
        CHECK(why(task.correct(role, operations)) == "rejected capability_denied /actor/role");
    }
    CHECK(why(task.judge(task.proposal(Role::operator_, operations), Intake::correction)) ==
          "rejected reason_required /reason");
    CHECK(task.correct(Role::operator_, operations).outcome == Outcome::accepted);
}

TEST_CASE("proposal: a correction opens what is settled only where the profile says so", "[engine][governed:8.6]") {
    Governed task;
    task.take(task.submit(Role::agent, {completed("review")}));
    const std::vector<Operation> open{to("review", ItemStatus::ready)};
    CHECK(why(task.correct(Role::operator_, open)) == "rejected illegal_status_transition /operations/0/status");
    task.profile.items.correction_reopens = true;
    CHECK(why(task.submit(Role::operator_, open)) == "rejected illegal_status_transition /operations/0/status");
    CHECK(why(task.correct(Role::operator_, {to("review", ItemStatus::running)})) ==
          "rejected illegal_status_transition /operations/0/status");
    CHECK(task.correct(Role::operator_, open).outcome == Outcome::accepted);
}

TEST_CASE("proposal: each check comes before the next one", "[engine][governed:9.1]") {
    Governed task;
    ProposalInput input = task.proposal(Role::auditor, {to("gone", ItemStatus::running)});
    input.task = {.scope = {.owner = "other", .workspace = "deliveries"}, .id = "other"};
    input.base = {7};
    input.assurance = Assurance::independently_verified;
    const auto judge = [&] {
        auto transaction = admit(input, Intake::submission, task.rules());
        REQUIRE(transaction.has_value());
        transaction->reject_evidence("/evidence/0");
        return why(apply(task.head, *transaction, task.rules(), task.now));
    };
    CHECK(judge() == "rejected scope_mismatch /scope");
    input.task.scope = test::governed_address.scope;
    CHECK(judge() == "rejected task_not_eligible /task");
    input.task.id = test::governed_address.id;
    task.head = with_lifecycle(Lifecycle::completed);
    CHECK(judge() == "rejected capability_denied /actor/role");
    input.actor.role = Role::agent;
    CHECK(judge() == "rejected task_is_terminal ");
    task.head = with_lifecycle(Lifecycle::paused);
    CHECK(judge() == "rejected task_is_paused ");
    task.head = with_lifecycle(Lifecycle::open);
    CHECK(judge() == "conflict stale_base_revision ");
    input.base = task.head.revision();
    CHECK(judge() == "rejected assurance_ceiling_exceeded /assurance");
    input.assurance = Assurance::asserted;
    CHECK(judge() == "rejected unknown_evidence /evidence/0");
    CHECK(why(task.judge(input)) == "rejected unknown_item /operations/0/id");
}

TEST_CASE("proposal: a base that is newer than the head is as stale as an older one", "[engine][governed:9.1]") {
    const Governed task;
    ProposalInput input = task.proposal(Role::agent, {to("notify", ItemStatus::running)});
    for (const std::uint64_t base : {0U, 2U, 99U}) {
        input.base = {base};
        const Decision decision = task.judge(input);
        CHECK(decision.outcome == Outcome::conflict);
        CHECK(decision.error.limit == 1);
        CHECK(decision.error.actual == base);
    }
}

TEST_CASE("proposal: the authority and those who only watch submit nothing", "[engine][governed:5.4]") {
    const Governed task;
    for (const Role role : {Role::evaluator, Role::auditor, Role::delegate}) {
        CHECK(why(task.submit(role, {to("notify", ItemStatus::running)})) == "rejected capability_denied /actor/role");
    }
}

TEST_CASE("proposal: a new item is pending or ready", "[engine][governed:8.5]") {
    const Governed task;
    for (const ItemStatus status :
         {ItemStatus::running, ItemStatus::blocked, ItemStatus::completed, ItemStatus::failed, ItemStatus::skipped}) {
        const auto refused = admit(task.proposal(Role::agent, {AddItem{{.title = "More", .status = status}}}),
                                   Intake::submission, task.rules());
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().reason == Reason::illegal_status_transition);
        CHECK(refused.error().path == "/operations/0/status");
    }
    CHECK(task.submit(Role::agent, {AddItem{{.title = "More", .status = ItemStatus::ready}}}).outcome ==
          Outcome::accepted);
}

TEST_CASE("proposal: what is no change by itself is no progress beside a change", "[engine][governed:30.24]") {
    Governed task;
    task.take(task.submit(Role::agent, {MarkSourceInspected{"doc"}, ResolveNote{"constraint-1"}}));
    const Timestamp before = task.head.last_progress_at();
    task.now.ms += 1000;
    const std::array<Operation, 2> nothing{SetPhase{"plan"}, MarkSourceInspected{"doc"}};
    for (const Operation& operation : nothing) {
        INFO(word(kind_of(operation)));
        CHECK(task.submit(Role::agent, {operation}).outcome == Outcome::no_change);
        const Decision decision = task.submit(Role::agent, {operation, SetItemTitle{"notify", "Tell the team"}});
        REQUIRE(decision.outcome == Outcome::accepted);
        CHECK_FALSE(decision.progressed);
        CHECK(decision.snapshot.last_progress_at() == before);
    }
    // A note is resolved once.
    CHECK(why(task.submit(Role::agent, {ResolveNote{"constraint-1"}})) == "rejected note_not_active /operations/0");
    CHECK(task.submit(Role::agent, {SetPhase{"collect"}}).progressed);
    CHECK(task.submit(Role::agent, {to("notify", ItemStatus::running)}).progressed);
    CHECK_FALSE(task.submit(Role::agent, {to("notify", ItemStatus::ready)}).progressed);
}

TEST_CASE("proposal: completing what is completed is no change and asks for no evidence", "[engine][governed:30.25]") {
    Governed task;
    task.take(task.submit(Role::agent, {completed("review")}));
    CHECK(task.submit(Role::agent, {to("review", ItemStatus::completed)}).outcome == Outcome::no_change);
    CHECK(task.submit(Role::companion, {to("review", ItemStatus::completed)}).outcome == Outcome::no_change);
}

TEST_CASE("proposal: a reference names a new item for the rest of its batch", "[engine][hazard:9]") {
    const Governed task;
    const Decision decision =
        task.submit(Role::agent, {AddItem{{.title = "Build", .ref = "a"}},
                                  AddItem{{.title = "Test", .ref = "b", .depends_on = {"a"}}},
                                  to("a", ItemStatus::running), SetItemTitle{"b", "Test it all"}});
    INFO(why(decision));
    REQUIRE(decision.outcome == Outcome::accepted);
    const auto items = decision.snapshot.items();
    REQUIRE(items.size() == 5);
    CHECK(items[3].id == "t1");
    CHECK(items[3].status == ItemStatus::running);
    CHECK(items[4].title == "Test it all");
    CHECK(items[4].depends_on == std::vector<std::string_view>{"t1"});

    Governed later;
    later.take(decision);
    CHECK(why(later.submit(Role::agent, {to("a", ItemStatus::ready)})) == "rejected unknown_item /operations/0/id");
}

TEST_CASE("proposal: a reference is one name for one item", "[engine][hazard:9]") {
    const Governed task;
    CHECK(why(task.submit(Role::agent, {AddItem{{.title = "x", .ref = "review"}}})) ==
          "rejected duplicate_reference /operations/0/ref");
    CHECK(why(task.submit(Role::agent, {AddItem{{.title = "x", .ref = "a"}}, AddItem{{.title = "y", .ref = "a"}}})) ==
          "rejected duplicate_reference /operations/1/ref");
    CHECK(why(task.submit(Role::agent, {AddItem{{.title = "x", .id = "a", .ref = "a"}}})) ==
          "rejected duplicate_reference /operations/0/ref");
    CHECK(why(task.submit(Role::agent, {AddItem{{.title = "x", .ref = "a"}}, AddItem{{.title = "y", .id = "a"}}})) ==
          "rejected duplicate_reference /operations/1/id");
    // Ids that the engine makes keep out of the way of references.
    const Decision apart = task.submit(
        Role::agent, {AddItem{{.title = "x", .ref = "t2"}}, AddItem{{.title = "y"}}, SetItemTitle{"t2", "z"}});
    REQUIRE(apart.outcome == Outcome::accepted);
    CHECK(apart.snapshot.items()[3].title == "z");
    CHECK(apart.snapshot.items()[4].id == "t3");
}

TEST_CASE("proposal: a profile says which operations its tasks take at all", "[engine][governed:30.15]") {
    Governed task;
    task.profile.permitted = {OperationKind::set_phase};
    CHECK(why(task.submit(Role::agent, {to("notify", ItemStatus::running)})) ==
          "rejected operation_not_permitted_by_profile /operations/0");
    // Before anything is asked about the actor.
    CHECK(why(task.submit(Role::agent, {LockSchema{}})) == "rejected operation_not_permitted_by_profile /operations/0");
    CHECK(task.submit(Role::agent, {SetPhase{"collect"}}).outcome == Outcome::accepted);
}

TEST_CASE("proposal: no operations, or too many, are no proposal", "[engine][governed:1.12]") {
    const Governed task;
    const auto refusal = [&](std::size_t count) {
        const auto transaction = admit(task.proposal(Role::agent, std::vector<Operation>(count, LockSchema{})),
                                       Intake::submission, task.rules());
        return transaction ? Error{.reason = Reason::transition_accepted} : transaction.error();
    };
    CHECK(refusal(0).reason == Reason::empty_delta);
    CHECK(refusal(50).reason == Reason::transition_accepted);
    CHECK(refusal(51).reason == Reason::too_many_operations);
    CHECK(refusal(51).limit == 50);
    CHECK(refusal(51).actual == 51);
}
