#pragma once
// Requests of one task, and what they were answered with.

#include "support/desk.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace taskstate::test {

inline const Actor host_runner = agent_runner;
inline const Adapter adapter{.name = "openclaw", .version = "2.3"};
inline const SessionIdentity chat{.host = "openclaw", .session = "chat-7", .epoch = "0f3c-9d"};
inline const EvidenceInput tool_call{.kind = EvidenceKind::tool_call, .id = "call-9"};

inline Operation status(std::string id, ItemStatus to, OptText reason = std::nullopt) {
    return SetItemStatus{.id = std::move(id), .status = to, .reason = std::move(reason)};
}

/// What `actor` asks of the task `id` at home.
struct Asked {
    std::string key{};
    std::uint64_t base = 1;
    std::vector<Operation> operations{};
    Actor actor = agent_runner;
    std::string task = "delivery-42";
    Assurance assurance = Assurance::asserted;
    std::vector<EvidenceInput> evidence{};
    OptText reason{}, fingerprint{};
};
inline ProposalInput proposal(Asked asked) {
    ProposalInput proposal{.task = {home, std::move(asked.task)},
                           .actor = std::move(asked.actor),
                           .key = std::move(asked.key),
                           .base = {asked.base},
                           .evidence = std::move(asked.evidence),
                           .assurance = asked.assurance,
                           .reason = std::move(asked.reason),
                           .action_fingerprint = std::move(asked.fingerprint)};
    for (Operation& operation : asked.operations) {
        proposal.operations.push_back({.operation = std::move(operation)});
    }
    return proposal;
}

inline StartInput start_input(std::string task = "delivery-42") {
    return {.task = {home, task},
            .key = "start:" + task,
            .actor = operator_olga,
            .goal = "Ship the order",
            .constraints = {"Stay small"},
            .sources = {"terms.pdf"},
            .items = {item("review"), item("deploy", {"review"}), {.title = "Tell the customer", .id = "notify"}}};
}

/// The decision of a step that was judged.
inline DecisionRecord decided(const Result<StepResult>& step) {
    if (!step) FAIL(word(step.error().reason) << " at " << step.error().path);
    return step->decision;
}
inline void check_decision(const Result<StepResult>& step, Outcome outcome, Reason reason) {
    const DecisionRecord decision = decided(step);
    CHECK(word(decision.outcome) == word(outcome));
    CHECK(word(decision.reason) == word(reason));
    const bool stands = outcome == Outcome::accepted || outcome == Outcome::no_change;
    CHECK(decision.result.has_value() == stands);
}

inline std::vector<DecisionRecord> decisions_of(Desk& desk, const std::string& task = "delivery-42") {
    return *desk.store->decisions({home, task}, 0, 10'000);
}
inline std::vector<RevisionRecord> revisions_of(Desk& desk, const std::string& task = "delivery-42") {
    return *desk.store->revisions({home, task}, {}, 10'000);
}
inline TaskHead head_of(Desk& desk, const std::string& task = "delivery-42", const Scope& scope = home) {
    const auto found = desk.store->find({scope, task}, std::nullopt);
    REQUIRE((found.has_value() && found->has_value()));
    return (*found)->head;
}

}  // namespace taskstate::test
