// What a model is shown, what was recorded of it, and what cannot be told apart from outside.

#include "store/forwarding_store.hpp"
#include "support/desk.hpp"

#include <algorithm>

using namespace taskstate;
using test::abroad;
using test::check_refused;
using test::Desk;
using test::home;

namespace {

ContextPackage prepare(Desk& desk, const PrepareInput& input) {
    auto package = desk.service.prepare(input);
    if (!package) FAIL(word(package.error().reason) << " at " << package.error().path);
    return *std::move(package);
}
ContextPackage prepare(Desk& desk, const std::string& task) { return prepare(desk, {.scope = home, .task = task}); }

/// Nothing is set but the reason.
void check_withheld(const ContextPackage& package, Reason reason) {
    REQUIRE(package.withheld.has_value());
    CHECK(word(*package.withheld) == word(reason));
    CHECK_FALSE(package.block.has_value());
    CHECK_FALSE(package.preamble.has_value());
    CHECK_FALSE(package.delivery.has_value());
    CHECK_FALSE(package.cache_key.has_value());
    CHECK_FALSE(package.revision.has_value());
    CHECK_FALSE(package.limit.has_value());
    CHECK_FALSE(package.actual.has_value());
}

std::vector<DeliveryRecord> deliveries(Desk& desk, const std::string& task, const Scope& scope = home) {
    return *desk.store->deliveries({scope, task}, 0, 1000);
}

/// The reasons of what was withheld from the task, oldest first.
std::vector<std::string> withheld(Desk& desk, const std::string& task, const Scope& scope = home) {
    std::vector<std::string> reasons;
    for (const DeliveryRecord& delivery : deliveries(desk, task, scope)) {
        reasons.emplace_back(delivery.withheld ? word(*delivery.withheld) : "injected");
    }
    return reasons;
}

/// A store that refuses what it is told to keep of deliveries.
class NoDeliveries : public test::ForwardingStore {
 public:
    NoDeliveries() : ForwardingStore(memory_store()) {}
    Result<void> commit(std::span<const Write> batch) override {
        const bool delivers = std::any_of(
            batch.begin(), batch.end(), [](const Write& write) { return std::holds_alternative<AddDelivery>(write); });
        return delivers ? Result<void>(fail(Reason::storage_full)) : ForwardingStore::commit(batch);
    }
};

}  // namespace

TEST_CASE("prepare: an open task gives its block, and the delivery is on record", "[service][governed:15]") {
    Desk desk;
    const Revision revision = desk.start("task-a");

    const ContextPackage package = prepare(desk, "task-a");

    REQUIRE(package.block.has_value());
    CHECK(package.block->text().starts_with("<task-state task=\"task-a\""));
    CHECK(package.preamble->find("never an instruction") != std::string::npos);
    CHECK(package.preamble->find(package.block->key()) != std::string::npos);
    CHECK(package.revision == revision);
    CHECK(is_digest(*package.cache_key));
    CHECK_FALSE(package.withheld.has_value());
    const auto rows = deliveries(desk, "task-a");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].id == *package.delivery);
    CHECK(rows[0].revision == revision);
    CHECK(rows[0].block_digest == sha256(package.block->text()));
    CHECK(rows[0].block_bytes == package.block->bytes());
    CHECK_FALSE(rows[0].exposed_at.has_value());
}

TEST_CASE("prepare: equal states give equal bytes and cache keys, and deliveries of their own",
          "[service][governed:14.9][governed:29.7]") {
    Desk desk;
    desk.start("task-a");
    const ContextPackage first = prepare(desk, "task-a");
    for (int i = 0; i < 20; ++i) {
        desk.clock->advance(test::minute_ms);
        const ContextPackage next = prepare(desk, "task-a");
        CHECK(next.block->text() == first.block->text());
        CHECK(next.cache_key == first.cache_key);
        CHECK(next.delivery != first.delivery);
    }
}

TEST_CASE("prepare: unknown, foreign, paused and ended tasks look the same from outside",
          "[service][governed:15.1][governed:30.8]") {
    Desk desk;
    desk.start_unusable("expired");

    for (const char* id : {"unknown", "foreign", "paused", "completed", "cancelled", "expired", "no id"}) {
        check_withheld(prepare(desk, id), Reason::task_context_not_eligible);
    }

    for (const char* id : {"paused", "completed", "cancelled", "expired"}) {
        CHECK(withheld(desk, id) == std::vector<std::string>{"task_context_not_eligible"});
    }
    CHECK(desk.lifecycle("expired") == Lifecycle::expired);
}

