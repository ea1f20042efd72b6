// One list of members for each record, in the order of their names, by which it is both written and read.

#include "store/row_text.hpp"

#include "codec/values.hpp"
#include "model/members.hpp"

#include <taskstate/engine/proposal.hpp>
#include <taskstate/model/wire.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace taskstate::inline v0 {
namespace {

template <class T, class Record>
concept is = std::is_same_v<std::remove_const_t<T>, Record>;

template <is<ExpiryRule> T>
void members(auto& each, T& rule) {
    each("absolute_age_ms", rule.absolute_age_ms);
    each("no_progress_ms", rule.no_progress_ms);
}
template <is<PauseRecord> T>
void members(auto& each, T& pause) {
    each("paused_at", pause.paused_at);
    each("paused_ms", pause.paused_ms);
}
template <is<LogBase> T>
void members(auto& each, T& base) {
    each("pause", base.pause);
}
template <is<Frame> T>
void members(auto& each, T& frame) {
    each("last_progress_at", frame.last_progress_at);
    each("lifecycle", frame.lifecycle);
    each("link", frame.link);
    each("next_ids", frame.next_ids);
    each("phase", frame.phase);
    each("revision", frame.revision);
    each("schema_locked", frame.schema_locked);
    each("updated_at", frame.updated_at);
}
template <is<Identity> T>
void members(auto& each, T& identity) {
    each("association", identity.association);
    each("created_at", identity.created_at);
    each("goal", identity.goal);
    each("id", identity.id);
    each("profile", identity.profile);
    each("scope", identity.scope);
}
template <is<TaskHead> T>
void members(auto& each, T& head) {
    each("clock", head.clock);
    each("continues", head.continues);
    each("due_at", head.due_at);
    each("expiry", head.expiry);
    each("frame", head.frame);
    each("identity", head.identity);
    each("pause", head.pause);
    each("start_digest", head.start_digest);
    each("start_key", head.start_key);
    each("state_digest", head.state_digest);
    each("terminal_reason", head.terminal_reason);
}
template <is<Actor> T>
void members(auto& each, T& actor) {
    each("name", actor.name);
    each("role", actor.role);
}
template <is<Origin> T>
void members(auto& each, T& origin) {
    each("actor", origin.actor);
    each("assurance", origin.assurance);
    each("evidence", origin.evidence);
    each("interpreter", origin.interpreter);
    each("method", origin.method);
    each("reason", origin.reason);
}
template <is<Lineage> T>
void members(auto& each, T& lineage) {
    each("assurance", lineage.assurance);
    each("id", lineage.id);
    each("kind", lineage.kind);
    each("supersedes", lineage.supersedes);
}
template <is<Guard> T>
void members(auto& each, T& guard) {
    each("blocking", guard.blocking);
    each("kind", guard.kind);
    each("message", guard.message);
    each("repeated", guard.repeated);
    each("revision", guard.revision);
}
template <is<DecisionRecord> T>
void members(auto& each, T& decision) {
    each("action_fingerprint", decision.action_fingerprint);
    each("actor", decision.actor);
    each("actual", decision.actual);
    each("assurance", decision.assurance);
    each("base", decision.base);
    each("decided_at", decision.decided_at);
    each("duration_ms", decision.duration_ms);
    each("evidence", decision.evidence);
    each("guards", decision.guards);
    each("id", decision.id);
    each("key", decision.key);
    each("kind", decision.kind);
    each("limit", decision.limit);
    each("outcome", decision.outcome);
    each("path", decision.path);
    each("payload_digest", decision.payload_digest);
    each("reason", decision.reason);
    each("result", decision.result);
    each("sequence", decision.sequence);
    each("shadow", decision.shadow);
}
template <is<DeliveryRecord> T>
void members(auto& each, T& delivery) {
    each("block_bytes", delivery.block_bytes);
    each("block_digest", delivery.block_digest);
    each("exposed_at", delivery.exposed_at);
    each("id", delivery.id);
    each("omitted", delivery.omitted);
    each("prepared_at", delivery.prepared_at);
    each("revision", delivery.revision);
    each("sequence", delivery.sequence);
    each("withheld", delivery.withheld);
}
template <is<SessionIdentity> T>
void members(auto& each, T& identity) {
    each("epoch", identity.epoch);
    each("host", identity.host);
    each("session", identity.session);
}
template <is<Binding> T>
void members(auto& each, T& binding) {
    each("actor", binding.actor);
    each("expires_at", binding.expires_at);
    each("id", binding.id);
    each("identity", binding.identity);
    each("reason", binding.reason);
    each("registered_at", binding.registered_at);
    each("revoked_at", binding.revoked_at);
    each("revoked_because", binding.revoked_because);
    each("revoked_by", binding.revoked_by);
    each("scope", binding.scope);
    each("task", binding.task);
}

/// A change while it is written, of an entry; or while it is read, of a saved one that nobody has admitted yet.
struct ChangeRow {
    EntryKind kind{};
    std::string id{};
    std::uint64_t ordinal = 0;
    const Entry* entry = nullptr;
    std::optional<std::variant<SavedNote, SavedItem, SavedSource, SavedAction>> saved{};
};
/// A revision while it is written or read.
struct RevisionRow {
    RevisionRecord record{};
    std::vector<ChangeRow> changes{};
};
template <is<RevisionRow> T>
void members(auto& each, T& row) {
    each("base", row.record.base);
    each("changes", row.changes);
    each("frame", row.record.frame);
    each("lineage", row.record.lineage);
    each("origin", row.record.origin);
    each("progressed", row.record.progressed);
    each("semantic_digest", row.record.semantic_digest);
    each("state_digest", row.record.state_digest);
}

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = is_list<T> || std::is_same_v<T, bool> || std::is_same_v<T, NextIds>;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

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
    static bool is_absent(const T& content) {
        if constexpr (is_list<T>)
            return content.empty();
        else if constexpr (is_optional<T>)
            return content == T{};
        else
            return false;
    }
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
    void put(const Scope& scope) { write(json_, view(scope)); }
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

/// Reads what `RowWriter` wrote.
class RowReader {
 public:
    explicit RowReader(Fields& fields) : fields_(fields) {}

