// Admission: the only way from an input to a transaction or a state.

#include <taskstate/base/time.hpp>
#include <taskstate/engine/governance.hpp>
#include <taskstate/engine/transaction.hpp>
#include <taskstate/model/wire.hpp>

#include "field_checks.hpp"
#include "position.hpp"

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t text_max = 8'000, title_max = 2'000, goal_max = 2'000;
constexpr std::size_t depends_on_max = 500, because_max = 16;

void admit_fields(FieldChecks& fields, NoteInput& note, Standing standing, const Limits& limits) {
    fields.id("/id", note.id);
    fields.word("/category", note.category);
    fields.text("/text", note.text, text_max);
    fields.require(standing == Standing::host || !note.supersedes, "/supersedes", Reason::supersede_not_allowed);
    fields.id("/supersedes", note.supersedes);
    fields.require(note.supersedes != note.id, "/supersedes", Reason::self_reference);
    fields.bound("/conflicts_with", note.conflicts_with.size(), limits.entries_max);
    fields.ids("/conflicts_with", note.conflicts_with);
    for (std::size_t i = 0; i < note.conflicts_with.size(); ++i) {
        fields.require(note.conflicts_with[i] != note.id, at("conflicts_with", i), Reason::self_reference);
    }
    fields.source(note.source);
}

/// Which words of a receipt go together.
bool is_legal(const ActionOutcome& outcome) noexcept {
    switch (outcome.status) {
        case ActionStatus::started:
            return outcome.completion == Completion::unknown && !outcome.ended_at;
        case ActionStatus::succeeded:
        case ActionStatus::denied:
            return outcome.completion == Completion::settled;
        case ActionStatus::cancelled:
            return outcome.cancellation != Cancellation::none;
        case ActionStatus::failed:
        case ActionStatus::timed_out:
            return true;
    }
    return false;
}

void admit_fields(FieldChecks& fields, const ActionOutcome& outcome) {
    fields.id("/execution", outcome.execution);
    fields.ref("/call", outcome.call);
    fields.ref("/run", outcome.run);
    fields.ref("/tool", outcome.tool);
    fields.word("/status", outcome.status);
    fields.word("/completion", outcome.completion);
    fields.word("/cancellation", outcome.cancellation);
    fields.require(is_legal(outcome), "/status", Reason::illegal_combination);
    fields.time("/started_at", outcome.started_at);
    fields.time("/ended_at", outcome.ended_at);
    fields.require(!outcome.started_at || !outcome.ended_at || *outcome.started_at <= *outcome.ended_at, "/ended_at",
                   Reason::time_reversed);
    fields.evidence("/evidence", outcome.evidence);
}

void admit_fields(FieldChecks& fields, ConfirmAction& confirmation) {
    fields.id("/execution", confirmation.execution);
    fields.word("/status", confirmation.status);
    fields.source(confirmation.source);
}

/// What an item has from its first day, whether it is added or restored.
template <class AnyItem>
void admit_definition(FieldChecks& fields, AnyItem& item) {
    fields.id("/id", item.id);
    fields.title("/title", item.title, title_max);
    fields.word("/status", item.status);
    if (item.kind == "step") item.kind.reset();  // the same thing said twice
    if (item.kind) fields.check("/kind", check_ref(*item.kind, item_kind_max));
    fields.bound("/depends_on", item.depends_on.size(), depends_on_max);
    fields.ids("/depends_on", item.depends_on);
    fields.bound("/because", item.because.size(), because_max);
    fields.ids("/because", item.because);
}

void admit_evidence(FieldChecks& fields, const std::vector<EvidenceInput>& evidence) {
    fields.bound("/evidence", evidence.size(), item_evidence_max);
    for (std::size_t i = 0; i < evidence.size(); ++i) fields.evidence(at("evidence", i), evidence[i]);
}

void admit_fields(FieldChecks& fields, ItemInput& item) {
    admit_definition(fields, item);
    fields.id("/ref", item.ref);
    const bool open = item.status == ItemStatus::pending || item.status == ItemStatus::ready;
    fields.require(open, "/status", Reason::illegal_status_transition);
}

