#pragma once
// The file of a store, as it lies in its file system before SQLite opens it.

#include <taskstate/base/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// Makes the file, for its owner alone, where it is missing: SQLite would make it for everyone.
///
/// Errors: `storage_denied`, `storage_full`.
[[nodiscard]] Result<void> make_database_file(const std::string& path);

/// Whether the file can be a database, so that SQLite neither takes it for a new one nor believes half of it.
///
/// Nothing is said of the size of one whose log is there: it may be in use, or was not closed in order.
/// Errors: `zeroed`; `short_file`, `trailing_bytes`, each with the bytes that it should have and those that it has;
///         `foreign_file`.
[[nodiscard]] Result<void> check_database_file(const std::string& path);

/// What holds a file, and whether its locks and its shared memory can be trusted with a WAL.
struct FileSystemKind {
    std::string_view name{};
    bool trusted = false;
};
/// By the number that statfs gives; `unknown` for one that is in no list.
[[nodiscard]] FileSystemKind file_system_kind(std::uint64_t type) noexcept;
/// Of the file system in which a file lies.
[[nodiscard]] FileSystemKind file_system_of(const std::string& path);

}  // namespace taskstate::inline v0
