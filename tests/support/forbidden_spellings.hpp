#pragma once
// What must never stand in an output.

#include <array>
#include <string_view>

namespace taskstate::test {

/// Spellings that must not occur in any output, whatever was stored.
inline constexpr std::array forbidden_spellings = std::to_array<std::string_view>({
    "<task-state", "</task-state", "<|im_end|>", "<|im_start|>", "<|eot_id|>", "<start_of_turn>",
    "<|turn>",     "</s>",         "<s>",        "[INST]",       "[/INST]",    "[TOOL_CALLS]",
    "<<SYS>>",     "<｜",          "<!--",       "[|user|]",     "[gMASK]",    "[sMASK]",
    "]~!b[",       "]~b]",         "[e~[",       "```",          "＜",         "﹤",
});

}  // namespace taskstate::test
