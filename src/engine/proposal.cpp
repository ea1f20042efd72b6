// Canonical JSON of proposals: keys stand in byte order, as RFC 8785 asks.

#include <taskstate/engine/proposal.hpp>
#include <taskstate/model/wire.hpp>

#include "model/members.hpp"

namespace taskstate::inline v0 {

void write(JsonWriter& json, const Actor& actor) {
    json.open_object();
    field(json, "name", actor.name);
    field(json, "role", actor.role);
    json.close_object();
}

void write(JsonWriter& json, const EvidenceInput& evidence) { write(json, view(evidence)); }

namespace {

/// Writes the members of one operation, with its word and what vouches for it in their places.
class OperationWriter {
 public:
    OperationWriter(JsonWriter& json, const ProposedOperation& proposed) : json_(json), proposed_(proposed) {
        json_.open_object();
    }
    ~OperationWriter() { json_.close_object(); }
    OperationWriter(const OperationWriter&) = delete;
    OperationWriter& operator=(const OperationWriter&) = delete;

    void operator()(const AddNote& add) {
        const NoteInput& note = add.note;
        assurance();
        field(json_, "authority", add.standing);
        field(json_, "category", note.category);
        field(json_, "conflicts_with", note.conflicts_with);
        field(json_, "gates_completion", note.gates_completion);
        field(json_, "id", note.id);
        op();
        field(json_, "source", view(note.source));
        field(json_, "supersedes", note.supersedes);
        field(json_, "text", note.text);
    }
    void operator()(const ResolveNote& resolve) { only("id", resolve.id); }
    void operator()(const AddItem& add) {
        const ItemInput& item = add.item;
        assurance();
        field(json_, "because", item.because);
        content_field(json_, item.content.canonical());
        field(json_, "depends_on", item.depends_on);
        field(json_, "id", item.id);
        field(json_, "kind", item.kind);
        op();
        field(json_, "ref", item.ref);
        flag(json_, "required", item.required);
        if (item.status != ItemStatus::pending) field(json_, "status", item.status);
        field(json_, "title", item.title);
    }
    void operator()(const SetItemStatus& set) {
        assurance();
        field(json_, "evidence", set.evidence);
        field(json_, "id", set.id);
        op();
        field(json_, "reason", set.reason);
        field(json_, "status", set.status);
    }
    void operator()(const SetItemTitle& set) {
        only("id", set.id);
        field(json_, "title", set.title);
    }
    void operator()(const SetItemContent& set) {
        assurance();
        content_field(json_, set.content.canonical());
        field(json_, "id", set.id);
        op();
    }
    void operator()(const SetItemBlocker& set) {
        only("id", set.id);
        field(json_, "reason", set.reason);
    }
    void operator()(const AddSource& add) { only("id", add.id); }
    void operator()(const MarkSourceInspected& mark) { only("id", mark.id); }
    void operator()(const SetPhase& set) {
        assurance();
        op();
        field(json_, "phase", set.phase);
    }
    void operator()(const LockSchema&) {
        assurance();
        op();
    }
    void operator()(const RecordAction& record) {
        const ActionOutcome& outcome = record.outcome;
        assurance();
        field(json_, "call", outcome.call);
        if (outcome.cancellation != Cancellation::none) field(json_, "cancellation", outcome.cancellation);
        field(json_, "completion", outcome.completion);
        field(json_, "ended_at", outcome.ended_at);
        field(json_, "evidence", outcome.evidence);
        field(json_, "execution", outcome.execution);
        op();
        field(json_, "run", outcome.run);
        field(json_, "started_at", outcome.started_at);
        field(json_, "status", outcome.status);
        field(json_, "tool", outcome.tool);
    }
    void operator()(const ConfirmAction& confirm) {
        assurance();
        field(json_, "execution", confirm.execution);
        op();
        field(json_, "source", view(confirm.source));
        field(json_, "status", confirm.status);
    }
    void operator()(const Prune& prune) {
        field(json_, "actions", prune.actions);
        assurance();
        field(json_, "notes", prune.notes);
        op();
    }
    void operator()(const SyncLink& sync) {
        only("id", sync.seen.id);
        field(json_, "status", sync.seen.status);
    }

 private:
    void assurance() { field(json_, "assurance", proposed_.assurance); }
    void op() { field(json_, "op", kind_of(proposed_.operation)); }
    /// The members up to the word, where there is but one.
    void only(std::string_view name, const std::string& value) {
        assurance();
        field(json_, name, value);
        op();
    }

    JsonWriter& json_;
    const ProposedOperation& proposed_;
};

}  // namespace

void write(JsonWriter& json, const ProposedOperation& proposed) {
    std::visit(OperationWriter(json, proposed), proposed.operation);
}

void write(JsonWriter& json, const ProposalInput& proposal) {
    json.open_object();
    field(json, "action_fingerprint", proposal.action_fingerprint);
    field(json, "actor", proposal.actor);
    if (proposal.assurance != Assurance::asserted) field(json, "assurance", proposal.assurance);
    field(json, "base", proposal.base.number);
    field(json, "evidence", proposal.evidence);
    field(json, "format", std::string_view("taskstate.proposal/1"));
    field(json, "interpreter", proposal.interpreter);
    field(json, "key", proposal.key);
    field(json, "operations", proposal.operations);
    field(json, "reason", proposal.reason);
    field(json, "scope", view(proposal.task.scope));
    field(json, "task", proposal.task.id);
    json.close_object();
}

Digest proposal_digest(const ProposalInput& proposal) {
    ProposalInput keyless = proposal;
    keyless.key.clear();
    std::string text;
    JsonWriter json(text);
    write(json, keyless);
    return sha256(text);
}

}  // namespace taskstate::inline v0
