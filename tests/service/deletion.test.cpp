// What is left of a task that is deleted.

#include "support/desk.hpp"

using namespace taskstate;
using test::abroad;
using test::check_refused;
using test::Desk;
using test::home;

TEST_CASE("forget: everything goes, and the receipt holds numbers and the digest of the goal",
          "[service][governed:29.8][governed:25.3]") {
    Desk desk;
    desk.start("task-a");
    desk.propose("task-a", test::set_status("review", ItemStatus::running));
    (void)desk.service.prepare({.scope = home, .task = "task-a"});
    const Binding first = desk.bind("task-a", {"assistant", "chat-7", "e1"});
    desk.bind("task-a", {"assistant", "chat-8", "e1"});
    REQUIRE(desk.service.unbind({home, first.id, test::operator_olga, std::nullopt}).has_value());
    desk.clock->advance(1000);

    const auto receipt = desk.service.forget({home, "task-a"}, test::admin_ada);

    REQUIRE(receipt.has_value());
    CHECK(receipt->task == "task-a");
    CHECK(receipt->actor == "ada");
    CHECK(receipt->deleted_at == desk.clock->now());
    CHECK(receipt->goal_digest == format_digest(sha256("Ship the order")));
    CHECK(receipt->removed.revisions == 2);
    CHECK(receipt->removed.decisions == 2);
    CHECK(receipt->removed.deliveries == 1);
    CHECK(receipt->removed.bindings == 2);
    CHECK(receipt->removed.entries == 3);
    CHECK(receipt->removed.heads == 1);
    CHECK(receipt->removed.lineage > 0);

    check_refused(desk.service.read({home, "task-a"}), Reason::task_not_eligible);
    CHECK(desk.service.timeline({.task = {home, "task-a"}})->revisions.empty());
    CHECK_FALSE(desk.service.provenance({.task = {home, "task-a"}})->found);
    CHECK(desk.service.bindings({.scope = home, .revoked_too = true})->empty());
    const Tally left = *desk.store->tally(home);
    CHECK(left.prepared == 0);
    CHECK(left.reasons.empty());
}

TEST_CASE("forget: the revisions are counted, however many there were", "[service][governed:25.3]") {
    Desk desk;
    desk.start("task-a");
    for (int i = 0; i < 250; ++i) {
        desk.propose("task-a", test::set_status("review", i % 2 == 0 ? ItemStatus::running : ItemStatus::ready));
    }
    CHECK(desk.service.forget({home, "task-a"}, test::admin_ada)->removed.revisions == 251);
}

TEST_CASE("forget: with a secret the digest of a short goal cannot be guessed", "[service][governed:25.6]") {
    Desk desk(memory_store(), {{"first secret"}, {"older secret"}});
    desk.start("task-a");
    CHECK(desk.service.forget({home, "task-a"}, test::admin_ada)->goal_digest ==
          format_digest(hmac_sha256("first secret", "Ship the order")));
}

TEST_CASE("forget: in any lifecycle and any mode", "[service][governed:25.1]") {
    Desk desk;
    for (const char* id : {"open", "paused", "completed", "cancelled", "expired", "shadow"}) {
        desk.start(id, home,
                   id == std::string_view("expired") ? test::add_profile(desk, "hasty-v1", {.absolute_age_ms = 1000})
                                                     : std::string("general-v1"));
    }
    desk.to("paused", Lifecycle::paused);
    desk.to("completed", Lifecycle::completed);
    desk.to("cancelled", Lifecycle::cancelled);
    desk.clock->advance(1000);
    REQUIRE(desk.service.read({home, "expired"})->snapshot.lifecycle() == Lifecycle::expired);

    for (const char* id : {"open", "paused", "completed", "expired"}) {
        CHECK(desk.service.forget({home, id}, test::admin_ada).has_value());
    }
    REQUIRE(desk.service.set_mode(home, ScopeMode::shadow).has_value());
    CHECK(desk.service.forget({home, "shadow"}, test::admin_ada).has_value());
    REQUIRE(desk.service.set_mode(home, ScopeMode::disabled).has_value());
    CHECK(desk.service.forget({home, "cancelled"}, test::admin_ada).has_value());
}

TEST_CASE("forget: only who may delete, and nothing tells unknown from foreign",
          "[service][governed:25.1][governed:5.8]") {
    for (std::size_t i = 0; i < Words<Role>::list.size(); ++i) {
        const Actor actor{.role = static_cast<Role>(i), .name = "somebody"};
        const bool may = actor.role == Role::authority || actor.role == Role::administrator;
        Desk desk;
        desk.start("task-a");
        const auto receipt = desk.service.forget({home, "task-a"}, actor);
        CHECK(receipt.has_value() == may);
        if (!may) check_refused(receipt, Reason::capability_denied);
    }
    Desk desk;
    desk.start("foreign", abroad);
    const auto unknown = desk.service.forget({home, "unknown"}, test::admin_ada);
    const auto foreign = desk.service.forget({home, "foreign"}, test::admin_ada);
    check_refused(unknown, Reason::task_not_eligible);
    REQUIRE_FALSE(foreign.has_value());
    CHECK(foreign.error() == unknown.error());
    CHECK(desk.service.read({abroad, "foreign"}).has_value());
}

TEST_CASE("forget: neighbours, and tasks of the same id elsewhere, stay as they were", "[service][governed:25.7]") {
    Desk desk;
    desk.start("task-a");
    desk.start("task-b");
    desk.start("task-a", abroad);
    desk.bind("task-b", {"assistant", "chat-8", "e1"});
    const auto neighbour = *desk.store->load({home, "task-b"});
    const auto namesake = *desk.store->load({abroad, "task-a"});

    REQUIRE(desk.service.forget({home, "task-a"}, test::admin_ada).has_value());

    CHECK((*desk.store->load({home, "task-b"}))->snapshot == neighbour->snapshot);
    CHECK((*desk.store->load({abroad, "task-a"}))->snapshot == namesake->snapshot);
    CHECK(desk.service.resolve({.scope = home, .identity = SessionIdentity{"assistant", "chat-8", "e1"}})->task ==
          "task-b");
    CHECK(desk.service.verify(home)->valid);
    CHECK(desk.service.verify(abroad)->valid);
}

TEST_CASE("forget: a task of the same id may begin anew, and nothing of the old one is seen in it", "[service]") {
    Desk desk;
    desk.start("task-a");
    desk.propose("task-a", test::set_status("review", ItemStatus::running));
    REQUIRE(desk.service.forget({home, "task-a"}, test::admin_ada).has_value());

    desk.start("task-a");

    const auto view = desk.service.read({home, "task-a"});
    CHECK(view->snapshot.revision() == Revision{1});
    CHECK(view->snapshot.items().find("review")->status == ItemStatus::pending);
    CHECK(desk.service.verify(home)->valid);
}
