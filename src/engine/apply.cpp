// The judge.  Operations work on a private candidate; nothing of the head is ever touched.

#include <taskstate/engine/apply.hpp>
#include <taskstate/engine/governance.hpp>

#include "plan.hpp"
#include "position.hpp"
#include "successor.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace taskstate::inline v0 {
namespace {

bool same_identity(const Action& a, const Action& b) {
    return a.call == b.call && a.run == b.run && a.tool == b.tool && a.started_at == b.started_at;
}
bool same_diagnostics(const Action& a, const Action& b) {
    return a.status == b.status && a.completion == b.completion && a.cancellation == b.cancellation &&
           a.ended_at == b.ended_at;
}
/// Whether nothing but the cancellation moved, and that forward.
bool only_cancellation_moved(const Action& stored, const Action& seen) {
    return stored.status == seen.status && stored.completion == seen.completion && stored.ended_at == seen.ended_at &&
           seen.cancellation > stored.cancellation;
}
/// Whether the diagnostics of `stored` may become those of `seen`.
bool may_become(const Action& stored, const Action& seen) {
    if (same_diagnostics(stored, seen) || only_cancellation_moved(stored, seen)) {
        return stored.completion == Completion::unknown || same_diagnostics(stored, seen);
    }
    if (stored.completion == Completion::settled) return false;
    if (stored.status == ActionStatus::started) return seen.status != ActionStatus::started;
    return seen.completion == Completion::settled;
}

/// Applies operations to a candidate, one after the other.
class Judge {
 public:
    Judge(const State& head, const Profile& profile, const Transaction& transaction)
        : candidate_(head), profile_(profile), transaction_(transaction), plan_(candidate_, profile, transaction) {}

    [[nodiscard]] State& candidate() noexcept { return candidate_; }
    [[nodiscard]] bool progressed() const noexcept { return progressed_ || plan_.progressed(); }

    /// Applies one step, if such a profile knows it and such an actor may ask for it.
    Result<void> take(const Step& step) {
        const OperationKind kind = kind_of(step.operation);
        if (!profile_.permits(kind)) return fail(Reason::operation_not_permitted_by_profile);
        if (!permits(transaction_.actor().role, transaction_.intake(), kind)) return fail(Reason::capability_denied);
        plan_.vouch(step.assurance);
        return std::visit(*this, step.operation);
    }

    template <class Operation>
        requires std::is_invocable_v<PlanJudge&, const Operation&>
    Result<void> operator()(const Operation& operation) {
        return plan_(operation);
    }

    Result<void> operator()(const AddNote& add) {
        if (auto may = check_standing(add); !may) return may;
        if (notes().list.find(add.note.id)) return fail(Reason::duplicate_note_id, "/id");
        if (extends_schema(add)) {
            if (auto open = plan_.check_open_schema(); !open) return open;
        }
        cut_links_to(add.note.id);
        if (auto checked = check_links(add.note); !checked) return checked;
        const Note note = view(add.note, *add.standing);
        if (auto owned = check_evidence_owner(note.source.evidence, scope()); !owned) {
            return under("/source/evidence", std::move(owned).error());
        }
        if (add.note.supersedes) supersede(*add.note.supersedes, add.note.id);
        candidate_.notes.push_back(Entry::pack(note));
        return {};
    }

    Result<void> operator()(const ResolveNote& resolve) {
        const auto index = notes().find(resolve.id, "");
        if (!index) return index.error();
        const Note note = candidate_.notes[*index].note();
        if (!note.active()) return fail(Reason::note_not_active);
        const bool is_gate = note.gates_completion && note.category == Category::constraint;
        if (!is_gate && !transaction_.privileged()) return fail(Reason::capability_denied);
        progressed_ |= note.gates_completion;
        candidate_.notes.replace(*index, candidate_.notes[*index].resolved());
        return {};
    }

