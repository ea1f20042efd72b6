// One task in memory that keeps its steps in a store.

#include "store/contract.hpp"
#include "store/doubtful_store.hpp"
#include "store/temporary_folder.hpp"

#include <taskstate/service/task_service.hpp>
#include <taskstate/store/task_journal.hpp>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace taskstate::test {
namespace {

const TaskAddress task{.scope = stored_scope, .id = "delivery-42"};

TaskOptions options_of(const TaskAddress& address = task) {
    TaskOptions options = saved_task_options();
    options.id = address.id;
    options.scope = address.scope;
    return options;
}
TaskState opened(const std::shared_ptr<Store>& store, const TaskAddress& address = task) {
    return value_of(open_task(store, options_of(address)));
}

Result<Commit> add(TaskState& state, const std::string& id) { return state.update(one_note(id), state.revision()); }
void add_all(TaskState& state, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) REQUIRE(add(state, id).has_value());
}

std::vector<std::string> notes_of(const TaskState& state) { return note_ids(to_input(*state.snapshot())); }

/// The rows of one task, as a service judges them.
Integrity verified(const std::shared_ptr<Store>& store, const Scope& scope = stored_scope) {
    TaskService service = value_of(TaskService::open({.store = store}));
    REQUIRE(service.set_mode(scope, ScopeMode::enabled).has_value());
    return value_of(service.verify(scope));
}

