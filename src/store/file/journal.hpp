#pragma once
// A file of records, each on a line that says how long it is and that it stands behind the one before.

#include <taskstate/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// The first line of each such file.
inline constexpr std::string_view journal_start = "taskstate.journal/1\n";

/// How far a file was written or read.
///
/// Shape: `chain` is the digest of the last record, in hex: SHA-256 of the chain before it and of its text; so it
///        stands for every record up to there.
struct JournalPlace {
    std::uint64_t bytes = 0;
    std::string chain{};
    friend bool operator==(const JournalPlace&, const JournalPlace&) = default;
};

/// The place behind the first line.
[[nodiscard]] JournalPlace journal_begin();

/// Appends the line of a record, 8 hex digits of its length, its digest and its text, and moves `place` on.
///
/// Bounds: linear in the text, which has no line feed.
/// Thread-safety: pure.
void append_record(std::string& bytes, std::string_view text, JournalPlace& place);

/// Reads records one after the other.
///
/// A last line that a writer did not finish is the end: it has no line feed, and nothing else is wrong with it; or it
/// is zeros, where the power went before the bytes came.  Anything else that is no record is damage.
/// Thread-safety: confined; the texts live as long as the bytes.
class JournalReader {
 public:
    /// `bytes` is what stands in the file from `place` on.
    JournalReader(std::string_view bytes, JournalPlace place) : left_(bytes), place_(std::move(place)) {}

    /// The next record, unparsed; nothing at the end.
    ///
    /// Errors: `zeroed`, `short_file`, `digest_mismatch`, `unreadable_record`; `limit` is the size of the file and
    ///         `actual` the byte at which the record starts.
    [[nodiscard]] Result<std::optional<std::string_view>> next();
    /// Behind the last record that was read.
    [[nodiscard]] const JournalPlace& place() const { return place_; }
    /// Whether bytes are left that nobody finished.
    [[nodiscard]] bool torn() const { return !left_.empty(); }

 private:
    [[nodiscard]] Error at(Reason reason) const;

    std::string_view left_;
    JournalPlace place_;
};

/// Whether a file starts as one of ours does.
///
/// Errors: `short_file`, `zeroed`, `newer_format`, `foreign_file`, with `limit` and `actual` as above.
[[nodiscard]] Result<void> check_start(std::string_view file);

}  // namespace taskstate::inline v0
