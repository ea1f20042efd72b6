// How a scope fares, and whether its logs hold.

#include "store/forwarding_store.hpp"
#include "support/desk.hpp"

#include <functional>

using namespace taskstate;
using test::abroad;
using test::Desk;
using test::home;

namespace {

std::uint64_t count(const Tally& tally, Lifecycle lifecycle) {
    return tally.lifecycles[static_cast<std::size_t>(lifecycle)];
}
std::uint64_t count(const Tally& tally, Outcome outcome) { return tally.outcomes[static_cast<std::size_t>(outcome)]; }
std::uint64_t count(const Tally& tally, GuardKind kind) { return tally.guards[static_cast<std::size_t>(kind)]; }
std::uint64_t count(const Tally& tally, Reason reason) {
    for (const ReasonCount& row : tally.reasons) {
        if (row.reason == reason) return row.count;
    }
    return 0;
}

/// A store whose rows were changed behind the back of the service.
class TamperedStore : public test::ForwardingStore {
 public:
    TamperedStore() : ForwardingStore(memory_store()) {}

    std::function<void(StoredTask&)> stored{};
    std::function<void(RevisionRecord&)> record{};
    std::size_t longest_page = 0;

    Result<std::optional<StoredTask>> load(const TaskAddress& task) override {
        auto loaded = ForwardingStore::load(task);
        if (stored && loaded && *loaded) stored(**loaded);
        return loaded;
    }
    Result<std::vector<RevisionRecord>> revisions(const TaskAddress& task, Revision after, std::size_t limit) override {
        auto page = ForwardingStore::revisions(task, after, limit);
        longest_page = std::max(longest_page, limit);
        for (RevisionRecord& each : *page) {
            if (record) record(each);
        }
        return page;
    }
};

void work(Desk& desk, const std::string& task, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        desk.propose(task, test::set_status("review", i % 2 == 0 ? ItemStatus::running : ItemStatus::ready));
    }
}

}  // namespace

TEST_CASE("health: an empty scope is all zeros, and valid", "[service][governed:19.4]") {
    Desk desk;
    const auto health = desk.service.health(home);
    REQUIRE(health.has_value());
    for (const std::uint64_t number : health->tally.lifecycles) CHECK(number == 0);
    for (const std::uint64_t number : health->tally.outcomes) CHECK(number == 0);
    for (const std::uint64_t number : health->tally.guards) CHECK(number == 0);
    CHECK(health->tally.reasons.empty());
    CHECK_FALSE(health->latency_ms_p50.has_value());
    CHECK_FALSE(health->latency_ms_p95.has_value());
    CHECK_FALSE(health->no_progress_age_ms.has_value());
    CHECK(health->overdue.empty());
    CHECK(health->integrity.valid);
    CHECK(health->integrity.checked_tasks == 0);
}

TEST_CASE("health: tasks, steps, deliveries and bindings are counted, of this scope alone",
          "[service][governed:19.2][governed:19.3]") {
    Desk desk;
    desk.start("task-a");
    desk.start("task-b");
    desk.start("foreign", abroad);
    desk.propose("task-a", test::set_status("review", ItemStatus::running));
    desk.propose("task-a", test::set_status("review", ItemStatus::running));
    desk.propose("task-a", test::set_status("deploy", ItemStatus::running));
    (void)desk.service.submit({.task = {home, "task-a"},
                               .actor = test::agent_runner,
                               .key = "stale",
                               .base = {1},
                               .operations = {{test::set_status("review", ItemStatus::ready), std::nullopt}}});
    desk.to("task-b", Lifecycle::paused);
    const auto package = desk.service.prepare({.scope = home, .task = "task-a"});
    REQUIRE(desk.service.confirm_exposure(home, *package->delivery).has_value());
    (void)desk.service.prepare({.scope = home, .task = "task-a"});
    (void)desk.service.prepare({.scope = home, .task = "task-b"});
    const Binding bound = desk.bind("task-a", {"assistant", "chat-7", "e1"});
    desk.bind("task-a", {"assistant", "chat-8", "e1"});
    REQUIRE(desk.service.unbind({home, bound.id, test::operator_olga, std::nullopt}).has_value());
    desk.clock->advance(5000);

    const auto health = desk.service.health(home);

    REQUIRE(health.has_value());
    const Tally& tally = health->tally;
    CHECK(count(tally, Lifecycle::open) == 1);
    CHECK(count(tally, Lifecycle::paused) == 1);
    CHECK(count(tally, Outcome::accepted) == 4);  // two starts, one status, one pause
    CHECK(count(tally, Outcome::no_change) == 1);
    CHECK(count(tally, Outcome::rejected) == 1);
    CHECK(count(tally, Outcome::conflict) == 1);
    CHECK(count(tally, Reason::dependency_unsatisfied) == 1);
    CHECK(count(tally, Reason::stale_base_revision) == 1);
    CHECK(count(tally, Reason::task_context_not_eligible) == 1);
    CHECK(tally.prepared == 3);
    CHECK(tally.exposed == 1);
    CHECK(tally.withheld == 1);
    CHECK(tally.bindings_active == 1);
    CHECK(tally.bindings_revoked == 1);
    CHECK(health->observed_at == desk.clock->now());
    CHECK(health->latency_ms_p50 == 0);
    CHECK(health->no_progress_age_ms == 5000);
    CHECK(health->integrity.valid);
    CHECK(health->integrity.checked_tasks == 2);
}

