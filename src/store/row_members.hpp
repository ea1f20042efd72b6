#pragma once
// One list of members for each record of a store, in the order of their names, by which it is both written and read.

#include "codec/values.hpp"

#include <taskstate/store/records.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace taskstate::inline v0 {

/// `T`, or a `const T`: what is read, or what is written.
template <class T, class Record>
concept is_record = std::is_same_v<std::remove_const_t<T>, Record>;

template <is_record<Scope> T>
void members(auto& each, T& scope) {
    each.optional("agent", scope.agent);
    each("owner", scope.owner);
    each.optional("tenant", scope.tenant);
    each("workspace", scope.workspace);
}
template <is_record<EvidenceInput> T>
void members(auto& each, T& evidence) {
    each("digest", evidence.digest);
    each("id", evidence.id);
    each("kind", evidence.kind);
    each("scope", evidence.scope);
    each("size_bytes", evidence.size_bytes);
    each("status", evidence.status);
}
template <is_record<SavedLink> T>
void members(auto& each, T& link) {
    each("id", link.target.id);
    each("kind", link.target.kind);
    each("status", link.status);
}
template <is_record<NextIds> T>
void members(auto& each, T& next) {
    each.optional("constraint", next.constraint);
    each.optional("item", next.item);
}
template <is_record<ExpiryRule> T>
void members(auto& each, T& rule) {
    each("absolute_age_ms", rule.absolute_age_ms);
    each("no_progress_ms", rule.no_progress_ms);
}
template <is_record<PauseRecord> T>
void members(auto& each, T& pause) {
    each("paused_at", pause.paused_at);
    each("paused_ms", pause.paused_ms);
}
template <is_record<LogBase> T>
void members(auto& each, T& base) {
    each("pause", base.pause);
}
template <is_record<Frame> T>
void members(auto& each, T& frame) {
    each("last_progress_at", frame.last_progress_at);
    each("lifecycle", frame.lifecycle);
    each("link", frame.link);
    each.optional("next_ids", frame.next_ids);
    each("phase", frame.phase);
    each("revision", frame.revision);
    each("schema_locked", frame.schema_locked);
    each("updated_at", frame.updated_at);
}
template <is_record<Identity> T>
void members(auto& each, T& identity) {
    each("association", identity.association);
    each("created_at", identity.created_at);
    each("goal", identity.goal);
    each("id", identity.id);
    each("profile", identity.profile);
    each("scope", identity.scope);
}
template <is_record<TaskHead> T>
void members(auto& each, T& head) {
    each("clock", head.clock);
    each("continues", head.continues);
    each("due_at", head.due_at);
    each("expiry", head.expiry);
    each("frame", head.frame);
    each("identity", head.identity);
    each("pause", head.pause);
    each("start_digest", head.start_digest);
    each("start_key", head.start_key);
    each("state_digest", head.state_digest);
    each("terminal_reason", head.terminal_reason);
}
template <is_record<Actor> T>
void members(auto& each, T& actor) {
    each("name", actor.name);
    each("role", actor.role);
}
template <is_record<Origin> T>
void members(auto& each, T& origin) {
    each("actor", origin.actor);
    each("assurance", origin.assurance);
    each("evidence", origin.evidence);
    each("interpreter", origin.interpreter);
    each("method", origin.method);
    each("reason", origin.reason);
}
template <is_record<Lineage> T>
void members(auto& each, T& lineage) {
    each("assurance", lineage.assurance);
    each("id", lineage.id);
    each("kind", lineage.kind);
    each("supersedes", lineage.supersedes);
}
template <is_record<Guard> T>
void members(auto& each, T& guard) {
    each("blocking", guard.blocking);
    each("kind", guard.kind);
    each("message", guard.message);
    each("repeated", guard.repeated);
    each("revision", guard.revision);
}
template <is_record<DecisionRecord> T>
void members(auto& each, T& decision) {
    each("action_fingerprint", decision.action_fingerprint);
    each("actor", decision.actor);
    each("actual", decision.actual);
    each("assurance", decision.assurance);
    each("base", decision.base);
    each("decided_at", decision.decided_at);
    each("duration_ms", decision.duration_ms);
    each("evidence", decision.evidence);
    each("guards", decision.guards);
    each("id", decision.id);
    each("key", decision.key);
    each("kind", decision.kind);
    each("limit", decision.limit);
    each("outcome", decision.outcome);
    each("path", decision.path);
    each("payload_digest", decision.payload_digest);
    each("reason", decision.reason);
    each("result", decision.result);
    each("sequence", decision.sequence);
    each("shadow", decision.shadow);
}
template <is_record<DeliveryRecord> T>
void members(auto& each, T& delivery) {
    each("block_bytes", delivery.block_bytes);
    each("block_digest", delivery.block_digest);
    each("exposed_at", delivery.exposed_at);
    each("id", delivery.id);
    each("omitted", delivery.omitted);
    each("prepared_at", delivery.prepared_at);
    each("revision", delivery.revision);
    each("sequence", delivery.sequence);
    each("withheld", delivery.withheld);
}
template <is_record<SessionIdentity> T>
void members(auto& each, T& identity) {
    each("epoch", identity.epoch);
    each("host", identity.host);
    each("session", identity.session);
}
template <is_record<Binding> T>
void members(auto& each, T& binding) {
    each("actor", binding.actor);
    each("expires_at", binding.expires_at);
    each("id", binding.id);
    each("identity", binding.identity);
    each("reason", binding.reason);
    each("registered_at", binding.registered_at);
    each("revoked_at", binding.revoked_at);
    each("revoked_because", binding.revoked_because);
    each("revoked_by", binding.revoked_by);
    each("scope", binding.scope);
    each("task", binding.task);
}

/// A change while it is written, of an entry; or while it is read, of a saved one that nobody has admitted yet.
struct ChangeRow {
    EntryKind kind{};
    std::string id{};
    std::uint64_t ordinal = 0;
    const Entry* entry = nullptr;
    std::optional<std::variant<SavedNote, SavedItem, SavedSource, SavedAction>> saved{};
};
/// A revision while it is written or read.
struct RevisionRow {
    RevisionRecord record{};
    std::vector<ChangeRow> changes{};
};
template <is_record<RevisionRow> T>
void members(auto& each, T& row) {
    each("base", row.record.base);
    each("changes", row.changes);
    each("frame", row.record.frame);
    each("lineage", row.record.lineage);
    each("origin", row.record.origin);
    each("progressed", row.record.progressed);
    each("semantic_digest", row.record.semantic_digest);
    each("state_digest", row.record.state_digest);
}

}  // namespace taskstate::inline v0
