#include "support/governed_task.hpp"

#include <taskstate/engine/lifecycle.hpp>

#include <array>
#include <string_view>

using namespace taskstate;

namespace {

using enum Lifecycle;

constexpr std::size_t lifecycles = Words<Lifecycle>::list.size();

/// From each lifecycle, what a request for another one comes to.
constexpr std::array graph = std::to_array<std::string_view>({
    // open paused completed cancelled expired
    "= y y y ?",  // open
    "y = y y ?",  // paused
    "T T T T ?",  // completed
    "T T T T ?",  // cancelled
    "T T T T ?",  // expired
});

Reason expected_at(char cell) {
    switch (cell) {
        case 'y':
            return Reason::lifecycle_change_accepted;
        case '=':
            return Reason::state_already_matches;
        case 'T':
            return Reason::task_is_terminal;
        default:
            return Reason::unknown_word;  // nobody asks for expiry
    }
}

LifecycleChange change(const Snapshot& head, Lifecycle to, Role role = Role::authority) {
    return {.to = to, .base = head.revision(), .actor = {role, "somebody"}, .reason = "Because."};
}
Decision asked(const Snapshot& head, const LifecycleChange& change, Timestamp now = {5000}) {
    return change_lifecycle(head, change, test::general_rules(), now);
}

/// A task that may be completed, and one that may not.
Snapshot free_task() { return test::told(test::new_task(), {.add_items = {{.title = "Look around"}}}); }
Snapshot gated_task() {
    return test::told(test::new_task(), {.notes = {test::constraint("budget")},
                                         .add_items = {{.title = "Book the courier", .id = "t1", .required = true}}});
}

}  // namespace

TEST_CASE("lifecycle: every value from every other one, as the table says", "[engine][governed:4.1]") {
    for (std::size_t from = 0; from < lifecycles; ++from) {
        for (std::size_t to = 0; to < lifecycles; ++to) {
            const auto before = static_cast<Lifecycle>(from), after = static_cast<Lifecycle>(to);
            INFO(word(before) << " to " << word(after));
            const Snapshot head = test::in(free_task(), before);
            const Decision decision = asked(head, change(head, after));
            CHECK(decision.error.reason == expected_at(graph[from][2 * to]));
            if (decision.outcome == Outcome::accepted) {
                CHECK(decision.snapshot.lifecycle() == after);
            } else {
                CHECK(decision.snapshot.same_object(head));  // [governed:4.2]: nothing is written
            }
        }
    }
}

TEST_CASE("lifecycle: a change is a whole revision and no progress", "[engine][governed:4.3][governed:4.11]") {
    const Snapshot head = gated_task();
    const Decision decision = asked(head, change(head, paused), {7000});

    REQUIRE(decision.outcome == Outcome::accepted);
    CHECK_FALSE(decision.progressed);
    const Snapshot& after = decision.snapshot;
    CHECK(after.revision().number == head.revision().number + 1);
    CHECK(after.updated_at() == Timestamp{7000});
    CHECK(after.last_progress_at() == head.last_progress_at());
    CHECK((test::in(after, open).semantic_digest() == head.semantic_digest()));

    const Decision resumed = asked(after, change(after, open), {6000});
    CHECK(resumed.snapshot.updated_at() == Timestamp{7000});  // a clock that went back takes no time away
    CHECK(resumed.snapshot.last_progress_at() == head.last_progress_at());
}

TEST_CASE("lifecycle: completion waits for its gates, from open and from paused", "[engine][governed:4.4]") {
    for (const Lifecycle before : {open, paused}) {
        const Snapshot head = test::in(gated_task(), before);
        const Decision refused = asked(head, change(head, completed));
        CHECK(refused.error.reason == Reason::required_items_incomplete);
        CHECK(refused.error.message.find("open items: t1; open constraints: budget") != std::string::npos);
        CHECK(refused.snapshot.same_object(head));
    }
    const Snapshot done =
        test::told(gated_task(),
                   {.resolve = {"budget"},
                    .items = {{.id = "t1", .status = ItemStatus::completed, .assurance = Assurance::host_reported}}});
    CHECK(asked(done, change(done, completed)).outcome == Outcome::accepted);
}

TEST_CASE("lifecycle: a cancellation says why, and is asked for that before who asks", "[engine][governed:4.5]") {
    const Snapshot head = free_task();
    LifecycleChange silent = change(head, cancelled, Role::delegate);
    silent.reason.reset();
    const Decision decision = asked(head, silent);
    CHECK(decision.error.reason == Reason::reason_required);
    CHECK(decision.error.path == "/reason");

    for (const Lifecycle to : {paused, completed}) {
        silent.to = to;
        silent.actor.role = Role::operator_;
        CHECK(asked(head, silent).outcome == Outcome::accepted);
    }
}

