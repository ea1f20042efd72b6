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

}  // namespace taskstate::inline v0
