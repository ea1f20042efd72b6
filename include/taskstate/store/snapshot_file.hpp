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
/// Shape: one line `{"format":"taskstate.file/1","digest":"sha256:…","snapshot":{…}}`; the digest is SHA-256 of the
///        canonical bytes of `snapshot`.  Beside it lie `<name>.lock` (flock) and `<name>.prev`, the previous
///        generation.  Files are made with mode 0600, whatever the umask, and so is a missing folder with 0700; its
///        parent must be there.  The path is the host's alone: nothing in a snapshot ever becomes part of one.
/// Errors: paths start with the file's role: `/current`, `/previous`, `/lock`, `/temporary`, `/damaged` or `/folder`.
///         Where the bytes of a file are at fault, `limit` is its size and `actual` the byte at which that shows.
/// Thread-safety: shared; between processes the lock file guards, and the expected revision decides.
/// Source: docs/format.md, "taskstate.file/1".
class SnapshotFile {
 public:
    explicit SnapshotFile(std::string path, Limits limits = {},
                          std::shared_ptr<FileSystem> files = posix_file_system());

    /// Replaces the file: temporary file, flush, sync, rename, sync of the folder, all under the lock.
    ///
    /// `expected` is the revision that lies on disk now; `nullopt` = no file.  A failure leaves the file as it was, and
    /// the same call may be made again; after `commit_in_doubt` it holds the old state or the new one, whole: load it
    /// to see.
    /// Errors: `out_of_range` for revision 0, which is nothing yet; `stale_base_revision` with the revision on disk and
    ///         the one expected, 0 for none; `task_mismatch`, `scope_mismatch` where another task lies there;
    ///         `snapshot_bytes_exceeded`; those of `load`, as a file that cannot be read is kept; `storage_full`,
    ///         `storage_denied`, `storage_failed`, `unsafe_path`; `unsuitable_file_system` where there are no hard
    ///         links; `commit_in_doubt`.
    Result<void> save(const Snapshot& snapshot, std::optional<Revision> expected);

    /// What lies on disk, to be restored into a task; nothing where there is no file.  Takes no lock and writes
    /// nothing.
    ///
    /// Errors: `short_file` (also where only the previous generation is there: the current one was lost), `zeroed`,
    ///         `trailing_bytes`, `digest_mismatch`, `unreadable_record`, `newer_format` (also for a field or word that
    ///         this version does not know), `foreign_file`; `snapshot_bytes_exceeded`; `storage_denied`,
    ///         `storage_failed`, `unsafe_path`.
    Result<std::optional<SnapshotInput>> load() const;

    /// Makes the previous generation current again after damage or loss; the damaged file is kept as `<name>.bad-<n>`.
    ///
    /// A whole file is the last good state itself: it is given back, and nothing is changed.  No damaged file is
    /// deleted.
    /// Errors: as `load` of `<name>.prev`, `storage_failed` where there is none; as `load` of the file itself where it
    ///         is not damaged but newer, too large or out of reach; nothing is changed then.
    Result<SnapshotInput> recover();

 private:
    std::string path_;
    Limits limits_;
    std::shared_ptr<FileSystem> files_;
};

}  // namespace taskstate::inline v0
