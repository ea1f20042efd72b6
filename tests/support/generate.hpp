#pragma once
// Random valid inputs: what a task may really look like, with every optional part now there and now absent.

#include "model/trusted_content.hpp"

#include <taskstate/model/input.hpp>

#include <rapidcheck.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::test {

using rc::gen::exec;
using rc::gen::inRange;

/// True once in `n` times.
inline bool once_in(int n) { return *inRange(0, n) == 0; }

template <class T, class Make>
std::optional<T> sometimes(const Make& make) {
    return once_in(2) ? std::optional<T>(make()) : std::nullopt;
}

template <class E>
E any_word() {
    return static_cast<E>(*inRange<std::size_t>(0, Words<E>::list.size()));
}

/// One line in NFC: letters at both ends, what needs escaping between them.
inline std::string any_line() {
    static constexpr std::array pieces = std::to_array<std::string_view>(
        {"a",  "Zürich",     "契約",          "\"", "\\",     "\\u0000", "/",  "<",  "</task-state", "[INST]", "```",
         "😀", "👩\u200D🚀", "می\u200Cخواهم", "é",  "\u00AD", "=",       "{}", " b", "\U0001F600",   "\uFF1C"});
    std::string line = "x";
    for (int i = *inRange(0, 6); i > 0; --i) line += pieces[*inRange<std::size_t>(0, pieces.size())];
    return line + "y";
}

/// Several lines of text in the form that admission leaves alone.
inline std::string any_text() {
    std::string text = any_line();
    for (int i = *inRange(0, 3); i > 0; --i) text += (once_in(2) ? "\n" : "\t\r\u2028 ") + any_line();
    return text;
}

inline std::string any_ref() { return once_in(3) ? any_line() : "ref-" + std::to_string(*inRange(0, 1000)); }

inline Timestamp any_time() { return {*inRange<std::int64_t>(0, timestamp_max.ms)}; }

/// A pointer that the owner of `scope` may give.
inline EvidenceInput any_evidence(const Scope& scope) {
    EvidenceInput evidence{.kind = any_word<EvidenceKind>(), .id = any_ref()};
    evidence.digest =
        sometimes<std::string>([] { return "sha256:" + std::string(64, "0123456789abcdef"[*inRange(0, 16)]); });
    evidence.scope = sometimes<Scope>([&] { return scope; });
    evidence.size_bytes =
        sometimes<std::uint64_t>([] { return once_in(2) ? integer_max : *inRange<std::uint64_t>(0, 9999); });
    evidence.status = sometimes<Acknowledged>(any_word<Acknowledged>);
    return evidence;
}

inline SourceInput any_source(const Scope& scope) {
    SourceInput source{.label = any_line()};
    source.turn = sometimes<std::string>(any_ref);
    source.evidence = sometimes<EvidenceInput>([&] { return any_evidence(scope); });
    return source;
}

/// A receipt whose words go together.
inline ActionOutcome any_outcome(std::string execution, const Scope& scope) {
    ActionOutcome outcome{.execution = std::move(execution), .status = any_word<ActionStatus>()};
    outcome.call = sometimes<std::string>(any_ref);
    outcome.run = sometimes<std::string>(any_ref);
    outcome.tool = sometimes<std::string>(any_ref);
    outcome.evidence = sometimes<EvidenceInput>([&] { return any_evidence(scope); });
    const bool settled = outcome.status == ActionStatus::succeeded || outcome.status == ActionStatus::denied;
    const bool open = outcome.status == ActionStatus::started;
    outcome.completion = settled || (!open && once_in(2)) ? Completion::settled : Completion::unknown;
    outcome.cancellation = any_word<Cancellation>();
    if (outcome.status == ActionStatus::cancelled) outcome.cancellation = Cancellation::acknowledged;
    outcome.started_at =
        sometimes<Timestamp>([] { return Timestamp{*inRange<std::int64_t>(0, timestamp_max.ms - 1000)}; });
    if (!open && once_in(2))
        outcome.ended_at = Timestamp{outcome.started_at.value_or(any_time()).ms + *inRange(0, 1000)};
    if (outcome.ended_at > timestamp_max) outcome.ended_at = timestamp_max;
    return outcome;
}

