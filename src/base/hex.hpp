#pragma once
// The digits that escapes and digests are written with.

#include <string_view>

namespace taskstate::inline v0 {

inline constexpr std::string_view hex_digits = "0123456789abcdef";

}  // namespace taskstate::inline v0
