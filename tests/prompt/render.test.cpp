#include "model/trusted_content.hpp"
#include "support/builders.hpp"
#include "support/golden.hpp"
#include "support/read_block.hpp"

#include <taskstate/engine/apply.hpp>
#include <taskstate/prompt/block.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace taskstate {
namespace {

constexpr auto every_drop = Words<Drop>::list;

/// A profile that lets everything go that may go.
Profile generous() {
    Profile profile = *find_profile("notebook-v1");
    for (const std::string_view name : every_drop) profile.block.drop_order.push_back(*from_word<Drop>(name));
    return profile;
}

SavedNote saved(NoteInput note, Standing standing = Standing::host) {
    return {.note = std::move(note), .standing = standing};
}

/// A governed task with something of every kind.
SnapshotInput busy() {
    SnapshotInput state{.id = "delivery-42", .profile = "notebook-v1", .scope = test::options().scope};
    state.revision = {7};
    state.goal = "Ship the order";
    state.phase = "execute";
    state.notes = {saved(test::note("budget")),
                   saved(test::note("d1", Category::decision, "Ship by rail.")),
                   saved(test::note("d2", Category::decision, "Pack in paper.")),
                   saved(test::note("q1", Category::question, "Which depot?")),
                   saved(test::note("a1", Category::artifact, "label.pdf")),
                   saved(test::note("o1", Category::objective, "Arrive before Friday.")),
                   saved(test::note("p1", Category::decision, "Use the cheaper courier."), Standing::proposal),
                   saved(test::note("s1", Category::artifact, "The depot is open."), Standing::assumption),
                   saved(test::note("old", Category::decision, "Ship by air."))};
    state.notes[0].note.gates_completion = true;
    state.notes.back().resolved = true;
    state.items = {
        {.id = "t1", .title = "Weigh it", .status = ItemStatus::completed, .assurance = Assurance::host_reported},
        {.id = "t2",
         .title = "Book the courier",
         .status = ItemStatus::ready,
         .required = true,
         .depends_on = {"t1"},
         .because = {"budget", "d1"},
         .content = TrustedContent::make(R"({"max":40})")},
        {.id = "t3", .title = "Pay", .status = ItemStatus::pending, .depends_on = {"t2"}},
        {.id = "t4", .title = "Call the depot", .status = ItemStatus::blocked, .reason = "Closed today"}};
    state.sources = {{.id = "policy.md", .inspected = true}, {.id = "price list"}};
    state.actions = {{.outcome = test::started("m4-c0")},
                     {.outcome = test::succeeded("m6-c0"),
                      .confirmation = ConfirmationInput{Confirmed::waiting_external, {.label = "Accepted"}}},
                     {.outcome = test::succeeded("m8-c0"),
                      .confirmation = ConfirmationInput{Confirmed::completed, {.label = "Seen"}}}};
    return state;
}

Block full(const Snapshot& snapshot) {
    auto block = render(snapshot, generous(), "9f2c01b7e4d85a63");
    REQUIRE(block.has_value());
    return *block;
}

bool shows(const Block& block, std::string_view line_start) {
    return block.text().find("\n" + std::string(line_start)) != std::string::npos;
}

class WordCounter : public TokenCounter {
 public:
    std::string_view name() const override { return "words"; }
    std::size_t count(std::string_view line) override {
        ++lines;
        return static_cast<std::size_t>(std::count(line.begin(), line.end(), ' ')) + 1;
    }
    std::size_t lines = 0;
};

}  // namespace

TEST_CASE("render: every record stands where the grammar says", "[prompt][golden]") {
    const Snapshot snapshot = test::admitted(busy());
    REQUIRE(validate(snapshot.state(), test::notebook_rules()).has_value());
    const Block block = full(snapshot);
    test::check_golden("block-1-busy.txt", block.text());
}

TEST_CASE("render: an empty notebook shows its fence and its status", "[prompt][golden]") {
    const TaskState task = test::open_task();
    test::check_golden("block-1-empty.txt", task.prompt()->text());
}

