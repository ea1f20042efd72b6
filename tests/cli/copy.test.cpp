// Moving tasks between stores of every kind.

#include "cli/copy.hpp"
#include "store/contract.hpp"
#include "store/doubtful_store.hpp"
#include "support/desk.hpp"

#include <taskstate/store/task_journal.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace taskstate::test {
namespace {

const std::vector<Scope> scopes{home, abroad, stored_scope};

/// Lets some batches happen, and no more.
class EndingStore : public ForwardingStore {
 public:
    EndingStore(std::shared_ptr<Store> store, std::size_t batches)
        : ForwardingStore(std::move(store)), left_(batches) {}
    Result<void> commit(std::span<const Write> batch) override {
        if (left_ == 0) return fail(Reason::storage_full);
        --left_;
        return ForwardingStore::commit(batch);
    }

 private:
    std::size_t left_;
};

/// Everything that a store can hold: tasks of every lifecycle, two scopes, bindings, deliveries, a trimmed log.
void fill(const std::shared_ptr<Store>& store) {
    Desk desk(store);
    desk.start_unusable("late");
    desk.start("busy");
    desk.propose("busy", set_status("review", ItemStatus::running));
    desk.propose("busy", set_status("nothing", ItemStatus::running));
    desk.bind("busy", {"chat", "session-1", "e1"});
    const Binding ended = desk.bind("busy", {"chat", "session-2", "e1"});
    REQUIRE(desk.service.unbind({.scope = home, .binding = ended.id, .actor = operator_olga, .reason = "Done."})
                .has_value());
    desk.bind("busy", {"chat", "session-2", "e1"});
    const auto shown = desk.service.prepare({.scope = home, .task = "busy"});
    REQUIRE((shown && shown->delivery));
    REQUIRE(*desk.service.confirm_exposure(home, *shown->delivery));
    REQUIRE(desk.service.prepare({.scope = home, .task = "busy", .prompt = {.bytes_max = 8}}).has_value());

    TaskOptions options = saved_task_options();
    options.scope = stored_scope;
    TaskState task = value_of(open_task(store, options));
    for (const char* id : {"a", "b", "c"}) REQUIRE(task.update(one_note(id), task.revision()).has_value());
    const TaskAddress trimmed{stored_scope, "trimmed"};
    const auto states = states_of(trimmed, 9);
    REQUIRE(store->commit(history(states)).has_value());
    const std::vector<Write> trim{TrimLog{.task = trimmed, .first = {6}, .kept = {based(states, 3), based(states, 6)}}};
    REQUIRE(store->commit(trim).has_value());
}

}  // namespace

TEST_CASE_METHOD(OnEachStore, "copy: everything of a store arrives in one of any kind, once", "[cli]") {
    fill(store);
    const Contents expected = contents(scopes);
    std::vector<StoreKind> others = store_kinds();
    others.push_back({.name = "memory", .open_in = [](const std::string&) { return memory_store(); }});
    for (const StoreKind& other : others) {
        INFO("to " << other.name);
        const auto target = other.open();
        const Copied copied = value_of(copy_store(*store, *target));
        CHECK(contents_of(*target, scopes) == expected);
        CHECK(copied.scopes == 3);
        CHECK(copied.tasks == expected.tasks.size());
        CHECK(copied.checked == expected.tasks.size());
        CHECK(copied.revisions == expected.revisions.size());
        CHECK(copied.decisions == expected.decisions.size());
        CHECK(copied.deliveries == expected.deliveries.size());
        CHECK(copied.bindings == expected.bindings.size());
        CHECK(copied.modes == 2);
        CHECK(copied.profiles == expected.profiles.size());
        CHECK(value_of(copy_store(*store, *target)) == Copied{.checked = copied.checked});
    }
}

TEST_CASE("copy: cut off after any batch it goes on, and no state is there that the task never had", "[cli]") {
    const auto source = memory_store();
    fill(source);
    const Contents expected = contents_of(*source, scopes);
    std::size_t batches = 0;
    for (bool complete = false; !complete; ++batches) {
        const auto target = memory_store();
        EndingStore ending(target, batches);
        complete = copy_store(*source, ending).has_value();
        for (const StoredTask& half : contents_of(*target, scopes).tasks) {
            const auto record = source->revisions(half.head.address(), {half.head.frame.revision.number - 1}, 1);
            REQUIRE_FALSE(record->empty());
            CHECK(record->front().state_digest == half.head.state_digest);
        }
        REQUIRE(copy_store(*source, *target).has_value());
        CHECK(contents_of(*target, scopes) == expected);
    }
    CHECK(batches > 10);
}

