// Views over inputs: the same shapes that stored entries are read through.

#include <taskstate/model/entry.hpp>

namespace taskstate::inline v0 {
namespace {

OptView view(const OptText& text) noexcept { return text ? OptView(*text) : std::nullopt; }

std::vector<std::string_view> view(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

std::optional<Evidence> view(const std::optional<EvidenceInput>& evidence) noexcept {
    return evidence ? std::optional<Evidence>(v0::view(*evidence)) : std::nullopt;
}

}  // namespace

ScopeView view(const Scope& scope) noexcept { return {scope.tenant, scope.owner, scope.agent, scope.workspace}; }

Evidence view(const EvidenceInput& evidence) noexcept {
    return {.kind = evidence.kind,
            .id = evidence.id,
            .digest = view(evidence.digest),
            .scope = evidence.scope ? std::optional<ScopeView>(view(*evidence.scope)) : std::nullopt,
            .size_bytes = evidence.size_bytes,
            .status = evidence.status};
}

Source view(const SourceInput& source) noexcept {
    return {.label = source.label, .turn = view(source.turn), .evidence = view(source.evidence)};
}

Note view(const NoteInput& note, Standing standing) {
    return {.id = note.id,
            .category = note.category,
            .standing = standing,
            .text = note.text,
            .source = view(note.source),
            .supersedes = view(note.supersedes),
            .superseded_by = std::nullopt,
            .conflicts_with = view(note.conflicts_with),
            .resolved = false,
            .gates_completion = note.gates_completion.value_or(false)};
}

Note view(const SavedNote& saved) {
    Note note = view(saved.note, saved.standing);
    note.superseded_by = view(saved.superseded_by);
    note.resolved = saved.resolved;
    return note;
}

Action view(const ActionOutcome& outcome) noexcept {
    return {.execution = outcome.execution,
            .call = view(outcome.call),
            .run = view(outcome.run),
            .tool = view(outcome.tool),
            .status = outcome.status,
            .completion = outcome.completion,
            .cancellation = outcome.cancellation,
            .started_at = outcome.started_at,
            .ended_at = outcome.ended_at,
            .evidence = view(outcome.evidence),
            .confirmation = std::nullopt};
}

Action view(const SavedAction& saved) noexcept {
    Action action = view(saved.outcome);
    if (saved.confirmation) action.confirmation = {saved.confirmation->status, view(saved.confirmation->source)};
    return action;
}

Item view(const SavedItem& item) {
    Item result{.id = item.id,
                .title = item.title,
                .status = item.status,
                .assurance = item.assurance,
                .kind = view(item.kind),
                .required = item.required,
                .depends_on = view(item.depends_on),
                .because = view(item.because),
                .content = item.content.canonical(),
                .reason = view(item.reason),
                .evidence = {}};
    for (const EvidenceInput& evidence : item.evidence) result.evidence.push_back(view(evidence));
    return result;
}

SourceToInspect view(const SavedSource& source) noexcept { return {.id = source.id, .inspected = source.inspected}; }

}  // namespace taskstate::inline v0
