#include "support/governed_task.hpp"

#include <taskstate/engine/history.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace taskstate;

namespace {

/// A task with two of everything.
Snapshot full_task() {
    return test::told(test::new_task(), {.add_sources = {"s1", "s2"},
                                         .notes = {test::constraint("a"), test::note("b", Category::artifact)},
                                         .add_items = {{.title = "A", .id = "t1"}, {.title = "B", .id = "t2"}},
                                         .record_actions = {test::succeeded("e1"), test::started("e2")}});
}

EntryChange put(const Entry& entry, std::size_t ordinal) {
    return {entry.kind(), std::string(entry.id()), ordinal, Shared<const Entry>(&entry)};
}

Frame next_frame(const Snapshot& snapshot) {
    Frame frame = frame_of(snapshot.state());
    ++frame.revision.number;
    return frame;
}

/// Why the changes cannot be replayed on the full task.
Reason refusal(const std::vector<EntryChange>& changes) {
    const Snapshot head = full_task();
    const auto state = replay(head.state(), next_frame(head), changes);
    REQUIRE_FALSE(state.has_value());
    return state.error().reason;
}

/// `kind id` of each line, with the revision that it replaces.
std::vector<std::string> told_of(const std::vector<Lineage>& lines) {
    std::vector<std::string> told;
    for (const Lineage& line : lines) {
        told.push_back(std::string(word(line.kind)) + " " + line.id);
        if (line.supersedes) told.back() += " for " + std::to_string(line.supersedes->number);
    }
    return told;
}

}  // namespace

TEST_CASE("history: what a log keeps of a commit gives the state after it", "[engine]") {
    const Snapshot before = full_task();
    const Snapshot after = test::told(before, {.add_sources = {"s3"},
                                               .resolve = {"a", "b"},
                                               .items = {{.id = "t2", .status = ItemStatus::running}},
                                               .phase = "collect",
                                               .lock_schema = true,
                                               .confirm_actions = {test::confirmed("e1")},
                                               .prune = {.notes = {"a"}, .actions = {"e1"}},
                                               .link = LinkStatus{"job-1", "in_progress"},
                                               .reason = "Enough."});
    const auto state = replay(before.state(), frame_of(after.state()), changes(before, after));
    REQUIRE(state);
    CHECK((Snapshot(*state) == after));
    CHECK((Snapshot(*state).state_digest() == after.state_digest()));
}

TEST_CASE("history: a frame of any revision but the next is a gap", "[engine]") {
    const Snapshot head = full_task();
    Frame frame = frame_of(head.state());
    CHECK(replay(head.state(), frame, {}).error().reason == Reason::revision_gap);
    frame.revision.number += 2;
    CHECK(replay(head.state(), frame, {}).error().reason == Reason::revision_gap);
    CHECK(replay(head.state(), next_frame(head), {}).has_value());
}

TEST_CASE("history: a change that does not fit the state is unreadable", "[engine]") {
    const Snapshot head = full_task();
    const State& state = head.state();
    const Snapshot other = test::told(head, {.add_items = {{.title = "C", .id = "t3"}}});
    const Entry& third = other.state().items[2];

    const std::vector<std::vector<EntryChange>> wrong{
        {{EntryKind::note, "a", 1, {}}},                                 // another one stands there
        {{EntryKind::note, "a", 2, {}}},                                 // nothing stands there
        {{EntryKind::note, "gone", 0, {}}},                              // nothing of that name
        {{EntryKind::note, "b", 1, {}}, {EntryKind::note, "a", 0, {}}},  // not in order
        {{EntryKind::note, "a", 0, {}}, {EntryKind::note, "a", 0, {}}},  // twice
        {put(third, 1)},                                                 // new, but not at the end
        {put(third, 3)},                                                 // beyond the end
        {put(state.items[0], 1)},                                        // known, but elsewhere
        {{EntryKind::item, "t9", 2, put(third, 2).entry}},               // under another name
        {{EntryKind::source, "t3", 2, put(third, 2).entry}},             // in another list
    };
    for (const auto& changes : wrong) CHECK(refusal(changes) == Reason::unreadable_record);
    CHECK(replay(state, next_frame(head), std::vector{put(third, 2)}).has_value());
}

TEST_CASE("history: an entry may go and come again in one commit, at the end", "[engine]") {
    const Snapshot head = full_task();
    const State& state = head.state();
    const std::vector<EntryChange> moved{put(state.notes[0], 1), {EntryKind::note, "a", 0, {}}};
    const auto replayed = replay(state, next_frame(head), moved);
    REQUIRE(replayed);
    CHECK(replayed->notes[0].id() == "b");
    CHECK(replayed->notes[1].id() == "a");
}

