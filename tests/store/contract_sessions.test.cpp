// Bindings, modes of scopes, and rules.

#include "store/contract.hpp"

#include <string>
#include <vector>

namespace taskstate::test {
namespace {

using Ids = std::vector<std::string>;

const TaskAddress task{.scope = stored_scope, .id = "delivery-42"};
const TaskAddress second{.scope = stored_scope, .id = "delivery-43"};

/// A binding of the usual conversation that begins and ends at some time.
AddBinding lasting(const std::string& id, std::int64_t from, std::int64_t to) {
    AddBinding added = binding(task, id);
    added.binding.registered_at = later(from);
    added.binding.expires_at = later(to);
    return added;
}

}  // namespace

TEST_CASE_METHOD(OnEachStore, "store: a conversation drives one task, a task is driven by many",
                 "[store][governed:20.3]") {
    keep_task(task);
    keep_task(second);
    keep({binding(task, "b1"), binding(task, "b2", {"chat", "session-2", "epoch-1"}),
          binding(second, "b3", {"chat", "session-1", "epoch-2"}),
          binding(second, "b4", {"mail", "session-1", "epoch-1"})});

    CHECK(commit({binding(second, "b5")}).error().reason == Reason::binding_already_active);
    CHECK(commit({binding(task, "b5")}).error().reason == Reason::binding_already_active);

    const Scope elsewhere = neighbour_scopes()[0];
    keep(history(states_of({elsewhere, task.id}, 1)));
    keep({binding({elsewhere, task.id}, "b1")});
    CHECK(ids_of(*store->bindings({.scope = stored_scope})) == Ids{"b1", "b2", "b3", "b4"});
    CHECK(ids_of(*store->bindings({.scope = elsewhere})) == Ids{"b1"});
}

TEST_CASE_METHOD(OnEachStore, "store: bindings are asked for by task and by session, in the order they came in",
                 "[store]") {
    keep_task(task);
    keep_task(second);
    keep({binding(task, "b9", {"chat", "s1", "e1"}), binding(second, "b8", {"chat", "s10", "e1"}),
          binding(task, "b7", {"chat", "s1", "e2"}), binding(second, "b6", {"mail", "s1", "e1"}),
          revoke(stored_scope, "b9"), binding(second, "b5", {"chat", "s1", "e1"})});
    const auto ask = [&](BindingQuery query) {
        query.scope = stored_scope;
        return ids_of(*store->bindings(query));
    };
    CHECK(ask({}) == Ids{"b8", "b7", "b6", "b5"});
    CHECK(ask({.revoked_too = true}) == Ids{"b9", "b8", "b7", "b6", "b5"});
    CHECK(ask({.task = task.id}) == Ids{"b7"});
    CHECK(ask({.task = task.id, .revoked_too = true}) == Ids{"b9", "b7"});
    CHECK(ask({.host = "chat", .session = "s1"}) == Ids{"b7", "b5"});
    CHECK(ask({.host = "chat"}) == Ids{"b8", "b7", "b5"});
    CHECK(ask({.session = "s1"}) == Ids{"b7", "b6", "b5"});
    CHECK(ask({.task = second.id, .host = "chat", .session = "s1"}) == Ids{"b5"});
    CHECK(ask({.host = "chat", .session = "s"}).empty());
    CHECK(ask({.host = ""}).empty());
}

TEST_CASE_METHOD(OnEachStore, "store: a revoked binding is kept, with who revoked it, and gives its place free",
                 "[store][governed:20.3]") {
    keep_task(task);
    keep({binding(task, "b1")});
    Binding expected = binding(task, "b1").binding;
    CHECK(*store->bindings({.scope = stored_scope}) == std::vector<Binding>{expected});

    keep({revoke(stored_scope, "b1"), binding(task, "b2")});

    expected.revoked_at = later(1);
    expected.revoked_by = "olga";
    expected.revoked_because = "The shift is over.";
    CHECK(*store->bindings({.scope = stored_scope, .revoked_too = true}) ==
          std::vector<Binding>{expected, binding(task, "b2").binding});
}

TEST_CASE_METHOD(OnEachStore, "store: a lapsed binding is revoked by its successor, in the same batch",
                 "[store][governed:30.13][governed:20.11]") {
    keep_task(task);
    keep({lasting("b1", 0, 10)});
    CHECK(commit({lasting("b2", 9, 20)}).error().reason == Reason::binding_already_active);
    const Contents before = contents();
    CHECK_FALSE(commit({lasting("b2", 10, 20), revoke(stored_scope, "b1")}));
    CHECK(contents() == before);

    AddBinding next = lasting("b2", 10, 20);
    next.binding.actor.name = "otto";
    keep({next});

    const auto rows = *store->bindings({.scope = stored_scope, .revoked_too = true});
    REQUIRE(ids_of(rows) == Ids{"b1", "b2"});
    CHECK(rows[0].revoked_at == later(10));
    CHECK(rows[0].revoked_by == "otto");
    CHECK(rows[0].revoked_because);
    CHECK(rows[1] == next.binding);

    AddBinding for_ever = lasting("b3", 20, 0);
    for_ever.binding.expires_at.reset();
    keep({for_ever});
    CHECK(commit({lasting("b4", timestamp_max.ms - stored_at.ms, timestamp_max.ms - stored_at.ms)}).error().reason ==
          Reason::binding_already_active);
}

TEST_CASE_METHOD(OnEachStore, "store: a lapsed binding of another epoch stays as it is", "[store][governed:20.12]") {
    keep_task(task);
    AddBinding next = binding(task, "b2", {stored_session.host, stored_session.session, "epoch-2"});
    next.binding.registered_at = later(99);
    keep({lasting("b1", 0, 10), next});
    CHECK(ids_of(*store->bindings({.scope = stored_scope})) == Ids{"b1", "b2"});
}

TEST_CASE_METHOD(OnEachStore, "store: each exact scope has its own mode, and is disabled before it has one",
                 "[store][governed:16.1]") {
    const auto scopes = neighbour_scopes();
    CHECK(*store->mode(stored_scope) == ScopeMode::disabled);
    for (const ScopeMode mode : {ScopeMode::shadow, ScopeMode::enabled, ScopeMode::disabled, ScopeMode::shadow}) {
        keep({SetScopeMode{stored_scope, mode}});
        CHECK(*store->mode(stored_scope) == mode);
        for (const Scope& scope : scopes) CHECK(*store->mode(scope) == ScopeMode::disabled);
    }
    keep_task(task);
    keep({SetScopeMode{stored_scope, ScopeMode::disabled}});
    CHECK(*store->find(task, {}));
}

TEST_CASE_METHOD(OnEachStore, "store: a version of rules never changes, and the same again is nothing",
                 "[store][governed:12.3]") {
    const auto rules = [](const std::string& id, std::uint64_t repeats_max) {
        Profile profile = *find_profile("general-v1");
        profile.id = id;
        profile.repeats_max = repeats_max;
        return profile;
    };
    CHECK_FALSE(*store->profile("house-v1"));
    CHECK_FALSE(*store->profile("general-v1"));
    keep({AddProfile{rules("house-v2", 5)}, AddProfile{rules("house-v1", 3)}});
    const Contents before = contents();

    Profile other_limits = rules("house-v1", 3);
    other_limits.limits.entries_max = 7;
    keep({AddProfile{rules("house-v1", 3)}, AddProfile{other_limits}});
    CHECK(commit({AddProfile{rules("house-v1", 4)}}).error().reason == Reason::profile_version_differs);

    CHECK(contents() == before);
    CHECK(*store->profile("house-v1") == rules("house-v1", 3));
    CHECK(*store->profiles() == std::vector<Profile>{rules("house-v1", 3), rules("house-v2", 5)});
}

}  // namespace taskstate::test
