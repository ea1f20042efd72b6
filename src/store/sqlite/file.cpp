#include "store/sqlite/file.hpp"

#include "base/locked.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <sys/vfs.h>
#else
#include <sys/mount.h>
#include <sys/param.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <utility>

namespace taskstate::inline v0 {
namespace {

using DatabaseHeader = std::array<unsigned char, 100>;

/// Bytes of a file; 0 where there is none.
std::uint64_t file_bytes(const std::string& path) {
    struct stat found{};
    return ::stat(path.c_str(), &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
}

bool has_log(const std::string& path) {
    return ::access((path + "-wal").c_str(), F_OK) == 0 || ::access((path + "-journal").c_str(), F_OK) == 0;
}

/// How much of the header there is.
std::size_t read_header(const std::string& path, DatabaseHeader& header) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const auto count = ::read(file, header.data(), header.size());
    ::close(file);
    return count < 0 ? 0 : static_cast<std::size_t>(count);
}

std::uint64_t big_endian(const DatabaseHeader& header, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | header[at + i];
    return value;
}

/// The bytes that the file should have; 0 where the header does not say.
std::uint64_t told_bytes(const DatabaseHeader& header) {
    const std::uint64_t page = big_endian(header, 16, 2), pages = big_endian(header, 28, 4);
    const bool said = big_endian(header, 24, 4) == big_endian(header, 92, 4);
    return said ? (page == 1 ? 65'536 : page) * pages : 0;
}

/// How often this process has each file open, by device and number.
using OpenedFiles = Locked<std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t>>;
OpenedFiles& opened_files() {
    static OpenedFiles files;
    return files;
}

struct NumberedKind {
    std::uint64_t type = 0;
    FileSystemKind kind{};
};
constexpr NumberedKind numbered_kinds[] = {
    {0xEF53, {"ext", true}},         {0x58465342, {"xfs", true}},      {0x9123683E, {"btrfs", true}},
    {0xF2F52010, {"f2fs", true}},    {0x01021994, {"tmpfs", true}},    {0x858458F6, {"ramfs", true}},
    {0x2FC12FC1, {"zfs", true}},     {0xCA451A4E, {"bcachefs", true}}, {0x794C7630, {"overlay", true}},
    {0x3153464A, {"jfs", true}},     {0x3434, {"nilfs", true}},        {0x4D44, {"vfat", true}},
    {0x2011BAB0, {"exfat", true}},   {0x6969, {"nfs", false}},         {0x517B, {"smb", false}},
    {0xFF534D42, {"cifs", false}},   {0xFE534D42, {"smb2", false}},    {0x5346414F, {"afs", false}},
    {0x6B414653, {"afs", false}},    {0x73757245, {"coda", false}},    {0x564C, {"ncp", false}},
    {0x01021997, {"9p", false}},     {0x65735546, {"fuse", false}},    {0x6A656A62, {"virtiofs", false}},
    {0x00C36400, {"ceph", false}},   {0x01161970, {"gfs2", false}},    {0x7461636F, {"ocfs2", false}},
    {0x0BD00BD0, {"lustre", false}}, {0x47504653, {"gpfs", false}},    {0x786F4256, {"vboxsf", false}},
    {0xBACBACBC, {"vmhgfs", false}},
};

}  // namespace

Result<void> make_database_file(const std::string& path) {
#if defined(__linux__)
    // No handle, whose closing would take the locks of somebody who opens it at once.
    const bool made = ::mknod(path.c_str(), S_IFREG | 0600, 0) == 0;
#else
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool made = file >= 0 && ::close(file) == 0;
#endif
    if (!made && errno != EEXIST) return fail(errno == ENOSPC ? Reason::storage_full : Reason::storage_denied);
    struct stat found{};
    const bool plain = ::lstat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
    return plain ? Result<void>() : fail(Reason::storage_denied);
}

Result<OpenedFile> OpenedFile::hold(const std::string& path) {
    return opened_files().use([&](auto& files) -> Result<OpenedFile> {
        struct stat found{};
        if (::stat(path.c_str(), &found) != 0) return fail(Reason::storage_denied);
        const Key key{found.st_dev, found.st_ino};
        if (!files.contains(key)) {
            if (auto sound = check_database_file(path); !sound) return std::move(sound).error();
        }
        ++files[key];
        return OpenedFile(key);
    });
}

OpenedFile::~OpenedFile() {
    if (key_ == Key{}) return;
    opened_files().use([&](auto& files) {
        if (--files[key_] == 0) files.erase(key_);
    });
}

Result<void> check_database_file(const std::string& path) {
    const bool closed = !has_log(path);
    const std::uint64_t log = file_bytes(path + "-wal");  // before the header, which is written before any log
    DatabaseHeader header{};
    const std::size_t known = read_header(path, header);
    // SQLite would take an empty file for a new one and delete the log beside it.
    if (known == 0) {
        if (log != 0) return fail(Reason::short_file, "", {header.size(), 0});
        return {};
    }
    if (std::all_of(header.begin(), header.end(), [](unsigned char byte) { return byte == 0; })) {
        return fail(Reason::zeroed);
    }
    constexpr std::string_view magic("SQLite format 3\0", 16);
    if (!std::equal(magic.begin(), magic.begin() + static_cast<std::ptrdiff_t>(std::min(known, magic.size())),
                    header.begin(), [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; })) {
        return fail(Reason::foreign_file);
    }
    if (known < header.size()) return fail(Reason::short_file, "", {header.size(), known});
    const std::uint64_t told = told_bytes(header), found = file_bytes(path);
    if (told == found || told == 0 || !closed || has_log(path)) return {};
    return fail(found < told ? Reason::short_file : Reason::trailing_bytes, "", {told, found});
}

FileSystemKind file_system_kind(std::uint64_t type) noexcept {
    for (const NumberedKind& known : numbered_kinds) {
        if (known.type == type) return known.kind;
    }
    return {"unknown", false};
}

FileSystemKind file_system_of(const std::string& path) {
    struct statfs found{};
    if (::statfs(path.c_str(), &found) != 0) return {"unknown", false};
#if defined(__linux__)
    return file_system_kind(static_cast<std::uint32_t>(found.f_type));
#else
    return (found.f_flags & MNT_LOCAL) != 0 ? FileSystemKind{"local", true} : FileSystemKind{"network", false};
#endif
}

}  // namespace taskstate::inline v0