inline NoteInput any_note(std::string id, const Scope& scope) {
    return {.id = std::move(id), .category = any_word<Category>(), .text = any_text(), .source = any_source(scope)};
}

/// Notes with links to earlier ones and to some that were pruned.
inline std::vector<SavedNote> any_notes(const Scope& scope) {
    std::vector<SavedNote> notes;
    for (int i = *inRange(0, 6); i > 0; --i) {
        const std::string id = "n" + std::to_string(notes.size());
        SavedNote saved{.note = any_note(id, scope), .standing = any_word<Standing>(), .resolved = once_in(4)};
        if (once_in(3)) saved.note.gates_completion = true;
        if (!saved.resolved && once_in(5)) saved.superseded_by = "gone-after-" + id;
        if (!notes.empty() && once_in(2)) saved.note.conflicts_with = {notes.front().note.id, "gone-beside-" + id};
        SavedNote* last = notes.empty() ? nullptr : &notes.back();
        if (saved.standing == Standing::host && last != nullptr && !last->resolved && !last->superseded_by) {
            last->superseded_by = id;
            saved.note.supersedes = last->note.id;
            saved.note.category = last->note.category;
        } else if (saved.standing == Standing::host && once_in(4)) {
            saved.note.supersedes = "gone-before-" + id;
        }
        notes.push_back(std::move(saved));
    }
    return notes;
}

inline Content any_content() {
    static constexpr std::array contents = std::to_array<std::string_view>(
        {"", "{}", R"({"":[null,true,-1.5,10],"é":{"€":"\"\\\n"}})", R"({"a":[[[[[[[]]]]]]]})"});
    return TrustedContent::make(std::string(contents[*inRange<std::size_t>(0, contents.size())]));
}

inline std::vector<SavedItem> any_items(const Scope& scope) {
    std::vector<SavedItem> items;
    for (int i = *inRange(0, 4); i > 0; --i) {
        SavedItem item{.id = "t" + std::to_string(items.size()), .title = any_line(), .status = any_word<ItemStatus>()};
        item.assurance = any_word<Assurance>();
        item.kind = sometimes<std::string>([] { return "milestone"; });
        item.required = once_in(2);
        if (!items.empty() && once_in(2)) item.depends_on = {items.back().id};
        if (once_in(3)) item.because = {"c1", "d1"};
        item.content = any_content();
        const bool needs_reason = item.status == ItemStatus::blocked || item.status == ItemStatus::skipped;
        if (needs_reason || once_in(3)) item.reason = any_text();
        if (once_in(3)) item.evidence = {any_evidence(scope), any_evidence(scope)};
        items.push_back(std::move(item));
    }
    return items;
}

inline std::vector<SavedAction> any_actions(const Scope& scope) {
    std::vector<SavedAction> actions;
    for (int i = *inRange(0, 5); i > 0; --i) {
        SavedAction action{.outcome = any_outcome("exec-" + std::to_string(actions.size()), scope)};
        action.confirmation = sometimes<ConfirmationInput>(
            [&] { return ConfirmationInput{.status = any_word<Confirmed>(), .source = any_source(scope)}; });
        actions.push_back(std::move(action));
    }
    return actions;
}

inline SavedLink any_link() {
    SavedLink link{.target = {.kind = any_word<LinkKind>(), .id = any_ref()}};
    if (once_in(3)) return link;
    if (link.target.kind == LinkKind::task) link.status = word(any_word<Confirmed>());
    if (link.target.kind == LinkKind::routine) link.status = word(any_word<RoutineStatus>());
    if (link.target.kind == LinkKind::memory) link.status = any_ref();
    return link;
}

