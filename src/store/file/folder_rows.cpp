#include "store/file/folder_rows.hpp"

#include <taskstate/base/digest.hpp>

#include "base/hex.hpp"
#include "store/file/file_names.hpp"

#include <fcntl.h>

#include <algorithm>
#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr std::string_view last_record = "end";

/// A file with these records, and where it ends.
struct WholeFile {
    std::string bytes{journal_start};
    JournalPlace end = journal_begin();

    void add(std::string_view record) { append_record(bytes, record, end); }
};

}  // namespace

std::string FolderRows::name_of(const std::string& scope) { return hex(sha256(scope)); }

bool FolderRows::is_name(std::string_view name) {
    return name.size() == sizeof(Digest::bytes) * 2 && name.find_first_not_of(hex_digits) == std::string_view::npos;
}

std::string FolderRows::path_to(std::string_view file) const { return folder_.path() + '/' + std::string(file); }
std::string FolderRows::role_of(std::string_view file) const { return '/' + name_ + '/' + std::string(file); }

Error FolderRows::at(std::string_view file, Error error) const { return under(role_of(file), std::move(error)); }

Result<std::optional<std::string>> FolderRows::bytes_of(std::string_view file, std::uint64_t offset) const {
    const int number = folder_.open(path_to(file), O_RDONLY);
    if (number == -ENOENT) return std::optional<std::string>();
    auto opened = folder_.adopt(number, role_of(file));
    if (!opened) return std::move(opened).error();
    const auto size = opened->size();
    if (size < 0) return storage_error(role_of(file), size);
    const auto bytes_max = static_cast<std::uint64_t>(size);
    if (bytes_max < offset) return at(file, fail(Reason::short_file, "", {bytes_max, bytes_max}));
    std::string bytes(static_cast<std::size_t>(bytes_max - offset), '\0');
    if (const int result = opened->read(bytes, offset); result < 0) return storage_error(role_of(file), result);
    return std::optional(std::move(bytes));
}

Result<OpenFile> FolderRows::lock() const { return folder_.lock(path_to(lock_name), role_of(lock_name), '/' + name_); }

// ---- reading

Result<Rows*> FolderRows::read(Depth depth) {
    if (is_current(depth)) return &seen_->rows;
    const auto there = is_there();
    if (!there) return there.error();
    if (!*there) {
        seen_ = Seen{.depth = Depth::logs};
        return &seen_->rows;
    }
    const auto lock = this->lock();
    if (!lock) return lock.error();
    if (auto done = catch_up(depth); !done) return std::move(done).error();
    return &seen_->rows;
}

/// A folder that holds nothing is no more than a missing one.
Result<bool> FolderRows::is_there() const {
    if (seen_ && !seen_->head_bytes.empty()) return true;
    std::vector<std::string> names;
    const int listed = folder_.files().list(folder_.path(), names);
    if (listed == -ENOENT) return false;
    if (listed < 0) return storage_error('/' + name_, listed);
    return std::any_of(names.begin(), names.end(),
                       [](const auto& name) { return name == state_name || journal_number(name) > 0; });
}

bool FolderRows::is_current(Depth depth) const {
    if (!settled_ || !seen_ || seen_->depth < depth) return false;
    auto state = folder_.adopt(folder_.open(path_to(state_name), O_RDONLY), "");
    std::string head(seen_->head_bytes.size(), '\0');
    if (!state || state->read(head) != 0 || head != seen_->head_bytes) return false;
    auto journal = folder_.adopt(folder_.open(path_to(journal_name(seen_->number)), O_RDONLY), "");
    return journal && journal->size() == static_cast<std::int64_t>(seen_->place.bytes);
}

Result<void> FolderRows::catch_up(Depth depth) {
    if (is_current(depth)) return {};
    if (!std::exchange(settled_, true)) seen_.reset();
    auto done = load(depth);
    if (!done) seen_.reset();
    return done;
}

Result<void> FolderRows::load(Depth depth) {
    const auto state = bytes_of(state_name, 0);
    if (!state) return state.error();
    if (!*state) {
        // No journal comes before the first state.
        const auto there = is_there();
        if (!there) return there.error();
        if (*there) return at(state_name, fail(Reason::short_file, "", {0, 0}));
        seen_ = Seen{.depth = Depth::logs};
        return {};
    }
    if (auto loaded = load_state(**state, depth); !loaded) return loaded;
    return load_journals();
}

Result<void> FolderRows::load_journals() {
    const auto scope = decode_scope(seen_->head.scope);
    if (!scope) return at(state_name, scope.error());
    for (std::uint64_t number = std::max(seen_->number, seen_->head.first); number <= seen_->head.number; ++number) {
        if (auto loaded = load_journal(number, *scope); !loaded) return loaded;
    }
    return {};
}

