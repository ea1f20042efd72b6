// What a reader sees, and that looking changes nothing but what is due.

#include "support/desk.hpp"

using namespace taskstate;
using test::abroad;
using test::check_refused;
using test::Desk;
using test::home;

namespace {

std::vector<std::string> ids(const ListPage& page) {
    std::vector<std::string> list;
    for (const TaskHead& head : page.tasks) list.push_back(head.identity.id);
    return list;
}

std::string hasty(Desk& desk) { return test::add_profile(desk, "hasty-v1", {.absolute_age_ms = 1000}); }

}  // namespace

TEST_CASE("read: a task is shown with its summary and where it stands against its rule",
          "[service][governed:13.11][governed:19.10]") {
    Desk desk;
    desk.start("task-a", home,
               test::add_profile(desk, "slow-v1", {.absolute_age_ms = 7'200'000, .no_progress_ms = 3'600'000}));
    desk.clock->advance(1000);
    desk.propose("task-a", test::set_status("review", ItemStatus::completed));
    desk.clock->advance(500);

    const auto view = desk.service.read({home, "task-a"});

    REQUIRE(view.has_value());
    CHECK(view->snapshot.goal() == "Ship the order");
    CHECK(view->snapshot.revision() == Revision{2});
    CHECK(view->clock == "system-utc-v1");
    CHECK(view->expiry.absolute_age_ms == 1500);
    CHECK(view->expiry.no_progress_age_ms == 500);
    CHECK(view->expiry.evaluated_at == desk.clock->now());
    CHECK_FALSE(view->expiry.due.has_value());
    CHECK(view->summary.total == 2);
    CHECK(view->summary.completed == 1);
    CHECK(view->summary.ready == std::vector<std::string>{"deploy"});
    CHECK(view->summary.open_constraints == std::vector<std::string>{"constraint-1"});
    CHECK_FALSE(view->summary.completion_allowed);
}

TEST_CASE("read: unknown and foreign tasks are refused alike", "[service][governed:9.1][governed:30.9]") {
    Desk desk;
    desk.start("foreign", abroad);
    const auto unknown = desk.service.read({home, "unknown"});
    const auto foreign = desk.service.read({home, "foreign"});
    check_refused(unknown, Reason::task_not_eligible);
    REQUIRE_FALSE(foreign.has_value());
    CHECK(foreign.error() == unknown.error());
}

TEST_CASE("read: one id in two scopes is two tasks", "[service][governed:30.9]") {
    Desk desk;
    desk.start("task-a");
    desk.start("task-a", abroad);
    desk.propose("task-a", test::set_status("review", ItemStatus::running));
    CHECK(desk.service.read({home, "task-a"})->snapshot.revision() == Revision{2});
    CHECK(desk.service.read({abroad, "task-a"})->snapshot.revision() == Revision{1});
}

TEST_CASE("read, list: an overdue task expires at the look, once",
          "[service][governed:13.5][governed:29.9][governed:30.33]") {
    Desk desk;
    desk.start("by-read", home, hasty(desk));
    desk.start("by-list", home, "hasty-v1");
    desk.clock->advance(1000);

    for (int i = 0; i < 5; ++i) {
        const auto view = desk.service.read({home, "by-read"});
        REQUIRE(view.has_value());
        CHECK(view->snapshot.lifecycle() == Lifecycle::expired);
        CHECK(view->snapshot.revision() == Revision{2});
        CHECK(view->terminal_reason == "expired_absolute_age");
        CHECK_FALSE(view->expiry.due.has_value());
        const auto page = desk.service.list({.scope = home});
        CHECK(page->tasks.at(0).frame.revision == Revision{2});
        CHECK(page->tasks.at(1).frame.revision == Revision{2});
    }
    CHECK(desk.lifecycle("by-list") == Lifecycle::expired);
    CHECK(desk.store->decisions({home, "by-read"}, 0, 100)->size() == 2);
}

TEST_CASE("list: a page says what is true after what is due has expired", "[service][governed:13.14]") {
    Desk desk;
    desk.start("lasting");
    desk.start("overdue", home, hasty(desk));
    desk.clock->advance(1000);

    SECTION("open ones") {
        CHECK(ids(*desk.service.list({.scope = home, .lifecycles = {Lifecycle::open}})) ==
              std::vector<std::string>{"lasting"});
    }
    SECTION("expired ones") {
        CHECK(ids(*desk.service.list({.scope = home, .lifecycles = {Lifecycle::expired}})) ==
              std::vector<std::string>{"overdue"});
    }
    SECTION("all") { CHECK(ids(*desk.service.list({.scope = home})).size() == 2); }
}

