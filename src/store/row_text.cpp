#include "store/row_text.hpp"

#include "codec/canonical_reader.hpp"
#include "codec/values.hpp"
#include "model/members.hpp"
#include "store/row_members.hpp"

#include <taskstate/codec/json.hpp>
#include <taskstate/engine/proposal.hpp>
#include <taskstate/model/wire.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace taskstate::inline v0 {
namespace {

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = is_list<T> || std::is_same_v<T, bool>;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
bool is_absent(const T& content) {
    if constexpr (is_list<T>)
        return content.empty();
    else
        return content == T{};
}

void write_entry(JsonWriter& json, const Entry& entry) {
    switch (entry.kind()) {
        case EntryKind::note:
            return write(json, entry.note());
        case EntryKind::item:
            return write(json, entry.item());
        case EntryKind::source:
            return write(json, entry.source());
        case EntryKind::action:
            return write(json, entry.action());
    }
}

/// Writes what there is: nothing for what is absent, empty or not set.
class RowWriter {
 public:
    explicit RowWriter(JsonWriter& json) : json_(json) {}

    template <class T>
    void operator()(std::string_view name, const T& content) {
        if constexpr (is_optional<T>) {
            optional(name, content);
        } else {
            json_.key(name);
            put(content);
        }
    }
    /// Nothing where it is what it is by itself.
    template <class T>
    void optional(std::string_view name, const T& content) {
        if (is_absent(content)) return;
        json_.key(name);
        put(content);
    }
    template <class Record>
    void object(const Record& record) {
        json_.open_object();
        members(*this, record);
        json_.close_object();
    }

 private:
    template <class T>
    void put(const T& content) {
        if constexpr (requires { members(*this, content); })
            object(content);
        else
            value(json_, content);
    }
    template <class T>
    void put(const std::optional<T>& content) {
        put(*content);
    }
    template <class T>
    void put(const std::vector<T>& list) {
        json_.open_array();
        for (const T& element : list) put(element);
        json_.close_array();
    }
    void put(bool set) { json_.boolean(set); }
    void put(const Digest& digest) { json_.string(format_digest(digest)); }
    void put(Reason reason) { json_.string(word(reason)); }
    void put(Revision revision) { value(json_, revision.number); }
    void put(const ChangeRow& change) {
        json_.open_object();
        if (change.entry != nullptr) {
            json_.key("entry");
            write_entry(json_, *change.entry);
        }
        (*this)("id", change.id);
        (*this)("kind", change.kind);
        (*this)("ordinal", change.ordinal);
        json_.close_object();
    }

    JsonWriter& json_;
};

template <class Record>
std::string row_of(const Record& record) {
    std::string text;
    JsonWriter json(text);
    RowWriter(json).object(record);
    return text;
}

constexpr std::size_t row_bytes_max = 64 * 1024 * 1024;

/// An entry, whose members the codec knows.
template <class Saved>
Result<Saved> decode_saved(std::string_view json) {
    auto saved = decode_as<Saved>(json, {.bytes_max = row_bytes_max}, TextPolicy::refuse);
    if (!saved) return fail(Reason::unreadable_record, std::move(saved).error().path);
    return saved;
}

/// Reads what `RowWriter` wrote, and nothing that it would have written in another way.
class RowReader {
 public:
    explicit RowReader(std::string_view row) : json_(row) {}

    template <class Record>
    Result<void> read(Record& record) {
        take(record);
        if (!wrong_ && !json_.at_end()) wrong();
        if (wrong_) return fail(Reason::unreadable_record, *std::move(wrong_));
        return {};
    }

    template <std::size_t size, class T>
    void operator()(const char (&name)[size], T& content) {
        if constexpr (is_optional<T>) {
            optional(name, content);
        } else if (!wrong_) {
            if (!json_.take_key(name)) return wrong(name);
            member(name, content);
        }
    }
    /// Leaves it alone where it is not next.
    template <std::size_t size, class T>
    void optional(const char (&name)[size], T& content) {
        if (wrong_ || !json_.take_key(name)) return;
        member(name, content);
        if (!wrong_ && is_absent(content)) wrong(name);
    }

