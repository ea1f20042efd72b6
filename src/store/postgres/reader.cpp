#include "store/postgres/reader.hpp"

#include <taskstate/codec/json.hpp>

#include "base/utf8.hpp"
#include "store/row_text.hpp"

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

/// Where the rows of a task are.
constexpr const char* task_place = "(SELECT place FROM tasks WHERE scope=$1 AND id=$2)";
/// A time as `PostgresRows::time` reads it.
std::string ms(const std::string& column) { return "(extract(epoch FROM " + column + ")*1000)::bigint"; }

/// A key, unless it is one that PostgreSQL's text cannot hold, and so nobody's: the head is wanted all the same.
OptText holdable(const OptText& key) {
    std::string_view rest = key ? std::string_view(*key) : std::string_view();
    while (!rest.empty()) {
        const Decoded next = decode_utf8(rest);
        if (!next.well_formed || next.code_point == 0) return std::nullopt;
        rest.remove_prefix(next.size);
    }
    return key;
}

/// The records that a statement gives in its first column.
template <class Record>
Result<std::vector<Record>> records(const PostgresRows& rows) {
    std::vector<Record> found(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) {
        if (auto read = decode_row(rows.text(row, 0), found[static_cast<std::size_t>(row)]); !read) {
            return std::move(read).error();
        }
    }
    return found;
}

/// The first of them.
template <class Record>
Result<std::optional<Record>> first_record(const PostgresRows& rows) {
    if (rows.size() == 0) return std::optional<Record>();
    return decode_row<Record>(rows.text(0, 0)).transform([](Record record) {
        return std::optional(std::move(record));
    });
}

/// A decision whose sequence stands beside its record.
Result<DecisionRecord> decode_numbered(const PostgresRows& rows, int row, int column) {
    auto decision = decode_row<DecisionRecord>(rows.text(row, column));
    if (decision) decision->sequence = static_cast<std::uint64_t>(rows.integer(row, column + 1));
    return decision;
}

Result<std::optional<Found>> decode_found(const PostgresRows& rows) {
    if (rows.size() == 0) return std::optional<Found>();
    auto head = decode_row<TaskHead>(rows.text(0, 0));
    if (!head) return std::move(head).error();
    Found found{.head = *std::move(head)};
    if (!rows.is_null(0, 1)) {
        auto decision = decode_numbered(rows, 0, 1);
        if (!decision) return std::move(decision).error();
        found.decision = *std::move(decision);
    }
    return std::optional(std::move(found));
}

Result<std::optional<StoredTask>> decode_stored(const PostgresRows& rows) {
    if (rows.size() == 0) return std::optional<StoredTask>();
    auto head = decode_row<TaskHead>(rows.text(0, 1));
    if (!head) return std::move(head).error();
    SnapshotInput snapshot = without_entries(*head);
    for (int row = 1; row < rows.size(); ++row) {
        const auto kind = from_word<EntryKind>(rows.text(row, 0));
        if (!kind) return fail(Reason::unreadable_record);
        if (auto read = decode_entry(*kind, rows.text(row, 1), snapshot); !read) return std::move(read).error();
    }
    return std::optional(StoredTask{*std::move(head), std::move(snapshot)});
}

Result<std::vector<DecisionRecord>> decode_decisions(const PostgresRows& rows) {
    std::vector<DecisionRecord> found;
    for (int row = 0; row < rows.size(); ++row) {
        auto decision = decode_numbered(rows, row, 0);
        if (!decision) return std::move(decision).error();
        found.push_back(*std::move(decision));
    }
    return found;
}

/// Deliveries, whose sequence and exposure stand beside their record.
Result<std::vector<DeliveryRecord>> decode_deliveries(const PostgresRows& rows) {
    std::vector<DeliveryRecord> found;
    for (int row = 0; row < rows.size(); ++row) {
        auto delivery = decode_row<DeliveryRecord>(rows.text(row, 0));
        if (!delivery) return std::move(delivery).error();
        delivery->sequence = static_cast<std::uint64_t>(rows.integer(row, 1));
        delivery->exposed_at = rows.time(row, 2);
        found.push_back(*std::move(delivery));
    }
    return found;
}

