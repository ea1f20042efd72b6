#pragma once
// SQLite's own access to files, but for what a test makes of it.

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace taskstate::test {

/// The default of SQLite while it lives; every connection must be closed before it goes.
///
/// Counted are the operations that change files, from 1 on: writes, truncations, syncs, deletions.  Nothing is really
/// synced; what a sync would have made durable is remembered for `cut_power`.
/// Thread-safety: confined.
class FaultyVfs {
 public:
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

    enum class Fault : std::uint8_t {
        fails,  ///< nothing happens
        tears,  ///< half of the bytes of a write are written
        fills,  ///< writes find no space; all else goes well
    };
    struct Plan {
        std::size_t at = never;  ///< the operation that is struck
        Fault fault = Fault::fails;
        bool for_good = false;          ///< every later one is struck too
        std::size_t closed_at = never;  ///< the opening of a file that is denied, from 1 on
        bool read_only = false;         ///< files can be opened for reading only
    };

    explicit FaultyVfs(const Plan& plan);
    FaultyVfs(const FaultyVfs&) = delete;
    FaultyVfs& operator=(const FaultyVfs&) = delete;
    ~FaultyVfs();

    [[nodiscard]] std::size_t operations() const { return operations_; }
    [[nodiscard]] std::size_t openings() const { return openings_; }
    /// From now on everything goes well.
    void heal() { plan_ = {}; }
    /// Files are what was synced of them, and of the rest every `kept`-th change; 0 = none of it.
    void cut_power(std::size_t kept);

 private:
    struct File;
    /// What takes a change back.
    struct Undo {
        std::string path{};
        std::string bytes{};
        sqlite3_int64 offset = 0, size = 0;
    };

    static FaultyVfs& of(sqlite3_vfs* vfs) { return *static_cast<FaultyVfs*>(vfs->pAppData); }
    static int open(sqlite3_vfs* vfs, sqlite3_filename name, sqlite3_file* file, int flags, int* out);
    static int remove(sqlite3_vfs* vfs, const char* name, int sync_folder);
    static const sqlite3_io_methods& methods();

    /// Counts an operation: whether it is struck.
    bool struck(bool is_write);
    int write(File& file, const void* bytes, int size, sqlite3_int64 offset);
    int truncate(File& file, sqlite3_int64 size);
    int sync(File& file);
    /// Remembers what lies where `size` bytes are about to change.
    void remember(File& file, sqlite3_int64 offset, sqlite3_int64 size);

    Plan plan_;
    sqlite3_vfs* real_;
    sqlite3_vfs vfs_;
    std::size_t operations_ = 0, openings_ = 0;
    std::vector<Undo> undos_{};
};

}  // namespace taskstate::test
