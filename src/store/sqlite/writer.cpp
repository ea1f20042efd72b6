#include "store/sqlite/writer.hpp"

#include <taskstate/codec/json.hpp>

#include "store/lapsed_reason.hpp"
#include "store/row_text.hpp"

namespace taskstate::inline v0 {
namespace {

/// One bit for each kind of guard, so that they can be counted without a look into the record.
std::int64_t guard_bits(const std::vector<Guard>& guards) {
    std::int64_t bits = 0;
    for (const Guard& guard : guards) bits |= std::int64_t{1} << static_cast<unsigned>(guard.kind);
    return bits;
}

}  // namespace

Result<void> SqliteWriter::write(const Write& write) {
    return std::visit([this](const auto& kind) { return this->write(kind); }, write);
}

Result<std::int64_t> SqliteWriter::scope_row(const Scope& scope) {
    auto found = find_scope(database_, scope);
    if (!found || *found != 0) return found;
    auto made = database_.query("INSERT INTO scopes(owner,workspace,tenant,agent,mode) VALUES(?,?,?,?,0)")
                    .bind(scope.owner, scope.workspace, scope.tenant, scope.agent)
                    .run();
    if (!made) return std::move(made).error();
    return database_.last_row();
}

Result<TaskPlace> SqliteWriter::existing(const TaskAddress& task) {
    if (last_ && last_->task == task) return last_->place;
    auto place = find_task(database_, task);
    if (place && place->row == 0) return fail(Reason::task_not_eligible);
    if (place) last_ = Located{task, *place};
    return place;
}

Result<void> SqliteWriter::check_free(Query query, Reason taken, std::string path) {
    const auto found = query.step();
    if (!found) return found.error();
    if (*found) return fail(taken, std::move(path));
    return {};
}

Result<void> SqliteWriter::write(const StartTask& start) {
    const TaskHead& head = start.head;
    const auto scope = scope_row(head.identity.scope);
    if (!scope) return scope.error();
    const std::string& id = head.identity.id;
    auto free = check_free(database_.query("SELECT 1 FROM tasks WHERE scope=? AND id=?").bind(*scope, id),
                           Reason::already_exists, "/id");
    if (!free) return free;
    free = check_free(database_.query("SELECT 1 FROM tasks WHERE scope=? AND start_key=?").bind(*scope, head.start_key),
                      Reason::already_exists, "/key");
    if (!free) return free;
    const std::string row = encode_row(head);
    auto put = database_
                   .query(
                       "INSERT INTO tasks(scope,id,lifecycle,revision,created_at,last_progress_at,due_at,start_key,"
                       "head) VALUES(?,?,?,?,?,?,?,?,?)")
                   .bind(*scope, id, head.frame.lifecycle, head.frame.revision.number, head.identity.created_at,
                         head.frame.last_progress_at, head.due_at, head.start_key, row)
                   .run();
    if (!put) return put;
    const std::int64_t task = database_.last_row();
    auto logged = put_revision(task, start.revision);
    if (!logged) return logged;
    return put_entries(task, start.revision.changes);
}

Result<void> SqliteWriter::write(const AdvanceTask& next) {
    const TaskHead& head = next.head;
    const auto place = existing(head.address());
    if (!place) return place.error();
    const std::uint64_t base = head.frame.revision.number - 1;
    if (place->revision != base) return fail(Reason::concurrent_successor_committed, "", {place->revision, base});
    last_->place.revision = head.frame.revision.number;
    const std::string row = encode_row(head);
    auto put =
        database_.query("UPDATE tasks SET lifecycle=?, revision=?, last_progress_at=?, due_at=?, head=? WHERE row=?")
            .bind(head.frame.lifecycle, head.frame.revision.number, head.frame.last_progress_at, head.due_at, row,
                  place->row)
            .run();
    if (!put) return put;
    auto logged = put_revision(place->row, next.revision);
    if (!logged) return logged;
    return put_entries(place->row, next.revision.changes);
}

Result<void> SqliteWriter::write(const TrimLog& trim) {
    const auto place = existing(trim.task);
    if (!place) return place.error();
    auto first = database_.query("SELECT 1 FROM revisions WHERE task=? AND revision=?");
    const auto there = first.bind(place->row, trim.first.number).step();
    if (!there) return there.error();
    if (!*there) return fail(Reason::revision_gap, "", {trim.first.number, place->revision});
    auto gone =
        database_.query("DELETE FROM lineage WHERE task=? AND revision<=?").bind(place->row, trim.first.number).run();
    if (!gone) return gone;
    gone =
        database_.query("DELETE FROM revisions WHERE task=? AND revision<=?").bind(place->row, trim.first.number).run();
    if (!gone) return gone;
    for (const RevisionRecord& revision : trim.kept) {
        if (auto kept = put_revision(place->row, revision); !kept) return kept;
    }
    return {};
}

Result<void> SqliteWriter::put_revision(std::int64_t task, const RevisionRecord& revision) {
    const std::string row = encode_row(revision);
    auto put = database_.query("INSERT INTO revisions(task,revision,revision_record) VALUES(?,?,?)")
                   .bind(task, revision.frame.revision.number, row)
                   .run();
    if (!put) return put;
    for (const Lineage& value : revision.lineage) {
        auto kept = database_.query("INSERT INTO lineage(task,kind,id,revision) VALUES(?,?,?,?)")
                        .bind(task, value.kind, value.id, revision.frame.revision.number)
                        .run();
        if (!kept) return kept;
    }
    return {};
}

Result<void> SqliteWriter::put_entries(std::int64_t task, const std::vector<EntryChange>& changes) {
    // Erased first: a newcomer of the same id has another place.  A row keeps its place while its entry changes.
    for (const EntryChange& change : changes) {
        if (change.entry.get() != nullptr) continue;
        auto gone = database_.query("DELETE FROM entries WHERE task=? AND kind=? AND id=?")
                        .bind(task, change.kind, change.id)
                        .run();
        if (!gone) return gone;
    }
    for (const EntryChange& change : changes) {
        if (change.entry.get() == nullptr) continue;
        const std::string row = encode_row(*change.entry);
        auto put = database_
                       .query(
                           "INSERT INTO entries(task,kind,id,entry) VALUES(?,?,?,?) "
                           "ON CONFLICT(task,kind,id) DO UPDATE SET entry=excluded.entry")
                       .bind(task, change.kind, change.id, row)
                       .run();
        if (!put) return put;
    }
    return {};
}

Result<std::uint64_t> SqliteWriter::next_sequence(Query query) {
    const auto found = query.step();
    if (!found) return found.error();
    return static_cast<std::uint64_t>(query.integer(0)) + 1;
}

Result<void> SqliteWriter::write(const AddDecision& added) {
    const auto place = existing(added.task);
    if (!place) return place.error();
    DecisionRecord decision = added.decision;
    auto query = database_.query(
        "SELECT max(sequence), EXISTS(SELECT 1 FROM decisions WHERE task=?1 AND key=?2), "
        "EXISTS(SELECT 1 FROM decisions WHERE task=?1 AND id=?3) FROM decisions WHERE task=?1");
    const auto seen = query.bind(place->row, decision.key, decision.id).step();
    if (!seen) return seen.error();
    if (query.integer(1) != 0) return fail(Reason::idempotency_key_reused, "/key");
    if (query.integer(2) != 0) return fail(Reason::already_exists, "/id");
    decision.sequence = static_cast<std::uint64_t>(query.integer(0)) + 1;
    const std::string row = encode_row(decision);
    return database_
        .query(
            "INSERT INTO decisions(task,sequence,id,key,fingerprint,decided_at,shadow,outcome,reason,guards,"
            "duration_ms,decision) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)")
        .bind(place->row, decision.sequence, decision.id, decision.key, decision.action_fingerprint,
              decision.decided_at, std::int64_t{decision.shadow}, word(decision.outcome), word(decision.reason),
              guard_bits(decision.guards), decision.duration_ms, row)
        .run();
}

Result<void> SqliteWriter::write(const AddDelivery& added) {
    const auto place = existing(added.task);
    if (!place) return place.error();
    DeliveryRecord delivery = added.delivery;
    auto free = check_free(database_
                               .query("SELECT 1 FROM deliveries JOIN tasks ON tasks.row=deliveries.task "
                                      "WHERE deliveries.id=? AND scope=?")
                               .bind(delivery.id, place->scope),
                           Reason::already_exists, "/id");
    if (!free) return free;
    const auto sequence =
        next_sequence(database_.query("SELECT max(sequence) FROM deliveries WHERE task=?").bind(place->row));
    if (!sequence) return sequence.error();
    delivery.sequence = *sequence;
    const std::string row = encode_row(delivery);
    std::optional<std::string_view> withheld;
    if (delivery.withheld) withheld = word(*delivery.withheld);
    return database_.query("INSERT INTO deliveries(task,sequence,id,withheld,exposed_at,delivery) VALUES(?,?,?,?,?,?)")
        .bind(place->row, delivery.sequence, delivery.id, withheld, delivery.exposed_at, row)
        .run();
}

Result<void> SqliteWriter::revoke(std::int64_t row, Binding binding, const RevokeBinding& end) {
    binding.revoked_at = end.at;
    binding.revoked_by = end.by;
    binding.revoked_because = end.because;
    const std::string text = encode_row(binding);
    return database_.query("UPDATE bindings SET active=0, binding=? WHERE row=?").bind(text, row).run();
}

Result<void> SqliteWriter::write(const AddBinding& added) {
    const Binding& binding = added.binding;
    const auto place = existing({binding.scope, binding.task});
    if (!place) return place.error();
    auto free =
        check_free(database_.query("SELECT 1 FROM bindings WHERE scope=? AND id=?").bind(place->scope, binding.id),
                   Reason::already_exists, "/id");
    if (!free) return free;
    const auto& [host, session, epoch] = binding.identity;
    auto query = database_.query(
        "SELECT row, binding FROM bindings WHERE scope=? AND host=? AND session=? AND epoch=? AND active");
    const auto found = query.bind(place->scope, host, session, epoch).step();
    if (!found) return found.error();
    if (*found) {
        auto other = decode_row<Binding>(query.text(1));
        if (!other) return std::move(other).error();
        if (!other->lapsed(binding.registered_at)) return fail(Reason::binding_already_active);
        auto gone =
            revoke(query.integer(0), *std::move(other),
                   {.at = binding.registered_at, .by = binding.actor.name, .because = std::string(lapsed_reason)});
        if (!gone) return gone;
    }
    const std::string row = encode_row(binding);
    return database_
        .query("INSERT INTO bindings(scope,id,host,session,epoch,task,active,binding) VALUES(?,?,?,?,?,?,?,?)")
        .bind(place->scope, binding.id, host, session, epoch, binding.task, std::int64_t{binding.active()}, row)
        .run();
}

Result<void> SqliteWriter::write(const RevokeBinding& end) {
    const auto scope = find_scope(database_, end.scope);
    if (!scope) return scope.error();
    auto query = database_.query("SELECT row, binding FROM bindings WHERE scope=? AND id=? AND active");
    const auto found = query.bind(*scope, end.id).step();
    if (!found) return found.error();
    if (!*found) return fail(Reason::binding_not_found);
    auto binding = decode_row<Binding>(query.text(1));
    if (!binding) return std::move(binding).error();
    return revoke(query.integer(0), *std::move(binding), end);
}

Result<void> SqliteWriter::write(const SetScopeMode& set) {
    const auto scope = scope_row(set.scope);
    if (!scope) return scope.error();
    return database_.query("UPDATE scopes SET mode=? WHERE row=?").bind(set.mode, *scope).run();
}

Result<void> SqliteWriter::write(const AddProfile& added) {
    auto query = database_.query("SELECT profile FROM profiles WHERE id=?");
    const auto found = query.bind(added.profile.id).step();
    if (!found) return found.error();
    const std::string row = encode(added.profile);
    if (!*found)
        return database_.query("INSERT INTO profiles(id,profile) VALUES(?,?)").bind(added.profile.id, row).run();
    const auto kept = decode_profile(query.text(0));
    if (!kept) return fail(Reason::unreadable_record);
    if (profile_digest(*kept) != profile_digest(added.profile)) return fail(Reason::profile_version_differs);
    return {};
}

Result<bool> SqliteWriter::expose(const Scope& scope, std::string_view delivery, Timestamp at) {
    const auto place = find_scope(database_, scope);
    if (!place) return place.error();
    auto query = database_.query(
        "SELECT deliveries.row FROM deliveries JOIN tasks ON tasks.row=deliveries.task "
        "WHERE deliveries.id=? AND scope=? AND withheld IS NULL AND exposed_at IS NULL");
    auto found = query.bind(delivery, *place).step();
    if (!found || !*found) return found;
    auto done = database_.query("UPDATE deliveries SET exposed_at=? WHERE row=?").bind(at, query.integer(0)).run();
    if (!done) return std::move(done).error();
    return true;
}

Result<std::uint64_t> SqliteWriter::erase(Query query) {
    auto done = query.run();
    if (!done) return std::move(done).error();
    return database_.changed();
}

Result<std::optional<Removed>> SqliteWriter::forget(const TaskAddress& task) {
    const auto place = find_task(database_, task);
    if (!place) return place.error();
    if (place->row == 0) return std::optional<Removed>();
    struct Table {
        std::uint64_t Removed::* count;
        std::string_view sql{};
    };
    constexpr Table tables[] = {{&Removed::deliveries, "DELETE FROM deliveries WHERE task=?"},
                                {&Removed::decisions, "DELETE FROM decisions WHERE task=?"},
                                {&Removed::lineage, "DELETE FROM lineage WHERE task=?"},
                                {&Removed::revisions, "DELETE FROM revisions WHERE task=?"},
                                {&Removed::entries, "DELETE FROM entries WHERE task=?"},
                                {&Removed::heads, "DELETE FROM tasks WHERE row=?"}};
    Removed removed;
    const auto bindings =
        erase(database_.query("DELETE FROM bindings WHERE scope=? AND task=?").bind(place->scope, task.id));
    if (!bindings) return bindings.error();
    removed.bindings = *bindings;
    for (const Table& table : tables) {
        const auto count = erase(database_.query(table.sql).bind(place->row));
        if (!count) return count.error();
        removed.*table.count = *count;
    }
    return std::optional<Removed>(removed);
}

}  // namespace taskstate::inline v0
