// What is left of a log when a service removes older revisions, on every store.

#include "store/contract.hpp"
#include "store/doubtful_store.hpp"
#include "store/stored_state.hpp"
#include "support/desk.hpp"

#include <algorithm>
#include <map>
#include <random>

namespace taskstate::test {
namespace {

const TaskAddress trimmed_task{home, "task-a"};

/// A service over a store of each kind, with a task that goes on by one revision a minute.
class OnEachDesk : public OnEachStore {
 protected:
    Desk desk{store};

    void go_to(std::uint64_t last) {
        if (revision_ == 0) revision_ = desk.start("task-a").number;
        while (revision_ < last) go_on(++revision_);
    }
    Trimmed trim(TrimInput request) {
        request.task = trimmed_task;
        request.actor = admin_ada;
        return value_of(desk.service.trim(request));
    }
    std::vector<std::uint64_t> log() {
        std::vector<std::uint64_t> numbers;
        for (const RevisionRecord& record : value_of(store->revisions(trimmed_task, {}, all))) {
            numbers.push_back(record.frame.revision.number);
        }
        return numbers;
    }
    void check_sound() {
        const auto integrity = value_of(desk.service.verify(home));
        for (const Problem& problem : integrity.problems) FAIL_CHECK(word(problem.reason));
        CHECK(integrity.checked_tasks == 1);
    }
    std::map<std::uint64_t, Snapshot> states() {
        std::map<std::uint64_t, Snapshot> found;
        const auto head = value_of(store->find(trimmed_task, std::nullopt))->head;
        for (const std::uint64_t number : log()) found[number] = value_of(state_at(*store, head, Revision{number}));
        return found;
    }

 private:
    /// Paused and resumed on the way, with and without progress in between.
    void go_on(std::uint64_t next) {
        desk.clock->advance(minute_ms);
        if (next % 7 == 5)
            Desk::accept(desk.to("task-a", Lifecycle::paused));
        else if (next % 7 == 6)
            Desk::accept(desk.to("task-a", Lifecycle::open));
        else
            Desk::accept(
                desk.propose("task-a", set_status("review", next % 2 == 0 ? ItemStatus::running : ItemStatus::ready)));
    }