 private:
    // What leads to the value that is wrong is put before it by what stands around it.
    void wrong(std::string_view name = {}) {
        if (!wrong_) wrong_.emplace();
        if (!name.empty()) wrong_ = '/' + std::string(name) + *wrong_;
    }
    template <class T>
    void member(std::string_view name, T& content) {
        take(content);
        if (wrong_) wrong(name);
    }

    template <class Record>
        requires requires(RowReader& each, Record& record) { members(each, record); }
    void take(Record& record) {
        if (!json_.take('{')) return wrong();
        members(*this, record);
        if (!wrong_ && !json_.take('}')) wrong();
    }
    template <class T>
    void take(std::optional<T>& content) {
        take(content.emplace());
    }
    template <class T>
    void take(std::vector<T>& list) {
        if (!json_.take('[')) return wrong();
        do {
            take(list.emplace_back());
            if (wrong_) return wrong(std::to_string(list.size() - 1));
        } while (json_.take(','));
        if (!json_.take(']')) wrong();
    }
    void take(std::string& text) {
        if (!json_.take_string(text)) wrong();
    }
    void take(std::uint64_t& number) {
        if (!json_.take_integer(number)) wrong();
    }
    void take(bool& set) {
        set = json_.take_true();
        if (!set) wrong();
    }
    void take(Revision& revision) { take(revision.number); }
    template <class E>
        requires std::is_enum_v<E>
    void take(E& out) {
        take_word(out, [](std::string_view text) { return from_word<E>(text); });
    }
    void take(Reason& out) { take_word(out, find_reason); }
    void take(Digest& out) { take_word(out, parse_digest); }
    void take(Timestamp& out) { take_word(out, parse_time); }
    void take(ChangeRow& change) {
        if (!json_.take('{')) return wrong();
        std::optional<std::string_view> entry;
        if (json_.take_key("entry")) {
            entry = json_.take_object();
            if (!entry) return wrong("entry");
        }
        (*this)("id", change.id);
        (*this)("kind", change.kind);
        (*this)("ordinal", change.ordinal);
        if (!wrong_ && entry) take_entry(*entry, change);
        if (!wrong_ && !json_.take('}')) wrong();
    }

    // A text of a closed alphabet, by the function that knows its values.
    template <class T, class Find>
    void take_word(T& out, const Find& find) {
        const auto text = json_.take_quoted();
        if (!text) return wrong();
        const auto found = find(*text);
        if (!found) return wrong();
        out = *found;
    }
    static std::optional<Reason> find_reason(std::string_view text) {
        const auto rows = reasons();
        const auto found =
            std::find_if(rows.begin(), rows.end(), [&](const ReasonRow& row) { return row.word == text; });
        return found == rows.end() ? std::nullopt : std::optional(found->reason);
    }

    void take_entry(std::string_view json, ChangeRow& change) {
        switch (change.kind) {
            case EntryKind::note:
                return take_saved<SavedNote>(json, change);
            case EntryKind::item:
                return take_saved<SavedItem>(json, change);
            case EntryKind::source:
                return take_saved<SavedSource>(json, change);
            case EntryKind::action:
                return take_saved<SavedAction>(json, change);
        }
    }
    template <class Saved>
    void take_saved(std::string_view json, ChangeRow& change) {
        auto saved = decode_saved<Saved>(json);
        if (saved) {
            change.saved = *std::move(saved);
        } else {
            wrong_ = "/entry" + saved.error().path;
        }
    }