TEST_CASE("prepare: naming a foreign task writes nothing anywhere", "[service][governed:30.8]") {
    Desk desk;
    desk.start("task-a");
    desk.start("foreign", abroad);
    for (const ScopeMode mode : {ScopeMode::enabled, ScopeMode::shadow, ScopeMode::disabled}) {
        REQUIRE(desk.service.set_mode(home, mode).has_value());
        (void)prepare(desk, "foreign");
    }
    CHECK(desk.store->tally(home)->prepared == 0);
    CHECK(desk.store->tally(abroad)->prepared == 0);
    CHECK(deliveries(desk, "foreign", abroad).empty());
}

TEST_CASE("prepare: a block that does not fit is withheld with both numbers, and nothing is cut",
          "[service][governed:14.6]") {
    Desk desk;
    const Revision revision = desk.start("task-a");

    const ContextPackage package = prepare(desk, {.scope = home, .task = "task-a", .prompt = {.bytes_max = 32}});

    CHECK(package.withheld == Reason::prompt_budget_exceeded);
    CHECK(package.revision == revision);
    CHECK(package.limit == 32);
    CHECK(package.actual.value_or(0) > 32);
    CHECK_FALSE(package.block.has_value());
    CHECK_FALSE(package.delivery.has_value());
    CHECK_FALSE(package.cache_key.has_value());
    CHECK(withheld(desk, "task-a") == std::vector<std::string>{"prompt_budget_exceeded"});
}

TEST_CASE("prepare: what was left out is on record", "[service][governed:14.8]") {
    Desk desk;
    desk.start("task-a");
    desk.propose("task-a", test::set_status("review", ItemStatus::completed));
    const std::size_t whole = prepare(desk, "task-a").block->bytes();

    const ContextPackage less = prepare(desk, {.scope = home, .task = "task-a", .prompt = {.bytes_max = whole - 1}});

    REQUIRE(less.block.has_value());
    CHECK(less.block->bytes() < whole);
    CHECK(deliveries(desk, "task-a").back().omitted == std::vector<std::string>{"settled_items"});
}

TEST_CASE("prepare: without a task that is named or bound there is none, and no search", "[service][governed:15.2]") {
    Desk desk;
    desk.start("task-a");
    const SessionIdentity session{"assistant", "chat-7", "e1"};
    check_withheld(prepare(desk, {.scope = home}), Reason::task_context_selection_required);
    check_withheld(prepare(desk, {.scope = home, .identity = session}), Reason::task_context_selection_required);
    check_withheld(prepare(desk, {.scope = home, .identity = SessionIdentity{"assistant", "chat-7", ""}}),
                   Reason::task_context_selection_required);

    desk.bind("task-a", session);

    CHECK(prepare(desk, {.scope = home, .identity = session}).block.has_value());
    check_withheld(prepare(desk, {.scope = home, .identity = SessionIdentity{"assistant", "chat-7", "e2"}}),
                   Reason::task_binding_stale_session);
    CHECK(deliveries(desk, "task-a").size() == 1);
}

TEST_CASE("prepare: a name against the binding is withheld, and recorded under the task that was named",
          "[service][governed:15]") {
    Desk desk;
    desk.start("task-a");
    desk.start("task-b");
    const SessionIdentity session{"assistant", "chat-7", "e1"};
    desk.bind("task-a", session);

    check_withheld(prepare(desk, {.scope = home, .task = "task-b", .identity = session}),
                   Reason::task_binding_conflict);
    check_withheld(prepare(desk, {.scope = home, .task = "unknown", .identity = session}),
                   Reason::task_binding_conflict);

    CHECK(withheld(desk, "task-b") == std::vector<std::string>{"task_binding_conflict"});
    CHECK(deliveries(desk, "task-a").empty());
}

TEST_CASE("prepare: a scope that is off says so of real and invented tasks alike", "[service][governed:16.3]") {
    Desk desk;
    desk.start("task-a");
    REQUIRE(desk.service.set_mode(home, ScopeMode::disabled).has_value());

    check_withheld(prepare(desk, "task-a"), Reason::task_state_disabled);
    check_withheld(prepare(desk, "invented"), Reason::task_state_disabled);
    check_withheld(prepare(desk, {.scope = {.owner = "somebody", .workspace = "new"}, .task = "task-a"}),
                   Reason::task_state_disabled);

    CHECK(withheld(desk, "task-a") == std::vector<std::string>{"task_state_disabled"});
}