void admit_fields(FieldChecks& fields, SetItemStatus& set) {
    fields.id("/id", set.id);
    fields.word("/status", set.status);
    fields.text("/reason", set.reason, reason_max);
    admit_evidence(fields, set.evidence);
}

void admit_fields(FieldChecks& fields, SetItemTitle& set) {
    fields.id("/id", set.id);
    fields.title("/title", set.title, title_max);
}

void admit_fields(FieldChecks& fields, SetItemBlocker& set) {
    fields.id("/id", set.id);
    fields.text("/reason", set.reason, reason_max);
}

/// What a proposal says beside its operations and its reason.
void admit_fields(FieldChecks& fields, const ProposalInput& proposal) {
    fields.inside("/scope", [&] { fields.scope(proposal.task.scope); });
    fields.id("/task", proposal.task.id);
    fields.actor(proposal.actor);
    fields.ref("/key", proposal.key);
    fields.require(!proposal.operations.empty(), "/operations", Reason::empty_delta);
    if (proposal.operations.size() > operations_max) {
        fields.check("",
                     fail(Reason::too_many_operations, "/operations", {operations_max, proposal.operations.size()}));
    }
    admit_evidence(fields, proposal.evidence);
    fields.word("/assurance", proposal.assurance);
    fields.ref("/interpreter", proposal.interpreter);
    const auto& fingerprint = proposal.action_fingerprint;
    fields.require(!fingerprint || is_digest(*fingerprint), "/action_fingerprint", Reason::bad_digest);
}

void admit_fields(FieldChecks& fields, const Prune& prune) {
    fields.ids("/notes", prune.notes);
    fields.ids("/actions", prune.actions);
}

void admit_fields(FieldChecks& fields, const LinkStatus& seen) {
    fields.ref("/id", seen.id);
    fields.ref("/status", seen.status);
}

}  // namespace

/// Builds one transaction, step by step.
class Admission {
 public:
    Admission(Revision base, const Rules& rules) : rules_(rules), fields_(rules.text) { transaction_.base_ = base; }
    /// What the members of a proposal beside its operations say.
    void begin(const ProposalInput& proposal, Intake intake) {
        transaction_.actor_ = proposal.actor;
        transaction_.intake_ = intake;
        transaction_.assurance_ = proposal.assurance;
        transaction_.evidence_ = proposal.evidence;
        transaction_.task_ = proposal.task;
        transaction_.reason_ = proposal.reason;
        admit_fields(fields_, proposal);
        fields_.text("/reason", transaction_.reason_, reason_max);
    }

    /// Checks the canonical size of the whole input first.
    template <class Input>
    void measure(const Input& input) {
        JsonWriter json;
        write(json, input);
        measured(json.size());
    }
    void measure(std::span<const NoteInput> notes) {
        JsonWriter json;
        json.open_array();
        for (const NoteInput& note : notes) write(json, note);
        json.close_array();
        measured(json.size());
    }

    void add(const std::string& path, const ProposedOperation& proposed) {
        vouched_ = proposed.assurance;
        fields_.word(path + "/assurance", proposed.assurance);
        std::visit([&](const auto& operation) { take(path, operation); }, proposed.operation);
    }