TEST_CASE("health: guards that were signalled are counted", "[service][governed:30.10]") {
    Desk desk;
    desk.start("task-a");  // deploy waits for review
    const auto denied = desk.service.lifecycle({.task = {home, "task-a"},
                                                .key = "finish",
                                                .actor = test::operator_olga,
                                                .to = Lifecycle::completed,
                                                .base = {1}});
    REQUIRE(denied.has_value());
    REQUIRE(denied->decision.reason == Reason::required_items_incomplete);
    for (const std::string key : {"one", "two", "three", "four"}) {
        ProposalInput again{.task = {home, "task-a"}, .actor = test::agent_runner, .key = key, .base = {1}};
        again.operations = {{.operation = SetPhase{"plan"}}};  // the one that it is in
        again.action_fingerprint = action_fingerprint("click", "item-1", {});
        REQUIRE(desk.service.submit(again)->decision.outcome == Outcome::no_change);
    }

    const Tally tally = desk.service.health(home)->tally;

    CHECK(count(tally, GuardKind::dependency_unsatisfied) >= 1);
    CHECK(count(tally, GuardKind::completion_not_allowed) == 1);
    CHECK(count(tally, GuardKind::no_progress) == 2);  // the third time, and the fourth
}

TEST_CASE("health: an observation that nothing was inferred from counts as the step without change that it is",
          "[service][governed:30.11]") {
    Desk desk;
    desk.start("task-a");
    const SessionIdentity session{"assistant", "chat-7", "e1"};
    desk.bind("task-a", session);
    const auto seen = desk.service.observe({.task = {home, "task-a"},
                                            .identity = session,
                                            .key = "run-1:step-1",
                                            .observation = "The courier called.",
                                            .adapter = {.name = "chat-adapter", .version = "1.2"}});
    REQUIRE(seen.has_value());

    CHECK(seen->decision.kind == StepKind::observation);
    CHECK(count(desk.service.health(home)->tally, Outcome::no_change) == 1);
}

TEST_CASE("health: overdue tasks are named and left alone", "[service][governed:19.5]") {
    Desk desk;
    desk.start("overdue", home, test::add_profile(desk, "hasty-v1", {.absolute_age_ms = 1000, .no_progress_ms = 500}));
    desk.start("lasting");
    desk.clock->advance(1200);

    const auto health = desk.service.health(home);

    REQUIRE(health->overdue.size() == 1);
    CHECK(health->overdue[0].task == "overdue");
    CHECK(health->overdue[0].reason == Reason::expired_absolute_age);
    CHECK(health->overdue[0].absolute_age_ms == 1200);
    CHECK(health->overdue[0].no_progress_age_ms == 1200);
    CHECK(desk.lifecycle("overdue") == Lifecycle::open);
}

TEST_CASE("verify: more than 500 tasks and more than 1,000 revisions are checked to the end, page by page",
          "[service][governed:30.28]") {
    const auto store = std::make_shared<TamperedStore>();
    Desk desk(store);
    for (int i = 0; i < 510; ++i) desk.start("task-" + std::to_string(i));
    work(desk, "task-0", 1005);

    const auto health = desk.service.health(home);

    CHECK(health->integrity.valid);
    CHECK(health->integrity.checked_tasks == 510);
    CHECK(store->longest_page <= 1000);
    store->record = [](RevisionRecord& each) {
        if (each.frame.revision == Revision{1006}) each.state_digest.bytes[0] ^= 1;
    };
    const auto broken = desk.service.verify(home);
    REQUIRE(broken->problems.size() == 1);
    CHECK(broken->problems[0].task == "task-0");
    CHECK(broken->problems[0].revision == Revision{1006});
}

