#include "store/postgres/connection.hpp"

#include "store/postgres/sqlstate.hpp"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace taskstate::inline v0 {
namespace {

using std::chrono::steady_clock;

/// Waits for the connection's socket; false after the deadline.
bool await_socket(pg_conn* handle, bool to_write, steady_clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
    if (left <= 0) return false;
    pollfd socket{.fd = PQsocket(handle), .events = POLLIN, .revents = 0};
    if (to_write) socket.events |= POLLOUT;
    return ::poll(&socket, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000))) >= 0;
}

}  // namespace

std::string quoted(std::string_view name) {
    std::string text = "\"";
    for (const char c : name) text.append(c == '"' ? 2 : 1, c);
    return text + '"';
}

void PostgresRows::Clear::operator()(pg_result* result) const noexcept { PQclear(result); }

int PostgresRows::size() const { return PQntuples(result_.get()); }
std::string_view PostgresRows::text(int row, int column) const {
    return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}
std::int64_t PostgresRows::integer(int row, int column) const {
    const std::string_view digits = text(row, column);
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}
bool PostgresRows::is_null(int row, int column) const { return PQgetisnull(result_.get(), row, column) == 1; }
std::optional<Timestamp> PostgresRows::time(int row, int column) const {
    if (is_null(row, column)) return std::nullopt;
    return Timestamp{integer(row, column)};
}

void PostgresConnection::Finish::operator()(pg_conn* handle) const noexcept { PQfinish(handle); }

Result<PostgresConnection> PostgresConnection::open(const PostgresOptions& options) {
    const char* const names[] = {"dbname", "client_encoding", "fallback_application_name", nullptr};
    const char* const values[] = {options.url.c_str(), "UTF8", "taskstate", nullptr};
    PostgresConnection connection(PQconnectStartParams(names, values, 1));
    if (connection.handle_ == nullptr) return fail(Reason::storage_failed);
    if (auto connected = connection.connect(options.connect_timeout_ms); !connected) {
        return std::move(connected).error();
    }
    if (auto set = connection.set_up(options); !set) return std::move(set).error();
    return connection;
}

Result<void> PostgresConnection::connect(std::uint64_t timeout_ms) {
    pg_conn* const handle = handle_.get();
    PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE);
    const auto deadline = steady_clock::now() + std::chrono::milliseconds(timeout_ms);
    PostgresPollingStatusType next = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
    while (next != PGRES_POLLING_OK && next != PGRES_POLLING_FAILED) {
        if (!await_socket(handle, next == PGRES_POLLING_WRITING, deadline)) break;
        next = PQconnectPoll(handle);
    }
    if (next == PGRES_POLLING_OK) return {};
    if (PQconnectionNeedsPassword(handle) == 1) return fail(Reason::storage_denied);
    return error_of_connection(PQerrorMessage(handle));
}

Result<void> PostgresConnection::set_up(const PostgresOptions& options) {
    const char* const encoding = PQparameterStatus(handle_.get(), "server_encoding");
    if (encoding == nullptr || std::string_view(encoding) != "UTF8") return fail(Reason::options_invalid, "/url");
    PQsetnonblocking(handle_.get(), 1);
    statement_timeout_ms_ = options.statement_timeout_ms;
    // Plans are made once, when tables may still be empty: they go by the indexes.
    return run(
        "SET client_min_messages=error; SET default_transaction_isolation='read committed';"
        "SET plan_cache_mode=force_generic_plan; SET enable_seqscan=off; SET jit=off;"
        "SET search_path=" +
        quoted(options.schema) + "; SET lock_timeout=" + std::to_string(options.lock_timeout_ms) +
        "; SET statement_timeout=" + std::to_string(options.statement_timeout_ms));
}

bool PostgresConnection::is_usable() const {
    if (PQstatus(handle_.get()) != CONNECTION_OK) return false;
    // A server that says something unasked says good-bye, or nothing that a new connection would not know.
    pollfd socket{.fd = PQsocket(handle_.get()), .events = POLLIN, .revents = 0};
    return ::poll(&socket, 1, 0) == 0;
}