    void add(std::string path, NoteInput note, Standing standing) {
        fields_.inside(path, [&] { admit_fields(fields_, note, standing, rules_.limits); });
        if (!note.gates_completion) {
            note.gates_completion = rules_.profile->notes.constraints_gate && note.category == Category::constraint &&
                                    standing == Standing::host;
        }
        push(std::move(path), AddNote{std::move(note), standing});
    }
    void add(std::string path, ItemInput item) {
        fields_.inside(path, [&] { admit_fields(fields_, item); });
        push(std::move(path), AddItem{std::move(item)});
    }
    void add(const std::string& path, ItemChange change) {
        fields_.word(path + "/assurance", change.assurance);
        vouched_ = change.assurance;
        const std::string& id = change.id;
        if (change.title) add(path, SetItemTitle{id, *std::move(change.title)});
        if (change.content) add(path, SetItemContent{id, *std::move(change.content)});
        const bool says_more = change.status || change.reason || change.assurance || !change.evidence.empty();
        if (says_more || !(change.title || change.content)) {
            add(path, SetItemStatus{.id = id,
                                    .status = change.status,
                                    .reason = std::move(change.reason),
                                    .evidence = std::move(change.evidence)});
        }
        vouched_.reset();
    }
    void add(std::string path, SetItemContent set) {
        fields_.id(path + "/id", set.id);
        push(std::move(path), std::move(set));
    }
    template <class Set>
        requires std::is_same_v<Set, SetItemStatus> || std::is_same_v<Set, SetItemTitle> ||
                 std::is_same_v<Set, SetItemBlocker>
    void add(std::string path, Set set) {
        fields_.inside(path, [&] { admit_fields(fields_, set); });
        push(std::move(path), std::move(set));
    }
    void add(std::string path, ActionOutcome outcome) {
        fields_.inside(path, [&] { admit_fields(fields_, outcome); });
        push(std::move(path), RecordAction{std::move(outcome)});
    }
    void add(std::string path, ConfirmAction confirmation) {
        fields_.inside(path, [&] { admit_fields(fields_, confirmation); });
        push(std::move(path), std::move(confirmation));
    }
    void add(std::string path, Prune prune) {
        fields_.inside(path, [&] { admit_fields(fields_, prune); });
        if (!(prune == Prune{})) push(std::move(path), std::move(prune));
    }
    void add(std::string path, LinkStatus seen, LinkReporter reporter) {
        fields_.inside(path, [&] { admit_fields(fields_, seen); });
        push(std::move(path), SyncLink{std::move(seen), reporter});
    }

    void add_all(const HostDelta& delta) {
        fields_.replaced_before(delta.replaced);
        add_refs<AddSource>("add_sources", delta.add_sources);
        for (std::size_t i = 0; i < delta.notes.size(); ++i) add(at("notes", i), delta.notes[i], Standing::host);
        fields_.ids("/resolve", delta.resolve);
        for (std::size_t i = 0; i < delta.resolve.size(); ++i) push(at("resolve", i), ResolveNote{delta.resolve[i]});
        add_plan(delta);
        std::vector<std::string> recorded, confirmed;
        for (std::size_t i = 0; i < delta.record_actions.size(); ++i) {
            recorded.push_back(delta.record_actions[i].execution);
            add(at("record_actions", i), delta.record_actions[i]);
        }
        fields_.unique("/record_actions", recorded);
        for (std::size_t i = 0; i < delta.confirm_actions.size(); ++i) {
            confirmed.push_back(delta.confirm_actions[i].execution);
            add(at("confirm_actions", i), delta.confirm_actions[i]);
        }
        fields_.unique("/confirm_actions", confirmed);
        add("/prune", delta.prune);
        if (delta.link) add("/link", *delta.link, LinkReporter::host);
        transaction_.reason_ = delta.reason;
        fields_.text("/reason", transaction_.reason_, reason_max);
    }

    Result<Transaction> finish() {
        fields_.bound(transaction_.task_ ? "/base" : "/expected", transaction_.base_.number, integer_max);
        if (fields_.error()) return *std::move(fields_.error());
        transaction_.replaced_ = fields_.replaced();
        return std::move(transaction_);
    }

