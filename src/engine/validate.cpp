// The full check of a state: what every commit keeps true, and what a saved state has to show.

#include <taskstate/engine/apply.hpp>

#include "position.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace taskstate::inline v0 {
namespace {

/// A list with its entries by id.
template <class View>
class Index {
 public:
    Index(std::string_view name, const std::vector<View>& list, std::string_view View::* id)
        : name_(name), list_(list) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!places_.emplace(list[i].*id, i).second && !duplicate_) duplicate_ = i;
        }
    }

    [[nodiscard]] Result<void> check_unique(Reason reason) const {
        return duplicate_ ? Result<void>(fail(reason, at(name_, *duplicate_))) : Result<void>();
    }
    [[nodiscard]] const View* find(std::string_view id) const {
        const auto found = places_.find(id);
        return found == places_.end() ? nullptr : &list_[found->second];
    }

 private:
    std::string_view name_;
    const std::vector<View>& list_;
    std::unordered_map<std::string_view, std::size_t> places_{};
    std::optional<std::size_t> duplicate_{};
};

template <class Range>
auto collect(const Range& range) {
    std::vector<typename Range::Iterator::value_type> list;
    list.reserve(range.size());
    for (auto element : range) list.push_back(std::move(element));
    return list;
}

Error inconsistent(std::string path) { return fail(Reason::inconsistent_state, std::move(path)); }

/// Both ends of a supersession agree, where both are retained.
Result<void> check_links(const Note& note, const Index<Note>& notes) {
    if (note.resolved && note.superseded_by) return inconsistent("/resolved");
    if (note.supersedes) {
        const Note* target = notes.find(*note.supersedes);
        if (target != nullptr && (target->category != note.category || target->superseded_by != note.id)) {
            return inconsistent("/supersedes");
        }
    }
    if (note.superseded_by) {
        const Note* successor = notes.find(*note.superseded_by);
        if (successor != nullptr && (successor->category != note.category || successor->supersedes != note.id)) {
            return inconsistent("/superseded_by");
        }
    }
    return {};
}

/// No two notes share a predecessor or a successor, and no chain returns to its start.
Result<void> check_chains(const std::vector<Note>& notes, const Index<Note>& index) {
    std::unordered_set<std::string_view> predecessors, successors;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        if (notes[i].supersedes && !predecessors.insert(*notes[i].supersedes).second) {
            return inconsistent(at("notes", i) + "/supersedes");
        }
        if (notes[i].superseded_by && !successors.insert(*notes[i].superseded_by).second) {
            return inconsistent(at("notes", i) + "/superseded_by");
        }
    }
    // Every note has at most one link forward and one back, so a walk from an end visits each chain once;
    // what no walk from an end reaches is a cycle.
    std::unordered_set<std::string_view> reached;
    for (const Note& end : notes) {
        if (end.superseded_by && index.find(*end.superseded_by) != nullptr) continue;
        for (const Note* note = &end; note != nullptr && reached.insert(note->id).second;) {
            note = note->supersedes ? index.find(*note->supersedes) : nullptr;
        }
    }
    for (std::size_t i = 0; i < notes.size(); ++i) {
        if (!reached.contains(notes[i].id)) return inconsistent(at("notes", i) + "/supersedes");
    }
    return {};
}

Result<void> check_notes(const State& state) {
    const auto notes = collect(Entries<Note, &Entry::note>(state.notes));
    const Index<Note> index("notes", notes, &Note::id);
    if (auto unique = index.check_unique(Reason::duplicate_note_id); !unique) return unique;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        if (auto linked = check_links(notes[i], index); !linked)
            return under(at("notes", i), std::move(linked).error());
        if (auto owned = check_evidence_owner(notes[i].source.evidence, state.identity->scope); !owned) {
            return under(at("notes", i) + "/source/evidence", std::move(owned).error());
        }
    }
    return check_chains(notes, index);
}

