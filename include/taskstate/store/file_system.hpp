#pragma once
// The one seam through which every file operation of the library goes.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace taskstate::inline v0 {

/// POSIX file operations, one method each, so that a test can fail or stop any of them.
///
/// Each returns what the system call returns, with errno as the error value below zero (`-ENOSPC`).
/// Thread-safety: implementations are called from the threads that use the store.
class FileSystem {
 public:
    virtual ~FileSystem() = default;
    virtual int open(const std::string& path, int flags, unsigned mode) = 0;
    virtual std::int64_t read(int file, char* into, std::size_t size, std::uint64_t offset) = 0;
    virtual std::int64_t write(int file, const char* from, std::size_t size) = 0;
    virtual int truncate(int file, std::uint64_t size) = 0;
    virtual int sync(int file) = 0;   ///< durable when it returns 0
    virtual int close(int file) = 0;  ///< the file is closed whatever it returns
    virtual int lock(int file) = 0;   ///< exclusive flock; waits; released by close
    virtual int rename(const std::string& from, const std::string& to) = 0;
    virtual int link(const std::string& from, const std::string& to) = 0;
    virtual int unlink(const std::string& path) = 0;
    virtual int make_directory(const std::string& path, unsigned mode) = 0;  ///< with exactly this mode
    virtual int change_mode(int file, unsigned mode) = 0;
    virtual std::int64_t size(int file) = 0;  ///< bytes of a regular file; `-EISDIR` for anything else
    virtual int list(const std::string& folder, std::vector<std::string>& names) = 0;  ///< appends the names in it
};

/// The real one.
[[nodiscard]] std::shared_ptr<FileSystem> posix_file_system();

}  // namespace taskstate::inline v0