TEST_CASE("list: pages lead through all tasks of the scope, in order and without gaps", "[service][governed:30.29]") {
    Desk desk;
    std::vector<std::string> all;
    for (int i = 0; i < 25; ++i) {
        all.push_back("task-" + std::to_string(100 + i));
        desk.start(all.back());
        desk.start("other-" + std::to_string(i), abroad);
        if (i % 3 == 0) desk.clock->advance(1);
    }
    for (const std::size_t limit : {1u, 4u, 5u, 24u, 25u, 26u, 500u}) {
        std::vector<std::string> seen;
        ListInput input{.scope = home, .limit = limit};
        for (bool more = true; more;) {
            const auto page = desk.service.list(input);
            REQUIRE(page.has_value());
            CHECK(page->tasks.size() <= limit);
            for (const std::string& id : ids(*page)) seen.push_back(id);
            input.cursor = page->cursor;
            more = page->cursor.has_value();
            if (more) CHECK(page->tasks.size() == limit);
        }
        CHECK(seen == all);
    }
}

TEST_CASE("list: a filtered page is filled although some of its rows expire", "[service][governed:13.14]") {
    Desk desk;
    hasty(desk);
    for (int i = 0; i < 10; ++i) {
        desk.start("task-" + std::to_string(10 + i), home, i % 2 == 0 ? "hasty-v1" : "general-v1");
        desk.clock->advance(1);
    }
    desk.clock->advance(1000);

    const auto page = desk.service.list({.scope = home, .lifecycles = {Lifecycle::open}, .limit = 3});

    CHECK(ids(*page) == std::vector<std::string>{"task-11", "task-13", "task-15"});
    REQUIRE(page->cursor.has_value());
    CHECK(ids(*desk.service.list({.scope = home, .lifecycles = {Lifecycle::open}, .cursor = page->cursor})) ==
          std::vector<std::string>{"task-17", "task-19"});
}

TEST_CASE("list: a limit beyond 500 is refused, and so is a cursor that is none", "[service][governed:30.29]") {
    Desk desk;
    for (const std::size_t limit : {0u, 501u}) {
        const auto page = desk.service.list({.scope = home, .limit = limit});
        check_refused(page, Reason::out_of_range);
        CHECK(page.error().limit == 500);
        CHECK(page.error().actual == limit);
    }
    const auto page = desk.service.list({.scope = home, .cursor = "page two"});
    check_refused(page, Reason::bad_id);
    CHECK(page.error().path == "/cursor");
}

TEST_CASE("looking: nothing is committed, expired or delivered by timeline, provenance, health and verify",
          "[service][governed:13.5][governed:19.5][governed:30.23]") {
    Desk desk;
    desk.start("task-a", home, hasty(desk));
    desk.clock->advance(1000);
    const auto before = *desk.store->load({home, "task-a"});

    REQUIRE(desk.service.timeline({.task = {home, "task-a"}}).has_value());
    REQUIRE(desk.service.provenance({.task = {home, "task-a"}}).has_value());
    REQUIRE(desk.service.health(home).has_value());
    REQUIRE(desk.service.verify(home).has_value());

    const auto after = *desk.store->load({home, "task-a"});
    CHECK(after->head == before->head);
    CHECK(after->snapshot == before->snapshot);
    CHECK(desk.store->tally(home)->prepared == 0);
    CHECK(desk.store->decisions({home, "task-a"}, 0, 100)->size() == 1);
}

TEST_CASE("read: looking at a task adds no delivery", "[service][governed:30.23]") {
    Desk desk;
    desk.start("task-a");
    (void)desk.service.read({home, "task-a"});
    (void)desk.service.list({.scope = home});
    CHECK(desk.store->tally(home)->prepared == 0);
}

TEST_CASE("looking: a scope that is off is told apart by nothing but that", "[service][governed:16.3]") {
    Desk desk;
    desk.start("task-a");
    REQUIRE(desk.service.set_mode(home, ScopeMode::disabled).has_value());
    const TaskAddress task{home, "task-a"};
    check_refused(desk.service.read(task), Reason::task_state_disabled);
    check_refused(desk.service.list({.scope = home}), Reason::task_state_disabled);
    check_refused(desk.service.provenance({.task = task}), Reason::task_state_disabled);
    check_refused(desk.service.timeline({.task = task}), Reason::task_state_disabled);
    check_refused(desk.service.health(home), Reason::task_state_disabled);
    check_refused(desk.service.verify(home), Reason::task_state_disabled);
}
