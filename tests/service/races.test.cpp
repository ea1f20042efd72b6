// Many at once, and answers that never arrive.

#include "support/steps.hpp"

#include "store/doubtful_store.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

using namespace taskstate;
using test::check_decision;
using test::check_refused;
using test::decided;
using test::Desk;
using test::Fate;
using test::home;
using test::proposal;

namespace {

constexpr std::size_t attempts = 1000, threads = 8;

/// Runs `act(i)` for every attempt, on several threads.
template <class Act>
void at_once(const Act& act) {
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < threads; ++t) {
        workers.emplace_back([&] {
            for (std::size_t i = next++; i < attempts; i = next++) act(i);
        });
    }
    for (std::thread& worker : workers) worker.join();
}

std::size_t count(const std::vector<DecisionRecord>& decisions, Outcome outcome) {
    return static_cast<std::size_t>(std::ranges::count(decisions, outcome, &DecisionRecord::outcome));
}

/// Lets another step happen between the judgement and the commit of the next one, or another start after the key of the
/// next one was looked for.
class OvertakingStore : public test::ForwardingStore {
 public:
    using ForwardingStore::ForwardingStore;
    std::function<void()> overtake{}, overtake_start{};

    Result<std::optional<TaskHead>> find_started(const Scope& scope, std::string_view key) override {
        auto found = ForwardingStore::find_started(scope, key);
        if (auto other = std::exchange(overtake_start, nullptr)) other();
        return found;
    }

    Result<void> commit(std::span<const Write> batch) override {
        if (auto other = std::exchange(overtake, nullptr)) other();
        return ForwardingStore::commit(batch);
    }
};

}  // namespace

TEST_CASE("1,000 replays of one request are one revision and one decision", "[service][governed:11.1]") {
    Desk desk;
    decided(desk.service.start(test::start_input()));
    const ProposalInput request = proposal({.key = "k1", .operations = {SetPhase{"collect"}}});
    const DecisionRecord first = decided(desk.service.submit(request));
    std::atomic<std::size_t> replayed{0};

    at_once([&](std::size_t) {
        const auto again = desk.service.submit(request);
        if (again && again->replayed && again->decision == first) ++replayed;
    });

    CHECK(replayed == attempts);
    CHECK(head_of(desk).frame.revision == Revision{2});
    CHECK(decisions_of(desk).size() == 2);
}

TEST_CASE("1,000 requests of different keys on one base: one successor, and everyone is told",
          "[service][governed:11.9][governed:11.6]") {
    Desk desk;
    decided(desk.service.start(test::start_input()));
    std::vector<std::optional<StepResult>> answers(attempts);

    at_once([&](std::size_t i) {
        const auto done = desk.service.submit(
            proposal({.key = "k" + std::to_string(i), .operations = {SetItemTitle{"notify", std::to_string(i)}}}));
        if (done) answers[i] = *done;
    });

    std::size_t accepted = 0, conflicts = 0;
    for (const auto& answer : answers) {
        REQUIRE(answer.has_value());
        accepted += answer->decision.outcome == Outcome::accepted ? 1 : 0;
        const bool overtaken = answer->decision.reason == Reason::stale_base_revision ||
                               answer->decision.reason == Reason::concurrent_successor_committed;
        conflicts += answer->decision.outcome == Outcome::conflict && overtaken ? 1 : 0;
    }
    CHECK(accepted == 1);
    CHECK(conflicts == attempts - 1);
    CHECK(head_of(desk).frame.revision == Revision{2});
    const auto decisions = decisions_of(desk);
    CHECK(decisions.size() == attempts + 1);
    CHECK(count(decisions, Outcome::accepted) == 2);
    CHECK(desk.service.verify(home)->valid);
}

TEST_CASE("1,000 racing duplicates of one new request are one decision", "[service][governed:11.8]") {
    Desk desk;
    decided(desk.service.start(test::start_input()));
    const ProposalInput request = proposal({.key = "k1", .operations = {SetPhase{"collect"}}});
    std::vector<std::optional<StepResult>> answers(attempts);

    at_once([&](std::size_t i) {
        if (const auto done = desk.service.submit(request)) answers[i] = *done;
    });

    std::size_t first_told = 0;
    for (const auto& answer : answers) {
        REQUIRE(answer.has_value());
        CHECK(answer->decision == answers[0]->decision);
        first_told += answer->replayed ? 0 : 1;
    }
    CHECK(first_told == 1);
    CHECK(decisions_of(desk).size() == 2);
}

TEST_CASE("racing starts of one request are one task, and racing expiries one revision",
          "[service][governed:13.7][governed:30.27]") {
    Desk desk;
    StartInput start = test::start_input();
    start.profile = test::add_profile(desk, "hasty-v1", {.absolute_age_ms = 1000});
    std::atomic<std::size_t> answered{0}, told_first{0};
    at_once([&](std::size_t) {
        const auto done = desk.service.start(start);
        if (done && done->decision.outcome == Outcome::accepted) ++answered;
        if (done && !done->replayed) ++told_first;
    });
    CHECK(answered == attempts);
    CHECK(told_first == 1);

    desk.clock->advance(1000);
    std::atomic<std::size_t> ended{0};
    at_once([&](std::size_t i) {
        const auto late =
            i % 2 == 0
                ? desk.service.submit(proposal({.key = "k" + std::to_string(i), .operations = {SetPhase{"collect"}}}))
                : desk.service.lifecycle({.task = start.task,
                                          .key = "k" + std::to_string(i),
                                          .actor = test::operator_olga,
                                          .to = Lifecycle::paused,
                                          .base = {1}});
        if (late && late->decision.reason == Reason::task_is_terminal) ++ended;
    });
    CHECK(ended == attempts);
    CHECK(head_of(desk).frame.revision == Revision{2});
    CHECK(revisions_of(desk).size() == 2);
}

