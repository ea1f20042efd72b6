#pragma once
// Files and folders behind the seam: opened, locked, read and written as a whole, with what went wrong as an error.

#include <taskstate/base/result.hpp>
#include <taskstate/store/file_system.hpp>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace taskstate::inline v0 {

/// What `result`, errno below zero as the seam reports it, is to the caller; the message says what the system says.
///
/// Errors: `storage_full`, `storage_denied`, `unsafe_path`, `storage_failed`, or the reason that is given.
[[nodiscard]] Error storage_error(std::string_view path, std::int64_t result);
[[nodiscard]] Error storage_error(Reason reason, std::string_view path, std::int64_t result);

/// Makes a call again for as long as it is interrupted.
template <class Call>
auto uninterrupted(Call call) {
    auto result = call();
    while (result == -EINTR) result = call();
    return result;
}

/// An open file, closed when it goes.  Only where bytes were written does the answer of `close` matter.
///
/// Each returns errno below zero where it failed.
/// Thread-safety: confined.
class OpenFile {
 public:
    OpenFile(FileSystem& files, int number) noexcept : files_(&files), number_(number) {}
    OpenFile(OpenFile&& other) noexcept : files_(other.files_), number_(std::exchange(other.number_, -1)) {}
    OpenFile& operator=(OpenFile&&) = delete;
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() {
        if (number_ >= 0) (void)close();
    }

    [[nodiscard]] std::int64_t size() { return files_->size(number_); }
    int sync() {
        return uninterrupted([&] { return files_->sync(number_); });
    }
    int lock() {
        return uninterrupted([&] { return files_->lock(number_); });
    }
    int change_mode(unsigned mode) {
        return uninterrupted([&] { return files_->change_mode(number_, mode); });
    }
    int truncate(std::uint64_t size) {
        return uninterrupted([&] { return files_->truncate(number_, size); });
    }
    int close() { return files_->close(std::exchange(number_, -1)); }
    /// Writes all of it.
    int write(std::string_view bytes);
    /// Fills `bytes` with what stands at `offset`, and shortens it where the file ends first.
    int read(std::string& bytes, std::uint64_t offset = 0);

 private:
    FileSystem* files_;
    int number_;
};

/// A folder of the host, and the files in it that are ours.
///
/// A missing folder is made with mode 0700 and a file with 0600, whatever the umask.  Errors name what they are about
/// by the path that the caller gives.
/// Thread-safety: confined.
class Folder {
 public:
    Folder(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] FileSystem& files() const { return files_; }

    /// A number of the seam; a symbolic link is not followed, and a pipe in place of the file does not make it wait.
    [[nodiscard]] int open(const std::string& path, int flags) const;
    /// Takes over what `open` returned, if it is a regular file.
    [[nodiscard]] Result<OpenFile> adopt(int number, std::string_view role) const;
    /// The folder itself.
    [[nodiscard]] Result<OpenFile> open_self(std::string_view role) const;
    /// Makes the folder where there is none, and makes its name last: whoever made it may not have come so far.
    [[nodiscard]] Result<void> make(std::string_view role) const;
    /// Waits until nobody else holds the lock of that file.  The file comes after its folder, so who finds it need not
    /// see to that one.
    [[nodiscard]] Result<OpenFile> lock(const std::string& path, std::string_view role, std::string_view self) const;
    /// A new file with these bytes, synced.
    [[nodiscard]] Result<void> stage(const std::string& path, std::string_view bytes, std::string_view role) const;

    /// The folder in which a path lies.
    [[nodiscard]] static std::string parent_of(const std::string& path);

 private:
    FileSystem& files_;
    std::string path_;
};

}  // namespace taskstate::inline v0
