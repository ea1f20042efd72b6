#include "store/faulty_vfs.hpp"

#include "store/temporary_folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace taskstate::test {

struct FaultyVfs::File : sqlite3_file {
    FaultyVfs* vfs;
    const char* name;  ///< lives until the file is closed; none for a temporary one

    static File& of(sqlite3_file* file) { return *static_cast<File*>(file); }
    /// SQLite gives the memory of both, one behind the other.
    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
    [[nodiscard]] const sqlite3_io_methods& real_methods() { return *real()->pMethods; }
};

FaultyVfs::FaultyVfs(const Plan& plan) : plan_(plan), real_(sqlite3_vfs_find(nullptr)), vfs_(*real_) {
    static_assert(sizeof(File) % alignof(sqlite3_int64) == 0);
    vfs_.szOsFile = static_cast<int>(sizeof(File)) + real_->szOsFile;
    vfs_.zName = "taskstate-faulty";
    vfs_.pAppData = this;
    vfs_.xOpen = open;
    vfs_.xDelete = remove;
    vfs_.xAccess = [](sqlite3_vfs* vfs, const char* name, int flags, int* out) {
        return of(vfs).real_->xAccess(of(vfs).real_, name, flags, out);
    };
    vfs_.xFullPathname = [](sqlite3_vfs* vfs, const char* name, int size, char* out) {
        return of(vfs).real_->xFullPathname(of(vfs).real_, name, size, out);
    };
    if (sqlite3_vfs_register(&vfs_, 1) != SQLITE_OK) std::abort();
}

FaultyVfs::~FaultyVfs() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(real_, 1);
}

int FaultyVfs::open(sqlite3_vfs* vfs, sqlite3_filename name, sqlite3_file* file, int flags, int* out) {
    FaultyVfs& self = of(vfs);
    File& mine = File::of(file);
    mine.pMethods = nullptr;
    mine.vfs = &self;
    mine.name = name;
    if (++self.openings_ == self.plan_.closed_at) return SQLITE_CANTOPEN;
    if (self.plan_.read_only) flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
    const int code = self.real_->xOpen(self.real_, name, mine.real(), flags, out);
    if (code == SQLITE_OK) mine.pMethods = &methods();
    return code;
}

int FaultyVfs::remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
    FaultyVfs& self = of(vfs);
    if (self.struck(false)) return SQLITE_IOERR_DELETE;
    if (sync_folder == 0 && std::filesystem::exists(name)) {
        std::string bytes = bytes_of(name);
        const auto size = static_cast<sqlite3_int64>(bytes.size());
        self.undos_.push_back({.path = name, .bytes = std::move(bytes), .size = size});
    }
    return self.real_->xDelete(self.real_, name, 0);
}

bool FaultyVfs::struck(bool is_write) {
    const std::size_t number = ++operations_;
    if (number != plan_.at && !(plan_.for_good && number > plan_.at)) return false;
    return is_write || plan_.fault != Fault::fills;
}

