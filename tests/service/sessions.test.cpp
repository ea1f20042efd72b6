// Which conversation drives which task.

#include "support/desk.hpp"

using namespace taskstate;
using test::abroad;
using test::check_refused;
using test::Desk;
using test::home;

namespace {

const SessionIdentity session{"assistant", "chat-7", "e1"};

ResolveInput asked(OptText task, std::optional<SessionIdentity> identity = session) {
    return {.scope = home, .task = std::move(task), .identity = std::move(identity)};
}

void check_task(const Result<Resolution>& found, std::string_view task, ResolvedBy by) {
    REQUIRE(found.has_value());
    CHECK(found->task == task);
    CHECK(found->by == by);
}

}  // namespace

TEST_CASE("resolve: name and binding give one task or one refusal", "[service][governed:29.3][governed:20.4]") {
    Desk desk;
    desk.start("task-a");
    desk.start("task-b");

    check_refused(desk.service.resolve(asked(std::nullopt)), Reason::task_context_selection_required);
    check_refused(desk.service.resolve(asked(std::nullopt, std::nullopt)), Reason::task_context_selection_required);
    check_task(desk.service.resolve(asked("task-a")), "task-a", ResolvedBy::explicit_id);
    check_task(desk.service.resolve(asked("task-a", std::nullopt)), "task-a", ResolvedBy::explicit_id);

    const Binding bound = desk.bind("task-a", session);

    check_task(desk.service.resolve(asked(std::nullopt)), "task-a", ResolvedBy::binding);
    check_task(desk.service.resolve(asked("  ")), "task-a", ResolvedBy::binding);
    const auto both = desk.service.resolve(asked("task-a"));
    check_task(both, "task-a", ResolvedBy::explicit_id);
    CHECK(both->binding == bound.id);
    check_refused(desk.service.resolve(asked("task-b")), Reason::task_binding_conflict);
}

TEST_CASE("resolve: a lifetime ends a binding, a reset ends it sooner", "[service][governed:29.4][governed:20.7]") {
    Desk desk;
    desk.start("task-a");
    desk.bind("task-a", session);

    desk.clock->advance(test::minute_ms);
    check_refused(desk.service.resolve(asked(std::nullopt, SessionIdentity{"assistant", "chat-7", "e2"})),
                  Reason::task_binding_stale_session);
    desk.clock->advance(11 * test::hour_ms - test::minute_ms);
    check_task(desk.service.resolve(asked(std::nullopt)), "task-a", ResolvedBy::binding);
    desk.clock->advance(test::hour_ms);  // 12 hours: the end itself is over
    check_refused(desk.service.resolve(asked(std::nullopt)), Reason::task_binding_stale_session);
    desk.clock->advance(test::hour_ms);
    check_refused(desk.service.resolve(asked(std::nullopt)), Reason::task_binding_stale_session);
}

TEST_CASE("resolve: without a lifetime a binding holds for 30 days", "[service][governed:29.4]") {
    Desk desk;
    desk.start("task-a", home, test::add_profile(desk, "lasting-v1", {}));
    CHECK_FALSE(desk.bind("task-a", session).expires_at.has_value());

    desk.clock->advance(30 * 24 * test::hour_ms);

    check_task(desk.service.resolve(asked(std::nullopt)), "task-a", ResolvedBy::binding);
}

TEST_CASE("resolve: a session that began after the binding is another one", "[service][governed:20.8]") {
    Desk desk;
    desk.start("task-a");
    const Binding bound = desk.bind("task-a", session);
    ResolveInput input = asked(std::nullopt);

    input.session_started_at = bound.registered_at;
    check_task(desk.service.resolve(input), "task-a", ResolvedBy::binding);
    input.session_started_at = Timestamp{bound.registered_at.ms + 1};
    check_refused(desk.service.resolve(input), Reason::task_binding_stale_session);
}

TEST_CASE("resolve: part of an address is none, whatever the rest says", "[service][governed:20.1][governed:30.22]") {
    Desk desk;
    desk.start("task-a");
    desk.bind("task-a", session);
    for (const SessionIdentity& part :
         {SessionIdentity{"", "chat-7", "e1"}, SessionIdentity{"assistant", "", "e1"},
          SessionIdentity{"assistant", "chat-7", ""}, SessionIdentity{"assistant", "chat-7", " e1"}}) {
        check_refused(desk.service.resolve(asked(std::nullopt, part)), Reason::task_context_selection_required);
    }
}

TEST_CASE("resolve: another scope sees nothing of a binding", "[service][governed:20.6]") {
    Desk desk;
    desk.start("task-a");
    desk.bind("task-a", session);
    check_refused(desk.service.resolve({.scope = abroad, .identity = session}),
                  Reason::task_context_selection_required);
}

TEST_CASE("resolve: after a reset the old epoch still leads to its task, the new one to none until it is bound",
          "[service][governed:20.12]") {
    Desk desk;
    desk.start("task-a");
    desk.start("task-b");
    desk.bind("task-a", session);
    const SessionIdentity next{"assistant", "chat-7", "e2"};
    const Binding second = desk.bind("task-b", next);

    check_task(desk.service.resolve(asked(std::nullopt)), "task-a", ResolvedBy::binding);
    check_task(desk.service.resolve(asked(std::nullopt, next)), "task-b", ResolvedBy::binding);
    REQUIRE(desk.service.unbind({home, second.id, test::operator_olga, std::nullopt}).has_value());
    check_refused(desk.service.resolve(asked(std::nullopt, next)), Reason::task_binding_stale_session);
}

