#include <taskstate/engine/lifecycle.hpp>

#include "successor.hpp"

#include <utility>

namespace taskstate::inline v0 {
namespace {

/// Whether the request itself makes sense, whatever the state of the task.
Result<void> check_request(const LifecycleChange& change) {
    if (word(change.to).empty() || change.to == Lifecycle::expired) return fail(Reason::unknown_word, "/to");
    const bool asks_why = change.to == Lifecycle::cancelled || change.over_open_gates;
    if (asks_why && !change.reason) return fail(Reason::reason_required, "/reason");
    return {};
}

/// Whether the actor may bring this about, or at least ask for it.
Result<void> check_role(const LifecycleChange& change) {
    const Role role = change.actor.role;
    const bool may_ask = change.to != Lifecycle::cancelled && holds(role, Capability::request_lifecycle);
    if (!may_ask && !holds(role, Capability::change_lifecycle)) {
        return fail(Reason::capability_denied, "/actor/role");
    }
    const bool may_overrule = role == Role::authority || role == Role::administrator;
    if (change.over_open_gates && !may_overrule) return fail(Reason::capability_denied, "/over_open_gates");
    return {};
}

Result<void> check_change(const Snapshot& head, const LifecycleChange& change, const Profile& profile) {
    if (auto sound = check_request(change); !sound) return sound;
    if (auto may = check_role(change); !may) return may;
    if (is_terminal(head.lifecycle())) return fail(Reason::task_is_terminal);
    if (auto current = check_base(head, change.base); !current) return current;
    if (change.to != Lifecycle::completed || change.over_open_gates) return {};
    return check_gates(head.state(), profile);
}

}  // namespace

Decision change_lifecycle(const Snapshot& head, const LifecycleChange& change, const Rules& rules, Timestamp now) {
    if (auto may = check_change(head, change, *rules.profile); !may) return refuse(head, std::move(may).error());
    State candidate = head.state();
    candidate.lifecycle = change.to;
    return conclude(head, std::move(candidate), rules, now, {Reason::lifecycle_change_accepted});
}

Decision expire(const Snapshot& head, Timestamp now) {
    if (is_terminal(head.lifecycle())) return refuse(head, fail(Reason::task_is_terminal));
    if (auto current = check_base(head, head.revision()); !current) return refuse(head, std::move(current).error());
    State candidate = head.state();
    candidate.lifecycle = Lifecycle::expired;
    make_successor(candidate, now);
    return {.outcome = Outcome::accepted,
            .snapshot = Snapshot(std::move(candidate)),
            .error = fail(Reason::lifecycle_change_accepted)};
}

}  // namespace taskstate::inline v0
