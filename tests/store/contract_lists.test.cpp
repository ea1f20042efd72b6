// What a store gives back of a scope: its tasks in order, what is due, what it adds up to, and nothing of what is gone.

#include "store/contract.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace taskstate::test {
namespace {

using Ids = std::vector<std::string>;

TaskAddress address(const std::string& id, const Scope& scope = stored_scope) { return {.scope = scope, .id = id}; }

/// A new task that was created at this time.
StartTask created(const TaskAddress& task, std::int64_t ms, Lifecycle lifecycle = Lifecycle::open) {
    const auto states = states_of(task, 1, later(ms));
    StartTask begun = start(states[0], states[1]);
    begun.head.frame.lifecycle = lifecycle;
    return begun;
}

/// The head after a further revision that changes nothing but what `change` does to it.
template <class Change>
AdvanceTask moved(const TaskHead& head, const Change& change) {
    TaskHead next = head;
    ++next.frame.revision.number;
    change(next);
    return {.head = next, .revision = {.frame = next.frame}};
}
template <class Change>
AdvanceTask moved(Store& store, const TaskAddress& task, const Change& change) {
    return moved(value_of(store.find(task, {}))->head, change);
}

HeadQuery::Place place_of(const TaskHead& head) { return {head.identity.created_at, head.identity.id}; }

}  // namespace

TEST_CASE_METHOD(OnEachStore, "store: a list is in the order of creation, then of ids, and goes on after a place",
                 "[store]") {
    keep({created(address("b"), 10), created(address("a"), 10), created(address("c"), 5), created(address("B"), 10),
          created(address("d"), 20)});
    keep({created(address("e", neighbour_scopes()[0]), 1)});
    CHECK(ids_of(*store->list({.scope = stored_scope})) == Ids{"c", "B", "a", "b", "d"});
    CHECK(ids_of(*store->list({.scope = stored_scope, .limit = 2})) == Ids{"c", "B"});
    CHECK(store->list({.scope = stored_scope, .limit = 0})->empty());

    const auto after = [&](std::int64_t ms, const std::string& id) {
        return ids_of(*store->list({.scope = stored_scope, .after = HeadQuery::Place{later(ms), id}}));
    };
    CHECK(after(10, "B") == Ids{"a", "b", "d"});
    CHECK(after(10, "aa") == Ids{"b", "d"});  // a place that nobody has any more
    CHECK(after(20, "d").empty());
}

