#pragma once
// One task in one file: replaced as a whole, durably, or not at all.

#include <taskstate/codec/json.hpp>
#include <taskstate/store/file_system.hpp>

#include <memory>
#include <optional>
#include <string>

namespace taskstate::inline v0 {

/// A snapshot file, `taskstate.file/1`.
///
/// Shape:  one line `{"format":"taskstate.file/1","digest":"sha256:…","snapshot":{…}}`; the digest is SHA-256 of the canonical
///         bytes of `snapshot`.  Beside it lie `<name>.lock` (flock) and `<name>.prev` (the previous generation).
///         The folder is made with mode 0700, files with 0600, whatever the umask.
/// Thread-safety: shared; between processes the lock file guards, and the expected revision decides.
/// Source: docs/format.md, "taskstate.file/1".
class SnapshotFile {
 public:
    explicit SnapshotFile(std::string path, Limits limits = {}, std::shared_ptr<FileSystem> files = posix_file_system());

    /// Replaces the file: temporary file, flush, sync, rename, sync of the folder, all under the lock.
    ///
    /// `expected` is the revision that lies on disk now; `nullopt` = no file.  After a failure the file holds the old state or,
    /// where only the last sync failed, the new one; both whole.
    /// Errors: `stale_base_revision` with the revision on disk and the one expected; `corrupt` reasons when the file on disk
    ///         is damaged (it is kept); `storage_full`, `storage_denied`, `storage_failed`, `unsafe_path`.
    Result<void> save(const Snapshot& snapshot, std::optional<Revision> expected);

    /// What lies on disk, to be restored into a task; nothing where there is no file.
    ///
    /// Errors: `short_file`, `zeroed`, `trailing_bytes`, `digest_mismatch`, `unreadable_record`, `newer_format`,
    ///         `foreign_file`; `storage_denied`, `storage_failed`, `unsafe_path`.
    Result<std::optional<SnapshotInput>> load() const;

    /// Makes the previous generation current again after damage; the damaged file is kept as `<name>.bad-<n>`.
    ///
    /// Errors: as `load` of `<name>.prev`; nothing is changed then.
    Result<SnapshotInput> recover();

 private:
    std::string path_;
    Limits limits_;
    std::shared_ptr<FileSystem> files_;
};

}  // namespace taskstate::inline v0
