#pragma once
// Tasks in a PostgreSQL database, which a fleet of hosts shares.

#include <taskstate/store/store.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace taskstate::inline v0 {

/// Where the database is and how long anything may take.  Each number is at least 1.
struct PostgresOptions {
    std::string url{};                 ///< `postgresql://…` as libpq reads it; its TLS options are libpq's
    std::string schema = "taskstate";  ///< of the tables, a name of at most 63 bytes; made where it is missing
    std::uint64_t connections = 4;     ///< at most; a call waits for one that is free
    std::uint64_t connect_timeout_ms = 5'000;
    std::uint64_t statement_timeout_ms = 10'000;
    std::uint64_t lock_timeout_ms = 5'000;  ///< for another writer of the same task, and for a connection
    std::uint64_t connect_attempts = 6;     ///< before a call gives up, with a pause that doubles from 50 ms to 1 s
};

/// A store in one schema of a database.
///
/// A commit is one round trip and one transaction, which compares and swaps.  A commit that lost its connection is
/// `commit_in_doubt` and is never sent again by itself; a read is.
/// Errors: `options_invalid`; `foreign_file` and `newer_format`, before anything is written; `storage_*`;
///         `lock_timeout`; `integrity_check_failed`.
/// Source: docs/stores.md.
[[nodiscard]] Result<std::shared_ptr<Store>> open_postgres(const PostgresOptions& options);

}  // namespace taskstate::inline v0