    Result<void> operator()(const RecordAction& record) {
        Action seen = view(record.outcome);
        if (auto owned = check_evidence_owner(seen.evidence, scope()); !owned) {
            return under("/evidence", std::move(owned).error());
        }
        const auto index = candidate_.actions.find(seen.execution);
        if (!index) {
            candidate_.actions.push_back(Entry::pack(seen));
            return {};
        }
        const Action stored = candidate_.actions[*index].action();
        if (!same_identity(stored, seen)) return fail(Reason::identity_changed);
        if (!may_become(stored, seen)) return fail(Reason::settlement_regressed, "/status");
        if (!seen.evidence) seen.evidence = stored.evidence;
        seen.confirmation = stored.confirmation;
        candidate_.actions.replace(*index, Entry::pack(seen));
        return {};
    }

    Result<void> operator()(const ConfirmAction& confirm) {
        const auto index = actions().find(confirm.execution, "/execution");
        if (!index) return index.error();
        Action action = candidate_.actions[*index].action();
        const Confirmation confirmation{confirm.status, view(confirm.source)};
        if (auto owned = check_evidence_owner(confirmation.source.evidence, scope()); !owned) {
            return under("/source/evidence", std::move(owned).error());
        }
        progressed_ |= is_terminal(confirm.status) && !action.closed();
        action.confirmation = confirmation;
        candidate_.actions.replace(*index, Entry::pack(action));
        return {};
    }

    Result<void> operator()(const Prune& prune) {
        auto pruned = take_out(notes(), "notes", prune.notes);
        return pruned ? take_out(actions(), "actions", prune.actions) : pruned;
    }

    Result<void> operator()(const SyncLink& sync) {
        if (!candidate_.link) return fail(Reason::no_link);
        SavedLink& link = *candidate_.link;
        const bool in_memory = link.target.kind == LinkKind::memory;
        if (in_memory != (sync.reporter == LinkReporter::refresh)) return fail(Reason::wrong_link_kind);
        if (link.target.id != sync.seen.id) return fail(Reason::link_mismatch, "/id");
        if (!is_link_status(link.target.kind, sync.seen.status)) return fail(Reason::unknown_word, "/status");
        link.status = sync.seen.status;
        return {};
    }

 private:
    Shelf notes() { return {candidate_.notes, Reason::unknown_note, "notes"}; }
    Shelf actions() { return {candidate_.actions, Reason::unknown_action, "actions"}; }
    [[nodiscard]] const Scope& scope() const { return candidate_.identity->scope; }

    /// Nobody speaks with more weight than his role has, and only the privileged say what gates completion.
    [[nodiscard]] Result<void> check_standing(const AddNote& add) const {
        const auto strongest = standing_of(transaction_.actor().role, transaction_.intake());
        if (!strongest || *add.standing < *strongest) return fail(Reason::capability_denied, "/authority");
        const bool gates = add.note.gates_completion == true;
        if (gates && !transaction_.privileged()) return fail(Reason::capability_denied, "/gates_completion");
        return {};
    }

    /// Whether the note asks for more than before; one that takes the place of a gate asks for something else.
    [[nodiscard]] bool extends_schema(const AddNote& add) const {
        const bool gates = add.standing == Standing::host && add.note.category == Category::constraint &&
                           add.note.gates_completion == true;
        if (!gates || !add.note.supersedes) return gates;
        const auto old = candidate_.notes.find(*add.note.supersedes);
        return old && !candidate_.notes[*old].marks().gates_completion;
    }

    /// Links that a pruned note left behind never bind to a newcomer of the same id.
    void cut_links_to(std::string_view id) {
        for (std::size_t i = 0; i < candidate_.notes.size(); ++i) {
            if (!candidate_.notes[i].linked()) continue;
            Note note = candidate_.notes[i].note();
            const auto links = std::erase(note.conflicts_with, id);
            const bool succeeded_it = note.supersedes == id;
            const bool preceded_it = note.superseded_by == id;
            if (links == 0 && !succeeded_it && !preceded_it) continue;
            if (succeeded_it) note.supersedes.reset();
            if (preceded_it) {
                note.superseded_by.reset();
                note.resolved = true;  // a historical note never comes back to life
            }
            candidate_.notes.replace(i, Entry::pack(note));
        }
        for (std::size_t i = 0; i < candidate_.items.size(); ++i) {
            Item item = candidate_.items[i].item();
            if (std::erase(item.because, id) > 0) candidate_.items.replace(i, Entry::pack(item));
        }
    }

