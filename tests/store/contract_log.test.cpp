// What a store gives back of a task: its state, its log, and what was decided and delivered.

#include "store/contract.hpp"
#include "support/generate.hpp"

#include <taskstate/engine/history.hpp>

#include <rapidcheck.h>

#include <string>
#include <vector>

namespace taskstate::test {
namespace {

const TaskAddress task{.scope = stored_scope, .id = "delivery-42"};
const TaskAddress unknown{.scope = stored_scope, .id = "delivery-43"};

/// Any states that one task could have had, each as far from the one before as two states can be.
std::vector<Snapshot> any_states(std::size_t last) {
    std::vector<Snapshot> states = states_of(task, 0);
    while (states.size() <= last) {
        SnapshotInput saved = *any_snapshot();
        const SnapshotInput first = to_input(states.front());
        saved.id = first.id;
        saved.profile = first.profile;
        saved.scope = first.scope;
        saved.association = first.association;
        saved.goal = first.goal;
        saved.created_at = first.created_at;
        saved.revision = {states.size()};
        states.push_back(admitted(saved));
    }
    return states;
}

/// The numbers of some revisions.
std::vector<std::uint64_t> numbers_of(const std::vector<RevisionRecord>& records) {
    std::vector<std::uint64_t> numbers;
    for (const RevisionRecord& record : records) numbers.push_back(record.frame.revision.number);
    return numbers;
}

using Numbers = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE_METHOD(OnEachStore, "store: the log rebuilt from its entry changes equals the state at every revision",
                 "[store][governed:19.7]") {
    REQUIRE(rc::check("any states", [&] {
        const auto states = any_states(6);
        State rebuilt = states[0].state();
        for (std::size_t i = 1; i < states.size(); ++i) {
            const Write write = i == 1 ? Write{start(states[0], states[1])} : Write{advance(states[i - 1], states[i])};
            RC_ASSERT(commit({write}).has_value());

            const auto records = *store->revisions(task, {i - 1}, all);
            RC_ASSERT(records.size() == 1);
            auto next = replay(std::move(rebuilt), records[0].frame, records[0].changes);
            RC_ASSERT(next.has_value());
            rebuilt = *std::move(next);
            const Snapshot state{rebuilt};
            RC_ASSERT(to_input(state) == to_input(states[i]));
            RC_ASSERT((*store->load(task))->snapshot == to_input(states[i]));
            RC_ASSERT(records[0].state_digest == state.state_digest());
            RC_ASSERT(records[0].semantic_digest == state.semantic_digest());
        }
        RC_ASSERT(store->forget(task)->has_value());
    }));
}

TEST_CASE_METHOD(OnEachStore, "store: everything of a task comes back as it was written", "[store]") {
    const auto states = states_of(task, 2);
    StartTask begun = start(states[0], states[1]);
    AdvanceTask next = advance(states[1], states[2]);
    begun.head.due_at = later(100);
    next.head.continues = "delivery-41";
    next.head.terminal_reason = "It was called off.";
    next.head.expiry = {.absolute_age_ms = 7'200'000, .no_progress_ms = 3'600'000};
    next.head.pause = {.paused_at = later(7), .paused_ms = 9};
    next.revision.progressed = false;
    next.revision.origin.interpreter = "model-7";
    AddDecision judged = decision(task, "decision-1", "key-1");
    judged.decision.result = Revision{2};
    judged.decision.action_fingerprint = "sha256:" + std::string(64, 'a');
    judged.decision.shadow = true;
    keep({begun, next, judged, delivery(task, "p1"), withheld(task, "p2")});
    judged.decision.sequence = 1;

    const auto found = *store->find(task, "key-1");
    REQUIRE(found);
    CHECK(found->head == next.head);
    CHECK(found->decision == judged.decision);
    CHECK(*store->find_started(stored_scope, start_key(task.id)) == next.head);
    CHECK(*store->load(task) == StoredTask{next.head, to_input(states[2])});
    CHECK(*store->revisions(task, {}, all) == std::vector<RevisionRecord>{begun.revision, next.revision});
    CHECK(*store->decisions(task, 0, all) == std::vector<DecisionRecord>{judged.decision});
    std::vector<DeliveryRecord> prepared{delivery(task, "p1").delivery, withheld(task, "p2").delivery};
    prepared[0].sequence = 1;
    prepared[1].sequence = 2;
    CHECK(*store->deliveries(task, 0, all) == prepared);
}

TEST_CASE_METHOD(OnEachStore, "store: a log that was trimmed begins anew at its bases, and goes on", "[store]") {
    const auto states = keep_task(task, 6);
    const auto whole = *store->revisions(task, {}, all);
    const auto before = *store->load(task);

    const std::vector<RevisionRecord> bases{based(states, 2), based(states, 4)};
    keep({TrimLog{task, {4}, bases}});
    CHECK(*store->revisions(task, {}, all) == std::vector{bases[0], bases[1], whole[4], whole[5]});
    CHECK(*store->revisions(task, {2}, 2) == std::vector{bases[1], whole[4]});
    CHECK(*store->load(task) == before);
    const auto lineages = *store->lineage(task, std::nullopt, "");
    for (const RevisionRecord& kept : lineages) {
        const auto number = kept.frame.revision.number;
        CHECK((number == 2 || number >= 4));
    }
    CHECK(numbers_of(*store->lineage(task, TargetKind::note, whole[0].lineage.at(0).id)).empty());

    const Snapshot nothing = based_on(states, 4);
    State rebuilt = nothing.state();
    const auto rest = *store->revisions(task, {3}, all);
    for (const RevisionRecord& record : rest) {
        INFO(record.frame.revision.number);
        rebuilt = value_of(replay(std::move(rebuilt), record.frame, record.changes));
    }
    CHECK(to_input(Snapshot(rebuilt)) == to_input(states[6]));
    const auto next = states_of(task, 7);
    keep({advance(next[6], next[7])});
    CHECK(numbers_of(*store->revisions(task, {}, all)) == Numbers{2, 4, 5, 6, 7});
    CHECK(value_of(store->forget(task))->revisions == 5);
}

TEST_CASE_METHOD(OnEachStore, "store: a log is not trimmed at a revision that it does not have", "[store]") {
    const auto states = keep_task(task, 3);
    const auto before = contents();
    const auto beyond = commit({TrimLog{task, {4}, {based(states, 3)}}});
    CHECK(beyond.error().reason == Reason::revision_gap);
    CHECK(beyond.error().limit == 4);
    CHECK(beyond.error().actual == 3);
    CHECK(commit({TrimLog{unknown, {1}, {based(states, 1)}}}).error().reason == Reason::task_not_eligible);
    CHECK(contents() == before);
    keep({TrimLog{task, {3}, {based(states, 3)}}});
    CHECK(commit({TrimLog{task, {2}, {based(states, 2)}}}).error().reason == Reason::revision_gap);
}

TEST_CASE_METHOD(OnEachStore, "store: there is nothing of a task that is not there", "[store]") {
    keep_task(task, 2);
    for (const TaskAddress& none : {unknown, TaskAddress{neighbour_scopes()[0], task.id}, TaskAddress{}}) {
        CHECK_FALSE(*store->find(none, "key"));
        CHECK_FALSE(*store->load(none));
        CHECK(store->revisions(none, {}, all)->empty());
        CHECK(store->decisions(none, 0, all)->empty());
        CHECK(store->deliveries(none, 0, all)->empty());
        CHECK(store->lineage(none, {}, "")->empty());
        CHECK(*store->count_repeats(none, "f", {}) == 0);
        CHECK_FALSE(*store->forget(none));
    }
}

TEST_CASE_METHOD(OnEachStore, "store: a log is read in pages, each going on after a number",
                 "[store][governed:30.28]") {
    keep_task(task, 7);
    for (int i = 0; i < 7; ++i) {
        keep({decision(task, "d" + std::to_string(i)), delivery(task, "p" + std::to_string(i))});
    }
    CHECK(numbers_of(*store->revisions(task, {}, 3)) == Numbers{1, 2, 3});
    CHECK(numbers_of(*store->revisions(task, {3}, 3)) == Numbers{4, 5, 6});
    CHECK(numbers_of(*store->revisions(task, {6}, 3)) == Numbers{7});
    CHECK(store->revisions(task, {7}, 3)->empty());
    CHECK(store->revisions(task, {integer_max}, 3)->empty());
    CHECK(store->revisions(task, {}, 0)->empty());

    CHECK(store->decisions(task, 2, 4)->front().id == "d2");
    CHECK(store->decisions(task, 2, 4)->size() == 4);
    CHECK(store->deliveries(task, 6, 4)->front().id == "p6");
    CHECK(store->deliveries(task, 7, 4)->empty());
}

TEST_CASE_METHOD(OnEachStore, "store: a long log is kept and read whole", "[store][governed:30.28]") {
    std::vector<Snapshot> states = states_of(task, 1);
    keep(history(states));
    constexpr std::uint64_t last = 2'500;
    while (states.back().revision().number < last) {
        State next = states.back().state();
        next.revision = {next.revision.number + 1};
        states.emplace_back(std::move(next));
        keep({advance(states[states.size() - 2], states.back())});
    }
    Numbers seen;
    for (Revision after{};;) {
        const auto page = *store->revisions(task, after, 200);
        if (page.empty()) break;
        const Numbers numbers = numbers_of(page);
        seen.insert(seen.end(), numbers.begin(), numbers.end());
        after = {seen.back()};
    }
    CHECK(seen.size() == last);
    CHECK(seen.front() == 1);
    CHECK(seen.back() == last);
}

TEST_CASE_METHOD(OnEachStore, "store: the lineage of a value is the revisions that gave it one, oldest first",
                 "[store]") {
    auto states = states_of(task, 4);
    auto batch = history(states);
    const std::vector<std::vector<Lineage>> given{
        {{.kind = TargetKind::item, .id = "t1"}, {.kind = TargetKind::status, .id = "t1"}},
        {},
        {{.kind = TargetKind::status, .id = "t1"}, {.kind = TargetKind::item, .id = "t10"}},
        {{.kind = TargetKind::status, .id = "t1"}, {.kind = TargetKind::status, .id = "t1"}},
    };
    std::get<StartTask>(batch[0]).revision.lineage = given[0];
    for (std::size_t i = 1; i < 4; ++i) std::get<AdvanceTask>(batch[i]).revision.lineage = given[i];
    keep(batch);

    CHECK(numbers_of(*store->lineage(task, TargetKind::status, "t1")) == Numbers{1, 3, 4});
    CHECK(numbers_of(*store->lineage(task, TargetKind::item, "t1")) == Numbers{1});
    CHECK(numbers_of(*store->lineage(task, TargetKind::item, "t10")) == Numbers{3});
    CHECK(numbers_of(*store->lineage(task, {}, "")) == Numbers{1, 3, 4});
    CHECK(store->lineage(task, TargetKind::item, "t")->empty());
    CHECK(store->lineage(task, TargetKind::note, "t1")->empty());
    CHECK(*store->lineage(task, TargetKind::item, "t10") == *store->revisions(task, {2}, 1));
}

TEST_CASE_METHOD(OnEachStore, "store: repeats of an action count from a moment on, that moment included",
                 "[store][governed:17.3]") {
    keep_task(task);
    keep_task(unknown);
    int n = 0;
    const auto acted = [&](const TaskAddress& address, const std::string& fingerprint, std::int64_t ms,
                           bool shadow = false) {
        AddDecision step = decision(address, "d" + std::to_string(n++));
        step.decision.action_fingerprint = fingerprint;
        step.decision.decided_at = later(ms);
        step.decision.shadow = shadow;
        keep({step});
    };
    acted(task, "f", 9);
    acted(task, "f", 10);
    acted(task, "f", 10);
    acted(task, "f", 30);
    acted(task, "f", 20);  // a clock that went back
    acted(task, "f", 20, true);
    acted(task, "f2", 20);
    acted(unknown, "f", 20);
    keep({decision(task, "without")});

    CHECK(*store->count_repeats(task, "f", later(10)) == 4);
    CHECK(*store->count_repeats(task, "f", later(11)) == 2);
    CHECK(*store->count_repeats(task, "f", later(30)) == 1);
    CHECK(*store->count_repeats(task, "f", later(31)) == 0);
    CHECK(*store->count_repeats(task, "f2", {}) == 1);
    CHECK(*store->count_repeats(task, "", {}) == 0);
    CHECK(*store->count_repeats(unknown, "f", {}) == 1);
}

TEST_CASE_METHOD(OnEachStore, "store: a delivery is exposed once, in its scope, unless it was withheld",
                 "[store][governed:15.4][governed:15.6][governed:30.8]") {
    keep_task(task);
    keep({delivery(task, "p1"), withheld(task, "p2"), delivery(task, "p3")});
    auto expected = *store->deliveries(task, 0, all);

    for (const Scope& scope : neighbour_scopes()) CHECK_FALSE(*store->expose(scope, "p1", later(1)));
    CHECK_FALSE(*store->expose(stored_scope, "p2", later(1)));
    CHECK_FALSE(*store->expose(stored_scope, "p9", later(1)));
    CHECK_FALSE(*store->expose(stored_scope, "", later(1)));
    CHECK(*store->deliveries(task, 0, all) == expected);

    CHECK(*store->expose(stored_scope, "p1", later(2)));
    CHECK_FALSE(*store->expose(stored_scope, "p1", later(3)));
    expected[0].exposed_at = later(2);
    CHECK(*store->deliveries(task, 0, all) == expected);
}

}  // namespace taskstate::test
