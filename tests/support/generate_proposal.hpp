#pragma once
// Random proposals and profiles: well formed; whether a task takes them is another matter.

#include "support/generate.hpp"

#include <taskstate/engine/proposal.hpp>
#include <taskstate/model/profile.hpp>

#include <algorithm>
#include <set>

namespace taskstate::test {

inline ItemInput any_item(int number) {
    ItemInput item{.title = any_line()};
    item.id = sometimes<std::string>([&] { return "t" + std::to_string(number); });
    item.ref = sometimes<std::string>([&] { return "new-" + std::to_string(number); });
    item.kind = sometimes<std::string>([] { return "milestone"; });
    if (once_in(2)) item.status = ItemStatus::ready;
    item.required = once_in(2);
    if (once_in(3)) item.depends_on = {"t8", "new-9"};
    if (once_in(3)) item.because = {"c1"};
    item.content = any_content();
    return item;
}

inline SetItemStatus any_status_change(const Scope& scope) {
    SetItemStatus set{.id = "t1"};
    set.status = sometimes<ItemStatus>(any_word<ItemStatus>);
    set.reason = sometimes<std::string>(any_text);
    if (once_in(3)) set.evidence = {any_evidence(scope), any_evidence(scope)};
    return set;
}

inline AddNote any_added_note(const Scope& scope) {
    AddNote add{.note = any_note("n" + std::to_string(*inRange(0, 9)), scope)};
    add.standing = sometimes<Standing>(any_word<Standing>);
    add.note.supersedes = sometimes<std::string>([] { return "old"; });
    if (once_in(3)) add.note.conflicts_with = {"other"};
    add.note.gates_completion = sometimes<bool>([] { return once_in(2); });
    return add;
}

/// One of every kind, with equal chances.
inline Operation any_operation(const Scope& scope) {
    switch (any_word<OperationKind>()) {
        case OperationKind::add_note:
            return any_added_note(scope);
        case OperationKind::resolve_note:
            return ResolveNote{"n1"};
        case OperationKind::add_item:
            return AddItem{any_item(*inRange(0, 9))};
        case OperationKind::set_item_status:
            return any_status_change(scope);
        case OperationKind::set_item_title:
            return SetItemTitle{"t1", any_line()};
        case OperationKind::set_item_content:
            return SetItemContent{"t1", any_content()};
        case OperationKind::set_item_blocker:
            return SetItemBlocker{"t1", any_text()};
        case OperationKind::add_source:
            return AddSource{any_ref()};
        case OperationKind::mark_source_inspected:
            return MarkSourceInspected{any_ref()};
        case OperationKind::set_phase:
            return SetPhase{"execute"};
        case OperationKind::lock_schema:
            return LockSchema{};
        case OperationKind::record_action:
            return RecordAction{any_outcome("exec-1", scope)};
        case OperationKind::confirm_action:
            return ConfirmAction{"exec-1", any_word<Confirmed>(), any_source(scope)};
        case OperationKind::prune:
            return Prune{.notes = {"n1"}, .actions = {"exec-1"}};
        case OperationKind::sync_link:
            break;
    }
    return SyncLink{.seen = {.id = any_ref(), .status = any_ref()}};
}

inline rc::Gen<ProposalInput> any_proposal() {
    return exec([] {
        ProposalInput proposal{.task = {.scope = {.owner = any_ref(), .workspace = any_ref()}, .id = "t"},
                               .actor = {any_word<Role>(), any_ref()},
                               .key = any_ref()};
        const Scope& scope = proposal.task.scope;
        proposal.base = {*inRange<std::uint64_t>(0, 1000)};
        for (int i = *inRange(1, 5); i > 0; --i) {
            proposal.operations.push_back({any_operation(scope), sometimes<Assurance>(any_word<Assurance>)});
        }
        if (once_in(2)) proposal.evidence = {any_evidence(scope)};
        proposal.assurance = any_word<Assurance>();
        proposal.reason = sometimes<std::string>(any_text);
        proposal.interpreter = sometimes<std::string>(any_ref);
        proposal.action_fingerprint = sometimes<std::string>([] { return "sha256:" + std::string(64, 'c'); });
        return proposal;
    });
}

/// Words of a closed list in any order, none twice.
template <class E>
std::vector<E> any_words() {
    std::vector<E> words;
    for (int i = *inRange(0, 6); i > 0; --i) {
        const E next = any_word<E>();
        if (std::find(words.begin(), words.end(), next) == words.end()) words.push_back(next);
    }
    return words;
}

inline StatusSet any_status_set() {
    StatusSet set;
    for (const ItemStatus status : any_words<ItemStatus>()) set.insert(status);
    return set;
}

/// Phases in a line, with edges back and forth beside it.
inline PhaseRules any_phases() {
    PhaseRules rules;
    if (once_in(3)) return rules;
    const int count = *inRange(2, 6);
    std::set<std::pair<int, int>> edges;
    for (int i = 0; i < count; ++i) {
        rules.phases.push_back("p" + std::to_string(i));
        if (i > 0) edges.emplace(i - 1, i);
        if (once_in(2)) edges.emplace(i, *inRange(0, count));
        if (once_in(2)) rules.extension.push_back(rules.phases.back());
    }
    for (const auto& [from, to] : edges) {
        rules.edges.push_back({"p" + std::to_string(from), "p" + std::to_string(to)});
    }
    return rules;
}

/// A profile that makes sense.
inline rc::Gen<Profile> any_profile() {
    return exec([] {
        const auto number = [] { return once_in(4) ? integer_max : *inRange<std::uint64_t>(1, 1'000'000); };
        Profile profile{.id = "team-v" + std::to_string(*inRange(1, 9))};
        if (once_in(2)) profile.description = any_text();
        profile.notes.constraints_gate = once_in(2);
        for (StatusSet& next : profile.items.next) {
            if (once_in(3)) next = any_status_set();
        }
        if (once_in(2)) profile.items.reasoned = any_status_set();
        profile.items.completion_needs_evidence = once_in(2);
        profile.items.correction_reopens = once_in(2);
        if (once_in(2)) profile.items.required_kinds = {"step", any_line()};
        profile.phases = any_phases();
        profile.block.hidden_when_empty = once_in(2);
        if (once_in(2)) profile.block.drop_order = any_words<Drop>();
        auto permitted = any_words<OperationKind>();
        if (!permitted.empty() && once_in(2)) profile.permitted = std::move(permitted);
        if (once_in(2)) profile.repeats_max = number();
        profile.expiry.absolute_age_ms = sometimes<std::uint64_t>(number);
        profile.expiry.no_progress_ms = sometimes<std::uint64_t>(number);
        profile.binding_lifetime_ms = sometimes<std::uint64_t>(number);
        if (once_in(2)) profile.limits = {.entries_max = 7, .tokens_max = number(), .input_bytes_max = 1};
        return profile;
    });
}

}  // namespace taskstate::test
