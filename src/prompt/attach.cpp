#include "fence.hpp"

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

bool carries_blocks(const Message& message) { return message.role == "system" || message.role == "developer"; }

/// `text` without the whole blocks of this fence and the line feeds that set them apart.
std::string without_blocks(std::string_view text, const Fence& fence) {
    std::string rest;
    // What stands directly behind a block is at the beginning of a line once the block is gone.
    for (std::size_t begin = find_open(text, fence, 0); begin != std::string_view::npos;
         begin = find_open(text, fence, 0)) {
        const std::size_t close = find_line(text, fence.close, begin);
        if (close == std::string_view::npos) break;  // not a whole block: verification will name it
        rest += text.substr(0, begin);
        text.remove_prefix(std::min(text.find_first_not_of('\n', close + fence.close.size()), text.size()));
    }
    return rest += text;
}

}  // namespace

std::vector<Message> attach(const Block& block, std::span<const Message> messages) {
    std::vector<Message> result(messages.begin(), messages.end());
    if (block.bytes() == 0) return result;
    const std::vector<Fence> fences = fences_of(block);
    Message* last = nullptr;
    for (Message& message : result) {
        if (!carries_blocks(message)) continue;
        std::vector<std::string> parts;
        for (std::string& part : message.parts) {
            const bool had_text = !part.empty();
            for (const Fence& fence : fences) part = without_blocks(part, fence);
            if (!part.empty() || !had_text) parts.push_back(std::move(part));
        }
        message.parts = std::move(parts);
        last = &message;
    }
    if (last == nullptr) last = &*result.insert(result.begin(), Message{.role = "system", .parts = {}});
    last->parts.push_back(block.text());
    return result;
}

}  // namespace taskstate::inline v0