TEST_CASE("lifecycle: of several reasons against a change the first of the order is told",
          "[engine][governed:4.7][governed:4.8]") {
    const Snapshot ended = test::in(gated_task(), expired);
    LifecycleChange stale = change(ended, completed);
    stale.base = {7};
    CHECK(asked(ended, stale).error.reason == Reason::task_is_terminal);  // before the base and the gates
    stale.actor.role = Role::auditor;
    CHECK(asked(ended, stale).error.reason == Reason::capability_denied);  // before the end
    stale.to = cancelled;
    stale.reason.reset();
    CHECK(asked(ended, stale).error.reason == Reason::reason_required);  // before the role
    stale.to = expired;
    CHECK(asked(ended, stale).error.reason == Reason::unknown_word);  // before everything

    const Snapshot head = gated_task();
    LifecycleChange old = change(head, completed);
    old.base = {0};
    for (const Lifecycle to : {completed, open}) {  // the base comes before the gates and before "already so"
        old.to = to;
        const Decision conflict = asked(head, old);
        CHECK(conflict.outcome == Outcome::conflict);
        CHECK(conflict.error.reason == Reason::stale_base_revision);
        CHECK(conflict.error.limit == 1);
        CHECK(conflict.error.actual == 0);
    }
}

TEST_CASE("lifecycle: who may pause, resume, complete and cancel",
          "[engine][governed:5.7][governed:30.2][governed:30.33]") {
    // The columns are the roles in the order of their words.
    constexpr std::array may = std::to_array<std::string_view>({
        // authority evaluator companion agent operator administrator verifier auditor delegate
        "y - - y y y - - -",  // open
        "y - - y y y - - -",  // paused
        "y - - y y y - - -",  // completed
        "y - - - y y - - -",  // cancelled
    });
    for (std::size_t to = 0; to < may.size(); ++to) {
        for (std::size_t role = 0; role < Words<Role>::list.size(); ++role) {
            const auto after = static_cast<Lifecycle>(to);
            INFO(word(static_cast<Role>(role)) << " to " << word(after));
            const Snapshot head = test::in(free_task(), after == paused ? open : paused);
            const Decision decision = asked(head, change(head, after, static_cast<Role>(role)));
            if (may[to][2 * role] == 'y') {
                CHECK(decision.outcome == Outcome::accepted);
            } else {
                CHECK(decision.error.reason == Reason::capability_denied);
                CHECK(decision.error.path == "/actor/role");
            }
        }
    }
}

TEST_CASE("lifecycle: only the authority and an administrator complete over open gates, and say why",
          "[engine][governed:5.9]") {
    const Snapshot head = gated_task();
    for (std::size_t number = 0; number < Words<Role>::list.size(); ++number) {
        const auto role = static_cast<Role>(number);
        INFO(word(role));
        LifecycleChange over = change(head, completed, role);
        over.over_open_gates = true;
        const bool may = role == Role::authority || role == Role::administrator;
        const Decision decision = asked(head, over);
        CHECK((decision.outcome == Outcome::accepted) == may);
        if (!may) CHECK(decision.error.reason == Reason::capability_denied);
        over.reason.reset();
        CHECK(asked(head, over).error.reason == Reason::reason_required);
    }
    // To ask for it is enough to be refused: whether gates are open plays no part.
    const Snapshot free = free_task();
    LifecycleChange over = change(free, completed, Role::operator_);
    over.over_open_gates = true;
    CHECK(asked(free, over).error.path == "/over_open_gates");
}

TEST_CASE("lifecycle: while a task is paused nobody proposes, not even a correction", "[engine][governed:4.10]") {
    const Snapshot head = test::in(free_task(), paused);
    const ProposalInput proposal = test::proposal(head, Role::operator_, {{SetPhase{"collect"}}});
    for (const Intake intake : {Intake::submission, Intake::correction, Intake::boundary}) {
        CHECK(test::judged(head, proposal, intake).error.reason == Reason::task_is_paused);
    }
}

TEST_CASE("lifecycle: the successor has to fit, but a task that is due expires however full it is", "[engine]") {
    const Snapshot head = free_task();
    Rules tight = test::general_rules();
    tight.limits.snapshot_bytes_max = snapshot_bytes(head.state());
    const Decision full = change_lifecycle(head, change(head, cancelled), tight, {});
    CHECK(full.error.reason == Reason::snapshot_bytes_exceeded);
    CHECK(full.snapshot.same_object(head));
    CHECK(expire(head, {}).outcome == Outcome::accepted);
}

TEST_CASE("lifecycle: expiry ends what is open or paused, once", "[engine][governed:13.7][governed:30.33]") {
    for (const Lifecycle before : {open, paused}) {
        const Snapshot head = test::in(gated_task(), before);
        const Decision decision = expire(head, {9000});
        REQUIRE(decision.outcome == Outcome::accepted);
        CHECK(decision.snapshot.lifecycle() == expired);
        CHECK(decision.snapshot.revision().number == head.revision().number + 1);
        CHECK(decision.snapshot.updated_at() == Timestamp{9000});
        CHECK_FALSE(decision.progressed);
        const Decision again = expire(decision.snapshot, {9001});
        CHECK(again.error.reason == Reason::task_is_terminal);
        CHECK(again.snapshot.same_object(decision.snapshot));
    }
}

TEST_CASE("lifecycle: there is no revision after the last one", "[engine]") {
    const Snapshot task = free_task();
    State state = task.state();
    state.revision = {integer_max};
    const Snapshot head(std::move(state));
    CHECK(asked(head, change(head, paused)).error.reason == Reason::out_of_range);
    CHECK(expire(head, {}).error.reason == Reason::out_of_range);
}
