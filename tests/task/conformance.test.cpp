// The lines of the conformance list that a wire call cannot reach: what the host injects, keeps or measures.

#include "support/builders.hpp"
#include "support/catch.hpp"

#include <taskstate/base/estimate.hpp>
#include <taskstate/base/json_writer.hpp>
#include <taskstate/engine/changes.hpp>
#include <taskstate/model/wire.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

using namespace taskstate;
using test::constraint;
using test::note;
using test::open_task;

namespace {

/// An owner source that answers as the test says, and counts how often it was asked.
class SignedIn : public OwnerSource {
 public:
    explicit SignedIn(std::vector<OptText> answers) : answers_(std::move(answers)) {}
    OptText current_owner() override {
        const std::size_t asked = asked_++;
        return answers_[std::min(asked, answers_.size() - 1)];
    }
    void answer(OptText owner) { answers_.assign(1, std::move(owner)); }

 private:
    std::vector<OptText> answers_;
    std::size_t asked_ = 0;
};

/// A journal that takes a step only from the revision that it holds.
class KeptSteps : public Journal {
 public:
    Result<void> commit(const Change& change) override {
        if (refusal) return *refusal;
        if (change.before.revision() != head) {
            return fail(Reason::concurrent_successor_committed, "", {head.number, change.before.revision().number});
        }
        head = change.after.revision();
        reasons.push_back(change.reason);
        return {};
    }

    Revision head{};
    std::vector<OptText> reasons{};
    std::optional<Error> refusal{};
};

class Told : public CommitObserver {
 public:
    void committed(const Commit& commit) override { revisions.push_back(commit.snapshot.revision().number); }
    std::vector<std::uint64_t> revisions{};
};

std::uint64_t json_bytes(const State& state) {
    JsonWriter json;
    write(json, state);
    return json.size();
}

/// Tokens of the record lines, as a reader of the block could count them.
std::size_t tokens_of(const Snapshot& snapshot) {
    std::size_t tokens = 0;
    const auto add = [&tokens](std::string_view lines) {
        for (; !lines.empty(); lines.remove_prefix(lines.find('\n') + 1)) {
            tokens += estimate_tokens(lines.substr(0, lines.find('\n') + 1));
        }
    };
    const State& state = snapshot.state();
    for (std::size_t i = 0; i < state.notes.size(); ++i) add(render_record(state.notes[i]));
    for (std::size_t i = 0; i < state.actions.size(); ++i) add(render_record(state.actions[i]));
    return tokens;
}

TaskOptions limited(Limits limits) {
    TaskOptions options = test::options();
    options.limits = limits;
    return options;
}

/// Notes whose texts need escapes, several bytes and surrogate pairs.
HostDelta awkward_notes() {
    return {.notes = {note("a", Category::decision, "Größe \"L\"\\\n<b> \xF0\x9F\x9A\x80\xF0\x9F\x9A\x80 日本語"),
                      note("b", Category::question, std::string(200, 'x'))}};
}

HostDelta many_notes(std::size_t count) {
    HostDelta delta;
    for (std::size_t i = 0; i < count; ++i) delta.notes.push_back(constraint("n" + std::to_string(i)));
    return delta;
}

}  // namespace

TEST_CASE("owner: a change of owner between judging and committing stops the commit", "[task][spec:A3]") {
    TaskOptions options = test::options();
    // Asked at creation, at the start of the call, and before the commit.
    options.owner = std::make_shared<SignedIn>(std::vector<OptText>{"host-user", "host-user", "someone-else"});
    const auto journal = std::make_shared<KeptSteps>();
    options.journal = journal;
    TaskState task = open_task(options);

    const auto result = task.update({.notes = {constraint("a")}}, Revision{0});

    REQUIRE_FALSE(result);
    CHECK(result.error().reason == Reason::owner_mismatch);
    CHECK(task.revision() == Revision{0});
    CHECK(journal->head == Revision{0});
}

TEST_CASE("owner: no task is made for another owner, an unset one passes, and destruction is told first",
          "[task][spec:A3]") {
    TaskOptions options = test::options();
    const auto owner = std::make_shared<SignedIn>(std::vector<OptText>{"someone-else"});
    options.owner = owner;
    CHECK(TaskState::create(options).error().reason == Reason::owner_mismatch);
    owner->answer(std::nullopt);
    TaskState task = open_task(options);
    CHECK(task.snapshot());
    owner->answer("someone-else");
    CHECK(task.snapshot().error().reason == Reason::owner_mismatch);
    CHECK(task.revision() == Revision{0});
    task.destroy();
    CHECK(task.snapshot().error().reason == Reason::task_destroyed);
}

