// Canonical JSON of every value: keys stand in byte order, as RFC 8785 asks.

#include <taskstate/model/wire.hpp>

#include "model/members.hpp"

namespace taskstate::inline v0 {
namespace {

template <class List>
void entries(JsonWriter& json, std::string_view name, const EntryList& list) {
    if (list.empty()) return;
    json.key(name);
    json.open_array();
    for (const auto& element : List(list)) write(json, element);
    json.close_array();
}

}  // namespace

void write(JsonWriter& json, const ScopeView& scope) {
    json.open_object();
    part(json, "agent", scope.agent);
    field(json, "owner", scope.owner);
    part(json, "tenant", scope.tenant);
    field(json, "workspace", scope.workspace);
    json.close_object();
}

void write(JsonWriter& json, const Evidence& evidence) {
    json.open_object();
    field(json, "digest", evidence.digest);
    field(json, "id", evidence.id);
    field(json, "kind", evidence.kind);
    field(json, "scope", evidence.scope);
    field(json, "size_bytes", evidence.size_bytes);
    field(json, "status", evidence.status);
    json.close_object();
}

void write(JsonWriter& json, const Source& source) {
    json.open_object();
    field(json, "evidence", source.evidence);
    field(json, "label", source.label);
    field(json, "turn", source.turn);
    json.close_object();
}

void write(JsonWriter& json, const Note& note) {
    json.open_object();
    field(json, "authority", note.standing);
    field(json, "category", note.category);
    field(json, "conflicts_with", note.conflicts_with);
    flag(json, "gates_completion", note.gates_completion);
    field(json, "id", note.id);
    flag(json, "resolved", note.resolved);
    field(json, "source", note.source);
    field(json, "superseded_by", note.superseded_by);
    field(json, "supersedes", note.supersedes);
    field(json, "text", note.text);
    json.close_object();
}

void write(JsonWriter& json, const Item& item) {
    json.open_object();
    field(json, "assurance", item.assurance);
    field(json, "because", item.because);
    content_field(json, item.content);
    field(json, "depends_on", item.depends_on);
    field(json, "evidence", item.evidence);
    field(json, "id", item.id);
    field(json, "kind", item.kind);
    field(json, "reason", item.reason);
    flag(json, "required", item.required);
    field(json, "status", item.status);
    field(json, "title", item.title);
    json.close_object();
}

void write(JsonWriter& json, const SourceToInspect& source) {
    json.open_object();
    field(json, "id", source.id);
    flag(json, "inspected", source.inspected);
    json.close_object();
}

void write(JsonWriter& json, const Confirmation& confirmation) {
    json.open_object();
    field(json, "source", confirmation.source);
    field(json, "status", confirmation.status);
    json.close_object();
}

void write(JsonWriter& json, const Action& action) {
    json.open_object();
    field(json, "call", action.call);
    if (action.cancellation != Cancellation::none) field(json, "cancellation", action.cancellation);
    field(json, "completion", action.completion);
    field(json, "confirmation", action.confirmation);
    field(json, "ended_at", action.ended_at);
    field(json, "evidence", action.evidence);
    field(json, "execution", action.execution);
    field(json, "run", action.run);
    field(json, "started_at", action.started_at);
    field(json, "status", action.status);
    field(json, "tool", action.tool);
    json.close_object();
}

void write(JsonWriter& json, const SavedLink& link) {
    json.open_object();
    field(json, "id", link.target.id);
    field(json, "kind", link.target.kind);
    field(json, "status", link.status);
    json.close_object();
}

void write(JsonWriter& json, const NextIds& next) {
    json.open_object();
    counter(json, "constraint", next.constraint);
    counter(json, "item", next.item);
    json.close_object();
}

void write(JsonWriter& json, const State& state) {
    const Identity& identity = *state.identity;
    json.open_object();
    entries<Entries<Action, &Entry::action>>(json, "actions", state.actions);
    field(json, "association", identity.association);
    field(json, "created_at", identity.created_at);
    field(json, "format", std::string_view("taskstate.snapshot/1"));
    field(json, "goal", identity.goal);
    field(json, "id", identity.id);
    entries<Entries<Item, &Entry::item>>(json, "items", state.items);
    field(json, "last_progress_at", state.last_progress_at);
    field(json, "lifecycle", state.lifecycle);
    field(json, "link", state.link);
    if (!(state.next_ids == NextIds{})) field(json, "next_ids", state.next_ids);
    entries<Entries<Note, &Entry::note>>(json, "notes", state.notes);
    field(json, "phase", state.phase);
    field(json, "profile", identity.profile);
    field(json, "revision", state.revision.number);
    flag(json, "schema_locked", state.schema_locked);
    field(json, "scope", view(identity.scope));
    entries<Entries<SourceToInspect, &Entry::source>>(json, "sources", state.sources);
    field(json, "updated_at", state.updated_at);
    json.close_object();
}

void write(JsonWriter& json, const NoteInput& note) {
    json.open_object();
    field(json, "category", note.category);
    field(json, "conflicts_with", note.conflicts_with);
    field(json, "gates_completion", note.gates_completion);
    field(json, "id", note.id);
    field(json, "source", view(note.source));
    field(json, "supersedes", note.supersedes);
    field(json, "text", note.text);
    json.close_object();
}

void write(JsonWriter& json, const ItemInput& item) {
    json.open_object();
    field(json, "because", item.because);
    content_field(json, item.content.canonical());
    field(json, "depends_on", item.depends_on);
    field(json, "id", item.id);
    field(json, "kind", item.kind);
    field(json, "ref", item.ref);
    flag(json, "required", item.required);
    if (item.status != ItemStatus::pending) field(json, "status", item.status);
    field(json, "title", item.title);
    json.close_object();
}

void write(JsonWriter& json, const ItemChange& change) {
    json.open_object();
    field(json, "assurance", change.assurance);
    if (change.content) content_field(json, change.content->canonical());
    if (!change.evidence.empty()) {
        json.key("evidence");
        json.open_array();
        for (const EvidenceInput& evidence : change.evidence) write(json, view(evidence));
        json.close_array();
    }
    field(json, "id", change.id);
    field(json, "reason", change.reason);
    field(json, "status", change.status);
    field(json, "title", change.title);
    json.close_object();
}

void write(JsonWriter& json, const ActionOutcome& outcome) { write(json, view(outcome)); }

void write(JsonWriter& json, const ConfirmAction& confirmation) {
    json.open_object();
    field(json, "execution", confirmation.execution);
    field(json, "source", view(confirmation.source));
    field(json, "status", confirmation.status);
    json.close_object();
}

void write(JsonWriter& json, const Prune& prune) {
    json.open_object();
    field(json, "actions", prune.actions);
    field(json, "notes", prune.notes);
    json.close_object();
}

void write(JsonWriter& json, const LinkStatus& link) {
    json.open_object();
    field(json, "id", link.id);
    field(json, "status", link.status);
    json.close_object();
}

void write(JsonWriter& json, const HostDelta& delta) {
    json.open_object();
    field(json, "add_items", delta.add_items);
    field(json, "add_sources", delta.add_sources);
    field(json, "confirm_actions", delta.confirm_actions);
    field(json, "format", std::string_view("taskstate.delta/1"));
    field(json, "inspected", delta.inspected);
    field(json, "items", delta.items);
    field(json, "link", delta.link);
    flag(json, "lock_schema", delta.lock_schema);
    field(json, "notes", delta.notes);
    field(json, "phase", delta.phase);
    if (!(delta.prune == Prune{})) field(json, "prune", delta.prune);
    field(json, "reason", delta.reason);
    field(json, "record_actions", delta.record_actions);
    field(json, "resolve", delta.resolve);
    json.close_object();
}

}  // namespace taskstate::inline v0
