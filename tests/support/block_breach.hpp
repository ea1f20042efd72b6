#pragma once
// What a block must say of a state, and whether one does: by the grammar and order of the format, independent of the
// library's renderer.

#include "support/forbidden_spellings.hpp"
#include "support/read_block.hpp"

#include <taskstate/prompt/block.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taskstate::test {

/// A record whose parts are added one by one.
class Expected {
 public:
    explicit Expected(std::string_view kind) { record_.kind = kind; }
    Expected& at_position(std::string_view text) { return list("", {std::string(text)}); }
    Expected& field(std::string_view name, std::string_view text) { return list(name, {std::string(text)}); }
    Expected& maybe(std::string_view name, const OptView& text) { return text ? field(name, *text) : *this; }
    Expected& maybe(std::string_view name, const std::optional<Evidence>& evidence) {
        return evidence ? field(name, evidence->id) : *this;
    }
    Expected& list(std::string_view name, std::vector<std::string> values) {
        record_.parts.push_back({std::string(name), std::move(values)});
        return *this;
    }
    Expected& list_unless_empty(std::string_view name, std::vector<std::string> values) {
        return values.empty() ? *this : list(name, std::move(values));
    }
    operator Record() const { return record_; }

 private:
    Record record_;
};

using Ids = std::vector<std::string>;

template <class Entries, class Predicate>
Ids ids_where(const Entries& entries, const Predicate& holds) {
    Ids ids;
    for (const auto& entry : entries) {
        if (!holds(entry)) continue;
        if constexpr (requires { entry.execution; })
            ids.emplace_back(entry.execution);
        else
            ids.emplace_back(entry.id);
    }
    return ids;
}

inline Record expected(const Note& note) {
    const bool host = note.standing == Standing::host;
    Expected record(host ? word(note.category) : word(note.standing));
    record.at_position(note.id);
    if (!host) record.field("category", word(note.category));
    if (note.superseded_by) record.field("state", "superseded").field("superseded_by", *note.superseded_by);
    if (note.resolved) record.field("state", "resolved");
    record.maybe("supersedes", note.supersedes);
    record.list_unless_empty("conflicts_with", Ids(note.conflicts_with.begin(), note.conflicts_with.end()));
    record.at_position(note.text).field("source", note.source.label).maybe("turn", note.source.turn);
    return record.maybe("evidence", note.source.evidence);
}

/// The record of an item but for its content, which the caller reads apart.
inline Record expected(const Item& item) {
    Expected record("item");
    record.at_position(item.id).maybe("kind", item.kind);
    if (item.required) record.at_position("required");
    record.list_unless_empty("depends_on", Ids(item.depends_on.begin(), item.depends_on.end()));
    record.list_unless_empty("because", Ids(item.because.begin(), item.because.end()));
    if (item.assurance != Assurance::asserted) record.field("assurance", word(item.assurance));
    return record.at_position(item.title);
}

inline Record expected(const Action& action) {
    Expected record("action");
    record.at_position(action.execution).at_position(word(action.status)).at_position(word(action.completion));
    if (action.cancellation != Cancellation::none) record.field("cancellation", word(action.cancellation));
    return record.maybe("tool", action.tool).maybe("call", action.call).maybe("evidence", action.evidence);
}

inline void expect_tail(std::vector<Record>& records, const Snapshot& snapshot) {
    const auto items = snapshot.items();
    const auto status_is = [](ItemStatus status) {
        return [status](const Item& item) { return item.status == status; };
    };
    if (!items.empty()) {
        Expected progress("progress");
        for (const ItemStatus status :
             {ItemStatus::running, ItemStatus::ready, ItemStatus::blocked, ItemStatus::pending, ItemStatus::failed,
              ItemStatus::completed, ItemStatus::skipped}) {
            progress.list_unless_empty(word(status), ids_where(items, status_is(status)));
        }
        records.push_back(progress);
    }
    const Ids gates = ids_where(snapshot.notes(), [](const Note& note) { return note.gates_completion; });
    if (!items.empty() || !gates.empty()) {
        const auto next = [&](bool waits) {
            return ids_where(items, [&](const Item& item) {
                const bool waiting = std::any_of(item.depends_on.begin(), item.depends_on.end(),
                                                 [&](const auto& id) { return !is_settled(items.find(id)->status); });
                return (item.status == ItemStatus::pending || item.status == ItemStatus::ready) && waiting == waits;
            });
        };
        records.push_back(Expected("next").list("items", next(false)).list("waiting", next(true)));
        const Ids open = ids_where(items, [](const Item& item) { return item.required && !is_settled(item.status); });
        const Ids constraints =
            ids_where(snapshot.notes(), [](const Note& note) { return note.gates_completion && note.active(); });
        records.push_back(Expected("completion")
                              .field("allowed", open.empty() && constraints.empty() ? "true" : "false")
                              .list_unless_empty("items", open)
                              .list_unless_empty("constraints", constraints));
    }
    const Ids pending = ids_where(snapshot.actions(), [](const Action& action) { return !action.closed(); });
    if (!pending.empty()) records.push_back(Expected("pending").list("actions", pending));
    Expected status("status");
    status.field("lifecycle", word(snapshot.lifecycle())).maybe("phase", snapshot.phase());
    if (const auto& link = snapshot.link()) {
        status.field("link_kind", word(link->target.kind)).field("link_id", link->target.id);
        status.field("link_status", link->status.value_or("unobserved"));
    }
    records.push_back(status.field("revision", std::to_string(snapshot.revision().number)));
}

