#pragma once
// Why a binding ends when another one takes its place.

#include <string_view>

namespace taskstate::inline v0 {

inline constexpr std::string_view lapsed_reason = "its lifetime was over";

}  // namespace taskstate::inline v0
