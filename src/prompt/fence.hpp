#pragma once
// Where blocks of one task stand in a text.

#include <taskstate/prompt/block.hpp>

#include <string_view>

namespace taskstate::inline v0 {

/// The two lines that enclose every block of the same task and key.
struct Fence {
    std::string_view open{}, close{};
};

inline Fence fence_of(const Block& block) {
    const std::string_view text = block.text();
    return {text.substr(0, text.find('\n')), text.substr(text.rfind('\n') + 1)};
}

/// The next line from `from` on that starts with `line`; npos when there is none.
inline std::size_t find_line(std::string_view text, std::string_view line, std::size_t from) {
    for (std::size_t at = text.find(line, from); at != std::string_view::npos; at = text.find(line, at + 1)) {
        if (at == 0 || text[at - 1] == '\n') return at;
    }
    return std::string_view::npos;
}

}  // namespace taskstate::inline v0