inline std::vector<Record> expected(const Snapshot& snapshot) {
    std::vector<Record> records;
    if (snapshot.goal()) records.push_back(Expected("goal").at_position(*snapshot.goal()));
    for (const char* section :
         {"constraint", "objective", "decision", "question", "artifact", "proposal", "assumption"}) {
        for (const Note& note : snapshot.notes()) {
            if (const Record record = expected(note); record.kind == section) records.push_back(record);
        }
    }
    for (const Item& item : snapshot.items()) records.push_back(expected(item));
    for (const Action& action : snapshot.actions()) records.push_back(expected(action));
    for (const Action& action : snapshot.actions()) {
        if (!action.confirmation) continue;
        records.push_back(Expected("confirmation")
                              .at_position(action.execution)
                              .at_position(word(action.confirmation->status))
                              .field("source", action.confirmation->source.label));
    }
    if (!snapshot.sources().empty()) {
        records.push_back(
            Expected("source")
                .list("inspect", ids_where(snapshot.sources(), [](const SourceToInspect& s) { return !s.inspected; }))
                .list("inspected",
                      ids_where(snapshot.sources(), [](const SourceToInspect& s) { return s.inspected; })));
    }
    for (const Item& item : snapshot.items()) {
        const bool shown = item.status == ItemStatus::blocked || item.status == ItemStatus::failed ||
                           item.status == ItemStatus::skipped;
        if (!item.reason || !shown) continue;
        records.push_back(
            Expected("reason").at_position(item.id).at_position(word(item.status)).at_position(*item.reason));
    }
    expect_tail(records, snapshot);
    return records;
}

/// Whether two JSON objects in canonical form say the same, however their strings are escaped.
inline bool same_object(std::string_view a, std::string_view b) {
    const auto string_at = [](std::string_view text) {
        std::size_t end = 1;
        while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
        return text.substr(0, end + 1);
    };
    while (!a.empty() && !b.empty()) {
        if (a.front() != b.front()) return false;
        std::string_view in_a = a.substr(0, 1), in_b = b.substr(0, 1);
        if (a.front() == '"') {
            in_a = string_at(a);
            in_b = string_at(b);
            const auto text = read_json_string(in_a);
            if (!text || text != read_json_string(in_b)) return false;
        }
        a.remove_prefix(in_a.size());
        b.remove_prefix(in_b.size());
    }
    return a.empty() && b.empty();
}

/// Takes the content out of an item's record; whether it is that of the item.
inline bool take_content(Record& record, const Entries<Item, &Entry::item>& items) {
    const bool named = !record.parts.empty() && record.parts[0].values.size() == 1;
    const auto item = named ? items.find(record.parts[0].values[0]) : std::nullopt;
    if (!item || item->content.empty()) return item.has_value();
    const Part content = std::move(record.parts.back());
    record.parts.pop_back();
    return content.name == "content" && content.values.size() == 1 && same_object(content.values[0], item->content);
}

inline std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// The first spelling that stands in the text and must not; its own fences are not looked at for the built-in ones.
inline std::string_view find_spelling(std::string_view text, Spellings spellings) {
    const auto first = text.find('\n'), last = text.rfind('\n');
    const std::string_view body = text.substr(first, last - first);
    for (const std::string_view spelling : forbidden_spellings) {
        if (body.find(spelling) != std::string_view::npos) return spelling;
    }
    for (const std::string& spelling : spellings) {
        if (text.find(spelling) != std::string_view::npos) return spelling;
    }
    return "";
}

/// Why `block` is not what the format says of `snapshot`; empty if it is.
///
/// It opens and closes once, each record stands on its own line and reads back as what is stored, and no control
/// spelling is left.
inline std::string block_breach(const Snapshot& snapshot, const Block& block, Spellings spellings = {}) {
    const std::string& text = block.text();
    const auto lines = lines_of(text);
    if (lines.size() < 3) return "too few lines";
    const auto opening = read_json_string(lines.front().substr(0, lines.front().rfind(" key=")).substr(17));
    if (!lines.front().starts_with("<task-state task=") || opening != snapshot.id() ||
        !lines.front().ends_with(" key=\"" + block.key() + "\">")) {
        return "the opening line";
    }
    if (lines.back() != "</task-state key=\"" + block.key() + "\">") return "the closing line";
    if (count(text, "<task-state") != 1 || count(text, "</task-state") != 1) return "it opens or closes twice";

    std::vector<Record> records;
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
        auto record = read_record(lines[i]);
        if (!record) return "no record: " + std::string(lines[i]);
        if (record->kind == "item" && !take_content(*record, snapshot.items())) {
            return "the content of: " + std::string(lines[i]);
        }
        records.push_back(*std::move(record));
    }
    const auto wanted = expected(snapshot);
    const auto [is, should] = std::mismatch(records.begin(), records.end(), wanted.begin(), wanted.end());
    if (is != records.end()) return "not what is stored: " + std::string(lines[1 + std::size_t(is - records.begin())]);
    if (should != wanted.end()) return "a missing record: " + should->kind;
    if (const auto spelling = find_spelling(text, spellings); !spelling.empty()) {
        return "the spelling " + std::string(spelling);
    }
    return "";
}

}  // namespace taskstate::test
