#pragma once
// The file of a store, as it lies in its file system before SQLite opens it.

#include <taskstate/base/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace taskstate::inline v0 {

/// Makes the file, for its owner alone, where it is missing: SQLite would make it for everyone.
///
/// Errors: `storage_denied`, also for a link; `storage_full`.
[[nodiscard]] Result<void> make_database_file(const std::string& path);

/// Whether the file can be a database, so that SQLite neither takes it for a new one nor believes half of it.
///
/// Nothing is said of the size of one whose log is there: it may be in use, or was not closed in order.
/// Errors: `zeroed`; `short_file`, `trailing_bytes`, each with the bytes that it should have and those that it has;
///         `foreign_file`.
[[nodiscard]] Result<void> check_database_file(const std::string& path);

/// A file that this process has open, or is about to.
///
/// Closing any handle of a file takes from this process all locks that SQLite holds on it; so nobody looks into a file
/// that is known here.
/// Thread-safety: confined; the list of all files is shared.
class OpenedFile {
 public:
    /// Makes it known, and checks it where nobody else here has it open.
    ///
    /// Errors: those of `check_database_file`; `storage_denied` where there is none.
    static Result<OpenedFile> hold(const std::string& path);
    OpenedFile(OpenedFile&& other) noexcept : key_(std::exchange(other.key_, {})) {}
    OpenedFile& operator=(OpenedFile&&) = delete;
    ~OpenedFile();

    /// Device and number of a file; 0 where nothing is held.
    using Key = std::pair<std::uint64_t, std::uint64_t>;
    [[nodiscard]] Key key() const noexcept { return key_; }

 private:
    explicit OpenedFile(Key key) : key_(key) {}
    Key key_;
};

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