Result<void> FolderRows::load_state(std::string_view bytes, Depth depth) {
    if (auto ours = check_start(bytes); !ours) return at(state_name, ours.error());
    JournalReader records(bytes.substr(journal_start.size()), journal_begin());
    auto head = read_head(records, state_name);
    if (!head) return std::move(head).error();
    if (head->kind != FileHead::Kind::state) return at(state_name, fail(Reason::foreign_file, "", {bytes.size(), 0}));
    const bool goes_on =
        seen_ && seen_->depth >= depth && seen_->number >= head->first && seen_->number <= head->number;
    if (!goes_on) {
        const bool all = depth == Depth::logs;
        seen_ = Seen{.depth = depth, .number = all ? head->first : head->number};
        if (!all) seen_->place = head->place;
    }
    seen_->tidy = seen_->tidy && seen_->head == *head;
    seen_->head = *std::move(head);
    seen_->head_bytes = bytes.substr(0, static_cast<std::size_t>(records.place().bytes));
    seen_->state_bytes = bytes.size();
    if (goes_on) return {};
    const auto scope = decode_scope(seen_->head.scope);
    if (!scope) return at(state_name, scope.error());
    return load_rows(records, state_name, *scope);
}

Result<FileHead> FolderRows::read_head(JournalReader& records, std::string_view file) const {
    const auto first = records.next();
    if (!first) return at(file, first.error());
    if (!*first) return at(file, fail(Reason::short_file, "", {records.place().bytes, records.place().bytes}));
    auto head = decode_file_head(**first);
    if (!head) return at(file, std::move(head).error());
    if (name_of(head->scope) != name_) {
        return at(file, fail(Reason::foreign_file, "", {records.place().bytes, journal_start.size()}));
    }
    return head;
}

Result<void> FolderRows::load_journal(std::uint64_t number, const Scope& scope) {
    Seen& seen = *seen_;
    const std::string file = journal_name(number);
    const bool goes_on = number == seen.number && seen.place.bytes > 0;
    seen.number = number;
    const auto bytes = bytes_of(file, goes_on ? seen.place.bytes : 0);
    if (!bytes) return bytes.error();
    if (!*bytes) return at(file, fail(Reason::short_file, "", {0, 0}));
    std::string_view left = **bytes;
    if (!goes_on) {
        if (auto ours = check_start(left); !ours) return at(file, ours.error());
        left.remove_prefix(journal_start.size());
    }
    JournalReader records(left, goes_on ? seen.place : journal_begin());
    if (!goes_on) {
        const auto head = read_head(records, file);
        if (!head) return head.error();
        if (auto follows = check_order(*head, (*bytes)->size()); !follows) return follows;
    }
    if (auto loaded = load_rows(records, file, scope); !loaded) return loaded;
    seen.place = records.place();
    seen.torn = records.torn();
    const JournalPlace& reached = seen.head.place;
    if (number < seen.head.number || seen.place.bytes >= reached.bytes) return {};
    return at(file, fail(Reason::short_file, "", {reached.bytes, seen.place.bytes}));
}

/// Whether a journal is the one that is read, and stands behind all of the one before it.
Result<void> FolderRows::check_order(const FileHead& head, std::uint64_t bytes) const {
    const Seen& seen = *seen_;
    const bool is_first = seen.number == seen.head.first;
    const FileHead expected{FileHead::Kind::journal, seen.head.scope, seen.head.first, seen.number,
                            is_first ? JournalPlace{} : head.place};
    if (head != expected) {
        return at(journal_name(seen.number), fail(Reason::foreign_file, "", {bytes, journal_start.size()}));
    }
    const JournalPlace& end = seen.place;
    if (is_first || (end == head.place && !seen.torn)) return {};
    Reason reason = Reason::digest_mismatch;
    if (end.bytes < head.place.bytes) reason = Reason::short_file;
    if (end.bytes > head.place.bytes || (end == head.place && seen.torn)) reason = Reason::trailing_bytes;
    return at(journal_name(seen.number - 1), fail(reason, "", {end.bytes, std::min(end.bytes, head.place.bytes)}));
}

