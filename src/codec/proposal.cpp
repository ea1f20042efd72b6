// `taskstate.proposal/1`: what somebody proposes, out of a tree.

#include "codec/values.hpp"

#include <taskstate/codec/json.hpp>

#include <array>
#include <utility>

namespace taskstate::inline v0 {
namespace {

// One operation each: its members beside its word and what vouches for it.
void operation(Fields& fields, AddNote& out) {
    members(fields, out.note);
    fields.optional("authority", out.standing);
}
void operation(Fields& fields, ResolveNote& out) { fields.required("id", out.id); }
void operation(Fields& fields, AddItem& out) { members(fields, out.item); }
void operation(Fields& fields, SetItemStatus& out) {
    fields.required("id", out.id);
    fields.optional("status", out.status);
    fields.optional("reason", out.reason);
    fields.optional("evidence", out.evidence);
}
void operation(Fields& fields, SetItemTitle& out) {
    fields.required("id", out.id);
    fields.required("title", out.title);
}
void operation(Fields& fields, SetItemContent& out) {
    fields.required("id", out.id);
    fields.optional("content", out.content);
}
void operation(Fields& fields, SetItemBlocker& out) {
    fields.required("id", out.id);
    fields.required("reason", out.reason);
}
void operation(Fields& fields, AddSource& out) { fields.required("id", out.id); }
void operation(Fields& fields, MarkSourceInspected& out) { fields.required("id", out.id); }
void operation(Fields& fields, SetPhase& out) { fields.required("phase", out.phase); }
void operation(Fields&, LockSchema&) {}
void operation(Fields& fields, RecordAction& out) { members(fields, out.outcome); }
void operation(Fields& fields, ConfirmAction& out) { members(fields, out); }
void operation(Fields& fields, Prune& out) { members(fields, out); }
void operation(Fields& fields, SyncLink& out) { members(fields, out.seen); }

template <std::size_t Kind>
void read_operation(Fields& fields, Operation& out) {
    operation(fields, out.emplace<Kind>());
}

using OperationReader = void (*)(Fields&, Operation&);
template <std::size_t... Kinds>
constexpr std::array<OperationReader, sizeof...(Kinds)> readers_of(std::index_sequence<Kinds...>) {
    return {read_operation<Kinds>...};
}
/// By kind.
constexpr auto operation_readers = readers_of(std::make_index_sequence<std::variant_size_v<Operation>>());

}  // namespace

void read(const Cursor& at, Actor& out) {
    Fields fields(at);
    fields.required("role", out.role);
    fields.required("name", out.name);
    fields.close();
}

void read(const Cursor& at, ProposedOperation& out) {
    Fields fields(at);
    OperationKind kind{};
    const bool named = fields.optional("op", kind);
    // Without its word nothing is known of the other members.
    if (!named) at.fail(fail(Reason::missing_field, "/op"));
    if (at.failed()) return;
    fields.optional("assurance", out.assurance);
    operation_readers[static_cast<std::size_t>(kind)](fields, out.operation);
    fields.close();
}

void members(Fields& fields, ProposalInput& out) {
    Format format{"taskstate.proposal"};
    fields.optional("format", format);
    fields.required("task", out.task.id);
    fields.required("scope", out.task.scope);
    fields.required("actor", out.actor);
    fields.required("key", out.key);
    fields.required("base", out.base);
    fields.optional("operations",
                    out.operations);  // an empty list is not written: no operations are for admission to refuse
    fields.optional("evidence", out.evidence);
    fields.optional("assurance", out.assurance);
    fields.optional("reason", out.reason);
    fields.optional("interpreter", out.interpreter);
    fields.optional("action_fingerprint", out.action_fingerprint);
}

void read(const Cursor& at, ProposalInput& out) {
    Fields fields(at);
    members(fields, out);
    fields.close();
}

Result<ProposalInput> decode_proposal(std::string_view json, const Limits& limits, TextPolicy policy) {
    return decode_as<ProposalInput>(json, {.bytes_max = limits.input_bytes_max}, policy);
}

}  // namespace taskstate::inline v0
