#include <taskstate/store/snapshot_file.hpp>

#include "store/envelope.hpp"
#include "store/folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

namespace taskstate::inline v0 {
namespace {

// Which of the files an error is about.
using FileRole = std::string_view;
constexpr FileRole current = "/current", previous = "/previous", temporary = "/temporary", damaged = "/damaged";
constexpr FileRole lock_file = "/lock", folder_itself = "/folder";

// Whether a file of this size holds more than a snapshot may have.
bool too_large(std::size_t size, const Limits& limits) noexcept {
    return size > envelope_bytes && size - envelope_bytes > limits.snapshot_bytes_max;
}

// The file, the files beside it, and what is done to them.
class Place {
 public:
    Place(FileSystem& files, const std::string& path)
        : files_(files), path_(path), name_start_(path.rfind('/') + 1), folder_(files, Folder::parent_of(path)) {}

    [[nodiscard]] std::string previous_path() const { return path_ + ".prev"; }

    // Whether the path names a file in a folder, so that the files beside it lie in the same folder.
    [[nodiscard]] Result<void> check() const {
        const auto name = this->name();
        const bool plain = !name.empty() && name != "." && name != ".." && path_.find('\0') == std::string::npos;
        return plain ? Result<void>() : fail(Reason::unsafe_path, std::string(current));
    }

    Result<OpenFile> lock() const {
        if (auto checked = check(); !checked) return checked.error();
        return folder_.lock(path_ + ".lock", lock_file, folder_itself);
    }

    // The bytes of a file, of one that is too large the first ones; nothing where there is no file.
    Result<std::optional<std::string>> read(const std::string& path, FileRole role, const Limits& limits) {
        const int number = folder_.open(path, O_RDONLY);
        if (number == -ENOENT) return std::optional<std::string>();
        auto file = folder_.adopt(number, role);
        if (!file) return file.error();
        const auto found = file->size();
        if (found < 0) return storage_error(role, found);
        const auto size = static_cast<std::size_t>(found);
        // One byte more is asked for, so that the end of the file is seen, or that there is none where it must be.
        std::string bytes((too_large(size, limits) ? limits.snapshot_bytes_max + envelope_bytes : size) + 1, '\0');
        if (const int result = file->read(bytes); result < 0) return storage_error(role, result);
        return std::optional(std::move(bytes));
    }

    // What becomes of the file that a new one takes the place of.
    enum class Keep : std::uint8_t { nothing, as_previous, as_damaged };

    // Puts a whole new file in place.  At every moment the path leads to the old bytes or to the new ones.
    Result<void> replace(std::string_view bytes, Keep keep) {
        remove_leftovers();
        const std::string staged = new_name();
        auto done = folder_.stage(staged, bytes, temporary);
        if (done) done = publish(staged, keep);
        if (!done) (void)files_.unlink(staged);
        return done;
    }

 private:
    [[nodiscard]] std::string_view name() const { return std::string_view(path_).substr(name_start_); }

    // A writer that was killed left these; under the lock nobody writes one.  What cannot be removed does no harm.
    void remove_leftovers() {
        const std::string start = std::string(name()) + ".tmp-";
        std::vector<std::string> names;
        (void)files_.list(folder_.path(), names);
        for (const std::string& found : names) {
            const bool ours =
                found.starts_with(start) && found.find_first_not_of("0123456789-", start.size()) == std::string::npos;
            if (ours) (void)files_.unlink(path_.substr(0, name_start_) + found);
        }
    }

    // Unique among all writers of this path: the lock may not hold on every file system.
    [[nodiscard]] std::string new_name() const {
        static std::atomic<std::uint64_t> counter{0};
        return path_ + ".tmp-" + std::to_string(::getpid()) + '-' + std::to_string(++counter);
    }

    Result<void> publish(const std::string& staged, Keep keep) {
        auto folder = folder_.open_self(folder_itself);  // before anything moves, so that little can fail afterwards
        if (!folder) return folder.error();
        const auto kept = this->keep(keep);
        if (!kept) return kept.error();
        if (const int moved = files_.rename(staged, path_); moved < 0) return storage_error(current, moved);
        const int synced = folder->sync();
        if (synced == 0) return {};
        // The caller is told that nothing changed, so the old file goes back to its place.
        const int undone = kept->empty() ? files_.unlink(path_) : put_back(*kept);
        return undone < 0 ? storage_error(Reason::commit_in_doubt, folder_itself, synced)
                          : storage_error(folder_itself, synced);
    }

    int put_back(const std::string& kept) {
        const std::string spare = new_name();
        const int linked = files_.link(kept, spare);
        return linked < 0 ? linked : files_.rename(spare, path_);
    }

    // Gives the current file a second name, by which it stays when the first one moves on; "" = none.
    Result<std::string> keep(Keep how) {
        switch (how) {
            case Keep::as_previous:
                return keep_previous();
            case Keep::as_damaged:
                return keep_damaged();
            case Keep::nothing:
                break;
        }
        return std::string();
    }

    Result<std::string> keep_previous() {
        const std::string spare = new_name();
        if (const int linked = files_.link(path_, spare); linked < 0) return link_error(previous, linked);
        const int moved = files_.rename(spare, previous_path());
        // Where both names lead to one file already, after a crash just here, rename leaves the first name behind.
        (void)files_.unlink(spare);
        if (moved < 0) return storage_error(previous, moved);
        return previous_path();
    }