TEST_CASE("options: what a task is has to be said", "[task][spec:A4]") {
    const auto refused = [](const std::function<void(TaskOptions&)>& spoil) {
        TaskOptions options = test::options();
        spoil(options);
        return TaskState::create(options).error();
    };
    CHECK(refused([](TaskOptions& o) { o.id.clear(); }) == fail(Reason::blank, "/id"));
    CHECK(refused([](TaskOptions& o) { o.scope.owner.clear(); }) == fail(Reason::blank, "/scope/owner"));
    CHECK(refused([](TaskOptions& o) { o.scope.workspace = " "; }).path == "/scope/workspace");
    CHECK(refused([](TaskOptions& o) { o.association = ""; }) == fail(Reason::blank, "/association"));
    CHECK(refused([](TaskOptions& o) { o.limits = Limits{.tokens_max = 0}; }).reason == Reason::options_invalid);
    CHECK(refused([](TaskOptions& o) { o.profile = "none"; }).reason == Reason::unknown_profile);
}

TEST_CASE("journal: of two objects on one journal and task, the second commit is a conflict", "[task][spec:A5]") {
    TaskOptions options = test::options();
    const auto journal = std::make_shared<KeptSteps>();
    options.journal = journal;
    TaskState first = open_task(options);
    TaskState second = open_task(options);

    REQUIRE(first.update({.notes = {constraint("a")}}, Revision{0}));
    const auto lost = second.update({.notes = {constraint("b")}}, Revision{0});

    REQUIRE_FALSE(lost);
    CHECK(lost.error().code() == Errc::conflict);
    CHECK(second.revision() == Revision{0});
    CHECK(second.snapshot()->notes().empty());
    CHECK(journal->head == Revision{1});
}

TEST_CASE("journal: it is asked before a change is seen, and its refusal leaves the task as it was", "[task]") {
    TaskOptions options = test::options();
    const auto journal = std::make_shared<KeptSteps>();
    const auto told = std::make_shared<Told>();
    options.journal = journal;
    options.observer = told;
    TaskState task = open_task(options);

    journal->refusal = fail(Reason::storage_full);
    const Generation before = task.generation();
    CHECK(task.update({.notes = {constraint("a")}}, Revision{0}).error().reason == Reason::storage_full);
    CHECK(task.revision() == Revision{0});
    CHECK(task.generation() == before);
    CHECK(told->revisions.empty());

    journal->refusal.reset();
    REQUIRE(task.update({.notes = {constraint("a")}, .reason = "Agreed."}, Revision{0}));
    CHECK(journal->reasons == std::vector<OptText>{"Agreed."});
    CHECK(told->revisions == std::vector<std::uint64_t>{1});
    REQUIRE(task.update({}, Revision{1}));
    CHECK(told->revisions == std::vector<std::uint64_t>{1});

    CHECK(task.clear().error().reason == Reason::journalled);
    CHECK(task.restore(to_input(*task.snapshot())).error().reason == Reason::journalled);

    const auto again = TaskState::open(options, to_input(*task.snapshot()));
    REQUIRE(again);
    CHECK(*again->snapshot() == *task.snapshot());
}

TEST_CASE("options: they are copied; what the caller does to them later means nothing", "[task][spec:A6]") {
    TaskOptions options = limited({.entries_max = 1});
    TaskState task = open_task(options);
    options.scope.owner = "someone-else";
    options.id = "other";
    options.limits->entries_max = 100;
    options.clock.reset();

    const Snapshot snapshot = *task.snapshot();
    CHECK(snapshot.id() == "delivery-42");
    CHECK(snapshot.scope().owner == "host-user");
    CHECK(task.update(many_notes(2), Revision{0}).error().reason == Reason::entries_exceeded);
}

TEST_CASE("snapshot: what was returned stays as it was, whatever the task or the caller does", "[task][spec:N10]") {
    TaskState task = open_task();
    HostDelta delta{.notes = {constraint("a")}};
    const Snapshot first = task.update(delta, Revision{0})->snapshot;
    delta.notes[0].text = "Changed.";
    SnapshotInput copy = to_input(first);
    copy.notes[0].note.text = "Changed too.";

    test::accept(task, {.notes = {constraint("b")}, .resolve = {"a"}});
    CHECK(first.revision() == Revision{1});
    CHECK(first.notes().size() == 1);
    CHECK(first.notes()[0].text == "Spend at most 50 EUR.");
    CHECK(first.notes()[0].active());
    task.destroy();
    CHECK(first.notes()[0].text == "Spend at most 50 EUR.");
}

TEST_CASE("capacity: 100 entries fit, 101 do not", "[task][spec:C1]") {
    TaskState task = open_task();
    HostDelta delta = many_notes(99);
    delta.record_actions = {test::succeeded("e1")};
    test::accept(task, delta);
    const auto refused = task.record_action(test::succeeded("e2"), Revision{1});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().reason == Reason::entries_exceeded);
    CHECK(refused.error().limit == 100U);
    CHECK(refused.error().actual == 101U);
    CHECK(open_task().update(many_notes(101), Revision{0}).error().actual == 101U);
}

