#include "bench/raw_sqlite.hpp"

#include <sqlite3.h>

namespace taskstate::bench {
namespace {

void check(int code) {
    if (code != SQLITE_OK) bug("SQLite refuses the bench");
}

/// An enumerator as the file has it.
template <class E>
std::int64_t number_of(E value) {
    return static_cast<std::int64_t>(value);
}

sqlite3* open(const std::string& path) {
    sqlite3* handle = nullptr;
    check(sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                          nullptr));
    return handle;
}

}  // namespace

RawStatement::RawStatement(sqlite3* database, const char* sql) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
    statement_.reset(statement);
}

bool RawStatement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) bug("SQLite fails the bench");
    sqlite3_reset(statement_.get());
    return false;
}

std::int64_t RawStatement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string_view RawStatement::text(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void RawStatement::reset() {
    sqlite3_reset(statement_.get());
    sqlite3_clear_bindings(statement_.get());
}

void RawStatement::bind_one(int place, std::int64_t value) { sqlite3_bind_int64(statement_.get(), place, value); }

void RawStatement::bind_one(int place, std::string_view value) {
    sqlite3_bind_text64(statement_.get(), place, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void RawStatement::Finalize::operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }

RawDatabase::RawDatabase(const std::string& path, Synchronous synchronous) : handle_(open(path)) {
    const char* const level = synchronous == Synchronous::full ? "FULL" : "NORMAL";
    const std::string pragmas = std::string(
                                    "PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON; "
                                    "PRAGMA temp_store=MEMORY; PRAGMA synchronous=") +
                                level;
    check(sqlite3_exec(handle_.get(), pragmas.c_str(), nullptr, nullptr, nullptr));
}

void RawDatabase::Close::operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }

RawWriter::RawWriter(const std::string& path, Synchronous synchronous)
    : database_(path, synchronous),
      begin_(database_.prepare("BEGIN IMMEDIATE")),
      head_(database_.prepare("UPDATE tasks SET lifecycle=?, revision=?, last_progress_at=?, due_at=?, head=? "
                              "WHERE row=? AND revision=?")),
      revision_(database_.prepare("INSERT INTO revisions(task,revision,revision_record) VALUES(?,?,?)")),
      lineage_(database_.prepare("INSERT INTO lineage(task,kind,id,revision) VALUES(?,?,?,?)")),
      entry_(database_.prepare("UPDATE entries SET entry=? WHERE task=? AND kind=? AND id=?")),
      decision_(database_.prepare("INSERT INTO decisions(task,sequence,id,key,decided_at,shadow,outcome,reason,guards,"
                                  "duration_ms,decision) VALUES(?,?,?,?,?,0,?,?,0,?,?)")),
      commit_(database_.prepare("COMMIT")) {}

void RawWriter::commit(const RawChange& change) {
    begin_.run();
    head_
        .bind(number_of(change.lifecycle), change.revision, change.last_progress_at, change.due_at, change.head, task_,
              change.revision - 1)
        .run();
    revision_.bind(task_, change.revision, change.record).run();
    for (const RawChange::Line& line : change.lineage) {
        lineage_.bind(task_, number_of(line.kind), line.id, change.revision).run();
    }
    for (const RawChange::Row& row : change.entries) entry_.bind(row.text, task_, number_of(row.kind), row.id).run();
    decision_
        .bind(task_, change.sequence, change.id, change.key, change.decided_at, change.outcome, change.reason,
              change.duration_ms, change.decision)
        .run();
    commit_.run();
}

}  // namespace taskstate::bench
