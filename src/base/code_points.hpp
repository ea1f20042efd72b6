#pragma once
// The code points that admission refuses and the block escapes: data of the format, asked by both.

#include <cstdint>

namespace taskstate::inline v0 {

/// Which row of the escape table a code point beyond the ASCII rules belongs to.
enum class CodePointClass : std::uint8_t {
    plain,
    control,       ///< E0; TAB, LF and CR are plain
    bidi,          ///< E0
    tag,           ///< E0
    noncharacter,  ///< E0
    invisible,     ///< E6
    joiner,        ///< E7
    selector,      ///< E8
    less_than,     ///< E9
};

/// Thread-safety: pure.
/// Source: docs/block.md, "Escapes".
[[nodiscard]] CodePointClass classify(char32_t code_point) noexcept;

/// Unicode White_Space.
[[nodiscard]] bool is_white_space(char32_t code_point) noexcept;

}  // namespace taskstate::inline v0
