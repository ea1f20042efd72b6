#pragma once
// The line around a snapshot in a file: what the bytes are, and that they are still those that were written.

#include <taskstate/base/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// Where the snapshot's first byte stands in a file, and how many bytes stand beside the snapshot's.
inline constexpr std::size_t snapshot_offset = 123, envelope_bytes = 125;

/// `{"format":"taskstate.file/1","digest":"sha256:…","snapshot":…}` and a line feed.
[[nodiscard]] std::string wrap(std::string_view snapshot);

/// The bytes of the snapshot in a file, unparsed; nothing is believed before their digest fits.
///
/// Errors: `short_file`, `zeroed`, `trailing_bytes`, `digest_mismatch`, `unreadable_record`, `newer_format`,
///         `foreign_file`; `limit` is the size of the file and `actual` the byte at which the fault shows.
/// Thread-safety: pure.
[[nodiscard]] Result<std::string_view> unwrap(std::string_view file);

}  // namespace taskstate::inline v0