Result<Commit> back_to(Store& store, std::uint64_t source, std::uint64_t base) {
    return return_to(store, {.task = task,
                             .source = {source},
                             .base = {base},
                             .reason = "The customer changed their mind.",
                             .clock = std::make_shared<FixedClock>(later(60'000))});
}

/// Answers every batch with one refusal while it has one.
class FailingStore : public ForwardingStore {
 public:
    using ForwardingStore::ForwardingStore;
    Result<void> commit(std::span<const Write> batch) override {
        return refusal ? Result<void>(*refusal) : ForwardingStore::commit(batch);
    }
    std::optional<Error> refusal{};
};

/// Lets somebody else be quicker, once, behind the back of whoever looked; and may then lose the answer.
class RacingStore : public ForwardingStore {
 public:
    using ForwardingStore::ForwardingStore;
    Result<void> commit(std::span<const Write> batch) override {
        if (!quicker) return ForwardingStore::commit(batch);
        std::exchange(quicker, nullptr)();
        return doubtful ? Result<void>(fail(Reason::commit_in_doubt)) : ForwardingStore::commit(batch);
    }
    std::function<void()> quicker{};
    bool doubtful = false;
};

}  // namespace

TEST_CASE_METHOD(OnEachStore, "journal: a task is in the store from its first commit on, and is opened as it was left",
                 "[store]") {
    TaskState first = opened(store);
    CHECK(first.revision() == Revision{0});
    CHECK_FALSE(*store->find(task, std::nullopt));

    add_all(first, {"a", "b"});
    CHECK(first.update({}, Revision{2})->outcome == Outcome::no_change);
    const TaskState second = opened(store);

    CHECK(*second.snapshot() == *first.snapshot());
    CHECK(second.snapshot()->state_digest() == first.snapshot()->state_digest());
    CHECK(store->revisions(task, {}, all)->size() == 2);
    CHECK(first.clear().error().reason == Reason::journalled);
}

TEST_CASE_METHOD(OnEachStore, "journal: a second object on the same task loses with a conflict, and changes nothing",
                 "[store][spec:A5]") {
    SECTION("both begin it") {
        TaskState first = opened(store), second = opened(store);
        add_all(first, {"a"});
        const Error lost = add(second, "b").error();
        CHECK(lost.code() == Errc::conflict);
        CHECK(lost.limit == 1);
        CHECK(lost.actual == 0);
        CHECK(second.revision() == Revision{0});
    }
    SECTION("both go on") {
        TaskState begun = opened(store);
        add_all(begun, {"a"});
        TaskState first = opened(store), second = opened(store);
        add_all(first, {"b", "c"});
        const Error lost = add(second, "d").error();
        CHECK(lost.code() == Errc::conflict);
        CHECK(lost.limit == 3);
        CHECK(lost.actual == 1);
        CHECK(notes_of(second) == std::vector<std::string>{"a"});

        TaskState third = opened(store);
        add_all(third, {"d"});
        CHECK(notes_of(third) == std::vector<std::string>{"a", "b", "c", "d"});
    }
    CHECK(verified(store).valid);
}

TEST_CASE_METHOD(OnEachStore, "journal: what was committed is there when the store is opened again", "[store]") {
    if (!kind.durable) return;
    const TemporaryFolder folder;
    const auto states = [&] {
        TaskState state = opened(kind.open_in(folder.path()));
        add_all(state, {"a", "b", "c"});
        return *state.snapshot();
    }();
    const auto again = kind.open_in(folder.path());
    TaskState state = opened(again);
    CHECK(*state.snapshot() == states);
    add_all(state, {"d"});
    CHECK(verified(again).valid);
}

TEST_CASE_METHOD(OnEachStore, "journal: a store that fails leaves the task as it was, and the same call is good later",
                 "[store][hazard:13]") {
    const auto failing = std::make_shared<FailingStore>(store);
    TaskState state = opened(failing);
    for (const char* id : {"a", "b"}) {
        const Snapshot before = *state.snapshot();
        failing->refusal = fail(Reason::storage_full);
        CHECK(add(state, id).error().reason == Reason::storage_full);
        CHECK(state.snapshot()->same_object(before));
        failing->refusal.reset();
        add_all(state, {id});
    }
    CHECK(*opened(store).snapshot() == *state.snapshot());
}

TEST_CASE_METHOD(OnEachStore, "journal: a commit in doubt happens once, whether it had been kept or lost", "[store]") {
    for (const Fate fate : {Fate::kept, Fate::lost}) {
        for (const std::size_t nth : {1U, 2U, 3U}) {
            const auto fresh = kind.open();
            const auto doubtful = std::make_shared<DoubtfulStore>(fresh);
            TaskState state = opened(doubtful);
            doubtful->doubt(nth, fate);
            add_all(state, {"a", "b", "c"});
            CHECK_FALSE(doubtful->pending());
            CHECK(state.revision() == Revision{3});
            CHECK(*opened(fresh).snapshot() == *state.snapshot());
            CHECK(verified(fresh).valid);
        }
    }
}

TEST_CASE_METHOD(OnEachStore, "journal: a commit that stays in doubt leaves the task as it was; opened again it tells",
                 "[store]") {
    const auto inner = std::make_shared<FailingStore>(store);
    const auto doubtful = std::make_shared<DoubtfulStore>(inner);
    TaskState state = opened(doubtful);
    add_all(state, {"a"});
    doubtful->doubt(1, Fate::kept);
    inner->refusal = fail(Reason::commit_in_doubt);
    CHECK(add(state, "b").error().reason == Reason::commit_in_doubt);
    inner->refusal = fail(Reason::lock_timeout);
    doubtful->doubt(1, Fate::lost);
    CHECK(add(state, "b").error().reason == Reason::commit_in_doubt);
    CHECK(notes_of(state) == std::vector<std::string>{"a"});

    inner->refusal.reset();
    add_all(state, {"b"});
    CHECK(*opened(store).snapshot() == *state.snapshot());
}

TEST_CASE_METHOD(OnEachStore, "journal: who is overtaken while committing gets a conflict, in doubt or not",
                 "[store][hazard:5]") {
    const auto racing = std::make_shared<RacingStore>(store);
    TaskState state = opened(racing);
    std::vector<std::string> expected;
    for (const bool doubtful : {false, true, false, true}) {
        TaskState other = opened(store);
        racing->doubtful = doubtful;
        racing->quicker = [&] { add_all(other, {"other-" + std::to_string(expected.size())}); };
        const Error lost = add(state, "mine").error();
        CHECK(lost.reason == Reason::concurrent_successor_committed);
        CHECK(lost.limit == expected.size() + 1);
        CHECK(lost.actual == expected.size());
        expected.push_back("other-" + std::to_string(expected.size()));
        state = opened(racing);
        CHECK(notes_of(state) == expected);
    }
    CHECK(verified(store).valid);
}

TEST_CASE_METHOD(OnEachStore, "journal: threads of one task get conflicts or revisions, and nothing is lost",
                 "[store][hazard:4]") {
    TaskState state = opened(store);
    constexpr std::size_t writers = 4, each = 10;
    std::vector<std::thread> threads;
    std::atomic<std::size_t> accepted{0};
    for (std::size_t writer = 0; writer < writers; ++writer) {
        threads.emplace_back([&, writer] {
            for (std::size_t i = 0; i < each;) {
                const std::string id = "w" + std::to_string(writer) + "-" + std::to_string(i);
                const auto done = add(state, id);
                if (done) ++accepted, ++i;
                if (!done && done.error().code() != Errc::conflict) return;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(accepted == writers * each);
    CHECK(state.revision().number == writers * each);
    CHECK(*opened(store).snapshot() == *state.snapshot());
    CHECK(verified(store).valid);
}

TEST_CASE_METHOD(OnEachStore, "journal: a task that is gone, or is another state than the stored one, takes no step",
                 "[store]") {
    TaskState state = opened(store);
    add_all(state, {"a"});
    REQUIRE(store->forget(task)->has_value());
    CHECK(add(state, "b").error().reason == Reason::task_not_eligible);

    TaskState other = opened(store);
    add_all(other, {"other"});
    const Error lost = add(state, "b").error();
    CHECK(lost.code() == Errc::conflict);
    CHECK(notes_of(opened(store)) == std::vector<std::string>{"other"});
}

TEST_CASE_METHOD(OnEachStore, "journal: a service reads the task and its log, and says who changed it",
                 "[store][governed:19.7]") {
    TaskOptions options = options_of();
    options.profile = "general-v1";
    options.link = LinkTarget{.kind = LinkKind::task, .id = "T1"};
    TaskState state = value_of(open_task(store, options, {.actor = {Role::authority, "night-desk"}}));
    HostDelta first = one_note("a");
    first.add_items = {{.title = "Pack", .id = "pack", .required = true}};
    first.reason = "It was ordered.";
    REQUIRE(state.update(first, Revision{0}).has_value());
    REQUIRE(state.update({.items = {{.id = "pack", .status = ItemStatus::running}}}, Revision{1}).has_value());

    TaskService service = value_of(TaskService::open({.store = store, .clock = std::make_shared<FixedClock>()}));
    REQUIRE(service.set_mode(stored_scope, ScopeMode::enabled).has_value());
    CHECK(service.read(task)->snapshot == *state.snapshot());
    CHECK(service.verify(stored_scope)->valid);
    const auto records = *store->revisions(task, {}, all);
    REQUIRE(records.size() == 2);
    CHECK(records[0].origin.method == "task_start");
    CHECK(records[0].origin.actor == Actor{Role::authority, "night-desk"});
    CHECK(records[0].origin.reason == "It was ordered.");
    CHECK(records[1].origin.method == "typed_delta");
    CHECK(records[1].progressed);
    const auto told = service.provenance({.task = task, .kind = TargetKind::status, .id = "pack"});
    CHECK(told->history.size() == 2);

    REQUIRE(service
                .lifecycle({.task = task,
                            .key = "pause",
                            .actor = {Role::operator_, "olga"},
                            .to = Lifecycle::paused,
                            .base = {2}})
                .has_value());
    CHECK(add(state, "b").error().code() == Errc::conflict);
    TaskState paused = value_of(open_task(store, options));
    CHECK(add(paused, "b").error().reason == Reason::task_is_paused);
}

TEST_CASE_METHOD(OnEachStore, "journal: going back is one more revision, which names its source and keeps the log",
                 "[store]") {
    TaskState state = opened(store);
    add_all(state, {"a", "b"});
    REQUIRE(state.update({.resolve = {"a"}, .prune = {.notes = {"a"}}}, Revision{2}).has_value());
    add_all(state, {"c"});

    const auto returned = back_to(*store, 2, 4);
    REQUIRE(returned.has_value());
    CHECK(returned->outcome == Outcome::accepted);
    CHECK(returned->snapshot.revision() == Revision{5});
    TaskState again = opened(store);
    CHECK(*again.snapshot() == returned->snapshot);
    CHECK(notes_of(again) == std::vector<std::string>{"a", "b"});
    CHECK(again.snapshot()->updated_at() == later(60'000));

    const auto records = *store->revisions(task, {}, all);
    REQUIRE(records.size() == 5);
    CHECK(records[4].origin.method == "returned_to_revision_2");
    CHECK(records[4].origin.reason == "The customer changed their mind.");
    CHECK(verified(store).valid);
    CHECK(add(state, "d").error().code() == Errc::conflict);
    add_all(again, {"d"});
    CHECK(back_to(*store, 4, 6)->snapshot.notes().size() == 2);
    CHECK(verified(store).valid);
}

TEST_CASE_METHOD(OnEachStore, "journal: going back takes back what was noted, not what has happened",
                 "[store][hazard:26]") {
    TaskOptions options = options_of();
    options.profile = "general-v1";
    options.link = LinkTarget{.kind = LinkKind::task, .id = "T1"};
    TaskState state = value_of(open_task(store, options));
    REQUIRE(state.update({.add_items = {{.title = "Pack"}}}, Revision{0}).has_value());
    REQUIRE(state.record_action(started("exec-7"), Revision{1}).has_value());
    REQUIRE(state.sync_link({.id = "T1", .status = "completed"}, Revision{2}).has_value());
    REQUIRE(
        state
            .update(
                {.add_items = {{.title = "Send"}}, .phase = "execute", .lock_schema = true, .reason = "It is agreed."},
                Revision{3})
            .has_value());

    const Snapshot returned = value_of(back_to(*store, 1, 4)).snapshot;
    CHECK(returned.items().size() == 1);
    CHECK(returned.phase() == "plan");
    CHECK(returned.actions().find("exec-7")->status == ActionStatus::started);
    CHECK(returned.link()->status == "completed");
    CHECK(returned.schema_locked());
    CHECK(verified(store).valid);
}

TEST_CASE_METHOD(OnEachStore, "journal: after going back no id is given that was another item's", "[store]") {
    TaskState state = opened(store);
    add_all(state, {"a"});
    REQUIRE(state.update({.add_items = {{.title = "Pack"}}}, Revision{1}).has_value());
    REQUIRE(back_to(*store, 1, 2)->snapshot.items().empty());

    TaskState again = opened(store);
    REQUIRE(again.update({.add_items = {{.title = "Weigh"}}}, Revision{3}).has_value());
    CHECK(again.snapshot()->items()[0].id == "t2");
    CHECK(verified(store).valid);
}

TEST_CASE_METHOD(OnEachStore, "journal: going back is refused where there is nothing to go back to", "[store]") {
    CHECK(back_to(*store, 1, 1).error().reason == Reason::task_not_eligible);
    TaskState state = opened(store);
    add_all(state, {"a", "b"});
    const Contents before = contents();

    for (const std::uint64_t source : {0U, 3U}) {
        const Error refused = back_to(*store, source, 2).error();
        CHECK(refused.reason == Reason::out_of_range);
        CHECK(refused.path == "/source");
    }
    const Error stale = back_to(*store, 1, 1).error();
    CHECK(stale.reason == Reason::stale_base_revision);
    CHECK(stale.limit == 2);
    CHECK(stale.actual == 1);
    CHECK(return_to(*store, {.task = task, .source = {1}, .base = {2}, .reason = " "}).error().path == "/reason");
    CHECK(return_to(*store, {.task = task, .source = {1}, .base = {2}, .actor = {Role::authority, ""}}).error().path ==
          "/actor/name");
    CHECK(back_to(*store, 2, 2)->outcome == Outcome::no_change);
    CHECK(contents() == before);
}

TEST_CASE_METHOD(OnEachStore, "journal: going back goes as far as the log does", "[store]") {
    const auto states = keep_task(task, 6);
    keep({TrimLog{.task = task, .first = {4}, .kept = {based(states, 2), based(states, 4)}}});

    for (const std::uint64_t gone : {1U, 3U}) CHECK(back_to(*store, gone, 6).error().reason == Reason::out_of_range);
    std::uint64_t head = 6;
    for (const std::size_t source : {2U, 4U, 5U}) {
        const Snapshot returned = value_of(back_to(*store, source, head++)).snapshot;
        CHECK(note_ids(to_input(returned)) == note_ids(to_input(states[source])));
    }
}

TEST_CASE_METHOD(OnEachStore, "journal: options that name no task of a store are refused before it is asked",
                 "[store]") {
    CHECK(open_task(nullptr, options_of()).error().path == "/store");
    CHECK(open_task(store, options_of({stored_scope, ""})).error().path == "/id");
    CHECK(open_task(store, options_of(), {.actor = {Role::authority, ""}}).error().path == "/actor/name");
    TaskState state = opened(store);
    add_all(state, {"a"});
    TaskOptions other = options_of();
    other.profile = "general-v1";
    CHECK(open_task(store, other).error().reason == Reason::profile_version_differs);
}

}  // namespace taskstate::test
