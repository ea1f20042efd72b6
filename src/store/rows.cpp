#include "store/rows.hpp"

#include "store/lapsed_reason.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace taskstate::inline v0 {
namespace {

/// What makes two profiles the same rules: their limits are the host's.
Profile rules_of(Profile profile) {
    profile.limits = {};
    return profile;
}

std::set<Listed>& listed(ScopeRows& scope, Lifecycle lifecycle) {
    return scope.listed[static_cast<std::size_t>(lifecycle)];
}

Listed listed_as(const TaskHead& head) { return {head.identity.created_at, head.identity.id}; }

std::uint64_t entries_of(const State& state) {
    return state.notes.size() + state.items.size() + state.sources.size() + state.actions.size();
}

}  // namespace

ScopeRows* Rows::find(const Scope& scope) {
    const auto found = scopes.find(scope);
    return found == scopes.end() ? nullptr : &found->second;
}

TaskRows* Rows::find(const TaskAddress& task) {
    ScopeRows* scope = find(task.scope);
    if (scope == nullptr) return nullptr;
    const auto found = scope->tasks.find(task.id);
    return found == scope->tasks.end() ? nullptr : &found->second;
}

std::deque<RevisionRecord>::const_iterator TaskRows::from(Revision revision) const {
    return std::lower_bound(
        revisions.begin(), revisions.end(), revision,
        [](const RevisionRecord& record, Revision wanted) { return record.frame.revision < wanted; });
}

Result<void> Batch::write(const Write& write) {
    return std::visit([this](const auto& kind) { return this->write(kind); }, write);
}

Result<void> Batch::write(const StartTask& start) {
    const TaskHead& head = start.head;
    const std::string& id = head.identity.id;
    ScopeRows& scope = scope_at(head.identity.scope);
    if (scope.tasks.contains(id)) return fail(Reason::already_exists, "/id");
    if (scope.started.contains(head.start_key)) return fail(Reason::already_exists, "/key");
    auto state = replay(State{.identity = std::make_shared<const Identity>(head.identity)}, start.revision.frame,
                        start.revision.changes);
    if (!state) return std::move(state).error();
    TaskRows& task = undo_.insert(scope.tasks, id, {.head = head, .snapshot = Snapshot(*std::move(state))});
    undo_.insert(scope.started, head.start_key, id);
    enlist(head);
    add_revision(task, start.revision);
    return {};
}

Result<void> Batch::write(const AdvanceTask& next) {
    const TaskHead& head = next.head;
    TaskRows* task = rows_.find(head.address());
    if (task == nullptr) return fail(Reason::task_not_eligible);
    const std::uint64_t stored = task->head.frame.revision.number;
    const std::uint64_t base = head.frame.revision.number - 1;
    if (stored != base) return fail(Reason::concurrent_successor_committed, "", {stored, base});
    auto state = replay(task->snapshot.state(), next.revision.frame, next.revision.changes);
    if (!state) return std::move(state).error();
    delist(task->head);
    enlist(head);
    undo_.assign(task->head, head);
    undo_.assign(task->snapshot, Snapshot(*std::move(state)));
    add_revision(*task, next.revision);
    return {};
}

Result<void> Batch::write(const TrimLog& trim) {
    TaskRows* task = rows_.find(trim.task);
    if (task == nullptr) return fail(Reason::task_not_eligible);
    const auto first = std::as_const(*task).from(trim.first);
    if (first == task->revisions.end() || first->frame.revision != trim.first) {
        return fail(Reason::revision_gap, "", {trim.first.number, task->head.frame.revision.number});
    }
    const std::vector<RevisionRecord> later(std::next(first), task->revisions.cend());
    undo_.assign(task->revisions, {});
    undo_.assign(task->lineage, {});
    for (const auto& kept : {std::cref(trim.kept), std::cref(later)}) {
        for (const RevisionRecord& revision : kept.get()) add_revision(*task, revision);
    }
    return {};
}

