#pragma once
// The built-in token estimate.

#include <cstddef>
#include <string_view>

namespace taskstate::inline v0 {

/// About how many tokens a model counts for `text` (`taskstate.estimate/1`).
///
/// Integer arithmetic over the code points; additive enough to be summed line by line; 0 for empty text.
/// Bounds: linear in `text`.
/// Thread-safety: pure.
/// Source: docs/format.md, "Token estimate".
[[nodiscard]] std::size_t estimate_tokens(std::string_view text) noexcept;

/// The same before it is rounded up, in hundredths of a token: what is added to or taken from a line, after a single
/// space, counts for itself.
[[nodiscard]] std::size_t estimate_hundredths(std::string_view text) noexcept;
[[nodiscard]] constexpr std::size_t whole_tokens(std::size_t hundredths) noexcept { return (hundredths + 99) / 100; }

}  // namespace taskstate::inline v0
