#include "store/postgres/writer.hpp"

#include <taskstate/codec/json.hpp>

#include "store/batch_scope.hpp"
#include "store/lapsed_reason.hpp"
#include "store/row_text.hpp"

#include <set>

namespace taskstate::inline v0 {
namespace {

PostgresStatement call(std::string_view function, std::vector<PostgresValue> values) {
    std::string sql = "SELECT " + std::string(function) + '(';
    for (std::size_t i = 1; i <= values.size(); ++i) sql.append(i == 1 ? "$" : ",$").append(std::to_string(i));
    return {.sql = sql + ')', .values = std::move(values)};
}

void append(std::vector<PostgresValue>& values, const Scope& scope) {
    values.insert(values.end(), {key_of(scope), scope.tenant, scope.owner, scope.agent, scope.workspace});
}

void append(std::vector<PostgresValue>& values, const RevisionRecord& revision) {
    PostgresTexts kinds, ids;
    for (const Lineage& value : revision.lineage) {
        kinds.emplace_back(word(value.kind));
        ids.emplace_back(value.id);
    }
    values.insert(values.end(), {encode_row(revision), kinds, ids});
}

void append(std::vector<PostgresValue>& values, const std::vector<EntryChange>& changes) {
    PostgresTexts kinds, ids, entries;
    for (const EntryChange& change : changes) {
        kinds.emplace_back(word(change.kind));
        ids.emplace_back(change.id);
        const Entry* const entry = change.entry.get();
        entries.push_back(entry == nullptr ? std::nullopt : std::optional(encode_row(*entry)));
    }
    values.insert(values.end(), {kinds, ids, entries});
}

PostgresStatement make(const StartTask& start) {
    const TaskHead& head = start.head;
    std::vector<PostgresValue> values;
    append(values, head.identity.scope);
    values.insert(values.end(),
                  {head.identity.id, head.start_key, head.identity.created_at, head.frame.lifecycle,
                   head.frame.revision.number, head.frame.last_progress_at, head.due_at, encode_row(head)});
    append(values, start.revision);
    append(values, start.revision.changes);
    return call("start_task", std::move(values));
}

PostgresStatement make(const AdvanceTask& next) {
    const TaskHead& head = next.head;
    std::vector<PostgresValue> values{
        key_of(head.identity.scope), head.identity.id, head.frame.lifecycle, head.frame.revision.number,
        head.frame.last_progress_at, head.due_at,      encode_row(head)};
    append(values, next.revision);
    append(values, next.revision.changes);
    return call("advance_task", std::move(values));
}

PostgresStatement make(const TrimLog& trim) {
    return call("trim_log", {key_of(trim.task.scope), trim.task.id, trim.first.number});
}

/// What takes its place in a log that was trimmed before it.
PostgresStatement make_base(const TaskAddress& task, const RevisionRecord& revision) {
    std::vector<PostgresValue> values{key_of(task.scope), task.id, revision.frame.revision.number};
    append(values, revision);
    return call("keep_base", std::move(values));
}

PostgresStatement make(const AddDecision& added) {
    const DecisionRecord& decision = added.decision;
    PostgresTexts guards;
    for (const Guard& guard : decision.guards) guards.emplace_back(word(guard.kind));
    return call("add_decision", {key_of(added.task.scope), added.task.id, decision.id, decision.key,
                                 decision.action_fingerprint, decision.decided_at, decision.shadow, decision.outcome,
                                 decision.reason, guards, decision.duration_ms, encode_row(decision)});
}

PostgresStatement make(const AddDelivery& added) {
    const DeliveryRecord& delivery = added.delivery;
    return call("add_delivery", {key_of(added.task.scope), added.task.id, delivery.id, delivery.withheld,
                                 delivery.exposed_at, encode_row(delivery)});
}

PostgresStatement make(const AddBinding& added) {
    const Binding& binding = added.binding;
    return call("add_binding",
                {key_of(binding.scope), binding.task, binding.id, key_of(binding.identity), binding.identity.host,
                 binding.identity.session, binding.actor.name, binding.registered_at, binding.expires_at,
                 binding.revoked_at, binding.revoked_by, binding.revoked_because, lapsed_reason, encode_row(binding)});
}

PostgresStatement make(const RevokeBinding& end) {
    return call("revoke_binding", {key_of(end.scope), end.id, end.at, end.by, end.because});
}

PostgresStatement make(const SetScopeMode& set) {
    std::vector<PostgresValue> values;
    append(values, set.scope);
    values.emplace_back(set.mode);
    return call("set_scope_mode", std::move(values));
}

PostgresStatement make(const AddProfile& added) {
    return call("add_profile", {added.profile.id, format_digest(profile_digest(added.profile)), encode(added.profile)});
}

const std::string* task_of(const StartTask&) { return nullptr; }  // there is none to be locked
const std::string* task_of(const AdvanceTask& next) { return &next.head.identity.id; }
const std::string* task_of(const TrimLog& trim) { return &trim.task.id; }
const std::string* task_of(const AddDecision& added) { return &added.task.id; }
const std::string* task_of(const AddDelivery& added) { return &added.task.id; }
const std::string* task_of(const AddBinding& added) { return &added.binding.task; }
const std::string* task_of(const RevokeBinding&) { return nullptr; }
const std::string* task_of(const SetScopeMode&) { return nullptr; }
const std::string* task_of(const AddProfile&) { return nullptr; }

/// Locks the tasks of a batch that has several, in one order, so that two batches are not in each other's way.
void lock_in_order(std::span<const Write> batch, std::vector<PostgresStatement>& statements) {
    std::set<std::string_view> ids;
    const Scope* scope = nullptr;
    for (const Write& write : batch) {
        const std::string* const id = std::visit([](const auto& kind) { return task_of(kind); }, write);
        if (id == nullptr) continue;
        ids.insert(*id);
        scope = scope_of(write);
    }
    if (ids.size() < 2) return;
    statements.push_back({.sql = "SELECT 1 FROM tasks WHERE scope=$1 AND id=ANY($2) ORDER BY id FOR NO KEY UPDATE",
                          .values = {key_of(*scope), PostgresTexts(ids.begin(), ids.end())}});
}

}  // namespace

std::vector<PostgresStatement> statements_of(std::span<const Write> batch) {
    std::vector<PostgresStatement> statements;
    statements.reserve(batch.size());
    lock_in_order(batch, statements);
    for (const Write& write : batch) {
        statements.push_back(std::visit([](const auto& kind) { return make(kind); }, write));
        const auto* const trim = std::get_if<TrimLog>(&write);
        if (trim == nullptr) continue;
        for (const RevisionRecord& base : trim->kept) statements.push_back(make_base(trim->task, base));
    }
    return statements;
}

PostgresStatement exposing(const Scope& scope, std::string_view delivery, Timestamp at) {
    return {.sql =
                "UPDATE deliveries SET exposed_at=$3 WHERE scope=$1 AND id=$2 AND withheld IS NULL AND "
                "exposed_at IS NULL RETURNING 1",
            .values = {key_of(scope), delivery, at}};
}

PostgresStatement forgetting(const TaskAddress& task) {
    return {.sql = "SELECT c[1], c[2], c[3], c[4], c[5], c[6], c[7] FROM forget_task($1,$2) AS c",
            .values = {key_of(task.scope), task.id}};
}

}  // namespace taskstate::inline v0