TEST_CASE("render: a profile may show nothing for an empty task", "[prompt]") {
    Profile silent = *find_profile("notebook-v1");
    silent.block.hidden_when_empty = true;
    const TaskState task = test::open_task();
    CHECK(render(*task.snapshot(), silent, "k")->bytes() == 0);
}

TEST_CASE("render: an exact budget passes and one byte or token less drops or withholds", "[prompt][spec:V5]") {
    const Snapshot snapshot = test::admitted(busy());
    const Block whole = full(snapshot);
    const Profile& notebook = *find_profile("notebook-v1");

    CHECK(render(snapshot, notebook, whole.key(), {.bytes_max = whole.bytes()})->text() == whole.text());
    CHECK(render(snapshot, notebook, whole.key(), {.tokens_max = whole.tokens()})->text() == whole.text());

    const auto bytes = render(snapshot, notebook, whole.key(), {.bytes_max = whole.bytes() - 1});
    REQUIRE_FALSE(bytes.has_value());
    CHECK(bytes.error().reason == Reason::prompt_budget_exceeded);
    CHECK(bytes.error().limit == whole.bytes() - 1);
    CHECK(bytes.error().actual == whole.bytes());
    const auto tokens = render(snapshot, notebook, whole.key(), {.tokens_max = whole.tokens() - 1});
    REQUIRE_FALSE(tokens.has_value());
    CHECK(tokens.error().path == "/tokens_max");
    CHECK(tokens.error().actual == whole.tokens());
}

TEST_CASE("render: the announced sizes are those of the text", "[prompt]") {
    const Snapshot snapshot = test::admitted(busy());
    auto counter = std::make_shared<WordCounter>();
    const auto block = render(snapshot, generous(), "k", {.counter = counter});
    std::size_t words = 0;
    const std::string& text = block->text();
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        words += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                                     text.begin() + static_cast<std::ptrdiff_t>(end), ' ')) +
                 1;
        begin = end + 1;
    }
    CHECK(block->tokens() == words);
    CHECK(counter->lines > 0);
}

TEST_CASE("render: at no budget does an item stand without the constraint behind it", "[prompt][hazard:2]") {
    const Snapshot snapshot = test::admitted(busy());
    const std::size_t whole = full(snapshot).bytes();
    std::size_t core = 0;
    bool withheld = false;
    for (std::size_t budget = whole; budget > 0; --budget) {
        const auto block = render(snapshot, generous(), "9f2c01b7e4d85a63", {.bytes_max = budget});
        if (!block) {
            withheld = true;
            CHECK(block.error().reason == Reason::prompt_budget_exceeded);
            CHECK(block.error().limit == budget);
            if (core == 0) core = *block.error().actual;
            REQUIRE(block.error().actual == core);  // always the size of the core, never a cut text
            continue;
        }
        REQUIRE_FALSE(withheld);  // once it does not fit, a smaller budget does not either
        REQUIRE(block->bytes() <= budget);
        REQUIRE(shows(*block, "item t2 "));
        REQUIRE(shows(*block, "constraint budget "));
        REQUIRE(shows(*block, "decision d1 "));
        REQUIRE(shows(*block, "status "));
        REQUIRE(block->text().ends_with("</task-state key=\"9f2c01b7e4d85a63\">"));
    }
    CHECK(withheld);
}

TEST_CASE("render: things are dropped in the profile's order, whole, and named", "[prompt]") {
    const Snapshot snapshot = test::admitted(busy());
    std::vector<std::string_view> seen;
    for (std::size_t budget = full(snapshot).bytes(); budget > 0; --budget) {
        const auto block = render(snapshot, generous(), "9f2c01b7e4d85a63", {.bytes_max = budget});
        if (!block) break;
        const std::vector<std::string_view> omitted(block->omitted().begin(), block->omitted().end());
        REQUIRE(std::is_permutation(omitted.begin(), omitted.end(), every_drop.begin(),
                                    every_drop.begin() + static_cast<std::ptrdiff_t>(omitted.size())));
        if (omitted.size() > seen.size()) seen = omitted;
        std::string names;
        for (const std::string_view name : omitted) names += (names.empty() ? "" : ",") + std::string(name);
        REQUIRE(shows(*block, "omitted " + names + "\n") == !omitted.empty());
    }
    CHECK(seen.size() == every_drop.size());
}

