#include "support/builders.hpp"

#include <taskstate/engine/apply.hpp>

#include <string>
#include <utility>
#include <vector>

namespace taskstate {
namespace {

template <class E>
E no_word() {
    return static_cast<E>(Words<E>::list.size());
}

/// A state that a restore takes.
SnapshotInput sound() {
    SnapshotInput saved{.id = "delivery-42", .profile = "notebook-v1", .scope = test::options().scope};
    saved.revision = {1};
    saved.notes = {{.note = test::constraint("budget")}};
    saved.items = {{.id = "t1", .title = "Weigh it"}};
    saved.actions = {
        {.outcome = test::started("e1"), .confirmation = ConfirmationInput{Confirmed::pending, {.label = "x"}}}};
    return saved;
}

template <class Input>
void expect_unknown_word(TaskState& task, const Input& call, const std::string& path) {
    const auto refused = call(task);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().reason == Reason::unknown_word);
    CHECK(refused.error().path == path);
}

}  // namespace

TEST_CASE("admit: a number that is no word of a closed list is refused where it stands", "[engine][spec:N12]") {
    TaskState task = test::open_task();
    NoteInput note = test::constraint("n");
    note.category = no_word<Category>();
    expect_unknown_word(task, [&](TaskState& t) { return t.update({.notes = {note}}, {0}); }, "/notes/0/category");
    ActionOutcome outcome = test::started("e");
    outcome.status = no_word<ActionStatus>();
    expect_unknown_word(task, [&](TaskState& t) { return t.record_action(outcome, {0}); }, "/status");
    outcome = test::started("e");
    outcome.completion = no_word<Completion>();
    expect_unknown_word(task, [&](TaskState& t) { return t.record_action(outcome, {0}); }, "/completion");
    outcome = test::started("e");
    outcome.cancellation = no_word<Cancellation>();
    expect_unknown_word(task, [&](TaskState& t) { return t.record_action(outcome, {0}); }, "/cancellation");
    ConfirmAction confirmation = test::confirmed("e", no_word<Confirmed>());
    expect_unknown_word(task, [&](TaskState& t) { return t.confirm_action(confirmation, {0}); }, "/status");

    note = test::constraint("n");
    note.source.evidence = EvidenceInput{.kind = no_word<EvidenceKind>(), .id = "ev"};
    CHECK(task.update({.notes = {note}}, {0}).error() ==
          fail(Reason::evidence_invalid, "/notes/0/source/evidence/kind"));
    note.source.evidence = EvidenceInput{.id = "ev", .status = no_word<Acknowledged>()};
    CHECK(task.update({.notes = {note}}, {0}).error() ==
          fail(Reason::evidence_invalid, "/notes/0/source/evidence/status"));

    TaskOptions linked = test::options();
    linked.link = LinkTarget{no_word<LinkKind>(), "t-9"};
    CHECK(TaskState::create(linked).error() == fail(Reason::unknown_word, "/link/kind"));
}

TEST_CASE("admit: a saved state with a number that is no word is refused", "[engine][spec:P2]") {
    REQUIRE(test::open_task().restore(sound()).has_value());
    std::vector<std::pair<SnapshotInput, std::string>> cases;
    const auto broken = [&](const std::string& path) -> SnapshotInput& {
        return cases.emplace_back(sound(), path).first;
    };
    broken("/lifecycle").lifecycle = no_word<Lifecycle>();
    broken("/notes/0/authority").notes[0].standing = no_word<Standing>();
    broken("/items/0/status").items[0].status = no_word<ItemStatus>();
    broken("/items/0/assurance").items[0].assurance = no_word<Assurance>();
    broken("/actions/0/confirmation/status").actions[0].confirmation->status = no_word<Confirmed>();
    for (const auto& [saved, path] : cases) {
        const auto refused = test::open_task().restore(saved);
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error() == fail(Reason::unknown_word, path));
    }
}

TEST_CASE("restore: revision 0 is the empty task", "[engine][spec:P2]") {
    SnapshotInput saved = sound();
    saved.revision = {0};
    CHECK(test::open_task().restore(saved).error() == fail(Reason::inconsistent_state, "/revision"));
    saved.notes.clear();
    saved.items.clear();
    saved.actions.clear();
    CHECK(test::open_task().restore(saved).has_value());
}

TEST_CASE("restore: whose state it is comes before what is wrong with it", "[engine][spec:P1]") {
    SnapshotInput saved = sound();
    saved.notes[0].note.text = "";
    saved.scope.owner = "somebody else";
    CHECK(test::open_task().restore(saved).error() == fail(Reason::scope_mismatch, "/scope"));
}

TEST_CASE("restore: a cycle of dependencies is refused, a long chain is not", "[engine]") {
    SnapshotInput saved = sound();
    saved.items.clear();
    for (int i = 0; i < 400; ++i) {
        SavedItem item{.id = "t" + std::to_string(i), .title = "Step"};
        if (i < 399) item.depends_on = {"t" + std::to_string(i + 1)};
        saved.items.push_back(item);
    }
    TaskOptions roomy = test::options();
    roomy.limits = Limits{.tokens_max = 100'000};
    CHECK(test::open_task(roomy).restore(saved).has_value());
    saved.items.back().depends_on = {"t0"};
    CHECK(test::open_task(roomy).restore(saved).error() == fail(Reason::dependency_cycle, "/items/0/depends_on"));
}

TEST_CASE("reuse: a newcomer does not become the reason of an item that an older note was", "[engine][hazard:2]") {
    SnapshotInput saved = sound();
    saved.notes[0].resolved = true;
    saved.items[0].because = {"budget"};
    TaskState task = test::open_task();
    REQUIRE(task.restore(saved).has_value());
    test::accept(task, {.prune = {.notes = {"budget"}}});
    const NoteInput newcomer[] = {test::constraint("budget")};
    const auto proposed = task.propose(newcomer, task.revision());
    REQUIRE(proposed.has_value());
    CHECK(proposed->snapshot.items()[0].because.empty());
}

}  // namespace taskstate