TEST_CASE_METHOD(OnEachStore, "store: pages visit each task once and come to an end",
                 "[store][governed:30.28][governed:30.29]") {
    constexpr std::size_t count = 1'203;
    Ids expected;
    for (std::size_t i = 0; i < count; ++i) {
        expected.push_back("task-" + std::to_string(10'000 + i));
        keep({created(address(expected.back()), static_cast<std::int64_t>(i / 4))});
    }
    for (const std::size_t size : {std::size_t{7}, std::size_t{500}, std::size_t{501}, count}) {
        Ids seen;
        std::optional<HeadQuery::Place> after;
        for (std::size_t pages = 0; pages <= count; ++pages) {
            const auto page = *store->list({.scope = stored_scope, .after = after, .limit = size});
            if (page.empty()) break;
            const Ids ids = ids_of(page);
            seen.insert(seen.end(), ids.begin(), ids.end());
            after = place_of(page.back());
        }
        CHECK(seen == expected);
    }
    CHECK(value_of(store->tally(stored_scope)).lifecycles[0] == count);
}

TEST_CASE_METHOD(OnEachStore, "store: a list of some lifecycles follows each task into its next one", "[store]") {
    keep({created(address("a"), 1), created(address("b"), 2, Lifecycle::paused), created(address("c"), 3),
          created(address("d"), 4, Lifecycle::completed)});
    const auto in = [&](const std::vector<Lifecycle>& lifecycles) {
        return ids_of(*store->list({.scope = stored_scope, .lifecycles = lifecycles}));
    };
    CHECK(in({Lifecycle::open}) == Ids{"a", "c"});
    CHECK(in({Lifecycle::completed, Lifecycle::open}) == Ids{"a", "c", "d"});
    CHECK(in({Lifecycle::paused, Lifecycle::paused}) == Ids{"b"});
    CHECK(in({Lifecycle::expired}).empty());

    keep({moved(*store, address("a"), [](TaskHead& head) { head.frame.lifecycle = Lifecycle::expired; })});

    CHECK(in({Lifecycle::open}) == Ids{"c"});
    CHECK(in({Lifecycle::expired}) == Ids{"a"});
    CHECK(in({}) == Ids{"a", "b", "c", "d"});
}

TEST_CASE_METHOD(OnEachStore, "store: what is due comes from every scope, longest overdue first",
                 "[store][governed:13.5]") {
    const auto due_at = [](StartTask begun, std::int64_t ms) {
        begun.head.due_at = later(ms);
        return begun;
    };
    const Scope elsewhere = neighbour_scopes()[0];
    keep({due_at(created(address("a"), 1), 30), due_at(created(address("c"), 3), 20), created(address("never"), 4)});
    keep({due_at(created(address("b", elsewhere), 2), 10)});
    CHECK(store->due(later(9), all)->empty());
    CHECK(ids_of(*store->due(later(10), all)) == Ids{"b"});
    CHECK(ids_of(*store->due(later(99), all)) == Ids{"b", "c", "a"});
    CHECK(ids_of(*store->due(later(99), 2)) == Ids{"b", "c"});
    CHECK(store->due(later(99), all)->front() == value_of(store->find(address("b", elsewhere), {}))->head);

    keep({moved(*store, address("c"), [](TaskHead& head) { head.due_at = later(40); }),
          moved(*store, address("a"), [](TaskHead& head) {
              head.frame.lifecycle = Lifecycle::completed;
              head.due_at.reset();
          })});
    CHECK(ids_of(*store->due(later(99), all)) == Ids{"b", "c"});
    CHECK(ids_of(*store->due(later(39), all)) == Ids{"b"});

    value_of(store->forget(address("b", elsewhere)));
    CHECK(ids_of(*store->due(later(99), all)) == Ids{"c"});
}

TEST_CASE_METHOD(OnEachStore, "store: every scope that something was kept of is told, in order", "[store]") {
    CHECK(store->scopes()->empty());
    std::vector<Scope> wanted = neighbour_scopes();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (i % 2 == 0) {
            keep({SetScopeMode{wanted[i], ScopeMode::disabled}});
        } else {
            keep({created(address("a", wanted[i]), 1)});
        }
    }
    CHECK_FALSE(commit({SetScopeMode{stored_scope, ScopeMode::enabled}, revoke(stored_scope, "none")}));
    std::sort(wanted.begin(), wanted.end(), [](const Scope& a, const Scope& b) {
        return std::tie(a.tenant, a.owner, a.agent, a.workspace) < std::tie(b.tenant, b.owner, b.agent, b.workspace);
    });
    CHECK(*store->scopes() == wanted);
}

TEST_CASE_METHOD(OnEachStore, "store: the tally adds up what a scope holds, and nothing of its neighbours",
                 "[store][governed:19.3][governed:30.10]") {
    const TaskAddress task = address("a");
    keep({created(task, 1), created(address("b"), 2, Lifecycle::paused)});
    keep(history(states_of(address("a", neighbour_scopes()[0]), 1)));
    keep({decision(address("a", neighbour_scopes()[0]), "d1"), withheld(address("a", neighbour_scopes()[0]), "p1")});
    const auto judged = [&](const std::string& id, Outcome outcome, Reason reason, std::int64_t at, std::uint64_t ms,
                            bool shadow = false) {
        AddDecision step = decision(task, id);
        step.decision.outcome = outcome;
        step.decision.reason = reason;
        step.decision.decided_at = later(at);
        step.decision.duration_ms = ms;
        step.decision.shadow = shadow;
        return step;
    };
    AddBinding ended = binding(task, "b1");
    keep({judged("d1", Outcome::accepted, Reason::transition_accepted, 3, 30),
          judged("d2", Outcome::conflict, Reason::stale_base_revision, 1, 10),
          judged("d3", Outcome::accepted, Reason::transition_accepted, 2, 20),
          judged("d4", Outcome::rejected, Reason::task_is_paused, 4, 40, true), delivery(task, "p1"),
          delivery(task, "p2"), withheld(task, "p3"), ended, revoke(stored_scope, "b1"), binding(task, "b2"),
          binding(address("b"), "b3", {"chat", "session-2", "epoch-1"})});
    CHECK(*store->expose(stored_scope, "p1", later(5)));

    Tally expected{.lifecycles = {1, 1, 0, 0, 0},
                   .outcomes = {2, 0, 1, 0},
                   .guards = {0, 3, 0, 0},
                   .reasons = {{Reason::transition_accepted, 2},
                               {Reason::stale_base_revision, 1},
                               {Reason::prompt_budget_exceeded, 1}},
                   .shadow_decisions = 1,
                   .prepared = 3,
                   .exposed = 1,
                   .withheld = 1,
                   .bindings_active = 2,
                   .bindings_revoked = 1,
                   .durations_ms = {10, 20, 30},
                   .last_progress_at = later(2)};
    CHECK(*store->tally(stored_scope) == expected);
    CHECK(*store->tally(neighbour_scopes()[1]) == Tally{});
}

TEST_CASE_METHOD(OnEachStore, "store: the tally tells how long the last thousand decisions took", "[store]") {
    const TaskAddress task = address("a");
    std::vector<Write> batch{created(task, 1)};
    for (std::uint64_t i = 0; i < 1'005; ++i) {
        AddDecision step = decision(task, "d" + std::to_string(i));
        step.decision.duration_ms = i;
        batch.emplace_back(step);
    }
    keep(batch);
    const Tally tally = *store->tally(stored_scope);
    REQUIRE(tally.durations_ms.size() == 1'000);
    CHECK(tally.durations_ms.front() == 5);
    CHECK(tally.durations_ms.back() == 1'004);
    CHECK(tally.outcomes[1] == 1'005);
}

TEST_CASE_METHOD(OnEachStore,
                 "store: forgetting takes everything of a task, counts it, and leaves its neighbours alone",
                 "[store][governed:29.8][governed:25.2][governed:25.7]") {
    const TaskAddress task = address("a");
    const Scope elsewhere = neighbour_scopes()[0];
    const auto fill = [&](const TaskAddress& filled, const std::string& prefix) {
        auto batch = history(states_of(filled, 3));
        AddDecision step = decision(filled, prefix + "d1", "key-1");
        step.decision.action_fingerprint = "f";
        std::get<StartTask>(batch[0]).head.due_at = later(1);
        std::get<AdvanceTask>(batch[2]).head.due_at = later(9);
        batch.insert(batch.end(),
                     {step, decision(filled, prefix + "d2"), delivery(filled, prefix + "p1"),
                      binding(filled, prefix + "b1", {"chat", prefix, "epoch-1"}), revoke(filled.scope, prefix + "b1"),
                      binding(filled, prefix + "b2", {"chat", prefix, "epoch-1"})});
        keep(batch);
    };
    fill(address("aa"), "aa");
    fill(address("a", elsewhere), "a");
    keep({SetScopeMode{stored_scope, ScopeMode::enabled}});
    const std::vector<Scope> scopes{stored_scope, elsewhere};
    const Contents before = contents(scopes);
    fill(task, "a");

    CHECK_FALSE(*store->forget(address("a", neighbour_scopes()[1])));
    const auto removed = *store->forget(task);

    CHECK(removed ==
          Removed{
              .deliveries = 1, .decisions = 2, .lineage = 3, .bindings = 2, .revisions = 3, .entries = 3, .heads = 1});
    CHECK(contents(scopes) == before);
    CHECK_FALSE(*store->find(task, "key-1"));
    CHECK_FALSE(*store->find_started(stored_scope, start_key("a")));
    CHECK(*store->count_repeats(task, "f", {}) == 0);
    CHECK_FALSE(*store->expose(stored_scope, "ap1", later(2)));
    CHECK_FALSE(*store->forget(task));

    fill(task, "a");  // nothing of the old one is in the way of a new one
    CHECK(store->decisions(task, 0, all)->front().sequence == 1);
}

TEST_CASE_METHOD(OnEachStore, "store: a task can be forgotten in any lifecycle", "[store][governed:25.1]") {
    for (std::size_t i = 0; i < Words<Lifecycle>::list.size(); ++i) {
        keep({created(address("a"), 1, static_cast<Lifecycle>(i))});
        CHECK(*store->forget(address("a")));
        CHECK(contents() == Contents{.modes = {ScopeMode::disabled}, .tallies = {{}}});
    }
}

TEST_CASE_METHOD(OnEachStore, "store: no planted secret is left of a forgotten task", "[store][governed:29.8]") {
    const std::string secret = "hunter2-planted";
    const TaskAddress task = address("a");
    TaskState state = *TaskState::create({.id = "a", .scope = stored_scope, .goal = secret + "-goal"});
    const Snapshot empty = *state.snapshot();
    const Snapshot first = accept(state, {.notes = {note("n1", Category::decision, secret + "-note")}});
    StartTask begun = start(empty, first);
    begun.revision.origin.reason = secret;
    AddDecision step = decision(task, secret, secret);
    step.decision.action_fingerprint = secret;
    AddBinding bound = binding(task, secret, {"chat", secret, secret});
    bound.binding.reason = secret;
    keep({begun, step, delivery(task, secret), bound});
    REQUIRE(contents().tasks.front().snapshot.goal == secret + "-goal");

    value_of(store->forget(task));

    CHECK(contents() == Contents{.modes = {ScopeMode::disabled}, .tallies = {{}}});
    keep(history(states_of(task, 1)));
    CHECK_FALSE(value_of(store->find(task, secret))->decision);
    CHECK(*store->count_repeats(task, secret, {}) == 0);
    CHECK_FALSE(*store->expose(stored_scope, secret, later(1)));
    CHECK(store->bindings({.scope = stored_scope, .host = "chat", .session = secret, .revoked_too = true})->empty());
}

}  // namespace taskstate::test
