#include "support/governed_task.hpp"

#include <taskstate/engine/guards.hpp>

#include "model/trusted_content.hpp"

#include <string>
#include <vector>

using namespace taskstate;

namespace {

Content arguments(std::string canonical) { return TrustedContent::make(std::move(canonical)); }

Snapshot task() {
    return test::told(test::new_task(),
                      {.notes = {test::constraint("budget")},
                       .add_items = {{.title = "Secret A", .id = "a", .required = true},
                                     {.title = "Secret B", .id = "b", .depends_on = {"a"}},
                                     {.title = "Secret C", .id = "c", .status = ItemStatus::ready, .depends_on = {"b"}},
                                     {.title = "Secret D", .id = "d", .depends_on = {"a"}}},
                       .items = {{.id = "d", .status = ItemStatus::blocked, .reason = "Secret reason."}}});
}

}  // namespace

TEST_CASE("guards: a fingerprint is the digest of action, arguments and target", "[engine][governed:3.10]") {
    CHECK(action_fingerprint("click", "item-1", arguments(R"({"x":1})")) ==
          "sha256:bf63bd424ffa6caf4ec7aecdbc176e326ba7d1ee18def1bd2231b63e1fab454f");
    CHECK(action_fingerprint("search", std::nullopt, {}) ==
          "sha256:e102783a454d1674f74f76ff39d7dc6838d0f23dcf555ac13e90d718ea8b8a16");
    CHECK(action_fingerprint("search", std::nullopt, arguments("{}")) ==
          action_fingerprint("search", std::nullopt, {}));
}

TEST_CASE("guards: another name, target or argument is another action", "[engine][governed:17.2]") {
    const std::string fingerprint = action_fingerprint("click", "item-1", arguments(R"({"x":1})"));
    CHECK(action_fingerprint("press", "item-1", arguments(R"({"x":1})")) != fingerprint);
    CHECK(action_fingerprint("click", "item-2", arguments(R"({"x":1})")) != fingerprint);
    CHECK(action_fingerprint("click", std::nullopt, arguments(R"({"x":1})")) != fingerprint);
    CHECK(action_fingerprint("click", "item-1", arguments(R"({"x":2})")) != fingerprint);
    CHECK(action_fingerprint("click", "null", {}) != action_fingerprint("click", std::nullopt, {}));
}

TEST_CASE("guards: items that wait for others are named, blocked ones are not", "[engine][governed:17.4]") {
    const Snapshot head = task();
    const auto guard = dependency_guard(head);
    REQUIRE(guard);
    CHECK(guard->kind == GuardKind::dependency_unsatisfied);
    CHECK(guard->revision == head.revision());
    CHECK(guard->blocking == std::vector<std::string>{"b", "c"});

    const Snapshot skipped = test::told(head, {.items = {{.id = "b", .status = ItemStatus::skipped}}, .reason = "No."});
    CHECK(dependency_guard(test::told(skipped, {.items = {{.id = "c", .status = ItemStatus::running}}})) ==
          std::nullopt);
}

TEST_CASE("guards: what stands against completion, in the order of the gates", "[engine][governed:17.5]") {
    Profile profile = *find_profile("general-v1");
    profile.items.required_kinds = {"review", "step"};
    const auto guard = completion_guard(task(), profile);
    REQUIRE(guard);
    CHECK(guard->kind == GuardKind::completion_not_allowed);
    CHECK(guard->blocking == std::vector<std::string>{"a", "kind:review", "kind:step", "constraint:budget"});
    CHECK_FALSE(completion_guard(test::new_task(), *find_profile("general-v1")));
}

TEST_CASE("guards: an action is one too many from the profile's count on", "[engine][governed:17.3]") {
    Profile profile = *find_profile("general-v1");
    const Snapshot head = test::told(task(), {.phase = "collect"}, {90'000});
    CHECK_FALSE(no_progress_guard(head, profile, 2));
    const auto guard = no_progress_guard(head, profile, 3);
    REQUIRE(guard);
    CHECK(guard->kind == GuardKind::no_progress);
    CHECK(guard->repeated == 3);
    CHECK(guard->blocking.empty());
    CHECK(guard->message.find(" 3 times") != std::string::npos);
    CHECK(guard->message.find("1970-01-01T00:01:30.000Z") != std::string::npos);
    profile.repeats_max = 1;
    CHECK(no_progress_guard(head, profile, 1));
}

TEST_CASE("guards: who names a task that is not his learns nothing of it", "[engine][governed:17.6]") {
    const Guard guard = out_of_scope_guard();
    CHECK(guard.kind == GuardKind::out_of_scope);
    CHECK(guard.revision == Revision{});
    CHECK(guard.blocking.empty());
    CHECK(guard.repeated == 0);
}

TEST_CASE("guards: no message quotes what is stored", "[engine][governed:17.1]") {
    const Snapshot head = task();
    const Profile& profile = *find_profile("general-v1");
    for (const Guard& guard : {*dependency_guard(head), *completion_guard(head, profile),
                               *no_progress_guard(head, profile, 9), out_of_scope_guard()}) {
        CHECK_FALSE(guard.message.empty());
        CHECK(guard.message.find("Secret") == std::string::npos);
        CHECK(guard.message.find("EUR") == std::string::npos);
    }
}