    Result<void> check_links(const NoteInput& note) {
        for (std::size_t i = 0; i < note.conflicts_with.size(); ++i) {
            const auto other = notes().find(note.conflicts_with[i], at("conflicts_with", i));
            if (!other) return other.error();
        }
        if (!note.supersedes) return {};
        const auto index = notes().find(*note.supersedes, "/supersedes");
        if (!index) return index.error();
        const Note target = candidate_.notes[*index].note();
        if (!target.active()) return fail(Reason::note_not_active, "/supersedes");
        if (target.category != note.category) return fail(Reason::category_mismatch, "/supersedes");
        return {};
    }

    void supersede(std::string_view old_id, std::string_view new_id) {
        const std::size_t index = *candidate_.notes.find(old_id);
        candidate_.notes.replace(index, candidate_.notes[index].superseded_by(new_id));
    }

    static Result<void> take_out(const Shelf& shelf, std::string_view name, const std::vector<std::string>& ids) {
        std::vector<std::size_t> indexes;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto index = shelf.find(ids[i], at(name, i));
            if (!index) return index.error();
            if (!shelf.list[*index].past()) {
                return naming(fail(Reason::not_prunable, at(name, i)), "prunable " + std::string(name),
                              past_of(shelf.list));
            }
            indexes.push_back(*index);
        }
        std::sort(indexes.begin(), indexes.end());
        shelf.list.erase(indexes);
        return {};
    }

    State candidate_;
    const Profile& profile_;
    const Transaction& transaction_;
    PlanJudge plan_;
    bool progressed_ = false;
};

/// Whether the transaction is for this task, and its actor may send one here.
Result<void> check_actor(const Snapshot& head, const Transaction& transaction) {
    if (const auto& task = transaction.task()) {
        if (task->scope != head.scope()) return fail(Reason::scope_mismatch, "/scope");
        if (task->id != head.id()) return fail(Reason::task_not_eligible, "/task");
    }
    const bool corrects = transaction.intake() == Intake::correction;
    const Role role = transaction.actor().role;
    if (auto may = check_capability(role, corrects ? Capability::correct_state : Capability::propose_delta); !may) {
        return under("/actor/role", std::move(may).error());
    }
    if (corrects && !transaction.reason()) return fail(Reason::reason_required, "/reason");
    return {};
}

/// Neither the transaction nor an operation of it vouches for more than its actor may, and its evidence is known and
/// the owner's.
Result<void> check_grounds(const Transaction& transaction, const Scope& scope) {
    const Assurance most = ceiling(transaction.actor().role, transaction.intake());
    if (transaction.assurance() > most) return fail(Reason::assurance_ceiling_exceeded, "/assurance");
    for (const Step& step : transaction.steps()) {
        if (step.assurance > most) return fail(Reason::assurance_ceiling_exceeded, step.path + "/assurance");
    }
    if (transaction.unknown_evidence()) return fail(Reason::unknown_evidence, *transaction.unknown_evidence());
    const auto evidence = transaction.evidence();
    for (std::size_t i = 0; i < evidence.size(); ++i) {
        if (auto owned = check_evidence_owner(view(evidence[i]), scope); !owned) {
            return under(at("evidence", i), std::move(owned).error());
        }
    }
    return {};
}

}  // namespace

Decision apply(const Snapshot& head, const Transaction& transaction, const Rules& rules, Timestamp now) {
    if (auto may = check_actor(head, transaction); !may) return refuse(head, std::move(may).error());
    if (auto open = check_open(head, transaction.base()); !open) return refuse(head, std::move(open).error());
    if (auto bounded = check_grounds(transaction, head.scope()); !bounded)
        return refuse(head, std::move(bounded).error());
    Judge judge(head.state(), *rules.profile, transaction);
    for (const Step& step : transaction.steps()) {
        if (auto done = judge.take(step); !done) {
            return refuse(head, under(step.path, std::move(done).error()));
        }
    }
    const Acceptance acceptance{Reason::transition_accepted, judge.progressed()};
    return conclude(head, std::move(judge.candidate()), rules, now, acceptance);
}