Result<void> FolderRows::load_rows(JournalReader& records, std::string_view file, const Scope& scope) {
    while (true) {
        const JournalPlace start = records.place();
        const auto text = records.next();
        if (!text) return at(file, text.error());
        const auto damaged = [&](Reason reason) {
            return at(file, fail(reason, "", {records.place().bytes, start.bytes}));
        };
        const bool is_state = file == state_name;
        if (!*text) return is_state ? damaged(Reason::short_file) : Result<void>();
        const JournalPlace& reached = seen_->head.place;
        const bool differs = records.place().bytes == reached.bytes && records.place().chain != reached.chain;
        if (!is_state && seen_->number == seen_->head.number && differs) return damaged(Reason::digest_mismatch);
        if (is_state && **text == last_record) {
            return records.torn() ? damaged(Reason::trailing_bytes) : Result<void>();
        }
        if (is_state && seen_->depth == Depth::logs) continue;  // the logs say all that it says
        const auto steps = decode_steps(**text, scope, seen_->depth);
        if (!steps) return damaged(Reason::unreadable_record);
        Batch batch(seen_->rows);
        for (const JournalStep& step : *steps) {
            if (auto done = take(batch, step); !done) return damaged(Reason::unreadable_record);
        }
        batch.keep();
    }
}

// ---- writing

Result<void> FolderRows::commit(const std::string& scope, std::span<const Write> batch,
                                const std::function<Result<void>()>& first) {
    const auto judge = [&](Batch& changes) -> Result<void> {
        for (const Write& write : batch) {
            if (auto done = changes.write(write); !done) return done;
        }
        return {};
    };
    const auto there = is_there();
    if (!there) return there.error();
    if (!*there) {
        // No folder is made for what is refused.
        Rows nothing;
        Batch trial(nothing);
        if (auto judged = judge(trial); !judged) return judged;
    }
    const auto lock = this->lock();
    if (!lock) return lock.error();
    if (auto done = catch_up(Depth::logs); !done) return done;
    const bool is_known = std::all_of(batch.begin(), batch.end(), [&](const Write& write) {
        const auto* added = std::get_if<AddProfile>(&write);
        return added != nullptr && seen_->rows.profiles.contains(added->profile.id);
    });
    Batch changes(seen_->rows);
    if (auto judged = judge(changes); !judged || is_known) return judged;
    if (auto done = first ? first() : Result<void>(); !done) return done;
    const bool is_new = seen_->head.number == 0;
    if (is_new) seen_->head.scope = scope;
    const bool trims = std::any_of(batch.begin(), batch.end(),
                                   [](const Write& write) { return std::holds_alternative<TrimLog>(write); });
    if (is_new || trims) return keep(changes, Extent::anew, {});
    std::string text;
    for (const Write& write : batch) append_step(text, write);
    return keep(changes, Extent::next, text);
}

Result<bool> FolderRows::expose(const Exposed& exposed) {
    auto there = is_there();
    if (!there || !*there) return there;
    const auto lock = this->lock();
    if (!lock) return lock.error();
    if (auto done = catch_up(Depth::logs); !done) return std::move(done).error();
    Batch changes(seen_->rows);
    if (!changes.expose(exposed.scope, exposed.delivery, exposed.at)) return false;
    std::string text;
    append_step(text, exposed);
    if (auto kept = keep(changes, Extent::next, text); !kept) return std::move(kept).error();
    return true;
}

Result<std::optional<Removed>> FolderRows::forget(const TaskAddress& task) {
    const auto there = is_there();
    if (!there) return there.error();
    if (!*there) return std::optional<Removed>();
    const auto lock = this->lock();
    if (!lock) return lock.error();
    if (auto done = catch_up(Depth::logs); !done) return std::move(done).error();
    Batch changes(seen_->rows);
    const auto removed = changes.forget(task);
    // Where it is gone already, an earlier call may have been stopped before the files went.
    auto done = removed ? keep(changes, Extent::anew, {}) : remove_old();
    if (!done) return std::move(done).error();
    return removed;
}

/// Makes it last what a batch changed: by a record at the end, or by files that hold all anew.
Result<void> FolderRows::keep(Batch& changes, Extent extent, const std::string& text) {
    auto done = extent == Extent::anew ? publish(extent) : append(text);
    if (!done) return done;
    changes.keep();
    // Whether that can be done now or later is no matter to what was kept.
    const std::uint64_t grown = seen_->place.bytes - seen_->head.place.bytes;
    if (grown >= std::max(journal_bytes_, seen_->state_bytes) && extent == Extent::next) {
        (void)publish(Extent::next);
    }
    return {};
}

