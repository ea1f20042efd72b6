// Single records, and what changed: fragments for a reader who knows the rest.

#include "records.hpp"

#include <taskstate/engine/changes.hpp>

#include <array>

namespace taskstate::inline v0 {

std::string render_record(const Entry& entry, Spellings spellings) {
    std::string out;
    const auto finish = [&out] { out += '\n'; };
    switch (entry.kind()) {
        case EntryKind::note:
            append_line(out, entry.note(), spellings);
            break;
        case EntryKind::item:
            append_line(out, entry.item(), spellings);
            if (!shows_reason(entry.item())) break;
            finish();
            append_reason_line(out, entry.item(), spellings);
            break;
        case EntryKind::source:
            out += entry.source().inspected ? "source inspected=" : "source inspect=";
            append_word(out, entry.id(), spellings);
            break;
        case EntryKind::action:
            append_line(out, entry.action(), spellings);
            if (!entry.action().confirmation) break;
            finish();
            append_confirmation_line(out, entry.action(), spellings);
            break;
    }
    finish();
    return out;
}

std::string render_changes(const Snapshot& from, const Snapshot& to, Spellings spellings) {
    std::string out = "changed";
    append_field(out, "since", std::to_string(from.revision().number), spellings);
    out += '\n';
    std::array<ListField, Words<EntryKind>::list.size()> gone;
    for (const EntryChange& change : changes(from, to)) {
        if (change.entry.get() != nullptr) {
            out += render_record(*change.entry, spellings);
        } else if (!list_of(to.state(), change.kind).find(change.id)) {  // else another one has the id now
            gone[static_cast<std::size_t>(change.kind)].add(change.id, spellings);
        }
    }
    std::string erased;
    for (const EntryKind kind : {EntryKind::note, EntryKind::item, EntryKind::source, EntryKind::action}) {
        gone[static_cast<std::size_t>(kind)].append_unless_empty(erased, std::string(word(kind)) + "s");
    }
    if (!erased.empty()) out += "gone" + erased + "\n";
    append_status(out, to.state(), spellings);
    return out;
}

}  // namespace taskstate::inline v0
