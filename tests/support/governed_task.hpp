#pragma once
// A governed task as the engine sees it, and what is said of it by whom.

#include "support/builders.hpp"

#include <taskstate/engine/apply.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace taskstate::test {

inline const Scope scope{.owner = "host-user", .workspace = "deliveries"};

inline Rules general_rules() {
    const Profile& profile = *find_profile("general-v1");
    return {.profile = &profile, .limits = profile.limits};
}

/// Revision 0 of a task by `general-v1`, with a link, made at the beginning of time.
inline Snapshot new_task() {
    const Identity identity{.id = "delivery-42", .profile = "general-v1", .scope = scope, .goal = "Ship the order"};
    State state{.identity = std::make_shared<const Identity>(identity)};
    state.phase = "plan";
    state.link = SavedLink{{LinkKind::task, "job-1"}, std::nullopt};
    return Snapshot(std::move(state));
}

/// The head after what the host itself says.
inline Snapshot told(const Snapshot& head, const HostDelta& delta, Timestamp now = {}) {
    const auto transaction = admit(delta, head.revision(), general_rules());
    if (!transaction) FAIL(word(transaction.error().reason) << " at " << transaction.error().path);
    const Decision decision = apply(head, *transaction, general_rules(), now);
    if (decision.outcome != Outcome::accepted) FAIL(word(decision.error.reason) << " at " << decision.error.path);
    return decision.snapshot;
}

inline ProposalInput proposal(const Snapshot& head, Role role, std::vector<ProposedOperation> operations) {
    return {.task = {head.scope(), head.id()},
            .actor = {role, "somebody"},
            .key = "key-1",
            .base = head.revision(),
            .operations = std::move(operations),
            .reason = "Because."};
}

/// What the judge says of a proposal that is well formed.
inline Decision judged(const Snapshot& head, const ProposalInput& proposal, Intake intake = Intake::submission) {
    const auto transaction = admit(proposal, intake, general_rules());
    if (!transaction) FAIL(word(transaction.error().reason) << " at " << transaction.error().path);
    return apply(head, *transaction, general_rules(), Timestamp{});
}

/// The same task in another lifecycle.
inline Snapshot in(const Snapshot& snapshot, Lifecycle lifecycle) {
    State state = snapshot.state();
    state.lifecycle = lifecycle;
    return Snapshot(std::move(state));
}

}  // namespace taskstate::test
