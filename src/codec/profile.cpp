// `taskstate.profile/1`: a set of rules, out of a tree.  What is absent keeps its default.

#include "codec/values.hpp"

#include <taskstate/codec/json.hpp>

namespace taskstate::inline v0 {
namespace {

// A bound of the machine's own width.
void bound(Fields& fields, std::string_view name, std::size_t& out) {
    std::uint64_t number = out;
    fields.optional(name, number);
    out = static_cast<std::size_t>(number);
}

// A list that takes the place of its default.
template <class T>
void list(Fields& fields, std::string_view name, std::vector<T>& out) {
    std::vector<T> given;
    if (fields.optional(name, given)) out = std::move(given);
}

}  // namespace

void read(const Cursor& at, Limits& out) {
    Fields fields(at);
    bound(fields, "entries_max", out.entries_max);
    bound(fields, "items_max", out.items_max);
    bound(fields, "sources_max", out.sources_max);
    bound(fields, "tokens_max", out.tokens_max);
    bound(fields, "snapshot_bytes_max", out.snapshot_bytes_max);
    bound(fields, "input_bytes_max", out.input_bytes_max);
    fields.close();
}

void read(const Cursor& at, StatusSet& out) {
    if (!at.is(Node::Kind::array)) return;
    out = StatusSet();
    std::size_t index = 0;
    for (const Node& element : at.members()) {
        const Cursor inside = at.element(element, index++);
        ItemStatus status{};
        read(inside, status);
        if (at.failed()) return;
        if (out.contains(status)) return inside.fail(Reason::invalid_profile);
        out.insert(status);
    }
}

void read(const Cursor& at, StatusGraph& out) {
    Fields fields(at);
    for (std::size_t from = 0; from < out.size(); ++from) fields.optional(Words<ItemStatus>::list[from], out[from]);
    fields.close();
}

void read(const Cursor& at, NoteRules& out) {
    Fields fields(at);
    fields.optional("constraints_gate", out.constraints_gate);
    fields.close();
}

void read(const Cursor& at, ItemRules& out) {
    Fields fields(at);
    fields.optional("next", out.next);
    fields.optional("reasoned", out.reasoned);
    fields.optional("completion_needs_evidence", out.completion_needs_evidence);
    fields.optional("correction_reopens", out.correction_reopens);
    fields.optional("required_kinds", out.required_kinds);
    fields.close();
}

void read(const Cursor& at, PhaseRules::Edge& out) {
    Fields fields(at);
    fields.required("from", out.from);
    fields.required("to", out.to);
    fields.close();
}

void read(const Cursor& at, BlockRules& out) {
    Fields fields(at);
    fields.optional("hidden_when_empty", out.hidden_when_empty);
    list(fields, "drop_order", out.drop_order);
    fields.close();
}

void read(const Cursor& at, ExpiryRule& out) {
    Fields fields(at);
    fields.optional("absolute_age_ms", out.absolute_age_ms);
    fields.optional("no_progress_ms", out.no_progress_ms);
    fields.close();
}

void read(const Cursor& at, Profile& out) {
    Fields fields(at);
    Format format{"taskstate.profile"};
    fields.optional("format", format);
    fields.required("id", out.id);
    const bool described = fields.optional("description", out.description);
    if (described && out.description.empty()) at.fail(fail(Reason::blank, "/description"));
    fields.optional("notes", out.notes);
    fields.optional("items", out.items);
    fields.optional("phases", out.phases.phases);
    fields.optional("phase_transitions", out.phases.edges);
    fields.optional("extension_phases", out.phases.extension);
    fields.optional("block", out.block);
    fields.optional("permitted_operations", out.permitted);
    fields.optional("repeats_max", out.repeats_max);
    fields.optional("expiry", out.expiry);
    fields.optional("binding_lifetime_ms", out.binding_lifetime_ms);
    fields.optional("limits", out.limits);
    fields.close();
}

Result<Profile> decode_profile(std::string_view json) {
    return decode_as<Profile>(json, {.bytes_max = Limits{}.input_bytes_max}, TextPolicy::refuse);
}

}  // namespace taskstate::inline v0
