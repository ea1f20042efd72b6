#include "store/sqlite/reader.hpp"

#include <taskstate/codec/json.hpp>

#include "store/row_text.hpp"

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

/// The records that a query gives in its first column; room for a page of them is made at once.
template <class Record>
Result<std::vector<Record>> records(Query query, std::size_t limit = 0) {
    constexpr std::size_t page_max = 100;
    std::vector<Record> found;
    found.reserve(std::min(limit, page_max));
    for (;;) {
        const auto row = query.step();
        if (!row) return row.error();
        if (!*row) return found;
        if (auto read = decode_row(query.text(0), found.emplace_back()); !read) return std::move(read).error();
    }
}

/// The first of them.
template <class Record>
Result<std::optional<Record>> record(Query query) {
    const auto row = query.step();
    if (!row) return row.error();
    if (!*row) return std::optional<Record>();
    auto found = decode_row<Record>(query.text(0));
    if (!found) return std::move(found).error();
    return std::optional<Record>(*std::move(found));
}

/// A delivery, whose exposure stands beside its record.
Result<std::vector<DeliveryRecord>> read_deliveries(Query query) {
    std::vector<DeliveryRecord> found;
    for (;;) {
        const auto row = query.step();
        if (!row) return row.error();
        if (!*row) return found;
        auto delivery = decode_row<DeliveryRecord>(query.text(0));
        if (!delivery) return std::move(delivery).error();
        if (!query.is_null(1)) delivery->exposed_at = Timestamp{query.integer(1)};
        found.push_back(*std::move(delivery));
    }
}

}  // namespace

Result<std::optional<SqliteReader::HeadRow>> SqliteReader::head_of(const TaskAddress& task) {
    const auto scope = find_scope(database_, task.scope);
    if (!scope) return scope.error();
    auto query = database_.query("SELECT row, head FROM tasks WHERE scope=? AND id=?");
    const auto row = query.bind(*scope, task.id).step();
    if (!row) return row.error();
    if (!*row) return std::optional<HeadRow>();
    auto head = decode_row<TaskHead>(query.text(1));
    if (!head) return std::move(head).error();
    return std::optional<HeadRow>(HeadRow{query.integer(0), *std::move(head)});
}

Result<std::optional<Found>> SqliteReader::find(const TaskAddress& task, const OptText& key) {
    auto row = head_of(task);
    if (!row) return std::move(row).error();
    if (!*row) return std::optional<Found>();
    Found found{.head = std::move((*row)->head)};
    if (key) {
        auto decision = record<DecisionRecord>(
            database_.query("SELECT decision FROM decisions WHERE task=? AND key=?").bind((*row)->row, *key));
        if (!decision) return std::move(decision).error();
        found.decision = *std::move(decision);
    }
    return std::optional<Found>(std::move(found));
}

Result<std::optional<TaskHead>> SqliteReader::find_started(const Scope& scope, std::string_view key) {
    const auto place = find_scope(database_, scope);
    if (!place) return place.error();
    return record<TaskHead>(database_.query("SELECT head FROM tasks WHERE scope=? AND start_key=?").bind(*place, key));
}

Result<std::optional<StoredTask>> SqliteReader::load(const TaskAddress& task) {
    auto row = head_of(task);
    if (!row) return std::move(row).error();
    if (!*row) return std::optional<StoredTask>();
    SnapshotInput snapshot = without_entries((*row)->head);
    auto entries = database_.query("SELECT kind, entry FROM entries WHERE task=? ORDER BY row");
    entries.bind((*row)->row);
    for (;;) {
        const auto next = entries.step();
        if (!next) return next.error();
        if (!*next) break;
        const auto kind = static_cast<EntryKind>(entries.integer(0));
        if (auto read = decode_entry(kind, entries.text(1), snapshot); !read) return std::move(read).error();
    }
    return std::optional<StoredTask>(StoredTask{std::move((*row)->head), std::move(snapshot)});
}

Result<std::vector<TaskHead>> SqliteReader::list(const HeadQuery& query) {
    const auto scope = find_scope(database_, query.scope);
    if (!scope) return scope.error();
    const HeadQuery::Place after = query.after.value_or(HeadQuery::Place{.created_at = {-1}});
    if (query.lifecycles.empty()) {
        return records<TaskHead>(database_
                                     .query("SELECT head FROM tasks WHERE scope=? AND (created_at, id) > (?,?) "
                                            "ORDER BY created_at, id LIMIT ?")
                                     .bind(*scope, after.created_at, after.id, query.limit),
                                 query.limit);
    }
    // One ordered run of the index for each lifecycle; the first of all of them are the page.
    std::vector<TaskHead> found;
    for (std::size_t i = 0; i < Words<Lifecycle>::list.size(); ++i) {
        const auto lifecycle = static_cast<Lifecycle>(i);
        if (std::find(query.lifecycles.begin(), query.lifecycles.end(), lifecycle) == query.lifecycles.end()) continue;
        auto heads = records<TaskHead>(database_
                                           .query("SELECT head FROM tasks WHERE scope=? AND lifecycle=? AND "
                                                  "(created_at, id) > (?,?) ORDER BY created_at, id LIMIT ?")
                                           .bind(*scope, lifecycle, after.created_at, after.id, query.limit),
                                       query.limit);
        if (!heads) return heads;
        std::move(heads->begin(), heads->end(), std::back_inserter(found));
    }
    std::sort(found.begin(), found.end(), [](const TaskHead& a, const TaskHead& b) {
        return std::tie(a.identity.created_at, a.identity.id) < std::tie(b.identity.created_at, b.identity.id);
    });
    if (found.size() > query.limit) found.resize(query.limit);
    return found;
}

