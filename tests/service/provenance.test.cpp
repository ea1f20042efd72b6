// The origin of values and the course of events, asked of a service.

#include "store/row_text.hpp"
#include "support/desk.hpp"

#include <algorithm>

using namespace taskstate;
using test::abroad;
using test::Desk;
using test::home;

TEST_CASE("provenance: a value tells its revisions, oldest first, and who was shown them", "[service][governed:18.5]") {
    Desk desk;
    desk.start("task-a");
    const auto before = desk.service.prepare({.scope = home, .task = "task-a"});
    desk.propose("task-a", test::set_status("review", ItemStatus::running));
    const auto shown = desk.service.prepare({.scope = home, .task = "task-a"});
    desk.propose("task-a", test::set_status("review", ItemStatus::completed));

    const auto told = desk.service.provenance({{home, "task-a"}, TargetKind::status, "review"});

    REQUIRE(told.has_value());
    CHECK(told->found);
    CHECK(told->current == Revision{3});
    REQUIRE(told->history.size() >= 2);
    const ProvenanceEntry& first = told->history[told->history.size() - 2];
    const ProvenanceEntry& last = told->history.back();
    CHECK(first.revision == Revision{2});
    CHECK(last.revision == Revision{3});
    CHECK(last.summary.starts_with("Set through a proposal by the host's agent (runner-1) at "));
    CHECK(last.origin.actor == test::agent_runner);
    CHECK(last.supersedes.has_value());
    CHECK(std::any_of(told->deliveries.begin(), told->deliveries.end(),
                      [&](const DeliveryRecord& row) { return row.id == *shown->delivery; }));
}

TEST_CASE("provenance: the whole task, by kind and id", "[service][governed:18.5]") {
    Desk desk;
    desk.start("task-a");
    desk.propose("task-a", test::set_status("review", ItemStatus::running));
    const auto told = desk.service.provenance({.task = {home, "task-a"}});
    REQUIRE(told->found);
    const auto order = [](const ProvenanceEntry& a, const ProvenanceEntry& b) {
        return std::tie(a.kind, a.id, a.revision) < std::tie(b.kind, b.id, b.revision);
    };
    CHECK(std::is_sorted(told->history.begin(), told->history.end(), order));
    CHECK(told->history.front().kind == TargetKind::task);
    CHECK(told->history.front().summary.starts_with("Given at the start of the task by an operator (olga) at "));
}

TEST_CASE("provenance: a delivery leads to the step that made what it showed", "[service][governed:18.1]") {
    Desk desk;
    desk.start("task-a");
    const StepResult step = desk.propose("task-a", test::set_status("review", ItemStatus::running));
    const auto shown = desk.service.prepare({.scope = home, .task = "task-a"});
    desk.propose("task-a", test::set_status("review", ItemStatus::completed));

    const auto told = desk.service.provenance({{home, "task-a"}, TargetKind::delivery, *shown->delivery});

    REQUIRE(told->found);
    REQUIRE(told->deliveries.size() == 1);
    CHECK(told->deliveries[0].id == *shown->delivery);
    CHECK(std::any_of(told->history.begin(), told->history.end(), [&](const ProvenanceEntry& entry) {
        return entry.kind == TargetKind::transition && entry.id == step.decision.id;
    }));
    for (const ProvenanceEntry& entry : told->history) CHECK(entry.revision == Revision{2});
}

TEST_CASE("provenance: unknown targets, unknown tasks and foreign ones have no history", "[service][governed:18.5]") {
    Desk desk;
    desk.start("task-a");
    desk.start("foreign", abroad);
    for (const ProvenanceInput& input : {ProvenanceInput{{home, "task-a"}, TargetKind::item, "nothing"},
                                         ProvenanceInput{{home, "task-a"}, TargetKind::delivery, "delivery-99"},
                                         ProvenanceInput{{home, "unknown"}, TargetKind::item, "review"},
                                         ProvenanceInput{{home, "foreign"}, TargetKind::item, "review"},
                                         ProvenanceInput{{home, "foreign"}, std::nullopt, ""}}) {
        const auto told = desk.service.provenance(input);
        REQUIRE(told.has_value());
        CHECK_FALSE(told->found);
        CHECK(told->history.empty());
        CHECK(told->deliveries.empty());
        CHECK(told->current == (input.task.id == "task-a" ? Revision{1} : Revision{}));
    }
}

TEST_CASE("timeline: revisions, decisions and deliveries in their order, page by page",
          "[service][governed:19.9][governed:30.51]") {
    Desk desk;
    desk.start("task-a");
    for (int i = 0; i < 6; ++i) {
        desk.propose("task-a", test::set_status("review", i % 2 == 0 ? ItemStatus::running : ItemStatus::ready));
        (void)desk.service.prepare({.scope = home, .task = "task-a"});
    }
    const auto whole = desk.service.timeline({.task = {home, "task-a"}});
    REQUIRE(whole.has_value());
    CHECK(whole->revisions.size() == 7);
    CHECK(whole->decisions.size() == 7);
    CHECK(whole->deliveries.size() == 6);

    std::vector<std::uint64_t> revisions, decisions, deliveries;
    for (std::uint64_t after = 0; after < 9; after += 3) {
        const auto page = desk.service.timeline({.task = {home, "task-a"}, .after = after, .limit = 3});
        for (const auto& row : page->revisions) revisions.push_back(row.frame.revision.number);
        for (const auto& row : page->decisions) decisions.push_back(row.sequence);
        for (const auto& row : page->deliveries) deliveries.push_back(row.sequence);
    }
    CHECK(revisions == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7});
    CHECK(decisions == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7});
    CHECK(deliveries == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("timeline: an unknown task and a foreign one are empty", "[service][governed:19.6]") {
    Desk desk;
    desk.start("foreign", abroad);
    for (const char* id : {"unknown", "foreign"}) {
        const auto page = desk.service.timeline({.task = {home, id}});
        REQUIRE(page.has_value());
        CHECK(page->revisions.empty());
        CHECK(page->decisions.empty());
        CHECK(page->deliveries.empty());
    }
}

TEST_CASE("timeline: a limit beyond 1,000 is refused", "[service]") {
    Desk desk;
    for (const std::size_t limit : {0u, 1001u}) {
        test::check_refused(desk.service.timeline({.task = {home, "task-a"}, .limit = limit}), Reason::out_of_range);
    }
}

TEST_CASE("timeline: a decision in shadow has the form of any other, and says that it was one",
          "[service][governed:30.35]") {
    Desk desk;
    desk.start("task-a");
    REQUIRE(desk.service.set_mode(home, ScopeMode::shadow).has_value());
    desk.propose("task-a", test::set_status("review", ItemStatus::running));

    const auto page = desk.service.timeline({.task = {home, "task-a"}});

    REQUIRE(page->decisions.size() == 2);
    CHECK_FALSE(page->decisions[0].shadow);
    CHECK(page->decisions[1].shadow);
    CHECK(page->decisions[1].outcome == Outcome::accepted);
    CHECK(page->revisions.size() == 1);
    for (const DecisionRecord& row : page->decisions) CHECK(*decode_row<DecisionRecord>(encode_row(row)) == row);
}
