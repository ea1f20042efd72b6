// Canonical JSON of a profile: keys stand in byte order, as RFC 8785 asks; what has its default is absent.

#include <taskstate/model/wire.hpp>

#include "model/members.hpp"

namespace taskstate::inline v0 {
namespace {

/// A member that says something other than what holds without it.
template <class T>
void differing(JsonWriter& json, std::string_view name, const T& given, const T& usual) {
    if (given != usual) field(json, name, given);
}

/// A list, also an empty one.
template <class List>
void list(JsonWriter& json, std::string_view name, const List& words) {
    json.key(name);
    json.open_array();
    for (const auto& element : words) value(json, element);
    json.close_array();
}

std::vector<ItemStatus> statuses_of(StatusSet set) {
    std::vector<ItemStatus> statuses;
    for (std::size_t i = 0; i < Words<ItemStatus>::list.size(); ++i) {
        if (set.contains(static_cast<ItemStatus>(i))) statuses.push_back(static_cast<ItemStatus>(i));
    }
    return statuses;
}

/// What follows each status, in the byte order of their words; rows as usual are left out.
void write(JsonWriter& json, const StatusGraph& next) {
    using enum ItemStatus;
    json.open_object();
    for (const ItemStatus from : {blocked, completed, failed, pending, ready, running, skipped}) {
        const auto row = static_cast<std::size_t>(from);
        if (next[row] != usual_status_graph()[row]) list(json, word(from), statuses_of(next[row]));
    }
    json.close_object();
}

void write(JsonWriter& json, const ItemRules& rules) {
    const ItemRules usual{};
    json.open_object();
    flag(json, "completion_needs_evidence", rules.completion_needs_evidence);
    flag(json, "correction_reopens", rules.correction_reopens);
    if (rules.next != usual.next) {
        json.key("next");
        write(json, rules.next);
    }
    if (rules.reasoned != usual.reasoned) list(json, "reasoned", statuses_of(rules.reasoned));
    field(json, "required_kinds", rules.required_kinds);
    json.close_object();
}

void write(JsonWriter& json, const NoteRules& rules) {
    json.open_object();
    flag(json, "constraints_gate", rules.constraints_gate);
    json.close_object();
}

void write(JsonWriter& json, const BlockRules& rules) {
    const BlockRules usual{};
    json.open_object();
    if (rules.drop_order != usual.drop_order) list(json, "drop_order", rules.drop_order);
    flag(json, "hidden_when_empty", rules.hidden_when_empty);
    json.close_object();
}

void write(JsonWriter& json, const std::vector<PhaseRules::Edge>& edges) {
    json.open_array();
    for (const PhaseRules::Edge& edge : edges) {
        json.open_object();
        field(json, "from", edge.from);
        field(json, "to", edge.to);
        json.close_object();
    }
    json.close_array();
}

void write(JsonWriter& json, const ExpiryRule& rule) {
    json.open_object();
    field(json, "absolute_age_ms", rule.absolute_age_ms);
    field(json, "no_progress_ms", rule.no_progress_ms);
    json.close_object();
}

void write(JsonWriter& json, const Limits& limits) {
    const Limits usual{};
    const auto bound = [&](std::string_view name, std::size_t Limits::* member) {
        differing<std::uint64_t>(json, name, limits.*member, usual.*member);
    };
    json.open_object();
    bound("entries_max", &Limits::entries_max);
    bound("input_bytes_max", &Limits::input_bytes_max);
    bound("items_max", &Limits::items_max);
    bound("snapshot_bytes_max", &Limits::snapshot_bytes_max);
    bound("sources_max", &Limits::sources_max);
    bound("tokens_max", &Limits::tokens_max);
    json.close_object();
}

template <class Rules>
void rules(JsonWriter& json, std::string_view name, const Rules& given) {
    if (given == Rules{}) return;
    json.key(name);
    write(json, given);
}

}  // namespace

void write(JsonWriter& json, const Profile& profile) {
    json.open_object();
    field(json, "binding_lifetime_ms", profile.binding_lifetime_ms);
    rules(json, "block", profile.block);
    part(json, "description", profile.description);
    rules(json, "expiry", profile.expiry);
    field(json, "extension_phases", profile.phases.extension);
    field(json, "format", std::string_view("taskstate.profile/1"));
    field(json, "id", profile.id);
    rules(json, "items", profile.items);
    rules(json, "limits", profile.limits);
    rules(json, "notes", profile.notes);
    if (profile.permitted) list(json, "permitted_operations", *profile.permitted);
    rules(json, "phase_transitions", profile.phases.edges);
    field(json, "phases", profile.phases.phases);
    differing(json, "repeats_max", profile.repeats_max, Profile{}.repeats_max);
    json.close_object();
}

Digest profile_digest(const Profile& profile) {
    Profile unlimited = profile;
    unlimited.limits = {};
    std::string text;
    JsonWriter json(text);
    write(json, unlimited);
    return sha256(text);
}

}  // namespace taskstate::inline v0
