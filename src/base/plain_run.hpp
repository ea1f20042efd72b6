#pragma once
// How far a text needs no second look: what admission, escapes and estimate all pass over at once.

#include <cstddef>
#include <string_view>

namespace taskstate::inline v0 {

/// Bytes of the longest beginning of `text` that consists of whole, well-formed code points which no row of the escape
/// table watches.
///
/// It is decided by lead bytes: one that leads to a watched code point ends the run, whatever follows it.
/// Bounds: linear in the result; 16 bytes at a time where the processor's base instructions allow it.
/// Thread-safety: pure.
/// Source: docs/block.md, "Escapes".
[[nodiscard]] std::size_t plain_run(std::string_view text) noexcept;

/// The same, one byte at a time: what `plain_run` is on any other processor, and what tests compare it with.
[[nodiscard]] std::size_t plain_run_by_bytes(std::string_view text) noexcept;

}  // namespace taskstate::inline v0
