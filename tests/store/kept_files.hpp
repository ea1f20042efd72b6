#pragma once
// A file store in a folder of its own, and what lies in it.

#include "store/contract.hpp"
#include "store/temporary_folder.hpp"
#include "store/unsynced_files.hpp"

#include <taskstate/base/digest.hpp>
#include <taskstate/store/file_store.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace taskstate::test {

/// Opens the store of a folder; nothing waits for a disk unless a file system is given.
inline std::shared_ptr<Store> open_kept(const std::string& path, std::uint64_t journal_bytes = 64 * 1024,
                                        std::shared_ptr<FileSystem> files = std::make_shared<UnsyncedFiles>()) {
    return value_of(open_files({.path = path, .journal_bytes = journal_bytes, .files = std::move(files)}));
}

inline void keep_in(Store& store, const std::vector<Write>& batch) {
    const auto done = store.commit(batch);
    if (!done) FAIL(word(done.error().reason) << " at " << done.error().path);
}

/// All regular files below a folder, by their paths from there.
inline std::map<std::string, std::string> files_below(const std::string& path) {
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
        if (entry.is_regular_file())
            found[std::filesystem::relative(entry.path(), path).string()] = bytes_of(entry.path().string());
    }
    return found;
}

/// The folder of the scope of most tests.
inline std::string folder_of_scope(const std::string& scope_json) { return hex(sha256(scope_json)); }
inline const std::string stored_folder =
    folder_of_scope(R"({"agent":"agent-1","owner":"host-user","tenant":"tenant-a","workspace":"depot"})");

inline std::string journal(std::size_t number) {
    const std::string digits = std::to_string(number);
    return "journal-" + std::string(10 - digits.size(), '0') + digits;
}

}  // namespace taskstate::test