Result<void> Batch::write(const AddDecision& added) {
    TaskRows* task = rows_.find(added.task);
    if (task == nullptr) return fail(Reason::task_not_eligible);
    DecisionRecord decision = added.decision;
    if (decision.key && task->keys.contains(*decision.key)) return fail(Reason::idempotency_key_reused, "/key");
    if (task->decision_ids.contains(decision.id)) return fail(Reason::already_exists, "/id");
    decision.sequence = task->decisions.size() + 1;
    undo_.insert(task->decision_ids, decision.id);
    if (decision.key) undo_.insert(task->keys, *decision.key, decision.sequence);
    if (decision.action_fingerprint && !decision.shadow)
        undo_.insert(task->repeats, {*decision.action_fingerprint, decision.decided_at, decision.sequence});
    undo_.append(task->decisions, std::move(decision));
    return {};
}

Result<void> Batch::write(const AddDelivery& added) {
    TaskRows* task = rows_.find(added.task);
    if (task == nullptr) return fail(Reason::task_not_eligible);
    ScopeRows& scope = scope_at(added.task.scope);
    DeliveryRecord delivery = added.delivery;
    if (scope.deliveries.contains(delivery.id)) return fail(Reason::already_exists, "/id");
    delivery.sequence = task->deliveries.size() + 1;
    undo_.insert(scope.deliveries, delivery.id, {added.task.id, delivery.sequence});
    undo_.append(task->deliveries, std::move(delivery));
    return {};
}

Result<void> Batch::write(const AddBinding& added) {
    const Binding& binding = added.binding;
    if (rows_.find(TaskAddress{binding.scope, binding.task}) == nullptr) return fail(Reason::task_not_eligible);
    ScopeRows& scope = scope_at(binding.scope);
    if (scope.binding_ids.contains(binding.id)) return fail(Reason::already_exists, "/id");
    const auto& [host, session, epoch] = binding.identity;
    Binding* lapsed = nullptr;
    for (auto place = scope.bindings_of_session.lower_bound({host, session, 0});
         place != scope.bindings_of_session.end() && std::get<0>(*place) == host && std::get<1>(*place) == session;
         ++place) {
        Binding& other = scope.bindings.at(std::get<2>(*place));
        if (!other.active() || other.identity.epoch != epoch) continue;
        if (!other.lapsed(binding.registered_at)) return fail(Reason::binding_already_active);
        lapsed = &other;
    }
    if (lapsed != nullptr)
        revoke(*lapsed, {.at = binding.registered_at, .by = binding.actor.name, .because = std::string(lapsed_reason)});
    const std::uint64_t number = scope.last_binding + 1;
    undo_.assign(scope.last_binding, number);
    undo_.insert(scope.binding_ids, binding.id, number);
    undo_.insert(scope.bindings_of_task, {binding.task, number});
    undo_.insert(scope.bindings_of_session, {host, session, number});
    undo_.insert(scope.bindings, number, binding);
    return {};
}

Result<void> Batch::write(const RevokeBinding& end) {
    ScopeRows* scope = rows_.find(end.scope);
    if (scope == nullptr) return fail(Reason::binding_not_found);
    const auto number = scope->binding_ids.find(end.id);
    if (number == scope->binding_ids.end()) return fail(Reason::binding_not_found);
    Binding& binding = scope->bindings.at(number->second);
    if (!binding.active()) return fail(Reason::binding_not_found);
    revoke(binding, end);
    return {};
}

Result<void> Batch::write(const SetScopeMode& set) {
    undo_.assign(scope_at(set.scope).mode, set.mode);
    return {};
}

Result<void> Batch::write(const AddProfile& added) {
    const auto found = rows_.profiles.find(added.profile.id);
    if (found == rows_.profiles.end()) {
        undo_.insert(rows_.profiles, added.profile.id, added.profile);
    } else if (rules_of(found->second) != rules_of(added.profile)) {
        return fail(Reason::profile_version_differs);
    }
    return {};
}

bool Batch::expose(const Scope& address, std::string_view id, Timestamp at) {
    ScopeRows* scope = rows_.find(address);
    if (scope == nullptr) return false;
    const auto place = scope->deliveries.find(id);
    if (place == scope->deliveries.end()) return false;
    DeliveryRecord& delivery = scope->tasks.at(place->second.task).deliveries[place->second.sequence - 1];
    if (delivery.withheld || delivery.exposed_at) return false;
    undo_.assign(delivery.exposed_at, {at});
    return true;
}