    std::uint64_t revision_ = 0;
};

using Numbers = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE_METHOD(OnEachDesk, "trim: so many of the last revisions stay, and the log still leads to the head",
                 "[store][service][hazard:25]") {
    go_to(10);
    const auto before = value_of(store->load(trimmed_task));
    const auto states_before = states();

    const Trimmed trimmed = trim({.last = 3});

    CHECK(trimmed.removed == 7);
    CHECK(trimmed.first == Revision{8});
    CHECK(log() == Numbers{8, 9, 10});
    CHECK(value_of(store->load(trimmed_task)) == before);
    for (const auto& [number, state] : states()) CHECK(state == states_before.at(number));
    check_sound();
    go_to(16);
    check_sound();
}

TEST_CASE_METHOD(OnEachDesk, "trim: what is not older than a moment stays, whichever rule keeps it",
                 "[store][service][hazard:25]") {
    go_to(10);
    const Timestamp then{desk.clock->now().ms - 5 * minute_ms};
    CHECK(trim({.last = 2, .since = then}).first == Revision{5});
    CHECK(log() == Numbers{5, 6, 7, 8, 9, 10});
    CHECK(trim({.since = Timestamp{desk.clock->now().ms + 1}}).first == Revision{10});
    CHECK(log() == Numbers{10});
    check_sound();
}

TEST_CASE_METHOD(OnEachDesk, "trim: pinned revisions stay as whole states, as long as they are pinned",
                 "[store][service][hazard:25]") {
    go_to(12);
    const auto states_before = states();

    CHECK(trim({.last = 2, .pinned = {{3}, {6}, {11}}}).removed == 8);
    CHECK(log() == Numbers{3, 6, 11, 12});
    for (const auto& [number, state] : states()) CHECK(state == states_before.at(number));
    check_sound();

    CHECK(trim({.last = 2, .pinned = {{3}, {4}, {6}}}).removed == 0);  // a pin brings nothing back
    CHECK(trim({.last = 2, .pinned = {{6}}}).removed == 1);
    CHECK(log() == Numbers{6, 11, 12});
    check_sound();
}

TEST_CASE_METHOD(OnEachDesk, "trim: the same call again removes nothing more, and keys answer as before",
                 "[store][service]") {
    go_to(6);
    const auto decisions = value_of(store->decisions(trimmed_task, 0, all));
    CHECK(trim({.last = 1}).removed == 5);
    CHECK(trim({.last = 1}).removed == 0);
    CHECK(trim({.last = 50}).removed == 0);
    CHECK(value_of(store->decisions(trimmed_task, 0, all)) == decisions);
    const auto again = desk.service.start({.task = trimmed_task,
                                           .key = "start:task-a",
                                           .actor = operator_olga,
                                           .goal = "Ship the order",
                                           .constraints = {"Stay small"},
                                           .items = {item("review"), item("deploy", {"review"})}});
    CHECK(value_of(again).replayed);
}

TEST_CASE_METHOD(OnEachDesk, "trim: nothing goes without a rule, without the right, or for a pin that cannot be",
                 "[store][service]") {
    go_to(4);
    const auto refused = [&](TrimInput request, Actor actor, Reason reason, std::string_view path) {
        request.task.scope = home;
        if (request.task.id.empty()) request.task.id = trimmed_task.id;
        request.actor = std::move(actor);
        const auto done = desk.service.trim(request);
        REQUIRE_FALSE(done.has_value());
        CHECK(word(done.error().reason) == word(reason));
        CHECK(done.error().path == path);
        CHECK(log() == Numbers{1, 2, 3, 4});
    };
    refused({.pinned = {{1}}}, admin_ada, Reason::missing_field, "/last");
    refused({.last = 0}, admin_ada, Reason::out_of_range, "/last");
    refused({.last = 1, .pinned = {{2}, {5}}}, admin_ada, Reason::out_of_range, "/pinned/1");
    refused({.last = 1}, agent_runner, Reason::capability_denied, "/actor/role");
    refused({.task = {.id = "task-b"}, .last = 1}, admin_ada, Reason::task_not_eligible, "");
}

TEST_CASE_METHOD(OnEachDesk, "trim: readers are told that older revisions were removed", "[store][service]") {
    go_to(9);
    const ProvenanceInput asked{.task = trimmed_task, .kind = TargetKind::item, .id = "deploy"};
    CHECK(value_of(desk.service.provenance(asked)).found);
    CHECK_FALSE(value_of(desk.service.timeline({.task = trimmed_task})).retention.has_value());

    trim({.last = 3});

    const Provenance told = value_of(desk.service.provenance(asked));
    CHECK_FALSE(told.found);
    CHECK(told.retention.value_or("").starts_with("Older revisions were removed by retention"));
    Timeline timeline = value_of(desk.service.timeline({.task = trimmed_task, .limit = 8}));
    CHECK(timeline.retention == told.retention);
    CHECK(timeline.revisions.size() == 2);
    timeline = value_of(desk.service.timeline({.task = trimmed_task, .after = 8, .limit = 8}));
    CHECK(timeline.revisions.size() == 1);
}

TEST_CASE_METHOD(OnEachDesk, "trim: a delivery of a removed revision is not told of by another one",
                 "[store][service]") {
    go_to(3);
    const auto package = value_of(desk.service.prepare({.scope = home, .task = "task-a"}));
    go_to(9);
    trim({.last = 2});
    const Provenance told = value_of(desk.service.provenance(
        {.task = trimmed_task, .kind = TargetKind::delivery, .id = package.delivery.value_or("")}));
    CHECK(told.history.empty());
    CHECK(told.deliveries.size() == 1);
}

TEST_CASE_METHOD(OnEachDesk, "trim: a log that does not hold is left as it is", "[store][service]") {
    go_to(6);
    TrimLog forged{.task = trimmed_task, .first = {3}, .kept = {value_of(store->revisions(trimmed_task, {2}, 1))}};
    forged.kept.front().base = LogBase{};  // its changes are not the whole state
    keep({forged});
    const auto done = desk.service.trim({.task = trimmed_task, .actor = admin_ada, .last = 1});
    REQUIRE_FALSE(done.has_value());
    CHECK(done.error().code() == Errc::corrupt);
    CHECK(log() == Numbers{3, 4, 5, 6});
    CHECK_FALSE(value_of(desk.service.verify(home)).valid);
}

TEST_CASE_METHOD(OnEachDesk, "trim: a commit and another removal in between change nothing of what is promised",
                 "[store][service]") {
    go_to(8);
    /// Lets something happen between the look at the log and the removal.
    struct Overtaken : ForwardingStore {
        using ForwardingStore::ForwardingStore;
        std::function<void()> overtake{};
        Result<void> commit(std::span<const Write> batch) override {
            if (auto other = std::exchange(overtake, nullptr)) other();
            return ForwardingStore::commit(batch);
        }
    };
    const auto between = std::make_shared<Overtaken>(store);
    auto other = value_of(TaskService::open({.store = between}));
    SECTION("a commit") {
        between->overtake = [&] { go_to(9); };
        CHECK(value_of(other.trim({.task = trimmed_task, .actor = admin_ada, .last = 2})).first == Revision{7});
        CHECK(log() == Numbers{7, 8, 9});
    }
    SECTION("a removal of more") {
        between->overtake = [&] { trim({.last = 1}); };
        CHECK(value_of(other.trim({.task = trimmed_task, .actor = admin_ada, .last = 3})).removed == 0);
        CHECK(log() == Numbers{8});
    }
    SECTION("the end of the task") {
        between->overtake = [&] { (void)desk.service.forget(trimmed_task, admin_ada); };
        CHECK(other.trim({.task = trimmed_task, .actor = admin_ada, .last = 3}).error().reason ==
              Reason::task_not_eligible);
        return;
    }
    check_sound();
}

TEST_CASE_METHOD(OnEachDesk, "trim: whatever is removed of whatever log, what stays leads to the head",
                 "[store][service][hazard:25]") {
    std::minstd_rand random(GENERATE(1u, 2u, 3u));
    const auto below = [&](std::size_t bound) { return static_cast<std::uint64_t>(random() % bound); };
    go_to(2 + below(4));
    for (int round = 0; round < 6; ++round) {
        go_to(log().back() + below(9));
        const auto before = states();
        TrimInput request;
        if (below(3) > 0) request.last = 1 + below(8);
        if (below(3) == 0 || !request.last) {
            request.since = Timestamp{desk.clock->now().ms - static_cast<std::int64_t>(below(12)) * minute_ms};
        }
        for (std::uint64_t pins = below(4); pins > 0; --pins) request.pinned.push_back({1 + below(log().back())});
        const Trimmed trimmed = trim(request);
        const auto after = states();
        CHECK(after.size() == before.size() - trimmed.removed);
        for (const auto& [number, state] : before) {
            const bool pinned =
                std::find(request.pinned.begin(), request.pinned.end(), Revision{number}) != request.pinned.end();
            const bool stays = number >= trimmed.first.number || pinned;
            REQUIRE(after.contains(number) == stays);
            if (stays) CHECK(after.at(number) == state);
        }
        check_sound();
    }
}

}  // namespace taskstate::test