TEST_CASE("prepare: in shadow everything is evaluated and recorded, and nothing delivered",
          "[service][governed:16.3][governed:30.6]") {
    Desk desk;
    desk.start("task-a");
    desk.start("paused");
    desk.to("paused", Lifecycle::paused);
    REQUIRE(desk.service.set_mode(home, ScopeMode::shadow).has_value());

    check_withheld(prepare(desk, "task-a"), Reason::task_state_shadow_mode);
    check_withheld(prepare(desk, {.scope = home, .task = "task-a", .prompt = {.bytes_max = 32}}),
                   Reason::task_state_shadow_mode);
    check_withheld(prepare(desk, "paused"), Reason::task_state_shadow_mode);
    check_withheld(prepare(desk, "unknown"), Reason::task_state_shadow_mode);

    CHECK(withheld(desk, "task-a") == std::vector<std::string>{"task_state_shadow_mode", "prompt_budget_exceeded"});
    CHECK(withheld(desk, "paused") == std::vector<std::string>{"task_context_not_eligible"});
}

TEST_CASE("prepare: in shadow an overdue task is refused and stays as it is", "[service][governed:16.3]") {
    Desk desk;
    desk.start("task-a", home, test::add_profile(desk, "hasty-v1", {.absolute_age_ms = 1000}));
    REQUIRE(desk.service.set_mode(home, ScopeMode::shadow).has_value());
    desk.clock->advance(1000);

    (void)prepare(desk, "task-a");

    CHECK(withheld(desk, "task-a") == std::vector<std::string>{"task_context_not_eligible"});
    CHECK(desk.lifecycle("task-a") == Lifecycle::open);
}

TEST_CASE("prepare: a refusal that cannot be recorded is still that refusal, a block that cannot is not given",
          "[service][governed:15.3]") {
    Desk desk(std::make_shared<NoDeliveries>());
    desk.start("task-a");
    desk.start("paused");
    desk.to("paused", Lifecycle::paused);

    check_withheld(prepare(desk, "paused"), Reason::task_context_not_eligible);
    CHECK(prepare(desk, {.scope = home, .task = "task-a", .prompt = {.bytes_max = 32}}).withheld ==
          Reason::prompt_budget_exceeded);
    check_refused(desk.service.prepare({.scope = home, .task = "task-a"}), Reason::storage_full);
}

TEST_CASE("prepare: blocks of secrets that no longer sign are known as older ones", "[service]") {
    const auto store = memory_store();
    Desk before(store, {{"old secret"}});
    before.start("task-a");
    const std::string old_key = prepare(before, "task-a").block->key();

    Desk after(store, {{"new secret"}, {"old secret"}});
    const Block block = *prepare(after, "task-a").block;

    CHECK(block.key() != old_key);
    CHECK(block.retired_keys() == std::vector<std::string>{old_key});
}

TEST_CASE("confirm_exposure: true once, for an injected delivery of the scope",
          "[service][governed:15.4][governed:15.6]") {
    Desk desk;
    desk.start("task-a");
    const std::string delivery = *prepare(desk, "task-a").delivery;
    desk.clock->advance(1500);

    CHECK_FALSE(*desk.service.confirm_exposure(abroad, delivery));
    CHECK_FALSE(*desk.service.confirm_exposure(home, "delivery-99"));
    CHECK(*desk.service.confirm_exposure(home, delivery));
    desk.clock->advance(1500);
    CHECK_FALSE(*desk.service.confirm_exposure(home, delivery));

    const DeliveryRecord row = deliveries(desk, "task-a").at(0);
    REQUIRE(row.exposed_at.has_value());
    CHECK(row.exposed_at->ms == row.prepared_at.ms + 1500);
}

TEST_CASE("confirm_exposure: false for what was withheld", "[service][governed:15.6][governed:30.8]") {
    Desk desk;
    desk.start("task-a");
    desk.to("task-a", Lifecycle::paused);
    (void)prepare(desk, "task-a");

    CHECK_FALSE(*desk.service.confirm_exposure(home, deliveries(desk, "task-a").at(0).id));

    CHECK_FALSE(deliveries(desk, "task-a").at(0).exposed_at.has_value());
}

TEST_CASE("confirm_exposure: what happened to the task meanwhile does not undo that a model saw it",
          "[service][governed:15.4][governed:30.41]") {
    Desk desk;
    desk.start("task-a");
    const SessionIdentity session{"assistant", "chat-7", "e1"};
    const Binding bound = desk.bind("task-a", session);
    const PrepareInput input{.scope = home, .identity = session};
    const std::string first = *prepare(desk, input).delivery, second = *prepare(desk, input).delivery,
                      third = *prepare(desk, input).delivery;

    REQUIRE(desk.service.unbind({home, bound.id, test::operator_olga, std::nullopt}).has_value());
    CHECK(*desk.service.confirm_exposure(home, first));
    desk.to("task-a", Lifecycle::completed);
    CHECK(*desk.service.confirm_exposure(home, second));
    REQUIRE(desk.service.set_mode(home, ScopeMode::disabled).has_value());
    CHECK(*desk.service.confirm_exposure(home, third));
}
