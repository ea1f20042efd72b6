#pragma once
// One PostgreSQL connection, its round trips, and its errors as ours.

#include <taskstate/store/postgres_store.hpp>

#include "store/postgres/statement.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <span>

struct pg_conn;
struct pg_result;

namespace taskstate::inline v0 {

/// The rows that a statement gave.
class PostgresRows {
 public:
    PostgresRows() = default;
    explicit PostgresRows(pg_result* result) : result_(result, Clear()) {}

    [[nodiscard]] int size() const;
    /// The bytes of a field, as long as the rows live; empty for NULL.
    [[nodiscard]] std::string_view text(int row, int column) const;
    [[nodiscard]] std::int64_t integer(int row, int column) const;
    [[nodiscard]] bool is_null(int row, int column) const;
    /// Milliseconds since 1970, which a statement gives for a time.
    [[nodiscard]] std::optional<Timestamp> time(int row, int column) const;

 private:
    struct Clear {
        void operator()(pg_result* result) const noexcept;
    };
    std::unique_ptr<pg_result, Clear> result_{};
};

/// How a round trip ended.
///
/// Shape: `again` = refused by the server for the sake of another transaction, and nothing happened; `lost` = contact
///        was lost, and it is not known what happened.
struct PostgresAnswer {
    enum class End : std::uint8_t { answered, refused, again, lost };
    End end = End::answered;
    Error error{};  ///< unless it was answered
    std::vector<PostgresRows> rows{};
};

/// One connection.  Statements are prepared with their first use, in the same round trip, and kept.
///
/// Thread-safety: confined.
class PostgresConnection {
 public:
    /// Errors: `options_invalid` for what is no URL, or a database that is not kept as UTF-8; `storage_denied`;
    ///         `storage_failed` where no server answers; `lock_timeout` where it has no connection left.
    static Result<PostgresConnection> open(const PostgresOptions& options);

    /// Runs the statements as one transaction, in one round trip.
    PostgresAnswer exchange(std::span<const PostgresStatement> statements);
    /// The same with one statement, whose rows are wanted.
    Result<PostgresRows> ask(const PostgresStatement& statement);
    /// Runs statements that give nothing, as one transaction unless they say otherwise.
    Result<void> run(const std::string& sql);

    /// Whether it can be used; false also where the server has ended it since it was used last.
    [[nodiscard]] bool is_usable() const;
    /// How often this one waited for an answer since it was asked last.
    [[nodiscard]] std::uint64_t take_round_trips() { return std::exchange(round_trips_, 0); }

 private:
    using Deadline = std::chrono::steady_clock::time_point;
    struct Finish {
        void operator()(pg_conn* handle) const noexcept;
    };
    explicit PostgresConnection(pg_conn* handle) : handle_(handle) {}

    Result<void> connect(std::uint64_t timeout_ms);
    Result<void> set_up(const PostgresOptions& options);
    /// Queues a statement; false where the connection does not take it.
    bool send(const PostgresStatement& statement);
    PostgresAnswer collect(Deadline deadline);
    /// Waits until a result can be had; false where none comes.
    bool await_result(Deadline deadline);
    [[nodiscard]] Deadline deadline_of(std::size_t statements) const;

    std::unique_ptr<pg_conn, Finish> handle_;
    std::uint64_t statement_timeout_ms_ = 0;
    std::uint64_t round_trips_ = 0;
    std::map<std::string, std::string> prepared_{};  ///< names of the statements that the server knows, by their text
    std::size_t prepared_count_ = 0;
    std::vector<const std::string*> queued_{};  ///< of a round trip: a text to be prepared, or nullptr for a run
};

/// A name as a statement may hold it.
[[nodiscard]] std::string quoted(std::string_view name);

}  // namespace taskstate::inline v0
