#include "store/postgres/postgres_store.hpp"

#include <libpq-fe.h>

#include "store/batch_scope.hpp"
#include "store/postgres/schema.hpp"
#include "store/postgres/writer.hpp"

namespace taskstate::inline v0 {
namespace {

using End = PostgresAnswer::End;

/// How often a round trip is made again for the sake of other transactions, or of a connection that was lost.
constexpr int attempts_max = 5;
constexpr std::size_t name_bytes_max = 63;  // of PostgreSQL

Result<void> check(const PostgresOptions& options) {
    struct Free {
        void operator()(PQconninfoOption* parsed) const noexcept { PQconninfoFree(parsed); }
    };
    const std::unique_ptr<PQconninfoOption, Free> parsed(PQconninfoParse(options.url.c_str(), nullptr));
    if (parsed == nullptr) return fail(Reason::options_invalid, "/url");
    if (options.schema.empty() || options.schema.size() > name_bytes_max ||
        options.schema.find('\0') != std::string::npos) {
        return fail(Reason::options_invalid, "/schema");
    }
    const std::pair<const char*, std::uint64_t> numbers[] = {{"/connections", options.connections},
                                                             {"/connect_timeout_ms", options.connect_timeout_ms},
                                                             {"/statement_timeout_ms", options.statement_timeout_ms},
                                                             {"/lock_timeout_ms", options.lock_timeout_ms},
                                                             {"/connect_attempts", options.connect_attempts}};
    for (const auto& [path, number] : numbers) {
        if (number < 1 || number > INT32_MAX) return fail(Reason::options_invalid, path);
    }
    return {};
}

}  // namespace

Result<std::vector<PostgresRows>> PostgresStore::change(std::span<const PostgresStatement> statements) {
    for (int attempt = 1;; ++attempt) {
        auto connection = pool_.take();
        if (!connection) return std::move(connection).error();
        PostgresAnswer answer = (*connection)->exchange(statements);
        if (answer.end == End::answered) return std::move(answer.rows);
        if (answer.end == End::lost) return fail(Reason::commit_in_doubt);
        if (answer.end == End::refused || attempt == attempts_max) return std::move(answer.error);
    }
}

Result<PostgresRows> PostgresStore::ask(const PostgresStatement& statement) {
    for (int attempt = 1;; ++attempt) {
        auto connection = pool_.take();
        if (!connection) return std::move(connection).error();
        PostgresAnswer answer = (*connection)->exchange({&statement, 1});
        if (answer.end == End::answered) return std::move(answer.rows.front());
        // A name that PostgreSQL cannot hold is nobody's.
        if (answer.end == End::refused && answer.error.reason == Reason::invalid_utf8) return PostgresRows();
        if (answer.end == End::refused) return std::move(answer.error);
        if (attempt == attempts_max) return fail(Reason::storage_failed);
    }
}

Result<void> PostgresStore::commit(std::span<const Write> batch) {
    if (auto one = check_one_scope(batch); !one) return one;
    if (batch.empty()) return {};
    const auto done = change(statements_of(batch));
    if (!done) return done.error();
    return {};
}

Result<bool> PostgresStore::expose(const Scope& scope, std::string_view delivery, Timestamp at) {
    const PostgresStatement statement = exposing(scope, delivery, at);
    const auto done = change({&statement, 1});
    if (!done) return done.error();
    return done->front().size() == 1;
}

Result<std::optional<Removed>> PostgresStore::forget(const TaskAddress& task) {
    const PostgresStatement statement = forgetting(task);
    const auto done = change({&statement, 1});
    if (!done) return done.error();
    const PostgresRows& counts = done->front();
    if (counts.size() == 0 || counts.is_null(0, 0)) return std::optional<Removed>();
    const auto count = [&](int column) { return static_cast<std::uint64_t>(counts.integer(0, column)); };
    return std::optional(Removed{.deliveries = count(0),
                                 .decisions = count(1),
                                 .lineage = count(2),
                                 .bindings = count(3),
                                 .revisions = count(4),
                                 .entries = count(5),
                                 .heads = count(6)});
}

Result<std::shared_ptr<Store>> open_postgres(const PostgresOptions& options) {
    if (auto valid = check(options); !valid) return std::move(valid).error();
    auto first = PostgresConnection::open(options);
    if (!first) return std::move(first).error();
    if (auto lifted = lift_schema(*first, options.schema, postgres_migrations()); !lifted) {
        return std::move(lifted).error();
    }
    (void)first->take_round_trips();
    auto connection = std::make_unique<PostgresConnection>(*std::move(first));
    return std::shared_ptr<Store>(std::make_shared<PostgresStore>(options, std::move(connection)));
}

}  // namespace taskstate::inline v0
