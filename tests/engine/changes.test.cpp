#include "support/builders.hpp"

#include <taskstate/engine/apply.hpp>
#include <taskstate/engine/changes.hpp>

#include <string>
#include <utility>

namespace taskstate {

TEST_CASE("changes: one resolve in a hundred notes is one change", "[engine]") {
    TaskState task = test::open_task();
    HostDelta many;
    for (int i = 0; i < 100; ++i) many.notes.push_back(test::note("n" + std::to_string(i), Category::artifact, "x"));
    const Snapshot before = test::accept(task, many);
    const Snapshot after = test::accept(task, {.resolve = {"n70"}});
    const auto found = changes(before, after);
    REQUIRE(found.size() == 1);
    CHECK(found[0].id == "n70");
    CHECK(found[0].ordinal == 70);
    CHECK(found[0].entry->note().resolved);
}

TEST_CASE("rebase: a delta whose targets nobody touched may be sent again", "[engine][hazard:7]") {
    TaskState task = test::open_task();
    const Snapshot base = test::accept(task, {.notes = {test::constraint("a"), test::constraint("b")}});
    const HostDelta mine{.resolve = {"a"}};
    test::accept(task, {.resolve = {"b"}});

    CHECK(task.update(mine, base.revision()).error().reason == Reason::stale_base_revision);
    const auto again = task.rebase(mine, base.revision());
    REQUIRE(again.has_value());
    CHECK(*again == mine);
    CHECK(task.update(*again, task.revision())->outcome == Outcome::accepted);
}

TEST_CASE("rebase: every target that was touched since is a conflict, with its path", "[engine][hazard:7]") {
    TaskState task = test::open_task();
    NoteInput old = test::constraint("old");
    const Snapshot base =
        test::accept(task, {.notes = {old, test::constraint("c")}, .record_actions = {test::succeeded("x")}});
    NoteInput next = test::constraint("new");
    next.supersedes = "old";
    test::accept(task, {.notes = {next}, .confirm_actions = {test::confirmed("x")}});

    NoteInput supersedes = test::constraint("mine"), conflicts = test::constraint("mine");
    supersedes.supersedes = "old";
    conflicts.conflicts_with = {"c", "old"};
    const std::pair<HostDelta, std::string> cases[] = {
        {{.notes = {test::constraint("new")}}, "/notes/0/id"},
        {{.notes = {supersedes}}, "/notes/0/supersedes"},
        {{.notes = {conflicts}}, "/notes/0/conflicts_with/1"},
        {{.resolve = {"c", "old"}}, "/resolve/1"},
        {{.record_actions = {test::succeeded("x")}}, "/record_actions/0/execution"},
        {{.confirm_actions = {test::confirmed("x")}}, "/confirm_actions/0/execution"},
        {{.prune = {.notes = {"old"}}}, "/prune/notes/0"},
        {{.prune = {.actions = {"x"}}}, "/prune/actions/0"},
    };
    for (const auto& [delta, path] : cases) {
        const auto rebased = task.rebase(delta, base.revision());
        REQUIRE_FALSE(rebased.has_value());
        CHECK(rebased.error().reason == Reason::rebase_touches_changes);
        CHECK(rebased.error().path == path);
    }
}

TEST_CASE("rebase: 32 revisions are remembered, and none across a restore", "[engine]") {
    TaskState task = test::open_task();
    for (int i = 0; i < 33; ++i)
        test::accept(task, {.notes = {test::note("n" + std::to_string(i), Category::artifact, "x")}});
    const HostDelta mine{.resolve = {"n0"}};
    CHECK(task.rebase(mine, {1}).has_value());
    CHECK(task.rebase(mine, {0}).error().reason == Reason::stale_base_revision);
    CHECK(task.rebase(mine, {34}).error().reason == Reason::stale_base_revision);
    CHECK(task.rebase(mine, {33}).has_value());
    REQUIRE(task.restore(to_input(*task.snapshot())).has_value());
    CHECK(task.rebase(mine, {32}).error().reason == Reason::stale_base_revision);
}

TEST_CASE("rebase: a link that moved is a target too", "[engine]") {
    TaskOptions options = test::options();
    options.link = LinkTarget{LinkKind::task, "t-9"};
    TaskState task = test::open_task(options);
    REQUIRE(task.sync_link({.id = "t-9", .status = "in_progress"}, {0}).has_value());
    CHECK(task.rebase({.link = LinkStatus{"t-9", "completed"}}, {0}).error().path == "/link");
}

}  // namespace taskstate
