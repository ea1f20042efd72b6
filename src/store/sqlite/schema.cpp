#include "store/sqlite/schema.hpp"

#include <string>

namespace taskstate::inline v0 {
namespace {

constexpr std::int64_t application_id = 0x74736b31;  // "tsk1"

/// Rows hold their record as text, last; the columns before it are what is looked for.
constexpr const char* first_version = R"sql(
CREATE TABLE scopes(
    row INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL, owner TEXT NOT NULL, agent TEXT NOT NULL, workspace TEXT NOT NULL,
    mode INTEGER NOT NULL);
CREATE UNIQUE INDEX scopes_by_name ON scopes(owner, workspace, tenant, agent);

CREATE TABLE tasks(
    row INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scopes(row),
    id TEXT NOT NULL,
    lifecycle INTEGER NOT NULL,
    revision INTEGER NOT NULL CHECK(revision >= 1),
    created_at INTEGER NOT NULL,
    last_progress_at INTEGER NOT NULL,
    due_at INTEGER,
    start_key TEXT NOT NULL,
    head TEXT NOT NULL);
CREATE UNIQUE INDEX tasks_by_id ON tasks(scope, id);
CREATE UNIQUE INDEX tasks_by_start ON tasks(scope, start_key);
CREATE INDEX tasks_by_age ON tasks(scope, created_at, id);
CREATE INDEX tasks_by_lifecycle ON tasks(scope, lifecycle, created_at, id);
CREATE INDEX tasks_by_due ON tasks(due_at) WHERE due_at IS NOT NULL;

CREATE TABLE entries(
    row INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks(row),
    kind INTEGER NOT NULL,
    id TEXT NOT NULL,
    entry TEXT NOT NULL);
CREATE UNIQUE INDEX entries_by_id ON entries(task, kind, id);

CREATE TABLE revisions(
    row INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks(row),
    revision INTEGER NOT NULL CHECK(revision >= 1),
    revision_record TEXT NOT NULL);
CREATE UNIQUE INDEX revisions_by_number ON revisions(task, revision);
CREATE TRIGGER revisions_stay BEFORE UPDATE ON revisions BEGIN SELECT RAISE(ABORT, 'a revision never changes'); END;

CREATE TABLE lineage(
    row INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks(row),
    kind INTEGER NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL);
CREATE INDEX lineage_by_target ON lineage(task, kind, id, revision);
CREATE TRIGGER lineage_stays BEFORE UPDATE ON lineage BEGIN SELECT RAISE(ABORT, 'a lineage never changes'); END;

CREATE TABLE decisions(
    row INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks(row),
    sequence INTEGER NOT NULL,
    id TEXT NOT NULL,
    key TEXT,
    fingerprint TEXT,
    decided_at INTEGER NOT NULL,
    shadow INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    guards INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    decision TEXT NOT NULL);
CREATE UNIQUE INDEX decisions_by_sequence ON decisions(task, sequence);
CREATE UNIQUE INDEX decisions_by_id ON decisions(task, id);
CREATE UNIQUE INDEX decisions_by_key ON decisions(task, key) WHERE key IS NOT NULL;
CREATE INDEX decisions_by_action ON decisions(task, fingerprint, decided_at)
    WHERE fingerprint IS NOT NULL AND shadow = 0;
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions BEGIN SELECT RAISE(ABORT, 'a decision never changes'); END;

CREATE TABLE deliveries(
    row INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks(row),
    sequence INTEGER NOT NULL,
    id TEXT NOT NULL,
    withheld TEXT,
    exposed_at INTEGER,
    delivery TEXT NOT NULL);
CREATE UNIQUE INDEX deliveries_by_sequence ON deliveries(task, sequence);
CREATE INDEX deliveries_by_id ON deliveries(id);
CREATE TRIGGER deliveries_are_exposed_once BEFORE UPDATE ON deliveries
    WHEN OLD.exposed_at IS NOT NULL OR NEW.exposed_at IS NULL OR OLD.withheld IS NOT NULL OR
        (NEW.row, NEW.task, NEW.sequence, NEW.id, NEW.withheld, NEW.delivery) IS NOT
        (OLD.row, OLD.task, OLD.sequence, OLD.id, OLD.withheld, OLD.delivery)
    BEGIN SELECT RAISE(ABORT, 'a delivery is exposed once and otherwise never changes'); END;

CREATE TABLE bindings(
    row INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scopes(row),
    id TEXT NOT NULL,
    host TEXT NOT NULL, session TEXT NOT NULL, epoch TEXT NOT NULL,
    task TEXT NOT NULL,
    active INTEGER NOT NULL,
    binding TEXT NOT NULL);
CREATE UNIQUE INDEX bindings_by_id ON bindings(scope, id);
CREATE UNIQUE INDEX bindings_by_identity ON bindings(scope, host, session, epoch) WHERE active;
CREATE INDEX bindings_by_session ON bindings(scope, host, session);
CREATE INDEX bindings_by_task ON bindings(scope, task);

CREATE TABLE profiles(
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    profile TEXT NOT NULL);
CREATE UNIQUE INDEX profiles_by_id ON profiles(id);
CREATE TRIGGER profiles_stay BEFORE UPDATE ON profiles BEGIN SELECT RAISE(ABORT, 'a profile never changes'); END;
)sql";

constexpr Migration migrations[] = {{first_version}};

}  // namespace

std::span<const Migration> sqlite_migrations() noexcept { return migrations; }

Result<void> check_schema(Database& database, std::span<const Migration> steps) {
    // Of one moment: another process may be making the tables.
    const auto moment = Transacted::begin(database, Transacted::Begin::deferred);
    if (!moment) return moment.error();
    const auto owner = database.number("PRAGMA application_id");
    const auto version = database.number("PRAGMA user_version");
    const auto tables = database.number("SELECT count(*) FROM sqlite_master");
    for (const auto* found : {&owner, &version, &tables}) {
        if (!*found) return found->error();
    }
    if (*owner != application_id && (*owner != 0 || *version != 0 || *tables != 0)) return fail(Reason::foreign_file);
    const auto known = static_cast<std::int64_t>(steps.size());
    if (*version < 0 || *version > known) {
        return fail(Reason::newer_format, "", {steps.size(), static_cast<std::uint64_t>(*version)});
    }
    return {};
}

Result<void> lift_schema(Database& database, std::span<const Migration> steps) {
    if (auto known = check_schema(database, steps); !known) return known;
    const auto version = database.number("PRAGMA user_version");
    if (!version) return version.error();
    for (std::int64_t reached = *version; reached < static_cast<std::int64_t>(steps.size()); ++reached) {
        auto transaction = Transacted::begin(database, Transacted::Begin::immediate);
        if (!transaction) return std::move(transaction).error();
        const auto now = database.number("PRAGMA user_version");
        if (!now) return now.error();
        if (*now > reached) continue;  // another process was quicker
        std::string sql = steps[static_cast<std::size_t>(reached)].sql;
        sql += ";PRAGMA application_id=" + std::to_string(application_id);
        sql += ";PRAGMA user_version=" + std::to_string(reached + 1);
        if (auto done = database.run(sql.c_str()); !done) return done;
        if (auto done = transaction->commit(); !done) return done;
    }
    return {};
}

}  // namespace taskstate::inline v0
