#pragma once
// Where blocks of one task stand in a text.

#include <taskstate/prompt/block.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// What encloses every block with one key.  The opening line also names the task, in a spelling that may depend on the
/// options, so only its ends tell.
struct Fence {
    static constexpr std::string_view open = "<task-state task=\"";
    std::string open_end{};  ///< from the quote behind the task on
    std::string close{};     ///< the whole closing line
};

/// The fence of the block's own key first, then those of the retired keys.
inline std::vector<Fence> fences_of(const Block& block) {
    std::vector<Fence> fences;
    const auto add = [&fences](const std::string& key) {
        fences.push_back({"\" key=\"" + key + "\">", "</task-state key=\"" + key + "\">"});
    };
    add(block.key());
    for (const std::string& key : block.retired_keys()) add(key);
    return fences;
}

/// The next line from `from` on that starts with `start`; npos when there is none.
inline std::size_t find_line(std::string_view text, std::string_view start, std::size_t from) {
    for (std::size_t at = text.find(start, from); at != std::string_view::npos; at = text.find(start, at + 1)) {
        if (at == 0 || text[at - 1] == '\n') return at;
    }
    return std::string_view::npos;
}

/// The next line from `from` on that opens a block with this key; npos when there is none.
inline std::size_t find_open(std::string_view text, const Fence& fence, std::size_t from) {
    for (std::size_t at = find_line(text, Fence::open, from); at != std::string_view::npos;
         at = find_line(text, Fence::open, at + 1)) {
        const std::size_t quote = text.find_first_of("\"\n", at + Fence::open.size());
        if (quote != std::string_view::npos && text.substr(quote).starts_with(fence.open_end)) return at;
    }
    return std::string_view::npos;
}

}  // namespace taskstate::inline v0
