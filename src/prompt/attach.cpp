#include "fence.hpp"

namespace taskstate::inline v0 {
namespace {

bool carries_blocks(const Message& message) { return message.role == "system" || message.role == "developer"; }

/// Takes every whole block of this fence out of `text`, with the line feeds that set it apart.
void remove_blocks(std::string& text, const Fence& fence) {
    for (std::size_t begin = find_line(text, fence.open, 0); begin != std::string::npos;
         begin = find_line(text, fence.open, begin)) {
        const std::size_t close = find_line(text, fence.close, begin);
        if (close == std::string::npos) return;  // not a whole block: verification will name it
        std::size_t end = close + fence.close.size();
        while (end < text.size() && text[end] == '\n') ++end;
        text.erase(begin, end - begin);
    }
}

}  // namespace

std::vector<Message> attach(const Block& block, std::span<const Message> messages) {
    std::vector<Message> result(messages.begin(), messages.end());
    if (block.bytes() == 0) return result;
    const Fence fence = fence_of(block);
    Message* last = nullptr;
    for (Message& message : result) {
        if (!carries_blocks(message)) continue;
        std::vector<std::string> parts;
        for (std::string& part : message.parts) {
            const bool had_text = !part.empty();
            remove_blocks(part, fence);
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