Result<void> check_evidence_owner(const std::optional<Evidence>& evidence, const Scope& scope) {
    if (!evidence || !evidence->scope) return {};
    const ScopeView& theirs = *evidence->scope;
    const bool tenants_differ = !theirs.tenant.empty() && !scope.tenant.empty() && theirs.tenant != scope.tenant;
    if (theirs.owner == scope.owner && !tenants_differ) return {};
    return fail(Reason::evidence_owner_mismatch, tenants_differ ? "/scope/tenant" : "/scope/owner");
}

Prunable prunable(const State& state) {
    const EntryList &notes = state.notes, &actions = state.actions;
    return {notes.past_ids(notes.size()), actions.past_ids(actions.size())};
}

Result<void> check_capacity(const State& state, const Limits& limits) {
    struct Cap {
        Reason reason;
        std::uint64_t limit, actual;
    };
    const std::uint64_t entries = state.notes.size() + state.actions.size();
    const std::uint64_t bytes_bound = snapshot_bytes_bound(state);
    const std::uint64_t bytes = bytes_bound <= limits.snapshot_bytes_max ? bytes_bound : snapshot_bytes(state);
    const std::uint64_t tokens = state.notes.tokens() + state.actions.tokens() + state.items.tokens();
    const Cap caps[] = {{Reason::entries_exceeded, limits.entries_max, entries},
                        {Reason::items_exceeded, limits.items_max, state.items.size()},
                        {Reason::sources_exceeded, limits.sources_max, state.sources.size()},
                        {Reason::tokens_exceeded, limits.tokens_max, tokens},
                        {Reason::snapshot_bytes_exceeded, limits.snapshot_bytes_max, bytes}};
    for (const Cap& cap : caps) {
        if (cap.actual <= cap.limit) continue;
        Error error = fail(cap.reason, "", {cap.limit, cap.actual});
        return naming(naming(std::move(error), "prunable notes", past_of(state.notes)), "prunable actions",
                      past_of(state.actions));
    }
    return {};
}

bool is_link_status(LinkKind kind, std::string_view status) noexcept {
    switch (kind) {
        case LinkKind::task:
            return from_word<Confirmed>(status).has_value();
        case LinkKind::routine:
            return from_word<RoutineStatus>(status).has_value();
        case LinkKind::memory:
            return true;
    }
    return false;
}

std::vector<std::string> OpenGates::names() const {
    std::vector<std::string> names;
    const auto add = [&names](std::string_view prefix, const std::vector<std::string_view>& ids) {
        for (const std::string_view id : ids) {
            std::string name = std::string(prefix).append(id);
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
        }
    };
    add("", items);
    add("kind:", kinds);
    add("constraint:", constraints);
    return names;
}

OpenGates open_gates(const State& state, const Profile& profile) {
    OpenGates gates;
    const Entries<Item, &Entry::item> items(state.items);
    for (const Item& item : items) {
        if (item.required && !is_settled(item.status)) gates.items.push_back(item.id);
    }
    for (const std::string& kind : profile.items.required_kinds) {
        bool seen = false, open = false;
        for (const Item& item : items) {
            if (item.kind.value_or("step") != kind) continue;
            seen = true;
            open |= !is_settled(item.status);
        }
        if (!seen || open) gates.kinds.push_back(kind);
    }
    for (std::size_t i = 0; i < state.notes.size(); ++i) {
        const Entry& note = state.notes[i];
        if (note.marks().gates_completion && !note.past()) gates.constraints.push_back(note.id());
    }
    return gates;
}

Result<void> check_gates(const State& state, const Profile& profile) {
    const OpenGates open = open_gates(state, profile);
    if (open.allowed()) return {};
    Error error = fail(Reason::required_items_incomplete);
    if (!open.items.empty()) error = naming(std::move(error), "open items", Valid(open.items));
    if (!open.kinds.empty()) error = naming(std::move(error), "open kinds", Valid(open.kinds));
    if (!open.constraints.empty()) error = naming(std::move(error), "open constraints", Valid(open.constraints));
    return error;
}

}  // namespace taskstate::inline v0
