#pragma once
// Where in a list of the input something stands.

#include <cstddef>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// The JSON pointer `/list/index`.
inline std::string at(std::string_view list, std::size_t index) {
    return "/" + std::string(list) + "/" + std::to_string(index);
}

}  // namespace taskstate::inline v0