TEST_CASE("capacity: the token limit is inclusive and counts the record lines, astral characters too",
          "[task][spec:C2]") {
    TaskState task = open_task();
    const std::size_t tokens = tokens_of(test::accept(task, awkward_notes()));
    REQUIRE(tokens > 50);
    TaskState below = open_task(limited({.tokens_max = tokens - 1}));
    const auto refused = below.update(awkward_notes(), Revision{0});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().reason == Reason::tokens_exceeded);
    CHECK(refused.error().limit == tokens - 1);
    CHECK(refused.error().actual == tokens);
    CHECK(open_task(limited({.tokens_max = tokens})).update(awkward_notes(), Revision{0}));
    CHECK(open_task(limited({.tokens_max = tokens + 1})).update(awkward_notes(), Revision{0}));
}

TEST_CASE("capacity: the byte limits of snapshot and input are inclusive, several bytes and escapes counted",
          "[task][spec:C3]") {
    TaskState task = open_task();
    const Snapshot fits = test::accept(task, awkward_notes());
    const std::size_t snapshot = json_bytes(fits.state());
    const auto refused = open_task(limited({.snapshot_bytes_max = snapshot - 1})).update(awkward_notes(), Revision{0});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().reason == Reason::snapshot_bytes_exceeded);
    CHECK(refused.error().limit == snapshot - 1);
    CHECK(refused.error().actual == snapshot);
    CHECK(open_task(limited({.snapshot_bytes_max = snapshot})).update(awkward_notes(), Revision{0}));

    JsonWriter json;
    write(json, awkward_notes());
    const std::size_t input = json.size();
    const auto too_big = open_task(limited({.input_bytes_max = input - 1})).update(awkward_notes(), Revision{0});
    REQUIRE_FALSE(too_big);
    CHECK(too_big.error().reason == Reason::input_bytes_exceeded);
    CHECK(too_big.error().limit == input - 1);
    CHECK(too_big.error().actual == input);
    CHECK(open_task(limited({.input_bytes_max = input})).update(awkward_notes(), Revision{0}));
}

TEST_CASE("capacity: at the exact bound of bytes or tokens only one delta that ends smaller goes through",
          "[task][spec:D2]") {
    TaskState probe = open_task();
    const Snapshot full =
        test::accept(probe, {.notes = {constraint("a"), constraint("b")}, .record_actions = {test::succeeded("e1")}});
    for (const Limits limits :
         {Limits{.tokens_max = tokens_of(full)}, Limits{.snapshot_bytes_max = json_bytes(full.state())}}) {
        TaskState task = open_task(limited(limits));
        test::accept(task, {.notes = {constraint("a"), constraint("b")}, .record_actions = {test::succeeded("e1")}});
        CHECK(task.update({.resolve = {"a"}}, Revision{1}).error().code() == Errc::capacity);
        CHECK(task.confirm_action(test::confirmed("e1"), Revision{1}).error().code() == Errc::capacity);
        CHECK(*task.snapshot() == full);
        test::accept(task, {.resolve = {"a"}, .prune = {.notes = {"a"}}});
        test::accept(task, {.confirm_actions = {test::confirmed("e1")}, .prune = {.actions = {"e1"}}});
        CHECK(task.snapshot()->state().notes.size() == 1);
    }
}

TEST_CASE("capacity: at 100 entries a note fits if a historical one goes in the same delta", "[task][spec:D3]") {
    TaskState task = open_task();
    HostDelta delta = many_notes(100);
    delta.resolve = {"n7"};
    test::accept(task, delta);
    CHECK(task.update({.notes = {constraint("new")}}, Revision{1}).error().reason == Reason::entries_exceeded);
    CHECK(task.update({.notes = {constraint("new")}, .prune = {.notes = {"n8"}}}, Revision{1}).error().reason ==
          Reason::not_prunable);
    test::accept(task, {.notes = {constraint("new")}, .prune = {.notes = {"n7"}}});
}

TEST_CASE("restore: a started action survives a crash as not known to have happened, and then takes its outcome",
          "[task][spec:X+][hazard:26]") {
    SnapshotInput saved;
    {
        TaskState task = open_task();
        saved = to_input(task.record_action(test::started("e1"), Revision{0})->snapshot);
    }
    auto task = TaskState::open(test::options(), saved);
    REQUIRE(task);
    CHECK(task->prompt()->text().find("\naction e1 started unknown ") != std::string::npos);
    CHECK(task->prune({.actions = {"e1"}}, Revision{1}).error().reason == Reason::not_prunable);
    REQUIRE(task->record_action(test::succeeded("e1"), Revision{1}));
    CHECK(task->record_action(test::succeeded("e1"), Revision{2})->outcome == Outcome::no_change);
    CHECK(task->record_action(test::started("e1"), Revision{2}).error().reason == Reason::settlement_regressed);
}