bool PostgresConnection::send(const PostgresStatement& statement) {
    pg_conn* const handle = handle_.get();
    const auto [known, is_new] = prepared_.try_emplace(statement.sql, "s" + std::to_string(prepared_count_));
    const char* const name = known->second.c_str();
    if (is_new) {
        ++prepared_count_;
        queued_.push_back(&known->first);
        if (PQsendPrepare(handle, name, statement.sql.c_str(), 0, nullptr) != 1) return false;
    }
    const std::size_t count = statement.values.size();
    std::vector<const char*> values(count);
    std::vector<int> lengths(count), formats(count);
    for (std::size_t i = 0; i < count; ++i) {
        const PostgresValue& value = statement.values[i];
        values[i] = value.bytes ? value.bytes->c_str() : nullptr;
        lengths[i] = value.bytes ? static_cast<int>(value.bytes->size()) : 0;
        formats[i] = value.binary ? 1 : 0;
    }
    queued_.push_back(nullptr);
    return PQsendQueryPrepared(handle, name, static_cast<int>(count), values.data(), lengths.data(), formats.data(),
                               0) == 1;
}

PostgresAnswer PostgresConnection::exchange(std::span<const PostgresStatement> statements) {
    pg_conn* const handle = handle_.get();
    const auto deadline = deadline_of(statements.size());
    ++round_trips_;
    queued_.clear();
    bool sent = PQenterPipelineMode(handle) == 1;
    for (const PostgresStatement& statement : statements) sent = sent && send(statement);
    sent = sent && PQpipelineSync(handle) == 1;
    PostgresAnswer answer = sent ? collect(deadline) : PostgresAnswer{.end = PostgresAnswer::End::lost};
    // A connection that is not at the end of its round trip is of no more use.
    if (PQexitPipelineMode(handle) != 1) handle_.reset();
    return answer;
}

PostgresAnswer PostgresConnection::collect(Deadline deadline) {
    using End = PostgresAnswer::End;
    PostgresAnswer answer;
    for (std::size_t place = 0; await_result(deadline);) {
        pg_result* const result = PQgetResult(handle_.get());
        PostgresRows rows(result);
        if (result == nullptr) {
            ++place;  // what was queued there has no further result
            continue;
        }
        const std::string* const prepared = place < queued_.size() ? queued_[place] : nullptr;
        switch (PQresultStatus(result)) {
            case PGRES_PIPELINE_SYNC:
                return answer;
            case PGRES_COMMAND_OK:
            case PGRES_TUPLES_OK:
                if (prepared == nullptr) answer.rows.push_back(std::move(rows));
                break;
            default:
                if (prepared != nullptr) prepared_.erase(*prepared);
                if (answer.end == End::answered) answer = answer_of_failure(result);
        }
    }
    // Contact was lost.  What was refused before did not happen.
    if (answer.end == End::answered) answer = {.end = End::lost};
    return answer;
}

bool PostgresConnection::await_result(Deadline deadline) {
    pg_conn* const handle = handle_.get();
    for (;;) {
        if (PQstatus(handle) != CONNECTION_OK) return false;
        const int unsent = PQflush(handle);
        if (PQisBusy(handle) == 0) return true;
        if (unsent < 0 || !await_socket(handle, unsent == 1, deadline)) return false;
        if (PQconsumeInput(handle) != 1) return false;
    }
}

PostgresConnection::Deadline PostgresConnection::deadline_of(std::size_t statements) const {
    // Once more than there are statements, for the commit.
    return steady_clock::now() + (statements + 1) * std::chrono::milliseconds(statement_timeout_ms_);
}

Result<PostgresRows> PostgresConnection::ask(const PostgresStatement& statement) {
    auto answer = exchange({&statement, 1});
    if (answer.end == PostgresAnswer::End::lost) return fail(Reason::storage_failed);
    if (answer.end != PostgresAnswer::End::answered) return std::move(answer.error);
    return std::move(answer.rows.front());
}

Result<void> PostgresConnection::run(const std::string& sql) {
    ++round_trips_;
    Result<void> done;
    if (PQsendQuery(handle_.get(), sql.c_str()) != 1) return fail(Reason::storage_failed);
    for (const auto deadline = deadline_of(1); await_result(deadline);) {
        pg_result* const result = PQgetResult(handle_.get());
        const PostgresRows rows(result);
        if (result == nullptr) return done;
        if (PQresultStatus(result) == PGRES_FATAL_ERROR && done) done = answer_of_failure(result).error;
    }
    handle_.reset();
    return fail(Reason::storage_failed);
}

}  // namespace taskstate::inline v0
