#pragma once
// The tables of a store's file, and how older ones become them.

#include "store/sqlite/database.hpp"

#include <span>

namespace taskstate::inline v0 {

/// What lifts a file from one version to the next: statements that run in one transaction.
struct Migration {
    const char* sql = nullptr;
};
/// From version 0, the empty file, on.
[[nodiscard]] std::span<const Migration> sqlite_migrations() noexcept;

/// Whether the file is empty or of a version that is known; nothing is written.
///
/// Errors: `foreign_file` for a database of somebody else; `newer_format`, with the version that is known and the one
///         found.
[[nodiscard]] Result<void> check_schema(Database& database, std::span<const Migration> migrations);

/// Makes a file that `check_schema` accepts one of this version.
[[nodiscard]] Result<void> lift_schema(Database& database, std::span<const Migration> migrations);

}  // namespace taskstate::inline v0
