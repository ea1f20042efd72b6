// Who may do what: the tables of the library against those written here.

#include "support/governed_task.hpp"

#include <taskstate/engine/governance.hpp>

#include "model/trusted_content.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace taskstate;

namespace {

constexpr std::array intakes{Intake::submission, Intake::correction, Intake::boundary};

template <class E>
std::vector<E> all() {
    std::vector<E> values;
    for (std::size_t i = 0; i < Words<E>::list.size(); ++i) values.push_back(static_cast<E>(i));
    return values;
}

/// By role: what it holds.
const std::map<std::string, std::string> capabilities{
    {"authority",
     "read_state propose_delta commit_state correct_state register_profile change_lifecycle deliver_context "
     "delete_state request_lifecycle"},
    {"evaluator", "expire_task"},
    {"companion", "read_state propose_delta"},
    {"agent", "read_state propose_delta request_lifecycle"},
    {"operator", "read_state propose_delta correct_state change_lifecycle request_lifecycle"},
    {"administrator",
     "read_state propose_delta correct_state register_profile change_lifecycle delete_state request_lifecycle"},
    {"verifier", "read_state propose_delta"},
    {"auditor", "read_state"},
    {"delegate", ""},
};

/// By role: the strongest assurance that it may claim.
const std::map<std::string, std::string> ceilings{
    {"authority", "operator_confirmed"},
    {"evaluator", "rule_extracted"},
    {"companion", "model_interpreted"},
    {"agent", "host_reported"},
    {"operator", "operator_confirmed"},
    {"administrator", "operator_confirmed"},
    {"verifier", "independently_verified"},
    {"auditor", "asserted"},
    {"delegate", "asserted"},
};

/// By operation: who may ask for it; with a star only as a correction.
const std::map<std::string, std::string> operations{
    {"add_note", "authority agent operator administrator verifier"},
    {"resolve_note", "authority companion agent operator administrator verifier"},
    {"add_item", "authority agent operator administrator verifier"},
    {"set_item_status", "authority companion agent operator administrator verifier"},
    {"set_item_title", "authority agent operator administrator verifier"},
    {"set_item_content", "authority companion agent operator administrator verifier"},
    {"set_item_blocker", "authority companion agent operator administrator verifier"},
    {"add_source", "authority agent operator administrator verifier"},
    {"mark_source_inspected", "authority companion agent operator administrator verifier"},
    {"set_phase", "authority companion agent operator administrator verifier"},
    {"lock_schema", "authority operator* administrator*"},
    {"record_action", "authority agent"},
    {"confirm_action", "authority operator administrator verifier"},
    {"prune", "authority administrator"},
    {"sync_link", "authority"},
};

bool lists(const std::string& words, std::string_view wanted) {
    std::istringstream stream(words);
    return std::count(std::istream_iterator<std::string>(stream), {}, std::string(wanted)) > 0;
}

/// Whether the tables above let such an actor ask for it there.
bool allowed(Role role, Intake intake, OperationKind kind) {
    const std::string& may = operations.at(std::string(word(kind)));
    const std::string name(word(role));
    const bool corrects = intake == Intake::correction;
    if (!lists(capabilities.at(name), corrects ? "correct_state" : "propose_delta")) return false;
    if (intake == Intake::boundary && kind == OperationKind::add_note) return false;
    return lists(may, name) || (corrects && lists(may, name + "*"));
}

/// A task in which each of `one_of_each` would be a change.
Snapshot task() {
    return test::told(test::new_task(), {.add_sources = {"s1"},
                                         .notes = {test::constraint("gate"), test::note("old", Category::artifact),
                                                   test::note("plain", Category::artifact)},
                                         .resolve = {"old"},
                                         .add_items = {{.title = "A", .id = "t1", .required = true}},
                                         .record_actions = {test::succeeded("e1")}});
}

const std::vector<Operation> one_of_each{
    AddNote{test::note("new", Category::artifact), std::nullopt},
    ResolveNote{"gate"},
    AddItem{{.title = "B"}},
    SetItemStatus{.id = "t1", .status = ItemStatus::running},
    SetItemTitle{"t1", "A at last"},
    SetItemContent{"t1", TrustedContent::make(R"({"a":1})")},
    SetItemBlocker{"t1", "Waits."},
    AddSource{"s2"},
    MarkSourceInspected{"s1"},
    SetPhase{"collect"},
    LockSchema{},
    RecordAction{test::succeeded("e2")},
    test::confirmed("e1"),
    Prune{.notes = {"old"}},
    SyncLink{{"job-1", "in_progress"}, LinkReporter::host},
};

Decision asked(Role role, Intake intake, const Operation& operation) {
    const Snapshot head = task();
    return test::judged(head, test::proposal(head, role, {{operation}}), intake);
}

}  // namespace

TEST_CASE("governance: nine roles hold their capabilities and no others",
          "[engine][governed:5.2][governed:29.6][governed:5.8]") {
    REQUIRE(capabilities.size() == all<Role>().size());
    for (const auto& [name, held] : capabilities) {
        const auto role = from_word<Role>(name);
        REQUIRE(role);
        std::size_t count = 0;
        for (const Capability capability : all<Capability>()) {
            INFO(name << " " << word(capability));
            CHECK(holds(*role, capability) == lists(held, word(capability)));
            CHECK(check_capability(*role, capability).has_value() == holds(*role, capability));
            count += holds(*role, capability);
        }
        CHECK(static_cast<std::size_t>(std::count(held.begin(), held.end(), ' ')) == count - (count > 0));
    }
    CHECK(check_capability(Role::agent, Capability::correct_state).error().reason == Reason::capability_denied);
}

