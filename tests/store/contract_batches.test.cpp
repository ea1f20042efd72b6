// A batch happens as a whole or not at all, and each write has its conditions.

#include "store/contract.hpp"

#include <string>
#include <vector>

namespace taskstate::test {
namespace {

const TaskAddress task{.scope = stored_scope, .id = "delivery-42"};
const TaskAddress unknown{.scope = stored_scope, .id = "delivery-43"};

Profile house_rules(std::uint64_t repeats_max = 3) {
    Profile profile = *find_profile("general-v1");
    profile.id = "house-v1";
    profile.repeats_max = repeats_max;
    return profile;
}

/// A write that is refused, and how.
struct Refused {
    std::string what{};
    Write write{};
    Reason reason{};
    std::string path{};
    std::optional<std::uint64_t> limit{}, actual{};
};

/// What there is before: a task at revision 3 with a decision, a delivery and two bindings, one of them revoked.
std::vector<Write> beginning(const std::vector<Snapshot>& states) {
    std::vector<Write> batch = history(states);
    batch.insert(batch.end(),
                 {decision(task, "decision-1", "key-1"), delivery(task, "delivery-1"),
                  binding(task, "binding-1", {"chat", "session-0", "epoch-1"}), revoke(stored_scope, "binding-1"),
                  binding(task, "binding-2"), AddProfile{house_rules()}});
    return batch;
}

std::vector<Refused> refused_writes(const std::vector<Snapshot>& states) {
    const auto other = states_of(unknown, 2);
    StartTask same_key = start(other[0], other[1]);
    same_key.head.start_key = start_key(task.id);
    AdvanceTask ahead = advance(states[2], states[3]);
    ahead.head.frame.revision = {5};
    return {
        {"a task that is there", start(states[0], states[1]), Reason::already_exists, "/id"},
        {"a task under a taken key", same_key, Reason::already_exists, "/key"},
        {"a successor of no task", advance(other[1], other[2]), Reason::task_not_eligible},
        {"a successor that is there", advance(states[2], states[3]), Reason::concurrent_successor_committed, "", 3, 2},
        {"a successor of the past", advance(states[1], states[2]), Reason::concurrent_successor_committed, "", 3, 1},
        {"a successor of the future", ahead, Reason::concurrent_successor_committed, "", 3, 4},
        {"a decision of no task", decision(unknown, "decision-2", "key-2"), Reason::task_not_eligible},
        {"a decision under a taken key", decision(task, "decision-2", "key-1"), Reason::idempotency_key_reused, "/key"},
        {"a decision that is there", decision(task, "decision-1", "key-2"), Reason::already_exists, "/id"},
        {"a delivery of no task", delivery(unknown, "delivery-2"), Reason::task_not_eligible},
        {"a delivery that is there", delivery(task, "delivery-1"), Reason::already_exists, "/id"},
        {"a binding to no task", binding(unknown, "binding-3", {"chat", "s", "e"}), Reason::task_not_eligible},
        {"a bound conversation", binding(task, "binding-3"), Reason::binding_already_active},
        {"a binding that is there", binding(task, "binding-1", {"chat", "s", "e"}), Reason::already_exists, "/id"},
        {"the end of no binding", revoke(stored_scope, "binding-9"), Reason::binding_not_found},
        {"the end of an ended binding", revoke(stored_scope, "binding-1"), Reason::binding_not_found},
        {"other rules of one version", AddProfile{house_rules(4)}, Reason::profile_version_differs},
    };
}

}  // namespace

TEST_CASE_METHOD(OnEachStore, "store: a refused write says why, and nothing of its batch happened",
                 "[store][governed:30.27]") {
    const auto states = states_of(task, 3);
    keep(beginning(states));
    const Contents before = contents();

    for (const Refused& refused : refused_writes(states)) {
        INFO(refused.what);
        const auto done = commit({SetScopeMode{stored_scope, ScopeMode::enabled}, decision(task, "decision-9", "key-9"),
                                  refused.write, delivery(task, "delivery-9")});
        REQUIRE_FALSE(done);
        CHECK(done.error().reason == refused.reason);
        CHECK(done.error().path == refused.path);
        CHECK(done.error().limit == refused.limit);
        CHECK(done.error().actual == refused.actual);
        CHECK(contents() == before);
    }
    CHECK(commit({revoke(neighbour_scopes()[0], "binding-2")}).error().reason == Reason::binding_not_found);
    CHECK(contents() == before);
}

TEST_CASE_METHOD(OnEachStore, "store: whatever a batch holds, it leaves nothing when its end is refused",
                 "[store][governed:30.34]") {
    const auto states = states_of(task, 4);
    keep(beginning({states.begin(), states.end() - 1}));
    AddBinding short_lived = binding(task, "binding-3", {"chat", "session-3", "epoch-1"});
    short_lived.binding.expires_at = later(10);
    keep({short_lived});
    const TaskAddress other{stored_scope, "delivery-43"};
    const Contents before = contents();

    AdvanceTask ended = advance(states[3], states[4]);
    ended.head.frame.lifecycle = Lifecycle::cancelled;
    ended.head.due_at = later(5);
    AddBinding successor = binding(task, "binding-4", short_lived.binding.identity);
    successor.binding.registered_at = later(10);
    Profile further = house_rules();
    further.id = "house-v2";
    auto batch = history(states_of(other, 2));
    batch.insert(
        batch.end(),
        {ended, decision(task, "decision-2", "key-2"), delivery(task, "delivery-2"), withheld(task, "p3"), successor,
         revoke(stored_scope, "binding-2"), binding(task, "binding-5"), SetScopeMode{stored_scope, ScopeMode::shadow},
         AddProfile{further}, TrimLog{task, {3}, {based(states, 3)}}, revoke(stored_scope, "binding-9")});

    CHECK(commit(batch).error().reason == Reason::binding_not_found);
    CHECK(contents() == before);
    CHECK_FALSE(*store->find_started(stored_scope, start_key(other.id)));
    CHECK_FALSE(*store->expose(stored_scope, "delivery-2", later(1)));

    batch.pop_back();
    keep(batch);
    CHECK_FALSE(contents() == before);
}

TEST_CASE_METHOD(OnEachStore, "store: a batch concerns one scope, so that a store may keep scopes apart", "[store]") {
    keep_task(task);
    const std::vector<Scope> both{stored_scope, neighbour_scopes()[0]};
    const Contents before = contents(both);
    const auto refused = commit({SetScopeMode{both[0], ScopeMode::enabled}, SetScopeMode{both[1], ScopeMode::enabled}});
    CHECK(refused.error().reason == Reason::options_invalid);
    CHECK(contents(both) == before);
    keep({AddProfile{house_rules()}, SetScopeMode{both[1], ScopeMode::enabled}});
}

TEST_CASE_METHOD(OnEachStore, "store: a write sees those before it in its batch", "[store]") {
    const auto states = keep_task(task, 2);
    const auto next = states_of(task, 4);
    const Contents before = contents();
    const std::vector<std::vector<Write>> twice{
        {advance(next[2], next[3]), advance(next[2], next[3])},
        {decision(task, "d1", "key"), decision(task, "d2", "key")},
        {decision(task, "d1"), decision(task, "d1")},
        {delivery(task, "p1"), delivery(task, "p1")},
        {binding(task, "b1"), binding(task, "b2")},
        {binding(task, "b1"), revoke(stored_scope, "b1"), revoke(stored_scope, "b1")},
        {AddProfile{house_rules(3)}, AddProfile{house_rules(4)}},
    };
    for (std::size_t i = 0; i < twice.size(); ++i) {
        INFO("batch " << i);
        CHECK_FALSE(commit(twice[i]));
        CHECK(contents() == before);
    }

    const TaskAddress second{stored_scope, "delivery-43"};
    auto batch = history(states_of(second, 2));
    batch.insert(batch.end(), {advance(next[2], next[3]), advance(next[3], next[4]), decision(second, "d1", "key"),
                               delivery(second, "p1"), binding(second, "b1"), revoke(stored_scope, "b1"),
                               binding(second, "b2"), AddProfile{house_rules()}, AddProfile{house_rules()}});
    keep(batch);

    CHECK((*store->find(task, {}))->head.frame.revision == Revision{4});
    CHECK((*store->find(second, "key"))->decision);
    CHECK(ids_of(*store->bindings({.scope = stored_scope})) == std::vector<std::string>{"b2"});
    CHECK(store->profiles()->size() == 1);
}

TEST_CASE_METHOD(OnEachStore, "store: an empty batch is nothing", "[store]") {
    keep({});
    CHECK(contents() == Contents{.modes = {ScopeMode::disabled}, .tallies = {{}}});
}

TEST_CASE_METHOD(OnEachStore, "store: a task is the one of its scope, whatever other scopes call theirs",
                 "[store][governed:30.9]") {
    const auto scopes = neighbour_scopes();
    const auto states = keep_task(task, 3);
    const Contents elsewhere = contents(scopes);

    for (const Scope& scope : scopes) {
        CHECK_FALSE(*store->find({scope, task.id}, {}));
        CHECK_FALSE(*store->load({scope, task.id}));
        CHECK_FALSE(*store->find_started(scope, start_key(task.id)));
        CHECK(store->list({.scope = scope})->empty());
        CHECK(store->revisions({scope, task.id}, {}, all)->empty());
        CHECK(commit({decision({scope, task.id}, "d1")}).error().reason == Reason::task_not_eligible);
    }
    CHECK(contents(scopes).tasks == elsewhere.tasks);

    const Contents before = contents();
    for (const Scope& scope : scopes) {
        keep(history(states_of({scope, task.id}, 1)));
        keep({decision({scope, task.id}, "d1", "key"), delivery({scope, task.id}, "p1"),
              binding({scope, task.id}, "b1"), SetScopeMode{scope, ScopeMode::enabled}});
        CHECK((*store->find({scope, task.id}, {}))->head.frame.revision == Revision{1});
    }
    Contents after = contents();
    CHECK(after == before);
    CHECK((*store->load(task))->snapshot == to_input(states[3]));
}

TEST_CASE_METHOD(OnEachStore, "store: an idempotency key is the task's own, to its last byte",
                 "[store][governed:30.20]") {
    const TaskAddress second{stored_scope, "delivery-43"};
    keep_task(task);
    keep_task(second);
    const std::string same(96, 'k');
    const std::vector<std::string> keys{same,  same + "1", same + "2", "Key",
                                        "key", "key ",     "k\u00E9y", "k e/y:'\"%_\\"};

    for (const TaskAddress& address : {task, second}) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            keep({decision(address, "decision-" + std::to_string(i), keys[i])});
        }
        keep({decision(address, "without-1"), decision(address, "without-2")});
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto found = *store->find(address, keys[i]);
            REQUIRE(found);
            REQUIRE(found->decision);
            CHECK(found->decision->id == "decision-" + std::to_string(i));
        }
        CHECK_FALSE((*store->find(address, "KEY"))->decision);
        CHECK_FALSE((*store->find(address, ""))->decision);
    }
}

TEST_CASE_METHOD(OnEachStore, "store: decisions and deliveries count from 1 in each task, without a gap",
                 "[store][governed:19.9][governed:30.51]") {
    const TaskAddress second{stored_scope, "delivery-43"};
    keep_task(task);
    keep_task(second);
    const auto states = states_of(task, 1);
    for (int i = 0; i < 3; ++i) {
        const std::string n = std::to_string(i);
        AddDecision given = decision(task, "d" + n);
        given.decision.sequence = 77;
        keep({given, delivery(task, "p" + n), decision(second, "d" + n), delivery(second, "q" + n)});
        CHECK_FALSE(commit({decision(task, "lost"), delivery(task, "lost"), start(states[0], states[1])}));
    }

    for (const TaskAddress& address : {task, second}) {
        std::vector<std::uint64_t> decided, delivered;
        for (const auto& record : value_of(store->decisions(address, 0, all))) decided.push_back(record.sequence);
        for (const auto& record : value_of(store->deliveries(address, 0, all))) delivered.push_back(record.sequence);
        CHECK(decided == std::vector<std::uint64_t>{1, 2, 3});
        CHECK(delivered == std::vector<std::uint64_t>{1, 2, 3});
    }
}

}  // namespace taskstate::test