    template <class T>
    void operator()(std::string_view name, T& content) {
        if constexpr (is_optional<T>)
            fields_.optional(name, content);
        else
            fields_.required(name, content);
    }

 private:
    Fields& fields_;
};

}  // namespace

template <class Record>
    requires requires(RowReader& each, Record& record) { members(each, record); }
void read(const Cursor& at, Record& out) {
    Fields fields(at);
    RowReader each(fields);
    members(each, out);
    fields.close();
}

void read(const Cursor& at, Digest& out) {
    std::string text;
    read(at, text);
    const auto digest = parse_digest(text);
    if (!digest) return at.fail(Reason::bad_digest);
    out = *digest;
}

void read(const Cursor& at, Reason& out) {
    if (!at.is(Node::Kind::string)) return;
    const auto rows = reasons();
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const ReasonRow& row) { return row.word == at.node().text; });
    if (found == rows.end()) return at.fail(Reason::unknown_word);
    out = found->reason;
}

namespace {

template <class Saved>
void read_saved(Fields& fields, ChangeRow& out) {
    Saved saved;
    if (fields.optional("entry", saved)) out.saved = std::move(saved);
}

void read_saved(Fields& fields, ChangeRow& out) {
    switch (out.kind) {
        case EntryKind::note:
            return read_saved<SavedNote>(fields, out);
        case EntryKind::item:
            return read_saved<SavedItem>(fields, out);
        case EntryKind::source:
            return read_saved<SavedSource>(fields, out);
        case EntryKind::action:
            return read_saved<SavedAction>(fields, out);
    }
}

}  // namespace

void read(const Cursor& at, ChangeRow& out) {
    Fields fields(at);
    fields.required("kind", out.kind);
    fields.required("id", out.id);
    fields.required("ordinal", out.ordinal);
    read_saved(fields, out);
    fields.close();
}

namespace {

void append(SnapshotInput& into, const SavedNote& note) { into.notes.push_back(note); }
void append(SnapshotInput& into, const SavedItem& item) { into.items.push_back(item); }
void append(SnapshotInput& into, const SavedSource& source) { into.sources.push_back(source); }
void append(SnapshotInput& into, const SavedAction& action) { into.actions.push_back(action); }

constexpr std::size_t row_bytes_max = 64 * 1024 * 1024;

Error unreadable(Error error) { return fail(Reason::unreadable_record, std::move(error.path)); }

template <class Record>
Result<Record> decode_row(std::string_view json) {
    auto record = decode_as<Record>(json, {.bytes_max = row_bytes_max}, TextPolicy::refuse);
    if (!record) return unreadable(std::move(record).error());
    return record;
}

template <class Saved>
Result<void> decode_into(std::vector<Saved>& list, std::string_view json) {
    auto entry = decode_row<Saved>(json);
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

Result<TaskHead> decode_head(std::string_view json) { return decode_row<TaskHead>(json); }
Result<DecisionRecord> decode_decision(std::string_view json) { return decode_row<DecisionRecord>(json); }
Result<DeliveryRecord> decode_delivery(std::string_view json) { return decode_row<DeliveryRecord>(json); }
Result<Binding> decode_binding(std::string_view json) { return decode_row<Binding>(json); }

Result<RevisionRecord> decode_revision(std::string_view json) {
    auto row = decode_row<RevisionRow>(json);
    if (!row) return std::move(row).error();
    const auto admitted = admit_entries(row->changes);
    if (!admitted) return unreadable(admitted.error());
    RevisionRecord record = std::move(row->record);
    std::array<std::size_t, Words<EntryKind>::list.size()> next{};
    for (const ChangeRow& change : row->changes) {
        EntryChange& kept = record.changes.emplace_back(
            EntryChange{.kind = change.kind, .id = change.id, .ordinal = static_cast<std::size_t>(change.ordinal)});
        if (!change.saved) continue;
        kept.entry = list_of(*admitted, change.kind).handle(next[static_cast<std::size_t>(change.kind)]++);
        if (kept.entry->id() != change.id) return fail(Reason::unreadable_record, "/changes");
    }
    return record;
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