TEST_CASE("governance: only the authority commits and delivers, only the evaluator expires, and that is all it does",
          "[engine][governed:5.3]") {
    for (const Role role : all<Role>()) {
        CHECK(holds(role, Capability::commit_state) == (role == Role::authority));
        CHECK(holds(role, Capability::deliver_context) == (role == Role::authority));
        CHECK(holds(role, Capability::expire_task) == (role == Role::evaluator));
    }
}

TEST_CASE("governance: each role asks for the operations of its row, at each intake, and for no others",
          "[engine][governed:29.6][governed:5.4]") {
    REQUIRE(operations.size() == all<OperationKind>().size());
    for (const Role role : all<Role>()) {
        for (const Intake intake : intakes) {
            for (const Operation& operation : one_of_each) {
                const OperationKind kind = kind_of(operation);
                INFO(word(role) << " " << word(kind) << " at intake " << static_cast<int>(intake));
                const Decision decision = asked(role, intake, operation);
                if (allowed(role, intake, kind)) {
                    CHECK(decision.outcome == Outcome::accepted);
                    CHECK(permits(role, intake, kind));
                } else {
                    CHECK(decision.error.reason == Reason::capability_denied);
                }
            }
        }
    }
}

TEST_CASE("governance: nobody vouches for more than his role may, neither as a whole nor in an operation",
          "[engine][governed:6.1][governed:6.2][governed:30.1]") {
    REQUIRE(ceilings.size() == all<Role>().size());
    const Snapshot head = task();
    for (const Role role : all<Role>()) {
        const Assurance most = *from_word<Assurance>(ceilings.at(std::string(word(role))));
        CHECK(ceiling(role, Intake::submission) == most);
        CHECK(ceiling(role, Intake::correction) == most);
        CHECK(ceiling(role, Intake::boundary) == Assurance::asserted);  // [governed:6.10]
        if (!holds(role, Capability::propose_delta)) continue;
        for (const Intake intake : {Intake::submission, Intake::boundary}) {
            for (const Assurance claim : all<Assurance>()) {
                INFO(word(role) << " claims " << word(claim) << " at intake " << static_cast<int>(intake));
                ProposalInput whole = test::proposal(head, role, {{SetPhase{"collect"}}}), part = whole;
                whole.assurance = claim;
                part.operations[0].assurance = claim;
                const bool may = claim <= (intake == Intake::boundary ? Assurance::asserted : most);
                const Reason expected = may ? Reason::transition_accepted : Reason::assurance_ceiling_exceeded;
                CHECK(test::judged(head, whole, intake).error.reason == expected);
                CHECK(test::judged(head, part, intake).error.reason == expected);
            }
        }
    }
}

TEST_CASE("governance: a note is what its actor may make of it, and never more", "[engine]") {
    for (const Role role : all<Role>()) {
        for (const Intake intake : intakes) {
            if (!allowed(role, intake, OperationKind::add_note)) continue;
            INFO(word(role) << " at intake " << static_cast<int>(intake));
            const bool host = role == Role::authority || intake == Intake::correction;
            CHECK(standing_of(role, intake) == (host ? Standing::host : Standing::proposal));
            for (const Standing asked_for : all<Standing>()) {
                AddNote add{test::note("new", Category::artifact), asked_for};
                const bool may = host || asked_for != Standing::host;
                const Decision decision = asked(role, intake, add);
                CHECK((decision.outcome == Outcome::accepted) == may);
                if (may) CHECK(decision.snapshot.notes().find("new")->standing == asked_for);
            }
            const Snapshot after = asked(role, intake, one_of_each[0]).snapshot;
            CHECK(after.notes().find("new")->standing == standing_of(role, intake));
        }
        CHECK_FALSE(standing_of(role, Intake::boundary));
    }
}

TEST_CASE("governance: what the host said is touched by the privileged alone", "[engine][governed:7.9][governed:8.2]") {
    NoteInput gating = test::note("new", Category::artifact);
    gating.gates_completion = true;
    const std::vector<Operation> privileged{
        ResolveNote{"plain"},
        AddNote{gating, std::nullopt},
        SetItemStatus{.id = "t1", .status = ItemStatus::skipped, .reason = "Not needed."},
    };
    for (const Operation& operation : privileged) {
        for (const Role role : {Role::authority, Role::agent, Role::operator_, Role::administrator, Role::verifier}) {
            INFO(word(role) << " " << word(kind_of(operation)));
            const Reason unprivileged = asked(role, Intake::submission, operation).error.reason;
            CHECK(unprivileged == (role == Role::authority ? Reason::transition_accepted : Reason::capability_denied));
            const bool corrects = holds(role, Capability::correct_state);
            CHECK((asked(role, Intake::correction, operation).outcome == Outcome::accepted) == corrects);
        }
    }
    NoteInput successor = test::note("new", Category::artifact);
    successor.supersedes = "plain";
    const Snapshot head = task();
    const ProposalInput proposal = test::proposal(head, Role::operator_, {{AddNote{successor, std::nullopt}}});
    CHECK(admit(proposal, Intake::submission, test::general_rules()).error().reason == Reason::supersede_not_allowed);
    CHECK(test::judged(head, proposal, Intake::correction).outcome == Outcome::accepted);
}
