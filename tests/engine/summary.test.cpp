#include "support/governed_task.hpp"

#include <taskstate/engine/lifecycle.hpp>
#include <taskstate/engine/summary.hpp>

#include <string>
#include <vector>

using namespace taskstate;

namespace {

using Ids = std::vector<std::string>;

const Profile& general = *find_profile("general-v1");

/// The flow of three items: `deploy` waits for `review`, `notify` for nothing.
Snapshot three_items() {
    NoteInput constraint = test::constraint("constraint-1");
    return test::told(test::new_task(),
                      {.notes = {constraint},
                       .add_items = {{.title = "Review it", .id = "review", .required = true},
                                     {.title = "Deploy it", .id = "deploy", .required = true, .depends_on = {"review"}},
                                     {.title = "Tell them", .id = "notify"}}});
}

/// What an agent that saw it happen is answered.
Decision reported(const Snapshot& head, Operation operation) {
    ProposalInput proposal = test::proposal(head, Role::agent, {{std::move(operation)}});
    proposal.assurance = Assurance::host_reported;
    return test::judged(head, proposal);
}
Decision completion(const Snapshot& head) {
    return change_lifecycle(head, {.to = Lifecycle::completed, .base = head.revision(), .actor = {Role::agent, "host"}},
                            test::general_rules(), {});
}

}  // namespace

TEST_CASE("summary: the flow of three items", "[engine][governed:29.1]") {
    const SetItemStatus reviewed{.id = "review", .status = ItemStatus::completed};
    Snapshot head = three_items();
    Decision decision = reported(head, reviewed);
    REQUIRE(decision.outcome == Outcome::accepted);
    head = decision.snapshot;
    CHECK(head.revision() == Revision{2});
    CHECK(summarize(head, general).ready == Ids{"deploy", "notify"});

    CHECK(reported(head, reviewed).outcome == Outcome::no_change);
    CHECK(reported(head, reviewed).snapshot.revision() == Revision{2});

    head = reported(head, SetItemBlocker{"notify", "Nobody answers."}).snapshot;
    CHECK(head.revision() == Revision{3});
    CHECK(summarize(head, general).remaining == Ids{"deploy", "notify"});
    CHECK(completion(head).error.reason == Reason::required_items_incomplete);
    CHECK(summarize(head, general).completion_blockers == Ids{"deploy", "constraint:constraint-1"});

    head = reported(head, SetItemStatus{.id = "deploy", .status = ItemStatus::completed}).snapshot;
    CHECK(head.revision() == Revision{4});
    CHECK(completion(head).error.reason == Reason::required_items_incomplete);
    CHECK(summarize(head, general).completion_blockers == Ids{"constraint:constraint-1"});

    head = reported(head, ResolveNote{"constraint-1"}).snapshot;
    CHECK(head.revision() == Revision{5});
    const Summary summary = summarize(head, general);
    CHECK(summary.completion_allowed);
    CHECK(summary.completion_blockers.empty());
    CHECK(summary.completed == 2);
    CHECK(summary.blocked == Ids{"notify"});
    CHECK(summary.remaining == Ids{"notify"});
    CHECK(completion(head).outcome == Outcome::accepted);
}

TEST_CASE("summary: counts and lists, in the order of the items", "[engine][governed:7.6][governed:19.10]") {
    const Snapshot head = test::told(
        test::new_task(), {.notes = {test::constraint("budget"), test::constraint("met"), test::note("n")},
                           .resolve = {"met"},
                           .add_items = {{.title = "x", .id = "failed"},
                                         {.title = "x", .id = "waits", .depends_on = {"failed"}},
                                         {.title = "x", .id = "skipped"},
                                         {.title = "x", .id = "ready", .depends_on = {"skipped"}},
                                         {.title = "x", .id = "blocked"},
                                         {.title = "x", .id = "running"},
                                         {.title = "x", .id = "also-waits", .depends_on = {"skipped", "running"}},
                                         {.title = "x", .id = "completed"}},
                           .items = {{.id = "failed", .status = ItemStatus::failed},
                                     {.id = "skipped", .status = ItemStatus::skipped},
                                     {.id = "blocked", .status = ItemStatus::blocked},
                                     {.id = "running", .status = ItemStatus::running},
                                     {.id = "completed", .status = ItemStatus::completed}},
                           .reason = "Because."});
    const Summary summary = summarize(head, general);
    CHECK(summary.total == 8);
    CHECK(summary.completed == 1);
    CHECK(summary.skipped == 1);
    CHECK(summary.failed == 1);
    CHECK(summary.blocked == Ids{"waits", "blocked", "also-waits"});
    CHECK(summary.ready == Ids{"ready"});
    CHECK(summary.remaining == Ids{"failed", "waits", "ready", "blocked", "running", "also-waits"});
    CHECK(summary.open_constraints == Ids{"budget", "n"});
    CHECK_FALSE(summary.completion_allowed);
}

TEST_CASE("summary: blockers are required items, then kinds, then constraints, each once", "[engine][governed:12.4]") {
    Profile profile = general;
    profile.items.required_kinds = {"review", "step", "milestone", "review"};
    const Snapshot head =
        test::told(test::new_task(), {.notes = {test::constraint("budget")},
                                      .add_items = {{.title = "x", .id = "optional"},
                                                    {.title = "x", .id = "must", .required = true},
                                                    {.title = "x", .id = "kind:review", .required = true},
                                                    {.title = "x", .id = "m", .kind = "milestone"}},
                                      .items = {{.id = "m", .status = ItemStatus::skipped, .reason = "Not now."}}});
    CHECK(summarize(head, profile).completion_blockers == Ids{"must", "kind:review", "kind:step", "constraint:budget"});
    CHECK(summarize(test::new_task(), general).completion_allowed);
}