 private:
    // One operation of a proposal each: what a delta says in other words is admitted by the same functions.
    void take(const std::string& path, const AddNote& add_note) {
        const auto strongest = standing_of(transaction_.actor_.role, transaction_.intake_);
        const Standing standing = add_note.standing.value_or(strongest.value_or(Standing::proposal));
        fields_.word(path + "/authority", standing);
        add(path, add_note.note, standing);
    }
    void take(const std::string& path, const ResolveNote& resolve) {
        fields_.id(path + "/id", resolve.id);
        push(path, resolve);
    }
    void take(const std::string& path, const AddItem& add_item) { add(path, add_item.item); }
    void take(const std::string& path, const AddSource& add_source) { add_ref(path, add_source); }
    void take(const std::string& path, const MarkSourceInspected& mark) { add_ref(path, mark); }
    void take(const std::string& path, const SetPhase& set) {
        fields_.id(path + "/phase", set.phase);
        push(path, set);
    }
    void take(const std::string& path, const LockSchema& lock) { push(path, lock); }
    void take(const std::string& path, const RecordAction& record) { add(path, record.outcome); }
    void take(const std::string& path, const SyncLink& sync) { add(path, sync.seen, sync.reporter); }
    template <class Input>
    void take(const std::string& path, const Input& input) {
        add(path, input);
    }
    template <class Named>
    void add_ref(const std::string& path, const Named& named) {
        fields_.ref(path + "/id", named.id);
        push(path, named);
    }

    template <class Named>
    void add_refs(std::string_view list, const std::vector<std::string>& refs) {
        for (std::size_t i = 0; i < refs.size(); ++i) {
            fields_.ref(at(list, i), refs[i]);
            push(at(list, i), Named{refs[i]});
        }
        fields_.unique("/" + std::string(list), refs);
    }
    void add_plan(const HostDelta& delta) {
        for (std::size_t i = 0; i < delta.add_items.size(); ++i) add(at("add_items", i), delta.add_items[i]);
        for (std::size_t i = 0; i < delta.items.size(); ++i) add(at("items", i), delta.items[i]);
        fields_.id("/phase", delta.phase);
        if (delta.phase) push("/phase", SetPhase{*delta.phase});
        add_refs<MarkSourceInspected>("inspected", delta.inspected);
        if (delta.lock_schema) push("/lock_schema", LockSchema{});
    }
    void measured(std::uint64_t bytes) {
        if (bytes <= rules_.limits.input_bytes_max) return;
        fields_.error() = fail(Reason::input_bytes_exceeded, "", {rules_.limits.input_bytes_max, bytes});
    }
    void push(std::string path, Operation operation) {
        if (!fields_.error()) transaction_.steps_.push_back({std::move(operation), std::move(path), vouched_});
    }

    const Rules& rules_;
    FieldChecks fields_;
    Transaction transaction_;
    std::optional<Assurance> vouched_{};  // what the actor says of the operation that comes next
};

Result<Transaction> admit(const HostDelta& delta, Revision base, const Rules& rules) {
    Admission admission(base, rules);
    admission.measure(delta);
    admission.add_all(delta);
    return admission.finish();
}

Result<Transaction> admit(std::span<const NoteInput> notes, Standing standing, Revision base, const Rules& rules) {
    Admission admission(base, rules);
    admission.measure(notes);
    for (std::size_t i = 0; i < notes.size(); ++i) admission.add("/" + std::to_string(i), notes[i], standing);
    return admission.finish();
}

Result<Transaction> admit(const ActionOutcome& outcome, Revision base, const Rules& rules) {
    Admission admission(base, rules);
    admission.measure(outcome);
    admission.add("", outcome);
    return admission.finish();
}

Result<Transaction> admit(const ConfirmAction& confirmation, Revision base, const Rules& rules) {
    Admission admission(base, rules);
    admission.measure(confirmation);
    admission.add("", confirmation);
    return admission.finish();
}

Result<Transaction> admit(const Prune& targets, Revision base, const Rules& rules) {
    Admission admission(base, rules);
    admission.measure(targets);
    admission.add("", targets);
    return admission.finish();
}

Result<Transaction> admit(const LinkStatus& seen, LinkReporter reporter, Revision base, const Rules& rules) {
    Admission admission(base, rules);
    admission.measure(seen);
    admission.add("", seen, reporter);
    return admission.finish();
}

Result<Transaction> admit(const ProposalInput& proposal, Intake intake, const Rules& rules) {
    Admission admission(proposal.base, rules);
    admission.measure(proposal);
    admission.begin(proposal, intake);
    for (std::size_t i = 0; i < proposal.operations.size(); ++i) {
        admission.add(at("operations", i), proposal.operations[i]);
    }
    return admission.finish();
}

