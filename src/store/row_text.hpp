#pragma once
// Records of a store as JSON, for stores that keep bytes.

#include <taskstate/store/records.hpp>

#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// One canonical JSON object.  A row has no format of its own: the store that holds it has a version.
///
/// Source: docs/format.md, "Rows of a store".
[[nodiscard]] std::string encode_row(const TaskHead& head);
[[nodiscard]] std::string encode_row(const RevisionRecord& revision);
[[nodiscard]] std::string encode_row(const DecisionRecord& decision);
[[nodiscard]] std::string encode_row(const DeliveryRecord& delivery);
[[nodiscard]] std::string encode_row(const Binding& binding);
[[nodiscard]] std::string encode_row(const Entry& entry);

/// Each reads what `encode_row` wrote; entries of a revision are admitted as those of a restore are. `out` must be as it
/// is by itself, and is of no use after an error.
///
/// Errors: `unreadable_record` with the pointer of what is wrong.
/// Thread-safety: pure.
[[nodiscard]] Result<void> decode_row(std::string_view json, TaskHead& out);
[[nodiscard]] Result<void> decode_row(std::string_view json, RevisionRecord& out);
[[nodiscard]] Result<void> decode_row(std::string_view json, DecisionRecord& out);
[[nodiscard]] Result<void> decode_row(std::string_view json, DeliveryRecord& out);
[[nodiscard]] Result<void> decode_row(std::string_view json, Binding& out);
[[nodiscard]] Result<void> decode_row(std::string_view json, Profile& out);
template <class Record>
[[nodiscard]] Result<Record> decode_row(std::string_view json) {
    Result<Record> row{Record{}};
    if (auto read = decode_row(json, *row); !read) row = std::move(read).error();
    return row;
}
/// What the head of a task says of its state; the entries are added by `decode_entry`, in the order of their admission.
[[nodiscard]] SnapshotInput without_entries(const TaskHead& head);
/// Appends an entry to the list of its kind.
[[nodiscard]] Result<void> decode_entry(EntryKind kind, std::string_view json, SnapshotInput& into);

}  // namespace taskstate::inline v0
