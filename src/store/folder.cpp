#include "store/folder.hpp"

#include <fcntl.h>

#include <system_error>

namespace taskstate::inline v0 {
namespace {

Reason reason_of(int number) noexcept {
    switch (number) {
        case ENOSPC:
        case EDQUOT:
            return Reason::storage_full;
        case EACCES:
        case EPERM:
        case EROFS:
            return Reason::storage_denied;
        case ELOOP:
        case EISDIR:
        case ENAMETOOLONG:
            return Reason::unsafe_path;
        default:
            return Reason::storage_failed;
    }
}

}  // namespace

Error storage_error(Reason reason, std::string_view path, std::int64_t result) {
    Error error = fail(reason, std::string(path));
    error.message += " The system says: " + std::generic_category().message(static_cast<int>(-result)) + '.';
    return error;
}

Error storage_error(std::string_view path, std::int64_t result) {
    return storage_error(reason_of(static_cast<int>(-result)), path, result);
}

int OpenFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto count = uninterrupted([&] { return files_->write(number_, bytes.data(), bytes.size()); });
        if (count < 0) return static_cast<int>(count);
        if (count == 0) return -EIO;  // no progress and no reason: asking again might never end
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

int OpenFile::read(std::string& bytes, std::uint64_t offset) {
    std::size_t size = 0;
    while (size < bytes.size()) {
        const auto count = uninterrupted(
            [&] { return files_->read(number_, bytes.data() + size, bytes.size() - size, offset + size); });
        if (count < 0) return static_cast<int>(count);
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
    }
    bytes.resize(size);
    return 0;
}

std::string Folder::parent_of(const std::string& path) {
    const auto slash = path.rfind('/', path.find_last_not_of('/'));
    if (slash == std::string::npos) return ".";
    const auto end = path.find_last_not_of('/', slash);
    return end == std::string::npos ? "/" : path.substr(0, end + 1);
}

int Folder::open(const std::string& path, int flags) const {
    return uninterrupted([&] { return files_.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600); });
}

Result<OpenFile> Folder::adopt(int number, std::string_view role) const {
    if (number < 0) return storage_error(role, number);
    OpenFile file(files_, number);
    if (const auto size = file.size(); size < 0) return storage_error(role, size);
    return file;
}

Result<OpenFile> Folder::open_self(std::string_view role) const {
    const int number = uninterrupted([&] { return files_.open(path_, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
    if (number < 0) return storage_error(role, number);
    return OpenFile(files_, number);
}

Result<void> Folder::make(std::string_view role) const {
    const int made = files_.make_directory(path_, 0700);
    if (made < 0 && made != -EEXIST) return storage_error(role, made);
    auto parent = Folder(files_, parent_of(path_)).open_self(role);
    const bool hosts = made == -EEXIST && !parent && parent.error().reason == Reason::storage_denied;
    if (hosts) return {};  // a folder in one that we may not even read was not made by us
    if (!parent) return parent.error();
    const int synced = parent->sync();
    return synced < 0 ? storage_error(role, synced) : Result<void>();
}

Result<OpenFile> Folder::lock(const std::string& path, std::string_view role, std::string_view self) const {
    int number = open(path, O_RDWR);
    if (number == -ENOENT) {
        if (auto made = make(self); !made) return made.error();
        number = open(path, O_RDWR | O_CREAT);
    }
    auto file = adopt(number, role);
    if (!file) return file;
    int result = file->change_mode(0600);
    if (result == 0) result = file->lock();
    if (result < 0) return storage_error(role, result);
    return file;
}

Result<void> Folder::stage(const std::string& path, std::string_view bytes, std::string_view role) const {
    auto file = adopt(open(path, O_WRONLY | O_CREAT | O_EXCL), role);
    if (!file) return file.error();
    int result = file->change_mode(0600);
    if (result == 0) result = file->write(bytes);
    if (result == 0) result = file->sync();
    if (const int closed = file->close(); result == 0) result = closed;
    return result < 0 ? storage_error(role, result) : Result<void>();
}

}  // namespace taskstate::inline v0
