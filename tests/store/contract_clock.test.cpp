// A clock that is set back while a task is under way, on every store.

#include "store/contract.hpp"
#include "support/desk.hpp"

namespace taskstate::test {

TEST_CASE_METHOD(OnEachStore, "clock: set back, it loses no step, ends no task and leaves the log sound",
                 "[store][service]") {
    Desk desk(store);
    const TaskAddress task{home, "task-a"};
    desk.start("task-a");
    const auto go_on = [&](std::int64_t ms) {
        desk.clock->advance(ms);
        Desk::accept(desk.propose("task-a", set_status("review", ItemStatus::running)));
        Desk::accept(desk.to("task-a", Lifecycle::paused));
        desk.clock->advance(-ms / 2);
        Desk::accept(desk.to("task-a", Lifecycle::open));
        Desk::accept(desk.propose("task-a", set_status("review", ItemStatus::ready)));
    };

    go_on(hour_ms);
    go_on(-48 * hour_ms);
    const auto delivered = value_of(desk.service.prepare({.scope = home, .task = "task-a"}));
    CHECK(delivered.block.has_value());
    desk.start("task-b");
    go_on(2 * hour_ms);

    CHECK(desk.revision("task-a") == Revision{13});
    CHECK(desk.lifecycle("task-a") == Lifecycle::open);
    CHECK(value_of(store->due(desk.clock->now(), all)).empty());
    std::vector<std::uint64_t> revisions, decisions;
    for (const RevisionRecord& record : value_of(store->revisions(task, {}, all))) {
        revisions.push_back(record.frame.revision.number);
    }
    for (const DecisionRecord& record : value_of(store->decisions(task, 0, all))) decisions.push_back(record.sequence);
    CHECK(revisions == decisions);
    CHECK(value_of(store->list({.scope = home, .limit = all})).size() == 2);
    const auto integrity = value_of(desk.service.verify(home));
    for (const Problem& problem : integrity.problems) FAIL_CHECK(word(problem.reason));
    CHECK(integrity.checked_tasks == 2);
}

}  // namespace taskstate::test