TEST_CASE("restore: another process, other memory, same bytes", "[task][spec:P6][hazard:1][hazard:22]") {
    TaskState task = open_task();
    HostDelta delta = many_notes(20);
    delta.resolve = {"n3", "n5", "n7"};
    const Snapshot before = test::accept(task, delta);
    const auto again = TaskState::open(test::options(), to_input(before));
    REQUIRE(again);
    CHECK(*again->snapshot() == before);
    CHECK(again->snapshot()->state_digest() == before.state_digest());
    CHECK(again->prompt()->text() == task.prompt()->text());
    CHECK(*again->preamble() == *task.preamble());
}

TEST_CASE("refresh: a ticket that is dropped commits nothing", "[task][spec:L5]") {
    TaskOptions options = test::options();
    options.link = LinkTarget{LinkKind::memory, "m-1"};
    TaskState task = open_task(options);
    const Generation before = task.generation();
    {
        const auto ticket = task.begin_refresh("host-user", Revision{0});
        REQUIRE(ticket);
    }
    CHECK(task.generation() == before);
    CHECK_FALSE(task.snapshot()->state().link->status);
}

TEST_CASE("dispatch: a block of another task object is not this one's, even if its bytes are", "[task]") {
    TaskState task = open_task();
    const TaskState twin = open_task();
    TaskOptions options = test::options();
    options.id = "other";
    const TaskState other = open_task(options);
    const auto verified = [&task](const Block& block) {
        const std::vector<Message> messages{{.role = "system", .parts = {block.text()}}};
        return task.verify_dispatch(block, messages);
    };
    CHECK(verified(*task.prompt()));
    CHECK(verified(*twin.prompt()).error().reason == Reason::block_stale);
    CHECK(verified(*other.prompt()).error().reason == Reason::task_mismatch);
}

TEST_CASE("prompt: the same handle while nothing changed, other bytes after a change", "[task][spec:V9]") {
    TaskState task = open_task();
    const Block first = *task.prompt();
    CHECK(task.prompt()->same_object(first));
    REQUIRE(task.update({}, Revision{0}));
    CHECK(task.prompt()->same_object(first));
    test::accept(task, {.notes = {constraint("a")}});
    CHECK_FALSE(*task.prompt() == first);
}

TEST_CASE("destroy: every operation says so, reads and pending refreshes included",
          "[task][spec:Z1][spec:Z2][spec:L6]") {
    TaskOptions options = test::options();
    options.link = LinkTarget{LinkKind::memory, "m-1"};
    TaskState task = open_task(options);
    test::accept(task, {.notes = {constraint("a")}});
    const SnapshotInput saved = to_input(*task.snapshot());
    const Block block = *task.prompt();
    auto ticket = task.begin_refresh("host-user", Revision{1});
    REQUIRE(ticket);
    const Generation before = task.generation();
    task.destroy();
    task.destroy();

    CHECK(task.generation() > before);
    const std::vector<NoteInput> notes{constraint("b")};
    const Reason destroyed = Reason::task_destroyed;
    CHECK(task.update({.notes = notes}, Revision{1}).error().reason == destroyed);
    CHECK(task.propose(notes, Revision{1}).error().reason == destroyed);
    CHECK(task.assume(notes, Revision{1}).error().reason == destroyed);
    CHECK(task.record_action(test::started("e1"), Revision{1}).error().reason == destroyed);
    CHECK(task.confirm_action(test::confirmed("e1"), Revision{1}).error().reason == destroyed);
    CHECK(task.prune({.notes = {"a"}}, Revision{1}).error().reason == destroyed);
    CHECK(task.sync_link({"m-1", "done"}, Revision{1}).error().reason == destroyed);
    CHECK(task.begin_refresh("host-user", Revision{1}).error().reason == destroyed);
    CHECK(task.commit_refresh(*std::move(ticket), {.type = "task", .state = "done"}).error().reason == destroyed);
    CHECK(task.rebase({.resolve = {"a"}}, Revision{1}).error().reason == destroyed);
    CHECK(task.snapshot().error().reason == destroyed);
    CHECK(task.prompt().error().reason == destroyed);
    CHECK(task.preamble().error().reason == destroyed);
    CHECK(task.verify_dispatch(block, {}).error().reason == destroyed);
    CHECK(task.restore(saved).error().reason == destroyed);
    CHECK(task.clear().error().reason == destroyed);
}
