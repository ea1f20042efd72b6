#include "cli/render.hpp"
#include "store/envelope.hpp"
#include "support/catch.hpp"

#include <taskstate/codec/json.hpp>
#include <taskstate/task/task_state.hpp>

#include <string>

using namespace taskstate;

namespace {

TaskState notebook() {
    auto task = *TaskState::create({.id = "t",
                                    .scope = {.tenant = "n", .owner = "u", .agent = "g", .workspace = "w"},
                                    .association = "flow-1",
                                    .goal = "Ship it",
                                    .link = LinkTarget{LinkKind::task, "job-1"}});
    REQUIRE(task.update(
        {.notes = {{.id = "a", .category = Category::constraint, .text = "Text.", .source = {.label = "s"}}},
         .link = LinkStatus{"job-1", "blocked"}},
        Revision{0}));
    return task;
}

}  // namespace

TEST_CASE("render: a saved snapshot shows the very block of the task that saved it", "[cli]") {
    const TaskState task = notebook();
    const std::string snapshot = encode(*task.snapshot());
    for (const std::string& document : {snapshot, snapshot + "\n", wrap(snapshot)}) {
        const auto block = render_document(document, {});
        REQUIRE(block);
        CHECK(block->text() == task.prompt()->text());
    }
}

TEST_CASE("render: a state beyond the usual limits is shown; they belong to its host", "[cli]") {
    TaskState task = *TaskState::create(
        {.id = "t",
         .scope = {.owner = "u", .workspace = "w"},
         .limits = Limits{.entries_max = 1'000, .tokens_max = 1'000'000, .snapshot_bytes_max = 1'000'000}});
    HostDelta delta;
    for (int i = 0; i < 150; ++i) {
        delta.notes.push_back({.id = "n" + std::to_string(i),
                               .category = Category::artifact,
                               .text = std::string(1'000, 'x'),
                               .source = {.label = "s"}});
    }
    REQUIRE(task.update(delta, Revision{0}));
    const auto block = render_document(encode(*task.snapshot()), {});
    REQUIRE(block);
    CHECK(block->text() == task.prompt()->text());
}

TEST_CASE("render: a damaged or foreign document is refused by its reason", "[cli]") {
    const std::string snapshot = encode(*notebook().snapshot());
    std::string flipped = wrap(snapshot);
    flipped[flipped.find("Text.")] = 'N';
    CHECK(render_document(flipped, {}).error().reason == Reason::digest_mismatch);
    CHECK(render_document(wrap(snapshot) + "x", {}).error().reason == Reason::trailing_bytes);
    CHECK(render_document("", {}).error().code() == Errc::invalid);
    CHECK(render_document(snapshot.substr(0, snapshot.size() - 1), {}).error().reason == Reason::not_json);
    std::string newer = snapshot;
    newer.replace(newer.find("snapshot/1"), 10, "snapshot/2");
    CHECK(render_document(newer, {}).error().reason == Reason::newer_format);
}

TEST_CASE("render: a budget that is too small withholds the block", "[cli]") {
    const std::string snapshot = encode(*notebook().snapshot());
    CHECK(render_document(snapshot, {.bytes_max = 10}).error().reason == Reason::prompt_budget_exceeded);
    CHECK(render_document(snapshot, {.tokens_max = 1}).error().reason == Reason::prompt_budget_exceeded);
}
