#pragma once
// A snapshot file on disk, and what is read from it.

#include "store/saved_task.hpp"
#include "store/temporary_folder.hpp"
#include "support/catch.hpp"

#include <taskstate/base/digest.hpp>
#include <taskstate/store/snapshot_file.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace taskstate::test {

/// A folder that holds the revisions 1 and 2 of a task: one as the previous generation.
struct Saved {
    TemporaryFolder folder;
    std::string path = folder / "task.json";
    std::vector<Snapshot> states = saved_task(3);
    SnapshotFile file;

    explicit Saved(std::shared_ptr<FileSystem> files = posix_file_system()) : file(path, {}, std::move(files)) {
        REQUIRE(file.save(states[1], std::nullopt));
        REQUIRE(file.save(states[2], Revision{1}));
    }
};

inline std::optional<SnapshotInput> loaded(const std::string& path) {
    const auto found = SnapshotFile(path).load();
    REQUIRE(found);
    return *found;
}

inline bool has_leftovers(const TemporaryFolder& folder) {
    for (const auto& name : folder.names()) {
        if (name.find(".tmp-") != std::string::npos) return true;
    }
    return false;
}

/// The file that another writer would have made around this snapshot.
inline std::string around(const std::string& snapshot) {
    return R"({"format":"taskstate.file/1","digest":")" + format_digest(sha256(snapshot)) + R"(","snapshot":)" +
           snapshot + "}\n";
}

inline Reason reason_of(const Result<std::optional<SnapshotInput>>& result) {
    REQUIRE_FALSE(result);
    return result.error().reason;
}

}  // namespace taskstate::test
