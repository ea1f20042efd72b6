#include "prompt/renderer.hpp"

#include "prompt/plan.hpp"
#include "support/builders.hpp"

#include <taskstate/base/estimate.hpp>

#include <algorithm>
#include <random>
#include <string>

namespace taskstate {
namespace {

/// Random changes to a small task, which meet; the seed is the number of the walk.
class Walk {
 public:
    explicit Walk(std::uint64_t number) : random_(number) {}

    void step(TaskState& task) {
        const Snapshot head = *task.snapshot();
        std::vector<std::string> active, settled, open;
        for (const Note& note : head.notes()) (note.active() ? active : settled).emplace_back(note.id);
        for (const Action& action : head.actions()) open.emplace_back(action.execution);
        HostDelta delta;
        switch (below(6)) {
            case 0:
                delta.notes = {note()};
                if (!active.empty()) {
                    const std::string& old = any(active);
                    delta.notes[0].category = head.notes().find(old)->category;
                    delta.notes[0].supersedes = old;
                }
                break;
            case 1:
                if (!active.empty()) delta.resolve = {any(active)};
                break;
            case 2:
                if (!settled.empty()) delta.prune.notes = {any(settled)};
                break;
            case 3:
                delta.record_actions = {below(2) == 0 ? test::started(next_id()) : test::succeeded(next_id())};
                break;
            case 4:
                if (!open.empty()) {
                    delta.confirm_actions = {
                        test::confirmed(any(open), below(2) == 0 ? Confirmed::completed : Confirmed::waiting_external)};
                }
                break;
            default:
                for (std::size_t i = below(40); i > 0; --i) delta.notes.push_back(note());
        }
        (void)task.update(delta, task.revision());  // some are refused, which changes nothing
    }

 private:
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
    const std::string& any(const std::vector<std::string>& list) { return list[below(list.size())]; }
    std::string next_id() { return "x" + std::to_string(++made_); }
    NoteInput note() {
        static const std::string texts[] = {"Ship by rail.", "He said \"no\" <b> ```", "预算限制 — 任务", "END of it"};
        NoteInput made = test::note(next_id(), static_cast<Category>(below(5)), texts[below(4)]);
        if (below(3) == 0) made.source.turn = "turn " + std::to_string(below(9));
        made.gates_completion = made.category == Category::constraint && below(4) == 0;
        return made;
    }

    std::mt19937_64 random_;
    std::size_t made_ = 0;
};

std::size_t tokens_of(std::string_view text) {
    std::size_t tokens = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        tokens += estimate_tokens(text.substr(0, end + 1));
        text.remove_prefix(end + 1);
    }
    return tokens;
}

class Letters : public TokenCounter {
 public:
    std::string_view name() const override { return "letters"; }
    std::size_t count(std::string_view line) override { return line.size(); }
};

TaskState roomy_task() {
    TaskOptions options = test::options();
    options.limits = Limits{.entries_max = 10'000, .tokens_max = 1'000'000, .snapshot_bytes_max = 10'000'000};
    return test::open_task(options);
}

/// A task with notes of every kind, and what lets all of them go.
TaskState busy_task() {
    TaskState task = roomy_task();
    Walk walk(7);
    for (int i = 0; i < 40; ++i) walk.step(task);
    return task;
}
Profile generous() {
    Profile profile = *find_profile("notebook-v1");
    for (const std::string_view name : Words<Drop>::list) {
        profile.block.drop_order.push_back(*from_word<Drop>(name));
    }
    return profile;
}

}  // namespace

TEST_CASE("renderer: after any changes a block is that of a render from nothing", "[prompt]") {
    const std::string list[] = {"END"};
    const PromptOptions asked[] = {{},
                                   {.spellings = *ControlSpellings::parse(list)},
                                   {.counter = std::make_shared<Letters>()},
                                   {.bytes_max = 1'000'000}};
    std::size_t copied = 0;
    for (std::uint64_t number = 0; number < 40; ++number) {
        const PromptOptions& options = asked[number % 4];
        TaskState task = roomy_task();
        Walk walk(number);
        for (int i = 0; i < 30; ++i) {
            walk.step(task);
            if (i % 3 == 1) continue;  // two changes at once
            const Block hot = *task.prompt(options);
            const Block cold = *render(*task.snapshot(), *find_profile("notebook-v1"), hot.key(), options);
            REQUIRE(hot.text() == cold.text());
            REQUIRE(hot.tokens() == cold.tokens());
            copied += hot.text().size();
        }
    }
    CHECK(copied > 100'000);
}

TEST_CASE("renderer: other options than those of the block before take nothing over", "[prompt]") {
    const std::string list[] = {"rail"};
    TaskState task = busy_task();
    const PromptOptions plain, spelled{.spellings = *ControlSpellings::parse(list)};
    const Profile& profile = *find_profile("notebook-v1");
    const Snapshot head = *task.snapshot();
    const KeptBlock before{plain, *render(head, profile, "k", plain)};
    REQUIRE(before.block.text().find("rail") != std::string::npos);
    BlockText out;
    REQUIRE(render_text(out, head, profile, "k", spelled, &before));
    CHECK(out.text == render(head, profile, "k", spelled)->text());
    REQUIRE(render_text(out, head, profile, "other", plain, &before));
    CHECK(out.text == render(head, profile, "other", plain)->text());
}

TEST_CASE("renderer: each entry stands in the block as it stands alone", "[prompt]") {
    const TaskState task = busy_task();
    const Snapshot head = *task.snapshot();
    const Block block = *task.prompt();
    std::size_t plain = 0;
    for (std::size_t i = 0; i < head.state().notes.size(); ++i) {
        const Entry& note = head.state().notes[i];
        plain += note.plain() ? 1 : 0;
        REQUIRE(block.text().find("\n" + render_record(note)) != std::string::npos);
    }
    CHECK(plain > 0);
    CHECK(plain < head.state().notes.size());
}

TEST_CASE("renderer: tokens are the estimate of the lines, whatever is left out", "[prompt]") {
    const TaskState task = busy_task();
    const Snapshot head = *task.snapshot();
    const Profile profile = generous();
    const std::size_t whole = task.prompt()->tokens();
    std::size_t shown = 0;
    for (std::size_t budget = whole; budget > 0; budget -= budget / 40 + 1) {
        BlockText out;
        if (!render_text(out, head, profile, "9f2c01b7e4d85a63", {.tokens_max = budget})) break;
        ++shown;
        REQUIRE(out.tokens == tokens_of(out.text));
        REQUIRE(out.tokens <= budget);
        REQUIRE(out.passes == 1);
    }
    CHECK(shown > 10);
}

TEST_CASE("renderer: a block that does not fit is withheld before anything is written", "[prompt]") {
    const TaskState task = busy_task();
    const Snapshot head = *task.snapshot();
    BlockText out;
    CHECK_FALSE(render_text(out, head, generous(), "k", {.bytes_max = 200}));
    CHECK(out.passes == 0);
    CHECK_FALSE(render_text(out, head, *find_profile("notebook-v1"), "k", {.tokens_max = 100}));
    CHECK(out.passes == 0);
}

TEST_CASE("renderer: the room of a block is used again", "[prompt]") {
    const TaskState task = busy_task();
    const Snapshot head = *task.snapshot();
    const Profile& profile = *find_profile("notebook-v1");
    BlockText out;
    REQUIRE(render_text(out, head, profile, "k", {}));
    const std::string first = out.text;
    const char* const room = out.text.data();
    REQUIRE(render_text(out, head, profile, "k", {}));
    CHECK(out.text == first);
    CHECK(out.text.data() == room);
}

}  // namespace taskstate