TEST_CASE("render: a drop that finds nothing is not named", "[prompt]") {
    TaskState task = test::open_task();
    test::accept(task, {.notes = {test::note("q1", Category::question, "Which depot?"), test::constraint("budget")}});
    const std::size_t whole = task.prompt()->bytes();
    const auto block = render(*task.snapshot(), generous(), task.prompt()->key(), {.bytes_max = whole - 1});
    REQUIRE(block.has_value());
    CHECK(block->omitted().size() == 1);
    CHECK(block->omitted().front() == "note_sources");
}

TEST_CASE("render: a host's control spelling occurs neither in texts nor in words", "[prompt][hazard:21]") {
    const std::string list[] = {"%%END%%", "t2", "EUR"};
    const auto spellings = ControlSpellings::parse(list);
    REQUIRE(spellings.has_value());
    const Snapshot snapshot = test::admitted(busy());
    const auto block = render(snapshot, generous(), "9f2c01b7e4d85a63", {.spellings = *spellings});
    REQUIRE(block.has_value());
    for (const std::string& spelling : list) CHECK(block->text().find(spelling) == std::string::npos);
    CHECK(block->bytes() == block->text().size());
    const auto exact =
        render(snapshot, generous(), "9f2c01b7e4d85a63", {.bytes_max = block->bytes(), .spellings = *spellings});
    CHECK(exact->text() == block->text());
}

TEST_CASE("render changes: what is new, changed and gone, and the status", "[prompt][golden]") {
    TaskState task = test::open_task();
    test::accept(task, {.notes = {test::constraint("budget"), test::note("q1", Category::question, "Which depot?")},
                        .record_actions = {test::started("m4-c0")}});
    const Snapshot from = *task.snapshot();
    NoteInput correction = test::note("budget-2", Category::constraint, "Spend at most 40 EUR.");
    correction.supersedes = "budget";
    test::accept(task, {.notes = {correction},
                        .resolve = {"q1"},
                        .record_actions = {test::succeeded("m4-c0")},
                        .confirm_actions = {test::confirmed("m4-c0")}});
    test::accept(task, {.prune = {.notes = {"q1"}}});
    test::check_golden("changes-1.txt", render_changes(from, *task.snapshot()));
    CHECK(render_changes(*task.snapshot(), *task.snapshot()) == "changed since=3\nstatus lifecycle=open revision=3\n");
}

TEST_CASE("render: a change of state moves nothing before the line that tells it", "[prompt]") {
    TaskState task = test::open_task();
    test::accept(task, {.notes = {test::constraint("budget")},
                        .record_actions = {test::succeeded("m4-c0"), test::succeeded("m6-c0")}});
    const std::string before = task.prompt()->text();
    test::accept(task, {.confirm_actions = {test::confirmed("m4-c0")}});
    const std::string after = task.prompt()->text();
    const auto moved = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    CHECK(static_cast<std::size_t>(moved.first - before.begin()) >= before.find("\npending "));
}

TEST_CASE("render changes: an id that another note has now is not gone", "[prompt]") {
    TaskState task = test::open_task();
    const Snapshot from = test::accept(task, {.notes = {test::constraint("a"), test::constraint("b")}});
    test::accept(task, {.resolve = {"a"}, .prune = {.notes = {"a"}}});
    test::accept(task, {.notes = {test::constraint("a")}});
    const std::string changed = render_changes(from, *task.snapshot());
    CHECK(changed.find("\nconstraint a ") != std::string::npos);
    CHECK(changed.find("gone") == std::string::npos);
}

}  // namespace taskstate
