// The values of the wire, out of a tree.

#include "codec/values.hpp"

#include <taskstate/codec/json.hpp>

namespace taskstate::inline v0 {
namespace {

// A part of a scope that may be left out; "" in the input means that, so it cannot be given.
void optional_part(Fields& fields, std::string_view name, std::string& out) {
    if (fields.optional(name, out) && out.empty()) fields.object().fail(fail(Reason::blank, '/' + std::string(name)));
}

// The members of a receipt, without the prose that may stand beside them.
void receipt(Fields& fields, ActionOutcome& out) {
    fields.required("execution", out.execution);
    fields.required("status", out.status);
    fields.required("completion", out.completion);
    fields.optional("call", out.call);
    fields.optional("run", out.run);
    fields.optional("tool", out.tool);
    fields.optional("cancellation", out.cancellation);
    fields.optional("started_at", out.started_at);
    fields.optional("ended_at", out.ended_at);
    fields.optional("evidence", out.evidence);
}

template <class Shape>
void read_closed(const Cursor& at, Shape& out) {
    Fields fields(at);
    members(fields, out);
    fields.close();
}

}  // namespace

void members(Fields& fields, NoteInput& out) {
    fields.required("id", out.id);
    fields.required("category", out.category);
    fields.required("text", out.text);
    fields.required("source", out.source);
    fields.optional("supersedes", out.supersedes);
    fields.optional("conflicts_with", out.conflicts_with);
    fields.optional("gates_completion", out.gates_completion);
}

void members(Fields& fields, ItemInput& out) {
    fields.required("title", out.title);
    fields.optional("id", out.id);
    fields.optional("ref", out.ref);
    fields.optional("kind", out.kind);
    fields.optional("status", out.status);
    fields.optional("required", out.required);
    fields.optional("depends_on", out.depends_on);
    fields.optional("because", out.because);
    fields.optional("content", out.content);
}

void members(Fields& fields, ActionOutcome& out) {
    receipt(fields, out);
    fields.dropped("error");  // prose of the failure stays with the caller
}

void members(Fields& fields, ConfirmAction& out) {
    fields.required("execution", out.execution);
    fields.required("status", out.status);
    fields.required("source", out.source);
}

void members(Fields& fields, Prune& out) {
    fields.optional("notes", out.notes);
    fields.optional("actions", out.actions);
}

void members(Fields& fields, LinkStatus& out) {
    fields.required("id", out.id);
    fields.required("status", out.status);
}

void read(const Cursor& at, const Format& expected) {
    if (!at.is(Node::Kind::string)) return;
    std::string_view text = at.node().text;
    if (!text.starts_with(expected.kind)) return at.fail(Reason::unknown_word);
    text.remove_prefix(expected.kind.size());
    if (text == "/1") return;
    const bool numbered = text.size() > 1 && text[0] == '/' && text[1] >= '1' && text[1] <= '9' &&
                          text.find_first_not_of("0123456789", 1) == std::string_view::npos;
    at.fail(numbered ? Reason::newer_format : Reason::unknown_word);
}

void read(const Cursor& at, Revision& out) { read(at, out.number); }

void read(const Cursor& at, Cancellation& out) {
    if (!at.is(Node::Kind::string)) return;
    const auto value = from_word<Cancellation>(at.node().text);
    if (!value || *value == Cancellation::none) return at.fail(Reason::unknown_word);  // absent means none
    out = *value;
}

void read(const Cursor& at, Scope& out) {
    Fields fields(at);
    fields.required("owner", out.owner);
    fields.required("workspace", out.workspace);
    optional_part(fields, "tenant", out.tenant);
    optional_part(fields, "agent", out.agent);
    fields.close();
}

void read(const Cursor& at, EvidenceInput& out) {
    if (at.failed() || !at.is(Node::Kind::object)) return;
    Fields fields(at);
    fields.required("kind", out.kind);
    fields.required("id", out.id);
    fields.optional("digest", out.digest);
    fields.optional("scope", out.scope);
    fields.optional("size_bytes", out.size_bytes);
    fields.optional("status", out.status);
    fields.close();
    at.report_as(Reason::evidence_invalid);
}

void read(const Cursor& at, SourceInput& out) {
    Fields fields(at);
    fields.required("label", out.label);
    fields.optional("turn", out.turn);
    fields.optional("evidence", out.evidence);
    fields.close();
}

void read(const Cursor& at, NoteInput& out) { read_closed(at, out); }

void read(const Cursor& at, ItemInput& out) { read_closed(at, out); }

void read(const Cursor& at, ItemChange& out) {
    Fields fields(at);
    fields.required("id", out.id);
    fields.optional("status", out.status);
    fields.optional("title", out.title);
    fields.optional("content", out.content);
    fields.optional("reason", out.reason);
    fields.optional("assurance", out.assurance);
    fields.optional("evidence", out.evidence);
    fields.close();
}

void read(const Cursor& at, ActionOutcome& out) { read_closed(at, out); }

void read(const Cursor& at, ConfirmAction& out) { read_closed(at, out); }

void read(const Cursor& at, Prune& out) { read_closed(at, out); }

void read(const Cursor& at, LinkStatus& out) { read_closed(at, out); }

void read(const Cursor& at, LinkTarget& out) {
    Fields fields(at);
    fields.required("kind", out.kind);
    fields.required("id", out.id);
    fields.close();
}

void read(const Cursor& at, HostDelta& out) {
    Fields fields(at);
    Format format{"taskstate.delta"};
    fields.optional("format", format);
    fields.optional("add_sources", out.add_sources);
    fields.optional("notes", out.notes);
    fields.optional("resolve", out.resolve);
    fields.optional("add_items", out.add_items);
    fields.optional("items", out.items);
    fields.optional("phase", out.phase);
    fields.optional("inspected", out.inspected);
    fields.optional("lock_schema", out.lock_schema);
    fields.optional("record_actions", out.record_actions);
    fields.optional("confirm_actions", out.confirm_actions);
    fields.optional("prune", out.prune);
    fields.optional("link", out.link);
    fields.optional("reason", out.reason);
    fields.close();
    out.replaced = at.replaced();
}

void read(const Cursor& at, SavedNote& out) {
    Fields fields(at);
    members(fields, out.note);
    fields.required("authority", out.standing);
    fields.optional("superseded_by", out.superseded_by);
    fields.optional("resolved", out.resolved);
    fields.close();
}

void read(const Cursor& at, SavedItem& out) {
    Fields fields(at);
    fields.required("id", out.id);
    fields.required("title", out.title);
    fields.required("status", out.status);
    fields.required("assurance", out.assurance);
    fields.optional("kind", out.kind);
    fields.optional("required", out.required);
    fields.optional("depends_on", out.depends_on);
    fields.optional("because", out.because);
    fields.optional("content", out.content);
    fields.optional("reason", out.reason);
    fields.optional("evidence", out.evidence);
    fields.close();
}

void read(const Cursor& at, SavedSource& out) {
    Fields fields(at);
    fields.required("id", out.id);
    fields.optional("inspected", out.inspected);
    fields.close();
}

void read(const Cursor& at, ConfirmationInput& out) {
    Fields fields(at);
    fields.required("status", out.status);
    fields.required("source", out.source);
    fields.close();
}

void read(const Cursor& at, SavedAction& out) {
    Fields fields(at);
    receipt(fields, out.outcome);
    fields.optional("confirmation", out.confirmation);
    fields.close();
}

void read(const Cursor& at, SavedLink& out) {
    Fields fields(at);
    fields.required("kind", out.target.kind);
    fields.required("id", out.target.id);
    fields.optional("status", out.status);
    fields.close();
}

void read(const Cursor& at, NextIds& out) {
    Fields fields(at);
    fields.optional("item", out.item);
    fields.optional("constraint", out.constraint);
    fields.close();
}

void read(const Cursor& at, SnapshotInput& out) {
    Fields fields(at);
    Format format{"taskstate.snapshot"};
    fields.required("format", format);  // first: a newer format has fields that this reader does not know
    fields.required("id", out.id);
    fields.required("profile", out.profile);
    fields.required("scope", out.scope);
    fields.required("revision", out.revision);
    fields.required("lifecycle", out.lifecycle);
    fields.required("created_at", out.created_at);
    fields.required("updated_at", out.updated_at);
    fields.required("last_progress_at", out.last_progress_at);
    fields.optional("association", out.association);
    fields.optional("goal", out.goal);
    fields.optional("phase", out.phase);
    fields.optional("schema_locked", out.schema_locked);
    fields.optional("notes", out.notes);
    fields.optional("items", out.items);
    fields.optional("sources", out.sources);
    fields.optional("actions", out.actions);
    fields.optional("link", out.link);
    fields.optional("next_ids", out.next_ids);
    fields.close();
}

Result<SnapshotInput> decode_snapshot(std::string_view json, const Limits& limits, TextPolicy policy) {
    const JsonBounds bounds{.bytes_max = limits.snapshot_bytes_max, .too_big = Reason::snapshot_bytes_exceeded};
    return decode_as<SnapshotInput>(json, bounds, policy);
}

Result<HostDelta> decode_delta(std::string_view json, const Limits& limits, TextPolicy policy) {
    return decode_as<HostDelta>(json, {.bytes_max = limits.input_bytes_max}, policy);
}

}  // namespace taskstate::inline v0
