#pragma once
// What a record of a journal says: what a batch wrote, or what a whole folder holds.

#include <taskstate/store/store.hpp>

#include "store/file/journal.hpp"
#include "store/rows.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace taskstate::inline v0 {

/// A delivery that the model was shown.
struct Exposed {
    Scope scope{};
    std::string delivery{};
    Timestamp at{};
};
/// A task as it is, whose log follows.
struct KeptTask {
    TaskHead head{};
};
/// A revision of its log, or all that its log adds up to.
struct KeptRevision {
    TaskAddress task{};
    RevisionRecord revision{};
};

using JournalStep = std::variant<Write, Exposed, KeptTask, KeptRevision>;

/// How much of the rows is wanted: what `load` and the lists need, or the logs as well.
enum class Depth : std::uint8_t { heads, logs };

/// Appends a step to the text of a record: a word and its rows, each behind a tab.
///
/// Source: docs/format.md, "taskstate.journal/1".
void append_step(std::string& text, const JournalStep& step);

/// The steps of a record, without those that a depth leaves out.
///
/// Errors: `unreadable_record`.
/// Thread-safety: pure.
[[nodiscard]] Result<std::vector<JournalStep>> decode_steps(std::string_view text, const Scope& scope, Depth depth);

/// Does what a step says; the errors are those of a batch.
[[nodiscard]] Result<void> take(Batch& batch, const JournalStep& step);

/// The first record of a file: what it is, and where it stands.
///
/// Shape: `number` counts the journals of a folder; those from `first` on belong together, and each goes on where the
///        one before ended.
struct FileHead {
    enum class Kind : std::uint8_t { journal, state };

    Kind kind{};
    std::string scope{};  ///< as canonical JSON
    std::uint64_t first = 1, number = 0;
    JournalPlace place{};  ///< of a journal: the end of the one before; of a state: how far it reaches in `number`
    friend bool operator==(const FileHead&, const FileHead&) = default;
};
template <>
struct Words<FileHead::Kind> {
    static constexpr std::array<std::string_view, 2> list{"journal", "state"};
};

[[nodiscard]] std::string encode_file_head(const FileHead& head);
[[nodiscard]] Result<FileHead> decode_file_head(std::string_view text);

/// The canonical JSON of a scope, and back; what belongs to no scope is an empty object.
inline constexpr std::string_view no_scope = "{}";
[[nodiscard]] std::string encode_scope(const Scope& scope);
[[nodiscard]] Result<Scope> decode_scope(std::string_view json);

/// Everything of a folder as records: its logs, or what they add up to.
[[nodiscard]] std::vector<std::string> encode_rows(const Rows& rows, Depth depth);

}  // namespace taskstate::inline v0
