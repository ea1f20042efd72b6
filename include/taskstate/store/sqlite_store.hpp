#pragma once
// Tasks in one SQLite file.

#include <taskstate/store/store.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace taskstate::inline v0 {

/// What survives a power cut: every acknowledged commit, or all but the last ones.  A killed process loses nothing.
enum class Synchronous : std::uint8_t { full, normal };

struct SqliteOptions {
    std::string path{};  ///< of the file; made with mode 0600 where it is missing
    Synchronous synchronous = Synchronous::full;
    std::uint64_t busy_timeout_ms = 5'000;  ///< how long a commit waits for another process
};

/// A store in one file, in WAL mode.
///
/// A commit writes what changed: the revision with its entry changes, the entries that they touch, and small rows.
/// Callers that commit at once share a transaction and its sync.
/// Errors: `foreign_file` and `newer_format`, before anything is written; `storage_*`; `lock_timeout`;
///         `integrity_check_failed`.
/// Source: docs/stores.md.
[[nodiscard]] Result<std::shared_ptr<Store>> open_sqlite(const SqliteOptions& options);

}  // namespace taskstate::inline v0