/// A state that a `notebook-v1` task may have, items and sources included.
inline rc::Gen<SnapshotInput> any_snapshot() {
    return exec([] {
        SnapshotInput saved{.id = "task-" + std::to_string(*inRange(0, 100)), .profile = "notebook-v1"};
        saved.scope = {.owner = any_ref(), .workspace = any_ref()};
        if (once_in(2)) saved.scope.tenant = any_ref();
        if (once_in(2)) saved.scope.agent = any_ref();
        saved.association = sometimes<std::string>(any_ref);
        saved.revision = {once_in(10) ? integer_max : *inRange<std::uint64_t>(1, 1000)};
        saved.goal = sometimes<std::string>(any_text);
        saved.lifecycle = any_word<Lifecycle>();
        saved.phase = sometimes<std::string>([] { return "execute"; });
        saved.schema_locked = once_in(2);
        saved.notes = any_notes(saved.scope);
        saved.items = any_items(saved.scope);
        for (int i = *inRange(0, 3); i > 0; --i) {
            saved.sources.push_back({.id = "doc-" + std::to_string(i), .inspected = once_in(2)});
        }
        saved.actions = any_actions(saved.scope);
        saved.link = sometimes<SavedLink>(any_link);
        if (once_in(2))
            saved.next_ids = {.item = *inRange<std::uint64_t>(0, 9), .constraint = *inRange<std::uint64_t>(0, 9)};
        saved.created_at = any_time();
        saved.updated_at = {*inRange(saved.created_at.ms, timestamp_max.ms + 1)};
        saved.last_progress_at = {*inRange(saved.created_at.ms, saved.updated_at.ms + 1)};
        return saved;
    });
}

/// The part of a delta that concerns the plan.
inline void add_any_plan(HostDelta& delta, const Scope& scope) {
    if (once_in(3)) delta.add_sources = {"doc-1", any_line()};
    for (int i = *inRange(0, 3); i > 0; --i) {
        ItemInput item{.title = any_line()};
        item.id = sometimes<std::string>([i] { return "t" + std::to_string(i); });
        item.kind = sometimes<std::string>([] { return "milestone"; });
        if (once_in(2)) item.status = ItemStatus::ready;
        item.required = once_in(2);
        if (once_in(3)) item.depends_on = {"t8", "t9"};
        if (once_in(3)) item.because = {"c1"};
        item.content = any_content();
        delta.add_items.push_back(std::move(item));
    }
    for (int i = *inRange(0, 3); i > 0; --i) {
        ItemChange change{.id = "t" + std::to_string(i)};
        change.status = sometimes<ItemStatus>(any_word<ItemStatus>);
        change.title = sometimes<std::string>(any_line);
        if (once_in(3)) change.content = TrustedContent::make("{}");
        change.reason = sometimes<std::string>(any_text);
        change.assurance = sometimes<Assurance>(any_word<Assurance>);
        if (once_in(3)) change.evidence = {any_evidence(scope), any_evidence(scope)};
        delta.items.push_back(std::move(change));
    }
    delta.phase = sometimes<std::string>([] { return "execute"; });
    if (once_in(3)) delta.inspected = {"doc-1"};
    delta.lock_schema = once_in(4);
}

/// A delta that is well formed; whether it fits a task is another matter.
inline rc::Gen<HostDelta> any_delta() {
    return exec([] {
        const Scope scope{.owner = any_ref(), .workspace = any_ref()};
        HostDelta delta;
        add_any_plan(delta, scope);
        for (int i = *inRange(0, 4); i > 0; --i) {
            NoteInput note = any_note("n" + std::to_string(i), scope);
            note.supersedes = sometimes<std::string>([] { return "old"; });
            if (once_in(2)) note.conflicts_with = {"other", "another"};
            note.gates_completion = sometimes<bool>([] { return once_in(2); });
            delta.notes.push_back(std::move(note));
        }
        if (once_in(2)) delta.resolve = {"a", "b"};
        for (int i = *inRange(0, 3); i > 0; --i) {
            delta.record_actions.push_back(any_outcome("exec-" + std::to_string(i), scope));
            delta.confirm_actions.push_back({"exec-" + std::to_string(i), any_word<Confirmed>(), any_source(scope)});
        }
        if (once_in(2)) delta.prune = {.notes = {"a"}, .actions = {"exec-9"}};
        delta.link = sometimes<LinkStatus>([] { return LinkStatus{.id = any_ref(), .status = any_ref()}; });
        delta.reason = sometimes<std::string>(any_text);
        return delta;
    });
}

}  // namespace taskstate::test