Result<void> FolderRows::append(const std::string& text) {
    Seen& seen = *seen_;
    if (!seen.tidy) {
        if (auto removed = remove_old(); !removed) return removed;
    }
    JournalPlace end = seen.place;
    std::string line;
    append_record(line, text, end);
    const std::string file = journal_name(seen.number);
    auto journal = folder_.adopt(folder_.open(path_to(file), O_WRONLY | O_APPEND), role_of(file));
    if (!journal) return std::move(journal).error();
    int result = seen.torn ? journal->truncate(seen.place.bytes) : 0;
    if (result == 0) result = journal->write(line);
    if (result < 0) {
        (void)journal->truncate(seen.place.bytes);  // else the next writer does: half a record is none
        return storage_error(role_of(file), result);
    }
    result = journal->sync();
    if (result < 0) {
        const bool undone = journal->truncate(seen.place.bytes) == 0 && journal->sync() == 0;
        if (undone) return storage_error(role_of(file), result);
        settled_ = false;
        return storage_error(Reason::commit_in_doubt, role_of(file), result);
    }
    seen.place = std::move(end);
    seen.torn = false;
    return {};
}

/// Begins the next journal, and puts a state in place that names it.
Result<void> FolderRows::publish(Extent extent) {
    Seen& seen = *seen_;
    if (auto removed = remove_old(); !removed) return removed;
    if (seen.head_bytes.empty()) {
        // First a state without journals, so that a journal without a state is one whose state was lost.
        if (auto begun = put_state({FileHead::Kind::state, seen.head.scope, 1, 0, {}}); !begun) return begun;
    }
    const bool anew = extent == Extent::anew;
    FileHead head{FileHead::Kind::journal, seen.head.scope, seen.head.first, seen.head.number + 1, seen.place};
    if (anew) head.first = head.number;
    if (anew) head.place = {};
    WholeFile journal;
    journal.add(encode_file_head(head));
    if (anew) {
        for (const std::string& record : encode_rows(seen.rows, Depth::logs)) journal.add(record);
    }
    const std::string file = journal_name(head.number);
    auto done = folder_.stage(path_to(file), journal.bytes, role_of(file));
    head.kind = FileHead::Kind::state;
    head.place = journal.end;
    if (done) done = put_state(std::move(head));
    if (!done) {
        if (settled_) (void)folder_.files().unlink(path_to(file));
        return done;
    }
    seen.number = seen.head.number;
    seen.place = seen.head.place;
    seen.torn = false;
    if (!anew) return {};
    done = remove_old();
    if (done) return {};
    settled_ = false;
    return fail(Reason::commit_in_doubt, std::move(done).error().path);
}

/// Replaces the state; in doubt where it has a name that may not last.
Result<void> FolderRows::put_state(FileHead head) {
    Seen& seen = *seen_;
    WholeFile state;
    state.add(encode_file_head(head));
    std::string head_bytes = state.bytes;
    if (head.number > 0) {
        for (const std::string& record : encode_rows(seen.rows, Depth::heads)) state.add(record);
    }
    state.add(last_record);
    auto done = folder_.stage(path_to(staged_name), state.bytes, role_of(staged_name));
    if (done) done = sync_names();
    if (done) {
        const int moved = folder_.files().rename(path_to(staged_name), path_to(state_name));
        if (moved < 0) done = storage_error(role_of(state_name), moved);
    }
    if (!done) {
        (void)folder_.files().unlink(path_to(staged_name));
        return done;
    }
    if (auto synced = sync_names(); !synced) {
        settled_ = false;
        return fail(Reason::commit_in_doubt, std::move(synced).error().path);
    }
    seen.head = std::move(head);
    seen.head_bytes = std::move(head_bytes);
    seen.state_bytes = state.bytes.size();
    seen.tidy = true;
    return {};
}

/// Removes what no state names: what a writer left that was stopped, and what was forgotten.
Result<void> FolderRows::remove_old() {
    // The state has to last before what it no longer names is gone.
    if (auto synced = sync_names(); !synced) return synced;
    std::vector<std::string> names;
    if (const int listed = folder_.files().list(folder_.path(), names); listed < 0) {
        return storage_error('/' + name_, listed);
    }
    bool removed = false;
    for (const std::string& name : names) {
        const std::uint64_t number = journal_number(name);
        const bool counts = number >= seen_->head.first && number <= seen_->head.number;
        if (name != staged_name && (number == 0 || counts)) continue;
        const int gone = folder_.files().unlink(path_to(name));
        if (gone < 0 && gone != -ENOENT) return storage_error(role_of(name), gone);
        removed = true;
    }
    if (removed) {
        if (auto synced = sync_names(); !synced) return synced;
    }
    seen_->tidy = true;
    return {};
}

Result<void> FolderRows::sync_names() const {
    auto self = folder_.open_self('/' + name_);
    if (!self) return std::move(self).error();
    const int synced = self->sync();
    return synced < 0 ? storage_error('/' + name_, synced) : Result<void>();
}

}  // namespace taskstate::inline v0