TEST_CASE("verify: what was changed behind the service's back is found, and nobody else is blamed",
          "[service][governed:19.7][governed:19.8]") {
    const auto store = std::make_shared<TamperedStore>();
    Desk desk(store);
    desk.start("task-a");
    desk.start("task-b");
    desk.start("foreign", abroad);
    work(desk, "task-a", 4);
    REQUIRE(desk.service.verify(home)->valid);

    SECTION("an entry of the current state") {
        store->stored = [](StoredTask& task) {
            if (task.head.identity.id == "task-a") task.snapshot.items[0].title = "Another title";
        };
    }
    SECTION("a digest of the log") {
        store->record = [](RevisionRecord& each) {
            if (each.frame.revision == Revision{3}) each.semantic_digest.bytes[0] ^= 1;
        };
    }
    SECTION("the pause") {
        store->stored = [](StoredTask& task) {
            if (task.head.identity.id == "task-a") task.head.pause.paused_ms = 1;
        };
    }
    SECTION("a profile that nobody knows") {
        store->stored = [](StoredTask& task) {
            if (task.head.identity.id == "task-a") task.head.identity.profile = "lost-v1";
        };
    }
    const auto integrity = desk.service.verify(home);
    CHECK_FALSE(integrity->valid);
    CHECK(integrity->checked_tasks == 2);
    REQUIRE(integrity->problems.size() == 1);
    CHECK(integrity->problems[0].task == "task-a");
    CHECK(desk.service.verify(abroad)->valid);
}

TEST_CASE("verify: what others commit or delete meanwhile is no problem", "[service][governed:19.7]") {
    const auto store = std::make_shared<TamperedStore>();
    Desk desk(store);
    desk.start("task-a");
    bool done = false;
    SECTION("a commit") {
        store->stored = [&](StoredTask&) {
            if (!std::exchange(done, true)) desk.propose("task-a", test::set_status("review", ItemStatus::running));
        };
    }
    SECTION("a deletion") {
        store->stored = [&](StoredTask&) {
            if (!std::exchange(done, true)) REQUIRE(desk.service.forget({home, "task-a"}, test::admin_ada).has_value());
        };
    }
    CHECK(desk.service.verify(home)->valid);
    CHECK(done);
}

TEST_CASE("verify: pauses, expiry, completion over open gates and corrections leave clean logs",
          "[service][governed:13.10]") {
    Desk desk;
    desk.start("task-a", home, test::add_profile(desk, "slow-v1", {.no_progress_ms = 3'600'000}));
    desk.start("task-b", home, "slow-v1");
    for (int i = 0; i < 3; ++i) {
        desk.clock->advance(1000);
        desk.to("task-a", Lifecycle::paused);
        desk.clock->advance(7'200'000);
        CHECK(desk.service.verify(home)->valid);
        desk.to("task-a", Lifecycle::open);
        desk.propose("task-a", test::set_status("review", i % 2 == 0 ? ItemStatus::running : ItemStatus::ready));
        CHECK(desk.service.verify(home)->valid);
    }
    desk.to("task-a", Lifecycle::paused);
    desk.to("task-a", Lifecycle::completed);
    (void)desk.service.read({home, "task-b"});
    CHECK(desk.lifecycle("task-b") == Lifecycle::expired);
    CHECK(desk.service.verify(home)->problems.empty());
}

TEST_CASE("capabilities: adapters say what they can do, but only a blocker makes enforcement real",
          "[service][governed:17.8][governed:17.10]") {
    class Blocker : public ActionBlocker {
     public:
        std::vector<std::string> blocked() const override { return {}; }
    };
    Desk desk;
    CHECK_FALSE(desk.service.capabilities().guard_enforcement());
    REQUIRE(desk.service.register_adapter({.name = "tools", .proposes = true, .delta_tool = "report"}).has_value());
    REQUIRE(desk.service.register_adapter({.name = "chat", .rotating_value = "session_id", .delta_tool = "report"})
                .has_value());
    CHECK_FALSE(desk.service.capabilities().guard_enforcement());
    REQUIRE(desk.service.register_adapter({.name = "gate", .blocker = std::make_shared<Blocker>()}).has_value());
    test::add_profile(desk, "hasty-v1", {.absolute_age_ms = 1000});

    const Capabilities real = desk.service.capabilities();

    CHECK(real.guard_enforcement());
    CHECK(real.enforcing_adapters == std::vector<std::string>{"gate"});
    CHECK(real.session_binding_adapters == std::vector<std::string>{"chat"});
    CHECK(real.host_proposal_adapters == std::vector<std::string>{"tools"});
    CHECK(real.delta_tool_adapters == std::vector<std::string>{"chat", "tools"});
    CHECK(real.profiles ==
          std::vector<std::string>{"notebook-v1", "general-v1", "ledger-v1", "checklist-v1", "hasty-v1"});
    CHECK(real.block_format == "taskstate.block/1");
}

TEST_CASE("register_adapter: a name that is none is refused, a known one is replaced", "[service][governed:17.9]") {
    Desk desk;
    test::check_refused(desk.service.register_adapter({.name = " "}), Reason::blank);
    test::check_refused(desk.service.register_adapter({.name = "chat", .rotating_value = ""}), Reason::blank);
    REQUIRE(desk.service.register_adapter({.name = "chat", .proposes = true}).has_value());
    REQUIRE(desk.service.register_adapter({.name = "chat"}).has_value());
    CHECK(desk.service.capabilities().host_proposal_adapters.empty());
}
