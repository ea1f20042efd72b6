#pragma once
// Tasks in plain files, for a small host without a database.

#include <taskstate/store/file_system.hpp>
#include <taskstate/store/store.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace taskstate::inline v0 {

struct FileStoreOptions {
    std::string path{};  ///< of a folder; made with mode 0700 where it is missing, its parent must be there
    /// The least size of a journal, and of what a process that needs the heads only may have to read behind a state.
    std::uint64_t journal_bytes = 64 * 1024;
    std::shared_ptr<FileSystem> files = posix_file_system();
};

/// A store in a folder, with one folder in it for each scope.
///
/// A commit appends one record to a journal and is durable when it returns.  Several processes may use one folder.
/// Nothing that anybody wrote becomes part of a path.
/// Bounds: the first commit of a process to a scope reads the logs of that scope, which it keeps in memory; what needs
///         the heads only, such as `load`, reads the last state and what was written since.
/// Errors: paths are `/<folder>/<file>`; `short_file`, `zeroed`, `trailing_bytes`, `digest_mismatch`,
///         `unreadable_record`, `foreign_file`, `newer_format`, with the size of the file as `limit` and the byte at
///         which that shows as `actual`; `storage_*`, `unsafe_path`.
/// Source: docs/stores.md.
[[nodiscard]] Result<std::shared_ptr<Store>> open_files(const FileStoreOptions& options);

/// What a recovery had to do.
struct FileRecovery {
    std::uint64_t folders = 0;  ///< that were damaged
    std::uint64_t files = 0;    ///< that are kept aside in them, as `<name>.bad-<n>`
    friend bool operator==(const FileRecovery&, const FileRecovery&) = default;
};

/// Brings every damaged folder back to its last good revisions; whole ones are left alone.
///
/// All files of a damaged folder are kept aside as they were found, and none is deleted.  Nobody may use the store
/// meanwhile who has to be told of what was lost.
/// Errors: `newer_format`, `storage_*`, `unsuitable_file_system` without hard links; the damage itself where nothing
///         good is left of a folder, which is left as it is.
[[nodiscard]] Result<FileRecovery> recover_files(const FileStoreOptions& options);

}  // namespace taskstate::inline v0
