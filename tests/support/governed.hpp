#pragma once
// A governed task, and proposals to it.

#include "support/builders.hpp"

#include <taskstate/engine/apply.hpp>
#include <taskstate/engine/governance.hpp>

#include <string>
#include <utility>
#include <vector>

namespace taskstate::test {

inline const TaskAddress governed_address{.scope = {.owner = "host-user", .workspace = "deliveries"}, .id = "ship"};

/// Review, then deploy, both required; notify besides; one gating constraint, one decision and one proposal; one source.
inline SnapshotInput governed_task() {
    SnapshotInput saved{.id = governed_address.id,
                        .profile = "general-v1",
                        .scope = governed_address.scope,
                        .revision = {1},
                        .phase = "plan"};
    SavedNote gate{.note = note("constraint-1"), .standing = Standing::host};
    gate.note.gates_completion = true;
    saved.notes = {gate,
                   {.note = note("d1", Category::decision, "Ship on Friday."), .standing = Standing::host},
                   {.note = note("p1", Category::decision, "Ship on Monday."), .standing = Standing::proposal}};
    saved.items = {{.id = "review", .title = "Review", .required = true},
                   {.id = "deploy", .title = "Deploy", .required = true, .depends_on = {"review"}},
                   {.id = "notify", .title = "Notify"}};
    saved.sources = {{.id = "doc"}};
    return saved;
}

/// A head, the rules that it is judged by, and the time.
struct Governed {
    Snapshot head = admitted(governed_task());
    Profile profile = *find_profile("general-v1");
    Timestamp now{1'767'225'600'000};

    [[nodiscard]] Rules rules() const { return {.profile = &profile, .limits = {}, .text = TextPolicy::refuse}; }
    [[nodiscard]] ProposalInput proposal(Role role, std::vector<Operation> operations) const {
        ProposalInput input{.task = governed_address, .actor = {role, "somebody"}, .key = "k"};
        input.base = head.revision();
        for (Operation& operation : operations) input.operations.push_back({.operation = std::move(operation)});
        return input;
    }
    [[nodiscard]] Decision judge(const ProposalInput& input, Intake intake = Intake::submission) const {
        auto transaction = admit(input, intake, rules());
        if (!transaction) FAIL(word(transaction.error().reason) << " at " << transaction.error().path);
        return apply(head, *transaction, rules(), now);
    }
    [[nodiscard]] Decision submit(Role role, std::vector<Operation> operations) const {
        return judge(proposal(role, std::move(operations)));
    }
    [[nodiscard]] Decision correct(Role role, std::vector<Operation> operations) const {
        ProposalInput input = proposal(role, std::move(operations));
        input.reason = "The order changed.";
        return judge(input, Intake::correction);
    }
    /// Goes on from an accepted decision.
    void take(const Decision& decision) {
        INFO(word(decision.error.reason) << " at " << decision.error.path);
        REQUIRE(decision.outcome == Outcome::accepted);
        head = decision.snapshot;
    }
};

inline EvidenceInput tool_call() { return {.kind = EvidenceKind::tool_call, .id = "call-1"}; }
inline SetItemStatus to(std::string id, ItemStatus status) { return {.id = std::move(id), .status = status}; }
inline SetItemStatus to(std::string id, ItemStatus status, std::string reason) {
    return {.id = std::move(id), .status = status, .reason = std::move(reason)};
}
/// Completed, on the grounds of a tool call.
inline SetItemStatus completed(std::string id) {
    return {.id = std::move(id), .status = ItemStatus::completed, .evidence = {tool_call()}};
}

}  // namespace taskstate::test
