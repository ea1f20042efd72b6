#include "store/sqlite/database.hpp"

#include <sqlite3.h>

#include <utility>

namespace taskstate::inline v0 {
namespace {

/// What a result code of SQLite means to a host.
Error error_of(int code) {
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return fail(Reason::lock_timeout);
        case SQLITE_FULL:
            return fail(Reason::storage_full);
        case SQLITE_PERM:
        case SQLITE_READONLY:
        case SQLITE_AUTH:
        case SQLITE_CANTOPEN:
            return fail(Reason::storage_denied);
        case SQLITE_CORRUPT:
            return fail(Reason::integrity_check_failed);
        case SQLITE_NOTADB:
            return fail(Reason::foreign_file);
        default:
            return fail(Reason::storage_failed);
    }
}

}  // namespace

Query::Query(Query&& other) noexcept
    : statement_(std::exchange(other.statement_, nullptr)), code_(other.code_), bound_(other.bound_) {}

Query::~Query() {
    if (statement_ == nullptr) return;
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
}

void Query::bind_one(std::int64_t value) { sqlite3_bind_int64(statement_, ++bound_, value); }

void Query::bind_one(std::string_view value) {
    // An empty text is no NULL.
    const char* data = value.data() == nullptr ? "" : value.data();
    sqlite3_bind_text64(statement_, ++bound_, data, value.size(), SQLITE_STATIC, SQLITE_UTF8);
}

Result<bool> Query::step() {
    const int code = statement_ == nullptr ? code_ : sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return error_of(code);
}

Result<void> Query::run() {
    for (;;) {
        const auto row = step();
        if (!row) return row.error();
        if (!*row) return {};
    }
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Query::text(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    return bytes == nullptr
               ? std::string_view()
               : std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

bool Query::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

void Database::Close::operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }
void Database::Finalize::operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }

Result<Database> Database::open(const std::string& path, Access access, std::uint64_t busy_timeout_ms) {
    const int mode = access == Access::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    sqlite3* handle = nullptr;
    const int code =
        sqlite3_open_v2(path.c_str(), &handle, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
    Database database(handle);  // also of an open that failed
    if (code != SQLITE_OK) return error_of(code);
    sqlite3_busy_timeout(handle, static_cast<int>(busy_timeout_ms));
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    return database;
}

void Database::empty_log_on_close() { sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr); }

Result<void> Database::run(const char* sql) {
    const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return error_of(code);
    return {};
}

Query Database::query(std::string_view sql) {
    auto& kept = statements_[sql];
    if (!kept) {
        sqlite3_stmt* statement = nullptr;
        const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                            SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
        if (code != SQLITE_OK) return Query(nullptr, code);
        kept.reset(statement);
    }
    return Query(kept.get(), SQLITE_OK);
}

Result<std::int64_t> Database::number(const char* pragma) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(handle_.get(), pragma, -1, &statement, nullptr);
    const std::unique_ptr<sqlite3_stmt, Finalize> owner(statement);
    if (code != SQLITE_OK) return error_of(code);
    const int stepped = sqlite3_step(statement);
    if (stepped != SQLITE_ROW) return error_of(stepped);
    return sqlite3_column_int64(statement, 0);
}

std::uint64_t Database::changed() const { return static_cast<std::uint64_t>(sqlite3_changes64(handle_.get())); }
bool Database::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }

Result<Transacted> Transacted::begin(Database& database, Begin how) {
    auto begun = database.query(how == Begin::immediate ? "BEGIN IMMEDIATE" : "BEGIN").run();
    if (!begun) return std::move(begun).error();
    return Transacted(database);
}

Transacted::~Transacted() {
    if (database_ != nullptr) (void)database_->query("ROLLBACK").run();
}

Result<void> Transacted::commit() {
    // A failure of the storage takes the whole transaction back at once.
    if (!database_->in_transaction()) return fail(Reason::storage_failed);
    auto done = database_->query("COMMIT").run();
    if (done) {
        database_ = nullptr;
        return done;
    }
    // A sync that failed may have left the commit in the log or not.
    const bool doubtful = done.error().reason == Reason::storage_failed;
    return doubtful ? fail(Reason::commit_in_doubt) : std::move(done).error();
}

}  // namespace taskstate::inline v0