int FaultyVfs::write(File& file, const void* bytes, int size, sqlite3_int64 offset) {
    const bool fault = struck(true);
    const int written = !fault ? size : plan_.fault == Fault::tears ? size / 2 : 0;
    remember(file, offset, written);
    const int code = written == 0 ? SQLITE_OK : file.real_methods().xWrite(file.real(), bytes, written, offset);
    if (!fault) return code;
    return plan_.fault == Fault::fills ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

int FaultyVfs::truncate(File& file, sqlite3_int64 size) {
    if (struck(false)) return SQLITE_IOERR_TRUNCATE;
    sqlite3_int64 before = 0;
    file.real_methods().xFileSize(file.real(), &before);
    remember(file, size, std::max<sqlite3_int64>(before - size, 0));
    return file.real_methods().xTruncate(file.real(), size);
}

int FaultyVfs::sync(File& file) {
    if (struck(false)) return SQLITE_IOERR_FSYNC;
    std::erase_if(undos_, [&](const Undo& undo) { return undo.path == file.name; });
    return SQLITE_OK;
}

void FaultyVfs::remember(File& file, sqlite3_int64 offset, sqlite3_int64 size) {
    if (file.name == nullptr || size == 0) return;
    Undo undo{.path = file.name, .offset = offset};
    file.real_methods().xFileSize(file.real(), &undo.size);
    undo.bytes.resize(static_cast<std::size_t>(std::clamp<sqlite3_int64>(undo.size - offset, 0, size)));
    const auto known = static_cast<int>(undo.bytes.size());
    if (known != 0) file.real_methods().xRead(file.real(), undo.bytes.data(), known, offset);
    undos_.push_back(std::move(undo));
}

void FaultyVfs::cut_power(std::size_t kept) {
    for (std::size_t i = undos_.size(); i > 0; --i) {
        if (kept != 0 && i % kept == 0) continue;
        const Undo& undo = undos_[i - 1];
        if (!std::filesystem::exists(undo.path)) put_bytes(undo.path, "");
        {
            std::fstream file(undo.path, std::ios::binary | std::ios::in | std::ios::out);
            file.seekp(undo.offset);
            file.write(undo.bytes.data(), static_cast<std::streamsize>(undo.bytes.size()));
        }
        if (kept == 0) std::filesystem::resize_file(undo.path, static_cast<std::uintmax_t>(undo.size));
    }
    undos_.clear();
}

const sqlite3_io_methods& FaultyVfs::methods() {
    // Version 2: pages are read, never mapped.
    static const sqlite3_io_methods table{
        .iVersion = 2,
        .xClose = [](sqlite3_file* f) { return File::of(f).real_methods().xClose(File::of(f).real()); },
        .xRead = [](sqlite3_file* f, void* into, int size,
                    sqlite3_int64 at) { return File::of(f).real_methods().xRead(File::of(f).real(), into, size, at); },
        .xWrite = [](sqlite3_file* f, const void* from, int size,
                     sqlite3_int64 at) { return File::of(f).vfs->write(File::of(f), from, size, at); },
        .xTruncate = [](sqlite3_file* f, sqlite3_int64 size) { return File::of(f).vfs->truncate(File::of(f), size); },
        .xSync = [](sqlite3_file* f, int) { return File::of(f).vfs->sync(File::of(f)); },
        .xFileSize = [](sqlite3_file* f,
                        sqlite3_int64* size) { return File::of(f).real_methods().xFileSize(File::of(f).real(), size); },
        .xLock = [](sqlite3_file* f, int how) { return File::of(f).real_methods().xLock(File::of(f).real(), how); },
        .xUnlock = [](sqlite3_file* f, int how) { return File::of(f).real_methods().xUnlock(File::of(f).real(), how); },
        .xCheckReservedLock =
            [](sqlite3_file* f, int* out) {
                return File::of(f).real_methods().xCheckReservedLock(File::of(f).real(), out);
            },
        .xFileControl =
            [](sqlite3_file* f, int what, void* out) {
                return File::of(f).real_methods().xFileControl(File::of(f).real(), what, out);
            },
        .xSectorSize = [](sqlite3_file* f) { return File::of(f).real_methods().xSectorSize(File::of(f).real()); },
        .xDeviceCharacteristics =
            [](sqlite3_file* f) { return File::of(f).real_methods().xDeviceCharacteristics(File::of(f).real()); },
        .xShmMap =
            [](sqlite3_file* f, int page, int size, int extend, void volatile** out) {
                return File::of(f).real_methods().xShmMap(File::of(f).real(), page, size, extend, out);
            },
        .xShmLock =
            [](sqlite3_file* f, int offset, int count, int flags) {
                return File::of(f).real_methods().xShmLock(File::of(f).real(), offset, count, flags);
            },
        .xShmBarrier = [](sqlite3_file* f) { File::of(f).real_methods().xShmBarrier(File::of(f).real()); },
        .xShmUnmap = [](sqlite3_file* f,
                        int erase) { return File::of(f).real_methods().xShmUnmap(File::of(f).real(), erase); },
        .xFetch = nullptr,
        .xUnfetch = nullptr,
    };
    return table;
}

}  // namespace taskstate::test