Result<void> Batch::restore(const TaskHead& head) {
    const std::string& id = head.identity.id;
    ScopeRows& scope = scope_at(head.identity.scope);
    if (scope.tasks.contains(id)) return fail(Reason::already_exists, "/id");
    if (scope.started.contains(head.start_key)) return fail(Reason::already_exists, "/key");
    State nothing{.identity = std::make_shared<const Identity>(head.identity)};
    undo_.insert(scope.tasks, id, {.head = head, .snapshot = Snapshot(std::move(nothing))});
    undo_.insert(scope.started, head.start_key, id);
    enlist(head);
    return {};
}

Result<void> Batch::restore(const TaskAddress& address, const RevisionRecord& revision) {
    TaskRows* task = rows_.find(address);
    if (task == nullptr) return fail(Reason::task_not_eligible);
    State before = task->snapshot.state();
    if (revision.base) before = State{.identity = before.identity, .revision = {revision.frame.revision.number - 1}};
    auto state = replay(std::move(before), revision.frame, revision.changes);
    if (!state) return std::move(state).error();
    undo_.assign(task->snapshot, Snapshot(*std::move(state)));
    add_revision(*task, revision);
    return {};
}

std::optional<Removed> Batch::forget(const TaskAddress& address) {
    const TaskRows* task = rows_.find(address);
    if (task == nullptr) return std::nullopt;
    ScopeRows& scope = scope_at(address.scope);
    Removed removed{.deliveries = task->deliveries.size(),
                    .decisions = task->decisions.size(),
                    .bindings = forget_bindings(scope, address.id),
                    .revisions = task->revisions.size(),
                    .entries = entries_of(task->snapshot.state()),
                    .heads = 1};
    for (const RevisionRecord& revision : task->revisions) removed.lineage += revision.lineage.size();
    for (const DeliveryRecord& delivery : task->deliveries) undo_.erase(scope.deliveries, delivery.id);
    undo_.erase(scope.started, task->head.start_key);
    delist(task->head);
    undo_.erase(scope.tasks, address.id);
    return removed;
}

std::uint64_t Batch::forget_bindings(ScopeRows& scope, const std::string& task) {
    std::uint64_t count = 0;
    for (auto place = scope.bindings_of_task.lower_bound({task, 0});
         place != scope.bindings_of_task.end() && place->first == task; ++count) {
        const auto [id, number] = *place++;
        const Binding& binding = scope.bindings.at(number);
        undo_.erase(scope.bindings_of_session, {binding.identity.host, binding.identity.session, number});
        undo_.erase(scope.binding_ids, binding.id);
        undo_.erase(scope.bindings, number);
        undo_.erase(scope.bindings_of_task, {id, number});
    }
    return count;
}

ScopeRows& Batch::scope_at(const Scope& scope) {
    ScopeRows* found = rows_.find(scope);
    return found != nullptr ? *found : undo_.insert(rows_.scopes, scope, {});
}

void Batch::add_revision(TaskRows& task, const RevisionRecord& revision) {
    for (const Lineage& value : revision.lineage) {
        std::tuple place{value.kind, value.id, revision.frame.revision};
        if (!task.lineage.contains(place)) undo_.insert(task.lineage, std::move(place));
    }
    undo_.append(task.revisions, revision);
}

void Batch::enlist(const TaskHead& head) {
    undo_.insert(listed(scope_at(head.identity.scope), head.frame.lifecycle), listed_as(head));
    if (head.due_at) undo_.insert(rows_.due, {*head.due_at, head.address()});
}

void Batch::delist(const TaskHead& head) {
    undo_.erase(listed(scope_at(head.identity.scope), head.frame.lifecycle), listed_as(head));
    if (head.due_at) undo_.erase(rows_.due, {*head.due_at, head.address()});
}

void Batch::revoke(Binding& binding, const RevokeBinding& end) {
    Binding ended = binding;
    ended.revoked_at = end.at;
    ended.revoked_by = end.by;
    ended.revoked_because = end.because;
    undo_.assign(binding, std::move(ended));
}

}  // namespace taskstate::inline v0