    Result<std::string> keep_damaged() {
        for (std::uint64_t n = 1;; ++n) {
            std::string name = path_ + ".bad-" + std::to_string(n);
            const int linked = files_.link(path_, name);
            if (linked == 0) return name;
            if (linked != -EEXIST) return link_error(damaged, linked);
        }
    }

    static Error link_error(FileRole role, int result) {
        const bool no_links = result == -EPERM || result == -EOPNOTSUPP;
        return no_links ? storage_error(Reason::unsuitable_file_system, role, result) : storage_error(role, result);
    }

    FileSystem& files_;
    const std::string& path_;
    std::size_t name_start_;
    Folder folder_;
};

// What a reader without the record's field or word cannot keep is not damage; all else inside a file whose digest fits
// is.
Error in_snapshot(FileRole role, Error error, std::size_t file_size) {
    const std::string path = std::string(role) + "/snapshot" + error.path;
    switch (error.reason) {
        case Reason::snapshot_bytes_exceeded:
            return under(std::string(role) + "/snapshot", std::move(error));
        case Reason::newer_format:
        case Reason::unknown_field:
        case Reason::unknown_word:
            return fail(Reason::newer_format, path);
        default:
            return fail(Reason::unreadable_record, path, {file_size, snapshot_offset});
    }
}

Result<SnapshotInput> parse(std::string_view file, FileRole role, const Limits& limits) {
    const auto json = unwrap(file);
    if (!json && json.error().reason == Reason::short_file && too_large(file.size(), limits)) {
        return fail(Reason::snapshot_bytes_exceeded, std::string(role),
                    {limits.snapshot_bytes_max, file.size() - envelope_bytes});
    }
    if (!json) return under(role, json.error());
    auto snapshot = decode_snapshot(*json, limits);
    return snapshot ? snapshot : in_snapshot(role, std::move(snapshot).error(), file.size());
}

Result<std::optional<SnapshotInput>> read_current(Place& place, const std::string& path, const Limits& limits) {
    const auto bytes = place.read(path, current, limits);
    if (!bytes) return bytes.error();
    if (!*bytes) return std::optional<SnapshotInput>();
    return parse(**bytes, current, limits).transform([](SnapshotInput&& found) {
        return std::optional(std::move(found));
    });
}

// The same for a caller who would take a lost file for a new task: where there is a previous one, there was a current.
Result<std::optional<SnapshotInput>> read_unless_lost(Place& place, const std::string& path, const Limits& limits) {
    auto found = read_current(place, path, limits);
    if (!found || *found) return found;
    const auto before = place.read(place.previous_path(), previous, limits);
    if (!before) return before.error();
    if (!*before) return found;
    // The first saves may have come between the two looks; what is there now will not go.
    found = read_current(place, path, limits);
    if (found && !*found) return fail(Reason::short_file, std::string(current), {0, 0});
    return found;
}

// Whether `next` may take the place of what lies on disk.
Result<void> check_base(const std::optional<SnapshotInput>& found, const Snapshot& next,
                        std::optional<Revision> expected) {
    if (found && found->id != next.id()) return fail(Reason::task_mismatch, "/id");
    if (found && found->scope != next.scope()) return fail(Reason::scope_mismatch, "/scope");
    const auto there = found ? std::optional(found->revision) : std::nullopt;
    if (there == expected) return {};
    return fail(Reason::stale_base_revision, "/expected",
                {there.value_or(Revision{}).number, expected.value_or(Revision{}).number});
}

}  // namespace

SnapshotFile::SnapshotFile(std::string path, Limits limits, std::shared_ptr<FileSystem> files)
    : path_(std::move(path)), limits_(limits), files_(std::move(files)) {}

Result<void> SnapshotFile::save(const Snapshot& snapshot, std::optional<Revision> expected) {
    if (snapshot.revision() == Revision{}) return fail(Reason::out_of_range, "/revision", {1, 0});  // nothing yet
    const std::string json = encode(snapshot);
    if (json.size() > limits_.snapshot_bytes_max) {
        return fail(Reason::snapshot_bytes_exceeded, "", {limits_.snapshot_bytes_max, json.size()});
    }
    Place place(*files_, path_);
    const auto lock = place.lock();
    if (!lock) return lock.error();
    const auto found = read_unless_lost(place, path_, limits_);
    if (!found) return found.error();
    if (auto checked = check_base(*found, snapshot, expected); !checked) return checked;
    return place.replace(wrap(json), *found ? Place::Keep::as_previous : Place::Keep::nothing);
}

Result<std::optional<SnapshotInput>> SnapshotFile::load() const {
    Place place(*files_, path_);
    if (auto checked = place.check(); !checked) return checked.error();
    return read_unless_lost(place, path_, limits_);
}

Result<SnapshotInput> SnapshotFile::recover() {
    Place place(*files_, path_);
    const auto lock = place.lock();
    if (!lock) return lock.error();
    auto found = read_current(place, path_, limits_);
    if (found && *found) return **std::move(found);
    const bool lost = found.has_value();
    const bool mended = lost || found.error().code() == Errc::corrupt || found.error().reason == Reason::foreign_file;
    if (!mended) return found.error();

    const auto bytes = place.read(place.previous_path(), previous, limits_);
    if (!bytes) return bytes.error();
    if (!*bytes) return storage_error(previous, -ENOENT);
    auto good = parse(**bytes, previous, limits_);
    if (!good) return good;
    const auto done = place.replace(**bytes, lost ? Place::Keep::nothing : Place::Keep::as_damaged);
    if (!done) return done.error();
    return good;
}

}  // namespace taskstate::inline v0
