#pragma once
// Tasks in one SQLite file.

#include <taskstate/store/store.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace taskstate::inline v0 {

/// What survives a power cut: every acknowledged commit, or all but the last ones.  A killed process loses nothing.
enum class Synchronous : std::uint8_t { full, normal };

/// What is done where the locks and the shared memory of a file system cannot be trusted with a WAL: network and
/// virtual ones, and those that nobody here knows.
enum class Unsuitable : std::uint8_t {
    rollback_journal,  ///< no WAL: readers and the writer wait for each other
    refuse,
    ignore,  ///< a WAL all the same
};

struct SqliteOptions {
    std::string path{};  ///< of the file; made with mode 0600 where it is missing
    Synchronous synchronous = Synchronous::full;
    std::uint64_t busy_timeout_ms = 5'000;  ///< how long a commit waits for another process
    Unsuitable unsuitable = Unsuitable::rollback_journal;
};

/// How a file was opened.
enum class SqliteJournal : std::uint8_t { wal, rollback };
struct SqliteReport {
    std::string file_system{};  ///< `ext`, `nfs`, …, `unknown`
    bool suitable = true;       ///< what a host warns of where it is false
    SqliteJournal journal{};
};

/// A store in one file, in WAL mode where its file system can hold one.
///
/// A commit writes what changed: the revision with its entry changes, the entries that they touch, and small rows.
/// Callers that commit at once share a transaction and its sync.  `report` is filled where the file was opened.
/// Errors, before anything is written: `foreign_file`; `newer_format`; `zeroed`, `short_file`, `trailing_bytes`;
///         `unsuitable_file_system`.  Then `storage_*`; `lock_timeout`; `integrity_check_failed`.
/// Source: docs/stores.md.
[[nodiscard]] Result<std::shared_ptr<Store>> open_sqlite(const SqliteOptions& options, SqliteReport* report = nullptr);

/// Whether every page, index and reference of the file is sound.  What its tasks say is for `TaskService::verify`.
///
/// Bounds: reads the whole file; others may read and write it meanwhile.
/// Errors: as `open_sqlite`; `integrity_check_failed` for damage.
/// Source: docs/stores.md.
[[nodiscard]] Result<void> check_sqlite(const std::string& path);

}  // namespace taskstate::inline v0
