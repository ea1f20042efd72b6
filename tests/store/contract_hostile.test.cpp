// Names that want to be more than names.  Admission refuses some of them; a store keeps apart whatever reaches it.

#include "store/contract.hpp"

#include <string>
#include <vector>

namespace taskstate::test {
namespace {

std::vector<std::string> hostile_names() {
    return {"..",
            "../x",
            "../../etc/passwd",
            "/abs",
            "a\\b",
            "C:x",
            "\\\\host\\s",
            "con",
            "CON",
            "nul.txt",
            "%2e%2e",
            "%2e%2e%2fx",
            "a.",
            "a ",
            "a",
            "A",
            " a",
            "a%",
            "a_",
            "ab",
            "a/b",
            "a:b",
            "a;b",
            "a\nb",
            "a\\u0000",
            "a\\u0000b",
            "\\u0000",
            "'; DROP TABLE tasks; --",
            "\"a\"",
            "'a'",
            "$1",
            "?",
            ":id",
            "{\"a\":1}",
            "\u00E9",
            "e\u0301",  // the same to the eye
            "\U0001F600",
            "\U0001F469\u200D\U0001F680",
            "契約",
            std::string(300, 'x'),
            std::string(300, 'x') + "y",
            std::string(10'000, 'z'),
            std::string(250, 'w') + "\U0001F600"};
}

}  // namespace

TEST_CASE_METHOD(OnEachStore, "store: hostile names are names like others, in every place that has one",
                 "[store][hazard:15][hazard:23]") {
    const auto names = hostile_names();
    const auto states = states_of({stored_scope, "a"}, 1);
    for (const std::string& name : names) {
        const TaskAddress task{stored_scope, name};
        StartTask begun = start(states[0], states[1]);
        begun.head.identity.id = name;
        begun.head.start_key = name;
        begun.revision.lineage = {{.kind = TargetKind::item, .id = name}};
        AddDecision step = decision(task, name, name);
        step.decision.action_fingerprint = name;
        Profile profile = *find_profile("general-v1");
        profile.id = name;
        keep({begun, step, delivery(task, name), binding(task, name, {name, name, name}), AddProfile{profile}});
    }
    CHECK(store->list({.scope = stored_scope, .limit = all})->size() == names.size());

    for (const std::string& name : names) {
        INFO(name.substr(0, 40));
        const TaskAddress task{stored_scope, name};
        const auto found = value_of(store->find(task, name));
        REQUIRE(found);
        CHECK(found->head.identity.id == name);
        REQUIRE(found->decision);
        CHECK(found->decision->id == name);
        CHECK(value_of(store->find_started(stored_scope, name))->identity.id == name);
        CHECK(value_of(store->load(task))->snapshot.id == name);
        CHECK(store->decisions(task, 0, all)->size() == 1);
        CHECK(store->lineage(task, TargetKind::item, name)->size() == 1);
        CHECK(*store->count_repeats(task, name, {}) == 1);
        CHECK(store->bindings({.scope = stored_scope, .host = name, .session = name})->size() == 1);
        CHECK(store->bindings({.scope = stored_scope, .task = name})->size() == 1);
        CHECK(value_of(store->profile(name))->id == name);
        CHECK(*store->expose(stored_scope, name, later(1)));
    }

    for (const std::string& name : names) {
        CHECK(value_of(store->forget({stored_scope, name}))->bindings == 1);
    }
    CHECK(contents().tasks.empty());
    CHECK(contents().bindings.empty());
}

TEST_CASE_METHOD(OnEachStore, "store: hostile scopes are scopes like others, part by part",
                 "[store][hazard:15][governed:30.9]") {
    std::vector<Scope> scopes;
    for (const std::string& name : hostile_names()) {
        scopes.push_back({.owner = name, .workspace = "w"});
        scopes.push_back({.owner = "o", .workspace = name});
        scopes.push_back({.tenant = name, .owner = "o", .workspace = "w"});
        scopes.push_back({.owner = "o", .agent = name, .workspace = "w"});
    }
    const auto states = states_of({stored_scope, "t1"}, 1);
    for (const Scope& scope : scopes) {
        StartTask begun = start(states[0], states[1]);
        begun.head.identity.scope = scope;
        keep({begun, SetScopeMode{scope, ScopeMode::enabled}});
    }
    for (const Scope& scope : scopes) {
        CHECK(*store->mode(scope) == ScopeMode::enabled);
        const auto heads = value_of(store->list({.scope = scope}));
        REQUIRE(heads.size() == 1);
        CHECK(heads[0].identity.scope == scope);
        CHECK(value_of(store->load({scope, "t1"}))->snapshot.scope == scope);
    }
}

TEST_CASE_METHOD(OnEachStore, "store: parts of a name do not run into each other", "[store][hazard:15]") {
    const std::vector<Scope> scopes{{.tenant = "a", .owner = "bc", .agent = "", .workspace = "d"},
                                    {.tenant = "ab", .owner = "c", .agent = "", .workspace = "d"},
                                    {.tenant = "", .owner = "abc", .agent = "", .workspace = "d"},
                                    {.tenant = "a/b", .owner = "c", .agent = "", .workspace = "d"},
                                    {.tenant = "a", .owner = "b/c", .agent = "", .workspace = "d"},
                                    {.tenant = "a", .owner = "bc", .agent = "d", .workspace = "d"}};
    for (std::size_t i = 0; i < scopes.size(); ++i) {
        keep(history(states_of({scopes[i], "t"}, 1 + i)));
        keep({binding({scopes[i], "t"}, "b", {"h", "s" + std::to_string(i), "e"})});
    }
    for (std::size_t i = 0; i < scopes.size(); ++i) {
        CHECK(value_of(store->find({scopes[i], "t"}, {}))->head.frame.revision == Revision{1 + i});
        CHECK(value_of(store->bindings({.scope = scopes[i]}))[0].identity.session == "s" + std::to_string(i));
    }
    keep({binding({scopes[0], "t"}, "b1", {"h", "sa", "e"}), binding({scopes[0], "t"}, "b2", {"hs", "a", "e"})});
    CHECK(ids_of(*store->bindings({.scope = scopes[0], .host = "h", .session = "sa"})) ==
          std::vector<std::string>{"b1"});
}

TEST_CASE_METHOD(OnEachStore, "store: a name with a NUL is nobody's", "[store][hazard:23]") {
    keep_task({stored_scope, "a"});
    keep({decision({stored_scope, "a"}, "d", "key"), binding({stored_scope, "a"}, "b")});
    const auto cut = [](std::string text) { return text + std::string(1, '\0') + "x"; };

    CHECK_FALSE(*store->find({stored_scope, cut("a")}, {}));
    CHECK_FALSE(value_of(store->find({stored_scope, "a"}, cut("key")))->decision);
    CHECK_FALSE(*store->find_started(stored_scope, cut(start_key("a"))));
    CHECK(store->bindings({.scope = stored_scope, .task = cut("a")})->empty());
    Scope scope = stored_scope;
    scope.owner = cut(scope.owner);
    CHECK(store->list({.scope = scope})->empty());
}

}  // namespace taskstate::test