Result<std::vector<TaskHead>> SqliteReader::due(Timestamp now, std::size_t limit) {
    return records<TaskHead>(
        database_.query("SELECT head FROM tasks WHERE due_at<=? ORDER BY due_at LIMIT ?").bind(now, limit), limit);
}

Result<std::vector<RevisionRecord>> SqliteReader::revisions(const TaskAddress& task, Revision after,
                                                            std::size_t limit) {
    const auto place = find_task(database_, task);
    if (!place) return place.error();
    return records<RevisionRecord>(database_
                                       .query("SELECT revision_record FROM revisions WHERE task=? AND revision>? "
                                              "ORDER BY revision LIMIT ?")
                                       .bind(place->row, after.number, limit));
}

Result<std::vector<DecisionRecord>> SqliteReader::decisions(const TaskAddress& task, std::uint64_t after,
                                                            std::size_t limit) {
    const auto place = find_task(database_, task);
    if (!place) return place.error();
    return records<DecisionRecord>(
        database_.query("SELECT decision FROM decisions WHERE task=? AND sequence>? ORDER BY sequence LIMIT ?")
            .bind(place->row, after, limit));
}

Result<std::vector<DeliveryRecord>> SqliteReader::deliveries(const TaskAddress& task, std::uint64_t after,
                                                             std::size_t limit) {
    const auto place = find_task(database_, task);
    if (!place) return place.error();
    return read_deliveries(
        database_
            .query("SELECT delivery, exposed_at FROM deliveries WHERE task=? AND sequence>? ORDER BY sequence LIMIT ?")
            .bind(place->row, after, limit));
}

Result<std::vector<RevisionRecord>> SqliteReader::lineage(const TaskAddress& task, std::optional<TargetKind> kind,
                                                          std::string_view id) {
    const auto place = find_task(database_, task);
    if (!place) return place.error();
    if (!kind) {
        return records<RevisionRecord>(database_
                                           .query("SELECT revision_record FROM revisions WHERE task=?1 AND revision IN "
                                                  "(SELECT revision FROM lineage WHERE task=?1) ORDER BY revision")
                                           .bind(place->row));
    }
    return records<RevisionRecord>(
        database_
            .query("SELECT revision_record FROM revisions WHERE task=?1 AND revision IN "
                   "(SELECT revision FROM lineage WHERE task=?1 AND kind=?2 AND id=?3) ORDER BY revision")
            .bind(place->row, *kind, id));
}

Result<std::uint64_t> SqliteReader::count_repeats(const TaskAddress& task, std::string_view fingerprint,
                                                  Timestamp since) {
    const auto place = find_task(database_, task);
    if (!place) return place.error();
    auto query =
        database_.query("SELECT count(*) FROM decisions WHERE task=? AND fingerprint=? AND decided_at>=? AND shadow=0");
    const auto row = query.bind(place->row, fingerprint, since).step();
    if (!row) return row.error();
    return static_cast<std::uint64_t>(query.integer(0));
}

Result<std::vector<Binding>> SqliteReader::bindings(const BindingQuery& query) {
    const auto scope = find_scope(database_, query.scope);
    if (!scope) return scope.error();
    return records<Binding>(
        database_
            .query("SELECT binding FROM bindings WHERE scope=?1 AND (?2 IS NULL OR task=?2) AND "
                   "(?3 IS NULL OR host=?3) AND (?4 IS NULL OR session=?4) AND (active OR ?5) ORDER BY row")
            .bind(*scope, query.task, query.host, query.session, std::int64_t{query.revoked_too}));
}

Result<std::vector<Scope>> SqliteReader::scopes() {
    std::vector<Scope> found;
    auto query =
        database_.query("SELECT tenant, owner, agent, workspace FROM scopes ORDER BY tenant, owner, agent, workspace");
    for (;;) {
        const auto next = query.step();
        if (!next) return next.error();
        if (!*next) return found;
        found.push_back({.tenant = std::string(query.text(0)),
                         .owner = std::string(query.text(1)),
                         .agent = std::string(query.text(2)),
                         .workspace = std::string(query.text(3))});
    }
}

Result<ScopeMode> SqliteReader::mode(const Scope& scope) {
    auto query = database_.query("SELECT mode FROM scopes WHERE owner=? AND workspace=? AND tenant=? AND agent=?");
    const auto row = query.bind(scope.owner, scope.workspace, scope.tenant, scope.agent).step();
    if (!row) return row.error();
    return *row ? static_cast<ScopeMode>(query.integer(0)) : ScopeMode::disabled;
}

Result<std::optional<Profile>> SqliteReader::profile(std::string_view id) {
    return record<Profile>(database_.query("SELECT profile FROM profiles WHERE id=?").bind(id));
}

Result<std::vector<Profile>> SqliteReader::profiles() {
    return records<Profile>(database_.query("SELECT profile FROM profiles ORDER BY id"));
}

}  // namespace taskstate::inline v0
