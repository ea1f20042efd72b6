#pragma once
// How far a text needs no second look: what admission, escapes and estimate all pass over at once.

#include "lanes.hpp"

#include <cstddef>
#include <string_view>

namespace taskstate::inline v0 {

#if defined(__SSE2__) || defined(__ARM_NEON)

/// Which bytes are not ASCII that no row of the escape table watches.
///
/// Thread-safety: pure.
[[nodiscard]] inline lanes::Lane unlike_plain_ascii(lanes::Lane a) noexcept {
    const lanes::Lane unprintable = lanes::within(a, 0x7F, 0x100 + 0x1F);
    const lanes::Lane brackets = lanes::either(lanes::within(a, '[', ']'), lanes::is(a, '<'));
    const lanes::Lane quotes = lanes::either(lanes::is(a, '"'), lanes::is(a, '`'));
    return lanes::either(lanes::either(unprintable, brackets), quotes);
}

#endif

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

/// Bytes of the longest beginning of `text` that is printable ASCII with no SPACE behind another.
///
/// Bounds, thread-safety: as above.
[[nodiscard]] std::size_t line_run(std::string_view text) noexcept;

/// How many of the 16 bytes at `from` are plain ASCII, up to the first that is not.
///
/// Thread-safety: pure.
[[nodiscard]] inline std::size_t plain_ascii_of_16(const char* from) noexcept {
#if defined(__SSE2__) || defined(__ARM_NEON)
    return lanes::first_set(unlike_plain_ascii(lanes::load(from)));
#else
    std::size_t at = 0;
    while (at < lanes::lane_size && static_cast<unsigned char>(from[at]) < 0x80 &&
           plain_run_by_bytes({from + at, 1}) == 1)
        ++at;
    return at;
#endif
}

}  // namespace taskstate::inline v0