namespace {

void admit_fields(FieldChecks& fields, Identity& identity) {
    fields.id("/id", identity.id);
    fields.inside("/scope", [&] { fields.scope(identity.scope); });
    fields.ref("/association", identity.association);
    fields.text("/goal", identity.goal, goal_max);
    fields.time("/created_at", identity.created_at);
}

void admit_fields(FieldChecks& fields, SavedNote& saved, const Limits& limits) {
    admit_fields(fields, saved.note, saved.standing, limits);
    fields.word("/authority", saved.standing);
    fields.id("/superseded_by", saved.superseded_by);
}

void admit_fields(FieldChecks& fields, SavedItem& item) {
    admit_definition(fields, item);
    fields.word("/assurance", item.assurance);
    fields.text("/reason", item.reason, reason_max);
    admit_evidence(fields, item.evidence);
}

void admit_fields(FieldChecks& fields, SavedAction& action) {
    admit_fields(fields, action.outcome);
    if (action.confirmation) {
        fields.inside("/confirmation", [&] {
            fields.word("/status", action.confirmation->status);
            fields.source(action.confirmation->source);
        });
    }
}

}  // namespace

Result<State> admit(const SnapshotInput& given, const Rules& rules) {
    SnapshotInput saved = given;
    Identity identity{saved.id, saved.profile, saved.scope, saved.association, saved.goal, saved.created_at};
    FieldChecks fields(rules.text);
    admit_fields(fields, identity);
    fields.bound("/revision", saved.revision.number, integer_max);
    fields.word("/lifecycle", saved.lifecycle);
    fields.id("/phase", saved.phase);
    if (saved.link) {
        fields.word("/link/kind", saved.link->target.kind);
        fields.ref("/link/id", saved.link->target.id);
        fields.ref("/link/status", saved.link->status);
    }
    fields.bound("/next_ids/item", saved.next_ids.item, integer_max);
    fields.bound("/next_ids/constraint", saved.next_ids.constraint, integer_max);
    fields.time("/updated_at", saved.updated_at);
    fields.time("/last_progress_at", saved.last_progress_at);

    State state{.identity = std::make_shared<const Identity>(std::move(identity)),
                .revision = saved.revision,
                .lifecycle = saved.lifecycle,
                .phase = saved.phase,
                .schema_locked = saved.schema_locked,
                .notes = {},
                .items = {},
                .sources = {},
                .actions = {},
                .link = saved.link,
                .next_ids = saved.next_ids,
                .updated_at = saved.updated_at,
                .last_progress_at = saved.last_progress_at};
    const auto admit_list = [&fields](std::string_view name, auto& list, EntryList& stored, const auto& check) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            fields.inside(at(name, i), [&] { check(list[i]); });
            if (fields.error()) return;
            stored.push_back(Entry::pack(view(list[i])));
        }
    };
    admit_list("notes", saved.notes, state.notes, [&](SavedNote& note) { admit_fields(fields, note, rules.limits); });
    admit_list("items", saved.items, state.items, [&](SavedItem& item) { admit_fields(fields, item); });
    admit_list("sources", saved.sources, state.sources, [&](SavedSource& source) { fields.ref("/id", source.id); });
    admit_list("actions", saved.actions, state.actions, [&](SavedAction& action) { admit_fields(fields, action); });
    if (fields.error()) return *std::move(fields.error());
    return state;
}

Result<Identity> admit(const Identity& given, TextPolicy policy) {
    Identity identity = given;
    FieldChecks fields(policy);
    admit_fields(fields, identity);
    if (fields.error()) return *std::move(fields.error());
    return identity;
}

Result<LinkTarget> admit(const LinkTarget& link) {
    FieldChecks fields(TextPolicy::refuse);
    fields.word("/link/kind", link.kind);
    fields.ref("/link/id", link.id);
    if (fields.error()) return *std::move(fields.error());
    return link;
}

}  // namespace taskstate::inline v0