TEST_CASE("lineage: what a task starts with replaces nothing", "[engine][governed:18.3]") {
    const auto lines = lineage(test::new_task(), full_task(), Assurance::operator_confirmed);
    CHECK(told_of(lines) == std::vector<std::string>{"note a", "note b", "item t1", "item t2", "status t1", "status t2",
                                                     "source s1", "source s2", "action e1", "action e2"});
    for (const Lineage& line : lines) CHECK(line.assurance == Assurance::operator_confirmed);
    // Nor does what comes in place of the phase and the link of revision 0, which nobody gave.
    const Snapshot before = test::new_task();
    const Snapshot after = test::told(before, {.phase = "collect", .link = LinkStatus{"job-1", "in_progress"}});
    CHECK(told_of(lineage(before, after, Assurance::asserted)) ==
          std::vector<std::string>{"field phase", "field link"});
}

TEST_CASE("lineage: every value that a commit gives has a line, with the revision that held the one before",
          "[engine][governed:18.3]") {
    const Snapshot before = full_task();
    const Snapshot after =
        test::told(before, {.notes = {test::note("c", Category::artifact)},
                            .resolve = {"a"},
                            .items = {{.id = "t1", .title = "A at last"}, {.id = "t2", .status = ItemStatus::running}},
                            .phase = "collect",
                            .inspected = {"s2"},
                            .lock_schema = true,
                            .confirm_actions = {test::confirmed("e2")},
                            .link = LinkStatus{"job-1", "in_progress"},
                            .reason = "Enough."});
    CHECK(told_of(lineage(before, after, Assurance::host_reported)) ==
          std::vector<std::string>{"field phase for 1", "field schema_locked", "field link for 1", "note a for 1",
                                   "note c", "item t1 for 1", "status t2 for 1", "source s2 for 1", "action e2 for 1"});
}

TEST_CASE("lineage: what came with a new status belongs to it, what changed besides is the item's", "[engine]") {
    const Snapshot before = full_task();
    const auto after_change = [&](const ItemChange& change) {
        return told_of(lineage(before, test::told(before, {.items = {change}}), Assurance::asserted));
    };
    const EvidenceInput receipt{.kind = EvidenceKind::tool_call, .id = "call-1"};
    CHECK(after_change({.id = "t1", .status = ItemStatus::blocked, .reason = "Waits.", .evidence = {receipt}}) ==
          std::vector<std::string>{"status t1 for 1"});
    CHECK(after_change({.id = "t1", .status = ItemStatus::ready, .title = "New"}) ==
          std::vector<std::string>{"item t1 for 1", "status t1 for 1"});
    CHECK(after_change({.id = "t1", .assurance = Assurance::host_reported}) ==
          std::vector<std::string>{"item t1 for 1"});
    CHECK(after_change({.id = "t1", .evidence = {receipt}}) == std::vector<std::string>{"item t1 for 1"});
}

TEST_CASE("lineage: a status is vouched for by its commit, or by the class that the commit brought the item",
          "[engine][governed:6.7][governed:6.8][governed:30.1]") {
    const Snapshot before =
        test::told(full_task(), {.items = {{.id = "t1", .assurance = Assurance::operator_confirmed}}});
    const Snapshot after = test::told(
        before, {.items = {{.id = "t1", .status = ItemStatus::ready},
                           {.id = "t2", .status = ItemStatus::ready, .assurance = Assurance::operator_confirmed}}});
    const auto lines = lineage(before, after, Assurance::host_reported);
    REQUIRE(told_of(lines) == std::vector<std::string>{"status t1 for 2", "status t2 for 2"});
    CHECK(lines[0].assurance == Assurance::host_reported);  // somebody confirmed the item before, and not this status
    CHECK(lines[1].assurance == Assurance::operator_confirmed);
}

TEST_CASE("lineage: a lifecycle is named by its word, what was pruned by nothing", "[engine][governed:4.3]") {
    const Snapshot before = test::told(full_task(), {.resolve = {"a"}});
    CHECK(lineage(before, before, Assurance::asserted).empty());
    CHECK(told_of(lineage(before, test::in(before, Lifecycle::paused), Assurance::operator_confirmed)) ==
          std::vector<std::string>{"lifecycle paused for 2"});
    CHECK(lineage(before, test::told(before, {.prune = {.notes = {"a"}}}), Assurance::asserted).empty());
}