TEST_CASE("a start that the same request overtakes is answered as that one, and an id that another key took is taken",
          "[service][governed:13.7]") {
    const auto store = std::make_shared<OvertakingStore>(memory_store());
    Desk desk(store);
    const StartInput start = test::start_input();
    store->overtake_start = [&] { decided(desk.service.start(start)); };
    const auto second = desk.service.start(start);
    REQUIRE(second.has_value());
    CHECK(second->replayed);

    StartInput other = start;
    other.key = "another key";
    check_refused(desk.service.start(other), Reason::already_exists);
}

TEST_CASE("a step that another one overtakes is a conflict, and recorded as one",
          "[service][governed:9.1][governed:30.27]") {
    const auto store = std::make_shared<OvertakingStore>(memory_store());
    Desk desk(store);
    decided(desk.service.start(test::start_input()));
    store->overtake = [&desk] {
        decided(desk.service.submit(proposal({.key = "fast", .operations = {SetPhase{"collect"}}})));
    };
    const ProposalInput slow =
        proposal({.key = "slow", .operations = {SetPhase{"execute"}}, .evidence = {test::tool_call}});

    const auto lost = desk.service.submit(slow);

    check_decision(lost, Outcome::conflict, Reason::concurrent_successor_committed);
    CHECK(lost->decision.limit == 2);
    CHECK(lost->decision.actual == 1);
    CHECK(lost->decision.guards.empty());
    CHECK(lost->decision.assurance == Assurance::asserted);
    CHECK(desk.service.submit(slow)->replayed);
    CHECK(head_of(desk).frame.revision == Revision{2});

    store->overtake = [&desk] {
        decided(desk.service.submit(proposal({.key = "fast-2", .base = 2, .operations = {SetPhase{"validate"}}})));
    };
    check_decision(
        desk.service.lifecycle(
            {.task = slow.task, .key = "pause", .actor = test::operator_olga, .to = Lifecycle::paused, .base = {2}}),
        Outcome::conflict, Reason::concurrent_successor_committed);
}

TEST_CASE("what is in doubt is settled by sending the same request again", "[service][governed:11.1]") {
    const auto store = std::make_shared<test::DoubtfulStore>(memory_store());
    Desk desk(store);
    const Fate fate = GENERATE(Fate::kept, Fate::lost);

    store->doubt(1, fate);
    check_refused(desk.service.start(test::start_input()), Reason::commit_in_doubt);
    const auto started = desk.service.start(test::start_input());
    CHECK(decided(started).outcome == Outcome::accepted);
    CHECK(started->replayed == (fate == Fate::kept));

    const ProposalInput request = proposal({.key = "k1", .operations = {SetPhase{"collect"}}});
    store->doubt(1, fate);
    check_refused(desk.service.submit(request), Reason::commit_in_doubt);
    const auto settled = desk.service.submit(request);
    CHECK(decided(settled).outcome == Outcome::accepted);
    CHECK(settled->replayed == (fate == Fate::kept));
    CHECK(head_of(desk).frame.revision == Revision{2});
    CHECK(decisions_of(desk).size() == 2);
    CHECK(desk.service.verify(home)->valid);
}

TEST_CASE("the cache is used only where the head says so", "[service][design:9]") {
    Desk one;
    TaskService other = *TaskService::open({.store = one.store, .clock = one.clock});
    decided(one.service.start(test::start_input()));
    decided(one.service.submit(proposal({.key = "k1", .operations = {SetPhase{"collect"}}})));
    decided(other.submit(proposal({.key = "k2", .base = 2, .operations = {SetPhase{"validate"}}})));

    CHECK(one.service.read({home, "delivery-42"})->snapshot.phase() == "validate");
    check_decision(one.service.submit(proposal({.key = "k3", .base = 3, .operations = {SetPhase{"execute"}}})),
                   Outcome::accepted, Reason::transition_accepted);
}

TEST_CASE("the cache may hold one task, or none: the answers are the same", "[service][design:9]") {
    Desk desk;
    const std::size_t kept = GENERATE(std::size_t{0}, std::size_t{1});
    auto service = *TaskService::open({.store = desk.store, .clock = desk.clock, .cache_tasks_max = kept});
    for (const char* id : {"delivery-42", "delivery-43"}) decided(service.start(test::start_input(id)));

    for (std::uint64_t base = 1; base <= 3; ++base) {
        for (const char* id : {"delivery-42", "delivery-43"}) {
            const std::string title = "Title " + std::to_string(base);
            check_decision(service.submit(proposal({.key = "k" + std::to_string(base),
                                                    .base = base,
                                                    .operations = {SetItemTitle{"notify", title}},
                                                    .task = id})),
                           Outcome::accepted, Reason::transition_accepted);
            CHECK(service.read({home, id})->snapshot.items()[2].title == title);
        }
    }
}
