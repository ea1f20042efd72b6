#pragma once
// The tables and functions of a store's schema, and how older ones become them.

#include "store/postgres/connection.hpp"

namespace taskstate::inline v0 {

/// What lifts a schema from one version to the next: statements that run in one transaction.
struct PostgresMigration {
    const char* sql = nullptr;
};
/// From version 0, the schema that is not there or empty, on.
[[nodiscard]] std::span<const PostgresMigration> postgres_migrations() noexcept;

/// Whether the schema is missing, empty, or of a version that is known, and which; nothing is written.
///
/// Errors: `foreign_file` for tables of somebody else; `newer_format`, with the version that is known and the one
///         found.
[[nodiscard]] Result<std::uint64_t> check_schema(PostgresConnection& connection, const std::string& schema,
                                                 std::span<const PostgresMigration> migrations);

/// Makes a schema that `check_schema` accepts one of this version.  Of those that try at once, one does it.
[[nodiscard]] Result<void> lift_schema(PostgresConnection& connection, const std::string& schema,
                                       std::span<const PostgresMigration> migrations);

}  // namespace taskstate::inline v0
