// The way back of a folder whose files were damaged.

#include "store/file/file_names.hpp"
#include "store/file/folder_rows.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace taskstate::inline v0 {
namespace {

/// Whether there is something to go back from: what is newer or out of reach is left alone.
bool is_damage(const Error& error) { return error.code() == Errc::corrupt || error.reason == Reason::foreign_file; }

}  // namespace

Result<std::uint64_t> FolderRows::recover() {
    const auto there = is_there();
    if (!there) return there.error();
    if (!*there) return std::uint64_t{0};
    const auto lock = this->lock();
    if (!lock) return lock.error();
    auto whole = load_anew(Depth::heads);
    if (whole) whole = load_anew(Depth::logs);
    if (whole) return std::uint64_t{0};
    if (!is_damage(whole.error())) return whole.error();
    if (auto found = salvage(std::move(whole).error()); !found) return std::move(found).error();
    auto kept = set_aside();
    if (!kept) return kept;
    if (auto done = publish(Extent::anew); !done) return std::move(done).error();
    return kept;
}

Result<void> FolderRows::load_anew(Depth depth) {
    seen_.reset();
    settled_ = true;
    return load(depth);
}

/// Everything up to the damage.  Where that lies in a journal that others follow, all heads as the state has them, with
/// the last journal: then the logs begin there.
Result<void> FolderRows::salvage(Error why) {
    seen_.reset();
    const auto state = bytes_of(state_name, 0);
    if (!state) return state.error();
    const bool is_whole = *state && load_state(**state, Depth::logs);
    if (!seen_) {
        if (auto found = find_journals(std::move(why)); !found) return found;
    }
    auto done = load_journals();
    if (done || !is_damage(done.error())) return done;
    if (!is_whole || seen_->number == seen_->head.number) return {};
    Seen logs = *std::exchange(seen_, std::nullopt);
    if (!load_state(**state, Depth::heads)) {
        seen_ = std::move(logs);
        return {};
    }
    seen_->depth = Depth::logs;
    done = load_journals();
    return done || is_damage(done.error()) ? Result<void>() : done;
}

/// What the newest journal that can be read tells of the others; `why` where there is none.
Result<void> FolderRows::find_journals(Error why) {
    std::vector<std::string> names;
    const int listed = folder_.files().list(folder_.path(), names);
    if (listed < 0) return storage_error('/' + name_, listed);
    std::sort(names.begin(), names.end(), std::greater<>());
    for (const std::string& name : names) {
        if (journal_number(name) == 0) continue;
        const auto bytes = bytes_of(name, 0);
        if (!bytes) return bytes.error();
        if (!*bytes || !check_start(**bytes)) continue;
        JournalReader records(std::string_view(**bytes).substr(journal_start.size()), journal_begin());
        auto head = read_head(records, name);
        if (!head || head->kind != FileHead::Kind::journal || head->number != journal_number(name)) continue;
        head->place = {};
        seen_ = Seen{.head = *std::move(head), .head_bytes = std::string(journal_start), .depth = Depth::logs};
        seen_->number = seen_->head.first;
        return {};
    }
    return why;
}

/// Gives every file a second name by which it stays.
Result<std::uint64_t> FolderRows::set_aside() {
    std::vector<std::string> names;
    const int listed = folder_.files().list(folder_.path(), names);
    if (listed < 0) return storage_error('/' + name_, listed);
    std::uint64_t n = 1, kept = 0;
    for (const std::string& name : names) n = std::max(n, bad_number(name) + 1);
    for (const std::string& name : names) {
        const std::uint64_t number = journal_number(name);
        if (number == 0 && name != state_name) continue;
        seen_->head.number = std::max(seen_->head.number, number);
        const int linked = folder_.files().link(path_to(name), path_to(bad_name(name, n)));
        if (linked == -EPERM || linked == -EOPNOTSUPP) {
            return storage_error(Reason::unsuitable_file_system, role_of(name), linked);
        }
        if (linked < 0) return storage_error(role_of(name), linked);
        ++kept;
    }
    if (auto synced = sync_names(); !synced) return std::move(synced).error();
    return kept;
}

}  // namespace taskstate::inline v0