    CanonicalReader json_;
    std::optional<std::string> wrong_{};  ///< the pointer from the value being read to what is wrong
};

void append(SnapshotInput& into, const SavedNote& note) { into.notes.push_back(note); }
void append(SnapshotInput& into, const SavedItem& item) { into.items.push_back(item); }
void append(SnapshotInput& into, const SavedSource& source) { into.sources.push_back(source); }
void append(SnapshotInput& into, const SavedAction& action) { into.actions.push_back(action); }

template <class Saved>
Result<void> decode_into(std::vector<Saved>& list, std::string_view json) {
    auto entry = decode_saved<Saved>(json);
    if (!entry) return std::move(entry).error();
    list.push_back(*std::move(entry));
    return {};
}

/// The entries of the changes, admitted by the rules of a restore.
Result<State> admit_entries(const std::vector<ChangeRow>& changes) {
    SnapshotInput entries{.id = "row", .profile = "notebook-v1", .scope = {.owner = "row", .workspace = "row"}};
    for (const ChangeRow& change : changes) {
        if (change.saved) std::visit([&](const auto& saved) { append(entries, saved); }, *change.saved);
    }
    const Limits limits{.entries_max = row_bytes_max};
    return admit(entries, Rules{.profile = find_profile(entries.profile), .limits = limits});
}

}  // namespace

std::string encode_row(const TaskHead& head) { return row_of(head); }
std::string encode_row(const DecisionRecord& decision) { return row_of(decision); }
std::string encode_row(const DeliveryRecord& delivery) { return row_of(delivery); }
std::string encode_row(const Binding& binding) { return row_of(binding); }

std::string encode_row(const RevisionRecord& revision) {
    RevisionRow row{.record = revision, .changes = {}};
    row.record.changes.clear();
    for (const EntryChange& change : revision.changes) {
        row.changes.push_back(
            {.kind = change.kind, .id = change.id, .ordinal = change.ordinal, .entry = change.entry.get()});
    }
    return row_of(row);
}

std::string encode_row(const Entry& entry) {
    std::string text;
    JsonWriter json(text);
    write_entry(json, entry);
    return text;
}

Result<void> decode_row(std::string_view json, TaskHead& out) { return RowReader(json).read(out); }
Result<void> decode_row(std::string_view json, DecisionRecord& out) { return RowReader(json).read(out); }
Result<void> decode_row(std::string_view json, DeliveryRecord& out) { return RowReader(json).read(out); }
Result<void> decode_row(std::string_view json, Binding& out) { return RowReader(json).read(out); }

Result<void> decode_row(std::string_view json, Profile& out) {
    auto profile = decode_profile(json);
    if (!profile) return fail(Reason::unreadable_record, std::move(profile).error().path);
    out = *std::move(profile);
    return {};
}

Result<void> decode_row(std::string_view json, RevisionRecord& out) {
    RevisionRow row;
    if (auto read = RowReader(json).read(row); !read) return read;
    const auto admitted = admit_entries(row.changes);
    if (!admitted) return fail(Reason::unreadable_record, admitted.error().path);
    out = std::move(row.record);
    std::array<std::size_t, Words<EntryKind>::list.size()> next{};
    for (const ChangeRow& change : row.changes) {
        EntryChange& kept = out.changes.emplace_back(
            EntryChange{.kind = change.kind, .id = change.id, .ordinal = static_cast<std::size_t>(change.ordinal)});
        if (!change.saved) continue;
        kept.entry = list_of(*admitted, change.kind).handle(next[static_cast<std::size_t>(change.kind)]++);
        if (kept.entry->id() != change.id) return fail(Reason::unreadable_record, "/changes");
    }
    return {};
}

SnapshotInput without_entries(const TaskHead& head) {
    const Identity& identity = head.identity;
    const Frame& frame = head.frame;
    return {.id = identity.id,
            .profile = identity.profile,
            .scope = identity.scope,
            .association = identity.association,
            .revision = frame.revision,
            .goal = identity.goal,
            .lifecycle = frame.lifecycle,
            .phase = frame.phase,
            .schema_locked = frame.schema_locked,
            .link = frame.link,
            .next_ids = frame.next_ids,
            .created_at = identity.created_at,
            .updated_at = frame.updated_at,
            .last_progress_at = frame.last_progress_at};
}

Result<void> decode_entry(EntryKind kind, std::string_view json, SnapshotInput& into) {
    switch (kind) {
        case EntryKind::note:
            return decode_into(into.notes, json);
        case EntryKind::item:
            return decode_into(into.items, json);
        case EntryKind::source:
            return decode_into(into.sources, json);
        case EntryKind::action:
            return decode_into(into.actions, json);
    }
    bug("an entry of no kind");
}

}  // namespace taskstate::inline v0