/// Bindings, whose end stands beside their record.
Result<std::vector<Binding>> decode_bindings(const PostgresRows& rows) {
    const auto text = [&](int row, int column) -> OptText {
        if (rows.is_null(row, column)) return std::nullopt;
        return std::string(rows.text(row, column));
    };
    std::vector<Binding> found;
    for (int row = 0; row < rows.size(); ++row) {
        auto binding = decode_row<Binding>(rows.text(row, 0));
        if (!binding) return std::move(binding).error();
        binding->revoked_at = rows.time(row, 1);
        binding->revoked_by = text(row, 2);
        binding->revoked_because = text(row, 3);
        found.push_back(*std::move(binding));
    }
    return found;
}

Result<std::uint64_t> decode_count(const PostgresRows& rows) { return static_cast<std::uint64_t>(rows.integer(0, 0)); }

Result<std::vector<Scope>> decode_scopes(const PostgresRows& rows) {
    std::vector<Scope> found;
    found.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) {
        found.push_back({.tenant = std::string(rows.text(row, 0)),
                         .owner = std::string(rows.text(row, 1)),
                         .agent = std::string(rows.text(row, 2)),
                         .workspace = std::string(rows.text(row, 3))});
    }
    return found;
}

Result<ScopeMode> decode_mode(const PostgresRows& rows) {
    if (rows.size() == 0) return ScopeMode::disabled;
    const auto mode = from_word<ScopeMode>(rows.text(0, 0));
    if (!mode) return fail(Reason::unreadable_record);
    return *mode;
}

}  // namespace

