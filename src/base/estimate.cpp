#include <taskstate/base/estimate.hpp>

namespace taskstate::inline v0 {

std::size_t estimate_tokens(std::string_view text) noexcept { return (text.size() + 2) / 3; }

}  // namespace taskstate::inline v0
