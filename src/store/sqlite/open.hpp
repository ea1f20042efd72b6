#pragma once
// How a file is opened on a file system of some kind.

#include <taskstate/store/sqlite_store.hpp>

#include "store/sqlite/file.hpp"

namespace taskstate::inline v0 {

/// `open_sqlite`, as if the file lay in a file system of this kind.
[[nodiscard]] Result<std::shared_ptr<Store>> open_sqlite_on(const FileSystemKind& kind, const SqliteOptions& options,
                                                            SqliteReport* report);

}  // namespace taskstate::inline v0