TEST_CASE("copy: what happened since the last copy is all that the next one writes", "[cli]") {
    const auto source = memory_store(), target = memory_store();
    fill(source);
    REQUIRE(copy_store(*source, *target).has_value());
    TaskOptions options = saved_task_options();
    options.scope = stored_scope;
    TaskState task = value_of(open_task(source, options));
    REQUIRE(task.update(one_note("d"), task.revision()).has_value());

    const Copied copied = value_of(copy_store(*source, *target));
    CHECK(copied == Copied{.scopes = 1, .tasks = 1, .revisions = 1, .checked = copied.checked});
    CHECK(contents_of(*target, scopes) == contents_of(*source, scopes));
}

TEST_CASE("copy: a long log arrives in several batches, and no step that nobody made is ever seen", "[cli]") {
    const auto source = memory_store();
    const TaskAddress task{stored_scope, "long"};
    auto states = states_of(task, 3);
    auto writes = history(states);
    while (states.back().revision().number < 1'200) {
        State next = states.back().state();
        ++next.revision.number;
        states.emplace_back(std::move(next));
        writes.emplace_back(advance(states[states.size() - 2], states.back()));
    }
    REQUIRE(source->commit(writes).has_value());
    std::uint64_t kept = 1'200;
    SECTION("as it began") {}
    SECTION("with what a retention left of it") {
        writes = {TrimLog{.task = task, .first = {600}, .kept = {based(states, 2), based(states, 600)}}};
        REQUIRE(source->commit(writes).has_value());
        kept = 602;
    }
    const auto target = memory_store();
    EndingStore ending(target, 1);
    REQUIRE_FALSE(copy_store(*source, ending).has_value());
    const auto half = contents_of(*target).revisions;
    const auto whole = contents_of(*source).revisions;
    REQUIRE(half.size() < whole.size());
    CHECK(std::equal(half.begin(), half.end(), whole.begin()));
    CHECK(value_of(copy_store(*source, *target)).revisions == kept - half.size());
    CHECK(contents_of(*target) == contents_of(*source));
}

TEST_CASE("copy: another task of the same name, or one that went on by itself, is refused", "[cli]") {
    const auto source = memory_store(), target = memory_store();
    TaskOptions options = saved_task_options();
    TaskState ours = value_of(open_task(source, options));
    REQUIRE(ours.update(one_note("a"), {0}).has_value());

    SECTION("another beginning") {
        TaskState theirs = value_of(open_task(target, options));
        REQUIRE(theirs.update(one_note("b"), {0}).has_value());
        const Error refused = copy_store(*source, *target).error();
        CHECK(refused.reason == Reason::already_exists);
        CHECK(refused.path == "/id");
        CHECK(copy_answer(refused) == R"({"ok":false,"code":"invalid","reason":"already_exists","path":"/id"})");
    }
    SECTION("the same state, begun under another key") {
        StoredTask same = value_of(source->load({options.scope, options.id})).value();
        same.head.start_key = "another";
        const auto record = value_of(source->revisions({options.scope, options.id}, {}, 1)).front();
        REQUIRE(target->commit(std::vector<Write>{StartTask{same.head, record}}).has_value());
        CHECK(copy_store(*source, *target).error().reason == Reason::already_exists);
    }
    SECTION("it went on") {
        REQUIRE(copy_store(*source, *target).has_value());
        TaskState theirs = value_of(open_task(target, options));
        REQUIRE(theirs.update(one_note("b"), {1}).has_value());
        const Contents before = contents_of(*target, {options.scope});
        const Error refused = copy_store(*source, *target).error();
        CHECK(refused.reason == Reason::concurrent_successor_committed);
        CHECK(contents_of(*target, {options.scope}) == before);
    }
}

}  // namespace taskstate::test
