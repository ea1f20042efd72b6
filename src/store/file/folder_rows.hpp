#pragma once
// The rows of one folder, and the files that they come from and go to.

#include <taskstate/store/file_store.hpp>

#include "store/file/record.hpp"
#include "store/folder.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace taskstate::inline v0 {

/// A folder with everything of one scope, or with what belongs to none.
///
/// Shape: its name is the SHA-256 of the scope's canonical JSON, in hex.  In it lie `lock`, `state`, which says which
///        journals count, and `journal-<10 digits>`.  Writers, and readers that have something to catch up with, hold
///        the lock of `lock`, so nobody sees what is not durable.
/// Errors: paths are `/<folder>/<file>`; where bytes of a file are at fault, `limit` is its size and `actual` the byte
///         at which that shows.
/// Thread-safety: confined.
/// Source: docs/format.md, "taskstate.journal/1".
class FolderRows {
 public:
    FolderRows(const FileStoreOptions& options, const std::string& name)
        : folder_(*options.files, options.path + '/' + name), name_(name), journal_bytes_(options.journal_bytes) {}

    /// The name of the folder of a scope.
    [[nodiscard]] static std::string name_of(const std::string& scope);
    [[nodiscard]] static bool is_name(std::string_view name);

    /// Rows as they lie on disk, at least so deep.
    [[nodiscard]] Result<Rows*> read(Depth depth);

    /// All of it or nothing; a missing folder is made for `scope`.
    ///
    /// `first` is done when the batch is accepted, before it is kept; what it answers ends it.
    [[nodiscard]] Result<void> commit(const std::string& scope, std::span<const Write> batch,
                                      const std::function<Result<void>()>& first);
    [[nodiscard]] Result<bool> expose(const Exposed& exposed);
    [[nodiscard]] Result<std::optional<Removed>> forget(const TaskAddress& task);
    /// Goes back to what is good where something is damaged; how many files are kept aside as they were found.
    [[nodiscard]] Result<std::uint64_t> recover();

 private:
    /// What is known of the files.
    struct Seen {
        FileHead head{};           ///< of `state`
        std::string head_bytes{};  ///< with which `state` starts
        std::uint64_t state_bytes = 0;
        Depth depth{};
        Rows rows{};
        std::uint64_t number = 0;  ///< of the journal that was read last, as far as it could be
        JournalPlace place{};      ///< in it
        bool torn = false;         ///< whether bytes stand behind it that nobody finished
        bool tidy = false;         ///< whether this process saw to the names in the folder
    };

    [[nodiscard]] std::string path_to(std::string_view file) const;
    [[nodiscard]] std::string role_of(std::string_view file) const;
    [[nodiscard]] Error at(std::string_view file, Error error) const;
    [[nodiscard]] Result<std::optional<std::string>> bytes_of(std::string_view file, std::uint64_t offset) const;

    [[nodiscard]] Result<OpenFile> lock() const;
    [[nodiscard]] Result<bool> is_there() const;
    [[nodiscard]] bool is_current(Depth depth) const;
    [[nodiscard]] Result<void> catch_up(Depth depth);
    [[nodiscard]] Result<void> load(Depth depth);
    [[nodiscard]] Result<void> load_state(std::string_view bytes, Depth depth);
    [[nodiscard]] Result<void> load_journals();
    [[nodiscard]] Result<void> load_journal(std::uint64_t number, const Scope& scope);
    [[nodiscard]] Result<void> load_rows(JournalReader& records, std::string_view file, const Scope& scope);
    [[nodiscard]] Result<FileHead> read_head(JournalReader& records, std::string_view file) const;
    [[nodiscard]] Result<void> check_order(const FileHead& head, std::uint64_t bytes) const;

    [[nodiscard]] Result<void> load_anew(Depth depth);
    [[nodiscard]] Result<void> find_journals(Error why);
    [[nodiscard]] Result<void> salvage(Error why);
    [[nodiscard]] Result<std::uint64_t> set_aside();

    /// Whether journals go on, or hold everything anew.
    enum class Extent : std::uint8_t { next, anew };
    [[nodiscard]] Result<void> keep(Batch& changes, Extent extent, const std::string& text);
    [[nodiscard]] Result<void> append(const std::string& text);
    [[nodiscard]] Result<void> publish(Extent extent);
    [[nodiscard]] Result<void> put_state(FileHead head);
    [[nodiscard]] Result<void> remove_old();
    [[nodiscard]] Result<void> sync_names() const;

    Folder folder_;
    std::string name_;
    std::uint64_t journal_bytes_;
    std::optional<Seen> seen_{};
    bool settled_ = true;  ///< whether `seen_` is what lies on disk, or was before others wrote
};

}  // namespace taskstate::inline v0