Result<void> check_actions(const State& state) {
    const auto actions = collect(Entries<Action, &Entry::action>(state.actions));
    const Index<Action> index("actions", actions, &Action::execution);
    if (auto unique = index.check_unique(Reason::duplicate_execution_id); !unique) return unique;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        if (auto owned = check_evidence_owner(actions[i].evidence, state.identity->scope); !owned) {
            return under(at("actions", i) + "/evidence", std::move(owned).error());
        }
        if (!actions[i].confirmation) continue;
        const auto& evidence = actions[i].confirmation->source.evidence;
        if (auto owned = check_evidence_owner(evidence, state.identity->scope); !owned) {
            return under(at("actions", i) + "/confirmation/source/evidence", std::move(owned).error());
        }
    }
    return {};
}

/// Whether following dependencies ever returns: takes away what depends on nothing that is left, until nothing moves.
Result<void> check_cycles(const std::vector<Item>& items) {
    std::unordered_map<std::string_view, std::vector<std::size_t>> dependants;
    std::vector<std::size_t> open(items.size()), free;
    for (std::size_t i = 0; i < items.size(); ++i) {
        open[i] = items[i].depends_on.size();
        for (const std::string_view on : items[i].depends_on) dependants[on].push_back(i);
        if (open[i] == 0) free.push_back(i);
    }
    while (!free.empty()) {
        const std::string_view done = items[free.back()].id;
        free.pop_back();
        for (const std::size_t i : dependants[done]) {
            if (--open[i] == 0) free.push_back(i);
        }
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (open[i] > 0) return fail(Reason::dependency_cycle, at("items", i) + "/depends_on");
    }
    return {};
}

Result<void> check_items(const State& state, const ItemRules& rules) {
    const auto items = collect(Entries<Item, &Entry::item>(state.items));
    const Index<Item> index("items", items, &Item::id);
    if (auto unique = index.check_unique(Reason::duplicate_item_id); !unique) return unique;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Item& item = items[i];
        for (std::size_t k = 0; k < item.depends_on.size(); ++k) {
            const std::string path = at("items", i) + at("depends_on", k);
            if (item.depends_on[k] == item.id) return fail(Reason::self_reference, path);
            if (index.find(item.depends_on[k]) == nullptr) return fail(Reason::unknown_item, path);
        }
        if (rules.reasoned.contains(item.status) && !item.reason) return inconsistent(at("items", i) + "/reason");
        for (std::size_t k = 0; k < item.evidence.size(); ++k) {
            if (auto owned = check_evidence_owner(item.evidence[k], state.identity->scope); !owned) {
                return under(at("items", i) + at("evidence", k), std::move(owned).error());
            }
        }
    }
    return check_cycles(items);
}

Result<void> check_sources(const State& state) {
    const auto sources = collect(Entries<SourceToInspect, &Entry::source>(state.sources));
    return Index<SourceToInspect>("sources", sources, &SourceToInspect::id).check_unique(Reason::duplicate_source_id);
}

Result<void> check_head(const State& state) {
    const bool has_content = !state.notes.empty() || !state.items.empty() || !state.sources.empty() ||
                             !state.actions.empty() || (state.link && state.link->status);
    if (state.revision == Revision{} && has_content) return inconsistent("/revision");  // 0 is the empty task
    if (state.updated_at < state.identity->created_at) return inconsistent("/updated_at");
    if (state.last_progress_at < state.identity->created_at || state.last_progress_at > state.updated_at) {
        return inconsistent("/last_progress_at");
    }
    if (state.link && state.link->status && !is_link_status(state.link->target.kind, *state.link->status)) {
        return fail(Reason::unknown_word, "/link/status");
    }
    return {};
}

/// A task that goes through phases is in one of them.
Result<void> check_phase(const State& state, const PhaseRules& rules) {
    const auto& phases = rules.phases;
    if (phases.empty() || std::find(phases.begin(), phases.end(), state.phase.value_or("")) != phases.end()) return {};
    return inconsistent("/phase");
}

}  // namespace

Result<void> validate(const State& state, const Rules& rules) {
    for (const auto check : {check_head, check_notes, check_sources, check_actions}) {
        if (auto holds = check(state); !holds) return holds;
    }
    if (auto holds = check_items(state, rules.profile->items); !holds) return holds;
    if (auto holds = check_phase(state, rules.profile->phases); !holds) return holds;
    return check_capacity(state, rules.limits);
}

}  // namespace taskstate::inline v0