namespace postgres_read {

PostgresRead<std::optional<Found>> find(const TaskAddress& task, const OptText& key) {
    return {{.sql = "SELECT t.head, d.record, d.sequence FROM tasks t LEFT JOIN decisions d ON d.task=t.place AND "
                    "d.key=$3 WHERE t.scope=$1 AND t.id=$2",
             .values = {key_of(task.scope), task.id, holdable(key)}},
            decode_found};
}

PostgresRead<std::optional<TaskHead>> find_started(const Scope& scope, std::string_view key) {
    return {{.sql = "SELECT head FROM tasks WHERE scope=$1 AND start_key=$2", .values = {key_of(scope), key}},
            first_record<TaskHead>};
}

PostgresRead<std::optional<StoredTask>> load(const TaskAddress& task) {
    return {{.sql = std::string("SELECT NULL AS kind, head, 0 AS place FROM tasks WHERE scope=$1 AND id=$2 UNION ALL "
                                "SELECT kind, entry, place FROM entries WHERE task=") +
                    task_place + " ORDER BY place",
             .values = {key_of(task.scope), task.id}},
            decode_stored};
}

PostgresRead<std::vector<TaskHead>> list(const HeadQuery& query) {
    std::vector<PostgresValue> values{key_of(query.scope), query.limit};
    const auto place_of = [&](PostgresValue value) {
        values.push_back(std::move(value));
        return '$' + std::to_string(values.size());
    };
    std::string page;
    if (query.after) {
        const std::string created_at = place_of(query.after->created_at);
        page = " AND (created_at, id) > (" + created_at + ',' + place_of(query.after->id) + ')';
    }
    page += " ORDER BY created_at, id LIMIT $2";
    if (query.lifecycles.empty()) {
        return {{.sql = "SELECT head FROM tasks WHERE scope=$1" + page, .values = std::move(values)},
                records<TaskHead>};
    }
    PostgresTexts lifecycles;
    for (const Lifecycle lifecycle : query.lifecycles) lifecycles.emplace_back(word(lifecycle));
    // One ordered run of the index for each lifecycle; the first of all of them are the page.
    const std::string wanted = "(SELECT DISTINCT unnest(" + place_of(lifecycles) + "::text[]) AS lifecycle) AS wanted";
    return {{.sql = "SELECT head FROM " + wanted +
                    ", LATERAL (SELECT head, created_at, id FROM tasks WHERE scope=$1 AND "
                    "lifecycle=wanted.lifecycle" +
                    page + ") AS run ORDER BY created_at, id LIMIT $2",
             .values = std::move(values)},
            records<TaskHead>};
}

PostgresRead<std::vector<TaskHead>> due(Timestamp now, std::size_t limit) {
    return {{.sql = "SELECT head FROM tasks WHERE due_at<=$1 ORDER BY due_at LIMIT $2", .values = {now, limit}},
            records<TaskHead>};
}

PostgresRead<std::vector<RevisionRecord>> revisions(const TaskAddress& task, Revision after, std::size_t limit) {
    return {{.sql = std::string("SELECT record FROM revisions WHERE task=") + task_place +
                    " AND revision>$3 ORDER BY revision LIMIT $4",
             .values = {key_of(task.scope), task.id, after.number, limit}},
            records<RevisionRecord>};
}

PostgresRead<std::vector<DecisionRecord>> decisions(const TaskAddress& task, std::uint64_t after, std::size_t limit) {
    return {{.sql = std::string("SELECT record, sequence FROM decisions WHERE task=") + task_place +
                    " AND sequence>$3 ORDER BY sequence LIMIT $4",
             .values = {key_of(task.scope), task.id, after, limit}},
            decode_decisions};
}

PostgresRead<std::vector<DeliveryRecord>> deliveries(const TaskAddress& task, std::uint64_t after, std::size_t limit) {
    return {{.sql = "SELECT record, sequence, " + ms("exposed_at") + " FROM deliveries WHERE task=" + task_place +
                    " AND sequence>$3 ORDER BY sequence LIMIT $4",
             .values = {key_of(task.scope), task.id, after, limit}},
            decode_deliveries};
}

PostgresRead<std::vector<RevisionRecord>> lineage(const TaskAddress& task, std::optional<TargetKind> kind,
                                                  std::string_view id) {
    std::vector<PostgresValue> values{key_of(task.scope), task.id};
    std::string target;
    if (kind) {
        values.insert(values.end(), {*kind, id});
        target = " AND kind=$3 AND id=$4";
    }
    return {{.sql = std::string("SELECT record FROM revisions WHERE task=") + task_place +
                    " AND revision IN (SELECT revision FROM lineage WHERE task=" + task_place + target +
                    ") ORDER BY revision",
             .values = std::move(values)},
            records<RevisionRecord>};
}

PostgresRead<std::uint64_t> count_repeats(const TaskAddress& task, std::string_view fingerprint, Timestamp since) {
    return {{.sql = std::string("SELECT count(*) FROM decisions WHERE task=") + task_place +
                    " AND fingerprint=$3 AND decided_at>=$4 AND NOT shadow",
             .values = {key_of(task.scope), task.id, fingerprint, since}},
            decode_count};
}

PostgresRead<std::vector<Binding>> bindings(const BindingQuery& query) {
    PostgresStatement statement{
        .sql = "SELECT record, " + ms("revoked_at") + ", revoked_by, revoked_because FROM bindings WHERE scope=$1",
        .values = {key_of(query.scope)}};
    const auto narrow = [&](const std::string& condition, const OptText& wanted, const char* end = "") {
        if (!wanted) return;
        statement.values.emplace_back(wanted);
        statement.sql += condition + std::to_string(statement.values.size()) + end;
    };
    narrow(" AND task=(SELECT place FROM tasks WHERE scope=$1 AND id=$", query.task, ")");
    narrow(" AND host=$", query.host);
    narrow(" AND session=$", query.session);
    if (!query.revoked_too) statement.sql += " AND revoked_at IS NULL";
    statement.sql += " ORDER BY place";
    return {std::move(statement), decode_bindings};
}

PostgresRead<std::vector<Scope>> scopes() {
    return {{.sql = "SELECT tenant, owner, agent, workspace FROM scopes ORDER BY tenant, owner, agent, workspace"},
            decode_scopes};
}

PostgresRead<ScopeMode> mode(const Scope& scope) {
    return {{.sql = "SELECT mode FROM scopes WHERE scope=$1", .values = {key_of(scope)}}, decode_mode};
}

PostgresRead<std::optional<Profile>> profile(std::string_view id) {
    return {{.sql = "SELECT profile FROM profiles WHERE id=$1", .values = {id}}, first_record<Profile>};
}

PostgresRead<std::vector<Profile>> profiles() {
    return {{.sql = "SELECT profile FROM profiles ORDER BY id"}, records<Profile>};
}

}  // namespace postgres_read

}  // namespace taskstate::inline v0
