#pragma once
// One SQLite connection, its statements, and its errors as ours.

#include <taskstate/base/digest.hpp>
#include <taskstate/model/input.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace taskstate::inline v0 {

/// One run of a prepared statement; the statement is free again when it goes.
///
/// Parameters are bound in order; texts that are bound must outlive the run.
/// Thread-safety: confined.
class Query {
 public:
    /// `code` says why there is no statement.
    Query(sqlite3_stmt* statement, int code) : statement_(statement), code_(code) {}
    Query(Query&& other) noexcept;
    Query& operator=(Query&&) = delete;
    ~Query();

    template <class... Values>
    Query& bind(const Values&... values) & {
        (bind_one(values), ...);
        return *this;
    }
    template <class... Values>
    Query&& bind(const Values&... values) && {
        (bind_one(values), ...);
        return std::move(*this);
    }

    /// The next row: whether there is one.
    Result<bool> step();
    /// Runs it to its end.
    Result<void> run();

    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] bool is_null(int column) const;

 private:
    void bind_one(std::int64_t value);
    void bind_one(std::uint64_t value) { bind_one(static_cast<std::int64_t>(value)); }
    void bind_one(Timestamp value) { bind_one(value.ms); }
    void bind_one(std::string_view value);
    void bind_one(const std::string& value) { bind_one(std::string_view(value)); }
    void bind_one(const Scope& scope) { bind(scope.tenant, scope.owner, scope.agent, scope.workspace); }
    template <class E>
        requires std::is_enum_v<E>
    void bind_one(E value) {
        bind_one(static_cast<std::int64_t>(value));
    }
    template <class T>
    void bind_one(const std::optional<T>& value) {
        if (value)
            bind_one(*value);
        else
            ++bound_;  // NULL is what a parameter is before it is bound
    }

    sqlite3_stmt* statement_;
    int code_;
    int bound_ = 0;
};

/// One connection.  Statements are prepared when first used and kept.
///
/// Thread-safety: confined.
class Database {
 public:
    enum class Access : std::uint8_t { read, write };

    /// Errors: `storage_denied`, `storage_failed`, `foreign_file` for a file that is no database.
    static Result<Database> open(const std::string& path, Access access, std::uint64_t busy_timeout_ms);

    /// Whoever closes a file last writes its log into it and deletes the log; else the log stays where it is.
    void empty_log_on_close();
    /// Runs statements that give nothing.
    Result<void> run(const char* sql);
    /// A statement of the library; `sql` must live as long as the connection.
    [[nodiscard]] Query query(std::string_view sql);
    /// The number of a pragma.
    Result<std::int64_t> number(const char* pragma);
    /// How many rows the last statement changed.
    [[nodiscard]] std::uint64_t changed() const;
    [[nodiscard]] std::int64_t last_row() const;
    [[nodiscard]] bool in_transaction() const;

 private:
    struct Close {
        void operator()(sqlite3* handle) const noexcept;
    };
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const noexcept;
    };
    explicit Database(sqlite3* handle) : handle_(handle) {}

    std::unique_ptr<sqlite3, Close> handle_;
    std::map<std::string_view, std::unique_ptr<sqlite3_stmt, Finalize>> statements_{};
};

/// A transaction that is taken back unless it is committed.
///
/// Thread-safety: confined.
class Transacted {
 public:
    enum class Begin : std::uint8_t { deferred, immediate };
    static Result<Transacted> begin(Database& database, Begin how);
    Transacted(Transacted&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
    Transacted& operator=(Transacted&&) = delete;
    ~Transacted();

    /// Errors: `commit_in_doubt` where it is not known whether the commit lasts; `storage_failed` where a statement
    ///         before it has already ended the transaction.
    Result<void> commit();

 private:
    explicit Transacted(Database& database) : database_(&database) {}
    Database* database_;
};

}  // namespace taskstate::inline v0
