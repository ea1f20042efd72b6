#include "records.hpp"

#include <taskstate/engine/summary.hpp>

namespace taskstate::inline v0 {
namespace {

bool has_gate(const EntryList& notes) {
    for (std::size_t i = 0; i < notes.size(); ++i) {
        if (notes[i].marks().gates_completion) return true;
    }
    return false;
}

}  // namespace

void append_field(std::string& out, std::string_view name, std::string_view text, Spellings spellings) {
    out.append(" ").append(name).append("=");
    append_word(out, text, spellings);
}

void append_open(std::string& out, const State& state, std::string_view key, Spellings spellings) {
    out += "<task-state task=";
    append_escaped(out, state.identity->id, spellings);
    out.append(" key=\"").append(key).append("\">\n");
}

void append_close(std::string& out, std::string_view key) {
    out.append("</task-state key=\"").append(key).append("\">");
}

void append_goal(std::string& out, const State& state, Spellings spellings) {
    if (!state.identity->goal) return;
    out += "goal ";
    append_escaped(out, *state.identity->goal, spellings);
    out += '\n';
}

void append_sources(std::string& out, const Snapshot& snapshot, const Plan& plan, Spellings spellings) {
    if (snapshot.sources().empty()) return;
    ListField inspect, inspected;
    for (const SourceToInspect& source : snapshot.sources()) {
        (source.inspected ? inspected : inspect).add(source.id, spellings);
    }
    const bool show_inspect = inspect.empty() || !plan.drops(Drop::sources_to_inspect);
    const bool show_inspected = inspected.empty() || !plan.drops(Drop::completed_sources);
    if (!show_inspect && !show_inspected) return;
    out += "source";
    if (show_inspect) inspect.append_to(out, "inspect");
    if (show_inspected) inspected.append_to(out, "inspected");
    out += '\n';
}

void append_progress(std::string& out, const Snapshot& snapshot, Spellings spellings) {
    if (snapshot.items().empty()) return;
    std::array<ListField, Words<ItemStatus>::list.size()> ids;
    for (const Item& item : snapshot.items()) ids[static_cast<std::size_t>(item.status)].add(item.id, spellings);
    out += "progress";
    for (const ItemStatus status : {ItemStatus::running, ItemStatus::ready, ItemStatus::blocked, ItemStatus::pending,
                                    ItemStatus::failed, ItemStatus::completed, ItemStatus::skipped}) {
        ids[static_cast<std::size_t>(status)].append_unless_empty(out, word(status));
    }
    out += '\n';
}

void append_gates(std::string& out, const Snapshot& snapshot, const Profile& profile, Spellings spellings) {
    const bool gated = !profile.items.required_kinds.empty() || has_gate(snapshot.state().notes);
    if (snapshot.items().empty() && !gated) return;
    const NextWork work = next_work(snapshot.state());
    ListField next, waiting;
    for (const std::string_view id : work.ready) next.add(id, spellings);
    for (const std::string_view id : work.waiting) waiting.add(id, spellings);
    out += "next";
    next.append_to(out, "items");
    waiting.append_to(out, "waiting");

    const OpenGates open = open_gates(snapshot.state(), profile);
    ListField items, kinds, constraints;
    for (const std::string_view id : open.items) items.add(id, spellings);
    for (const std::string_view kind : open.kinds) kinds.add(kind, spellings);
    for (const std::string_view id : open.constraints) constraints.add(id, spellings);
    out += open.allowed() ? "\ncompletion allowed=true" : "\ncompletion allowed=false";
    items.append_unless_empty(out, "items");
    kinds.append_unless_empty(out, "kinds");
    constraints.append_unless_empty(out, "constraints");
    out += '\n';
}

void append_pending(std::string& out, const State& state, Spellings spellings) {
    ListField open;
    for (std::size_t i = 0; i < state.actions.size(); ++i) {
        if (!state.actions[i].past()) open.add(state.actions[i].id(), spellings);
    }
    if (open.empty()) return;
    out += "pending";
    open.append_to(out, "actions");
    out += '\n';
}

void append_omitted(std::string& out, const Plan& plan) {
    const auto names = plan.omitted();
    if (names.empty()) return;
    out += "omitted ";
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) out += ',';
        out += names[i];
    }
    out += '\n';
}

void append_status(std::string& out, const State& state, Spellings spellings) {
    out.append("status lifecycle=").append(word(state.lifecycle));
    if (state.phase) append_field(out, "phase", *state.phase, spellings);
    if (state.link) {
        append_field(out, "link_kind", word(state.link->target.kind), spellings);
        append_field(out, "link_id", state.link->target.id, spellings);
        append_field(out, "link_status", state.link->status ? std::string_view(*state.link->status) : "unobserved",
                     spellings);
    }
    append_field(out, "revision", std::to_string(state.revision.number), spellings);
    out += '\n';
}

}  // namespace taskstate::inline v0
