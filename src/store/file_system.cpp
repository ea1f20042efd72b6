#include <taskstate/store/file_system.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace taskstate::inline v0 {
namespace {

template <class Number>
Number checked(Number result) noexcept {
    return result < 0 ? -static_cast<Number>(errno) : result;
}

class PosixFileSystem final : public FileSystem {
 public:
    int open(const std::string& path, int flags, unsigned mode) override {
        return checked(::open(path.c_str(), flags, static_cast<mode_t>(mode)));
    }
    std::int64_t read(int file, char* into, std::size_t size, std::uint64_t offset) override {
        return checked<std::int64_t>(::pread(file, into, size, static_cast<off_t>(offset)));
    }
    std::int64_t write(int file, const char* from, std::size_t size) override {
        return checked<std::int64_t>(::write(file, from, size));
    }
    int truncate(int file, std::uint64_t size) override { return checked(::ftruncate(file, static_cast<off_t>(size))); }
    int sync(int file) override {
#ifdef F_FULLFSYNC
        // There, fsync leaves the bytes in the drive's own cache.
        return checked(::fcntl(file, F_FULLFSYNC));
#else
        return checked(::fsync(file));
#endif
    }
    int close(int file) override {
        const int result = checked(::close(file));
        // The descriptor is gone already; closing it again could hit a file of another thread.
        return result == -EINTR ? 0 : result;
    }
    int lock(int file) override { return checked(::flock(file, LOCK_EX)); }
    int rename(const std::string& from, const std::string& to) override {
        return checked(::rename(from.c_str(), to.c_str()));
    }
    int link(const std::string& from, const std::string& to) override {
        return checked(::link(from.c_str(), to.c_str()));
    }
    int unlink(const std::string& path) override { return checked(::unlink(path.c_str())); }
    int make_directory(const std::string& path, unsigned mode) override {
        const int made = checked(::mkdir(path.c_str(), static_cast<mode_t>(mode)));
        // The umask took bits away, perhaps the owner's own.
        return made < 0 ? made : checked(::chmod(path.c_str(), static_cast<mode_t>(mode)));
    }
    int change_mode(int file, unsigned mode) override { return checked(::fchmod(file, static_cast<mode_t>(mode))); }
    std::int64_t size(int file) override {
        struct stat status{};
        if (const int result = checked(::fstat(file, &status)); result < 0) return result;
        return S_ISREG(status.st_mode) ? std::int64_t{status.st_size} : -EISDIR;
    }
    int list(const std::string& folder, std::vector<std::string>& names) override {
        DIR* const entries = ::opendir(folder.c_str());
        if (entries == nullptr) return -errno;
        int result = 0;
        while (true) {
            errno = 0;  // readdir tells its end from a failure by this alone
            const dirent* const entry = ::readdir(entries);
            result = -errno;
            if (entry == nullptr) break;
            names.emplace_back(entry->d_name);
        }
        ::closedir(entries);
        return result;
    }
};

}  // namespace

std::shared_ptr<FileSystem> posix_file_system() {
    static const auto instance = std::make_shared<PosixFileSystem>();
    return instance;
}

}  // namespace taskstate::inline v0