TEST_CASE("bind: session keys and epochs are names that others made, such as random UUIDs",
          "[service][governed:30.19]") {
    Desk desk;
    desk.start("task-a");
    const SessionIdentity uuids{"assistant", "3f2b0c9e-8c4d-4b1a-9a77-0d3c5e6f7a81",
                                "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0"};
    desk.bind("task-a", uuids);
    check_task(desk.service.resolve(asked(std::nullopt, uuids)), "task-a", ResolvedBy::binding);
}

TEST_CASE("bind: only an open task of the scope can be bound, and nothing tells the others apart",
          "[service][governed:20.10]") {
    Desk desk;
    desk.start_unusable("overdue");

    std::optional<Error> same;
    for (const char* id : {"unknown", "paused", "completed", "cancelled", "overdue", "foreign"}) {
        const auto bound = desk.service.bind({.task = {home, id}, .identity = session, .actor = test::operator_olga});
        check_refused(bound, Reason::task_not_eligible);
        if (!same) same = bound.error();
        CHECK(bound.error() == *same);
    }
    CHECK(desk.lifecycle("overdue") == Lifecycle::expired);
    CHECK(desk.service.bindings({.scope = home, .revoked_too = true})->empty());
}

TEST_CASE("bind: who may steer a task may bind and unbind it, nobody else", "[service][governed:5.6]") {
    for (std::size_t i = 0; i < Words<Role>::list.size(); ++i) {
        const Actor actor{.role = static_cast<Role>(i), .name = "somebody"};
        const bool may =
            actor.role == Role::authority || actor.role == Role::operator_ || actor.role == Role::administrator;
        Desk desk;
        desk.start("task-a");
        const Binding bound = desk.bind("task-a", session);

        const auto second = desk.service.bind({{home, "task-a"}, {"assistant", "chat-8", "e1"}, actor, std::nullopt});
        const auto ended = desk.service.unbind({home, bound.id, actor, std::nullopt});

        CHECK(second.has_value() == may);
        CHECK(ended.has_value() == may);
        if (may) continue;
        check_refused(second, Reason::capability_denied);
        check_refused(ended, Reason::capability_denied);
    }
}

TEST_CASE("bind: a session without all of its address cannot be bound", "[service][governed:20.1]") {
    Desk desk;
    desk.start("task-a");
    const auto bound =
        desk.service.bind({{home, "task-a"}, {"assistant", "chat-7", ""}, test::operator_olga, std::nullopt});
    check_refused(bound, Reason::session_identity_required);
    CHECK(bound.error().path == "/identity/epoch");
}

TEST_CASE("bind: one conversation drives one task, one task as many conversations as it likes",
          "[service][governed:20.3][governed:20.9]") {
    Desk desk;
    desk.start("task-a");
    desk.start("task-b");
    desk.bind("task-a", session);
    desk.bind("task-a", {"assistant", "chat-8", "e1"});

    check_refused(desk.service.bind({{home, "task-b"}, session, test::operator_olga, std::nullopt}),
                  Reason::binding_already_active);
    CHECK(desk.service.bindings({.scope = home, .task = "task-a"})->size() == 2);
}

TEST_CASE("bind: a binding that lapsed gives way to its successor, with a reason",
          "[service][governed:30.13][governed:20.11]") {
    Desk desk;
    desk.start("task-a");
    const Binding first = desk.bind("task-a", session);
    desk.clock->advance(12 * test::hour_ms);

    const Binding second = desk.bind("task-a", session);

    check_task(desk.service.resolve(asked(std::nullopt)), "task-a", ResolvedBy::binding);
    const auto rows = *desk.service.bindings({.scope = home, .revoked_too = true});
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].id == first.id);
    CHECK(rows[0].revoked_at == second.registered_at);
    CHECK(rows[0].revoked_because.has_value());
    CHECK(rows[1] == second);
}

TEST_CASE("unbind: unknown, foreign and revoked bindings are refused alike", "[service][governed:20.9]") {
    Desk desk;
    desk.start("task-a");
    const Binding bound = desk.bind("task-a", session);
    const auto unknown = desk.service.unbind({home, "binding-99", test::operator_olga, std::nullopt});
    const auto foreign = desk.service.unbind({abroad, bound.id, test::operator_olga, std::nullopt});

    REQUIRE(desk.service.unbind({home, bound.id, test::operator_olga, "Conversation closed"}).has_value());

    const auto again = desk.service.unbind({home, bound.id, test::operator_olga, std::nullopt});
    check_refused(again, Reason::binding_not_found);
    CHECK(unknown.error() == again.error());
    CHECK(foreign.error() == again.error());
    const auto rows = *desk.service.bindings({.scope = home, .revoked_too = true});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].revoked_by == "olga");
    CHECK(rows[0].revoked_because == "Conversation closed");
    CHECK(desk.service.bindings({.scope = home})->empty());
}

TEST_CASE("sessions: a scope that is off answers nothing about its bindings", "[service][governed:16.3]") {
    Desk desk;
    desk.start("task-a");
    const Binding bound = desk.bind("task-a", session);
    REQUIRE(desk.service.set_mode(home, ScopeMode::disabled).has_value());

    check_refused(desk.service.resolve(asked(std::nullopt)), Reason::task_state_disabled);
    check_refused(desk.service.bindings({.scope = home}), Reason::task_state_disabled);
    check_refused(desk.service.bind({{home, "task-a"}, session, test::operator_olga, std::nullopt}),
                  Reason::task_state_disabled);
    check_refused(desk.service.unbind({home, bound.id, test::operator_olga, std::nullopt}),
                  Reason::task_state_disabled);
}
