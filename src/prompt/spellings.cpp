#include <taskstate/prompt/spellings.hpp>

#include "base/code_points.hpp"
#include "base/utf8.hpp"
#include "specimen.hpp"

#include <algorithm>
#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t spellings_max = 1'000;
constexpr std::size_t spelling_bytes_max = 64;

// Whether the spelling could arise between words of the grammar, which no quoting keeps apart.
bool spans_words(std::string_view spelling) noexcept {
    return spelling.find_first_of(" =,") != std::string_view::npos &&
           spelling.find_first_not_of("abcdefghijklmnopqrstuvwxyz_ =,-") == std::string_view::npos;
}

// Whether the spelling could stand outside the strings of item content, where nothing can be escaped.
bool spans_content(std::string_view spelling) noexcept {
    if (spelling.find_first_of("[]{}:,") == std::string_view::npos) return false;
    constexpr std::string_view literals = "true false null";
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    for (std::size_t i = 0; i < spelling.size();) {
        std::size_t end = i;
        while (end < spelling.size() && is_letter(spelling[end])) ++end;
        const bool punctuation = std::string_view("[]{}:,0123456789.+-").find(spelling[i]) != std::string_view::npos;
        if (end == i && !punctuation) return false;
        if (end > i && literals.find(spelling.substr(i, end - i)) == std::string_view::npos) return false;
        i = std::max(end, i + 1);
    }
    return true;
}

// Whether escapes and quotes can keep the spelling out of every block.
bool can_be_kept_out(std::string_view spelling) noexcept {
    if (spelling.empty() || spelling.size() > spelling_bytes_max) return false;
    // Escapes and numbers are made of these.
    if (spelling.find_first_not_of("0123456789abcdefu.+-") == std::string_view::npos) return false;
    if (specimen.find(spelling) != std::string_view::npos) return false;
    if (spans_words(spelling) || spans_content(spelling)) return false;
    for (std::size_t i = 0; i < spelling.size();) {
        const Decoded decoded = decode_utf8(spelling.substr(i));
        const char32_t code_point = decoded.code_point;
        if (!decoded.well_formed || code_point < 0x20 || classify(code_point) == CodePointClass::control) return false;
        if (code_point == '"' || code_point == '\\') return false;
        i += decoded.size;
    }
    return true;
}

// The control tokens of each family, as its published tokenizers spell them.
constexpr std::string_view chatml[] = {"<|im_start|>",
                                       "<|im_end|>",
                                       "<|im_sep|>",
                                       "<|endoftext|>",
                                       "<|object_ref_start|>",
                                       "<|object_ref_end|>",
                                       "<|box_start|>",
                                       "<|box_end|>",
                                       "<|quad_start|>",
                                       "<|quad_end|>",
                                       "<|vision_start|>",
                                       "<|vision_end|>",
                                       "<|vision_pad|>",
                                       "<|image_pad|>",
                                       "<|video_pad|>",
                                       "<|fim_prefix|>",
                                       "<|fim_middle|>",
                                       "<|fim_suffix|>",
                                       "<|fim_pad|>",
                                       "<|repo_name|>",
                                       "<|file_sep|>",
                                       "<tool_call>",
                                       "</tool_call>",
                                       "<tool_response>",
                                       "</tool_response>",
                                       "<think>",
                                       "</think>"};
constexpr std::string_view llama[] = {"<s>",
                                      "</s>",
                                      "<unk>",
                                      "[INST]",
                                      "[/INST]",
                                      "<<SYS>>",
                                      "<</SYS>>",
                                      "<|begin_of_text|>",
                                      "<|end_of_text|>",
                                      "<|start_header_id|>",
                                      "<|end_header_id|>",
                                      "<|eot_id|>",
                                      "<|eom_id|>",
                                      "<|python_tag|>",
                                      "<|finetune_right_pad_id|>",
                                      "<|step_id|>",
                                      "<|image|>",
                                      "<|header_start|>",
                                      "<|header_end|>",
                                      "<|eot|>",
                                      "<|eom|>",
                                      "<|step|>",
                                      "<|python_start|>",
                                      "<|python_end|>"};
constexpr std::string_view gemma[] = {"<bos>",
                                      "<eos>",
                                      "<pad>",
                                      "<unk>",
                                      "<mask>",
                                      "<start_of_turn>",
                                      "<end_of_turn>",
                                      "<|turn>",
                                      "<turn|>",
                                      "<|channel>",
                                      "<channel|>",
                                      "<|tool>",
                                      "<tool|>",
                                      "<|tool_call>",
                                      "<tool_call|>",
                                      "<|tool_response>",
                                      "<tool_response|>",
                                      "<start_of_image>",
                                      "<end_of_image>",
                                      "<image_soft_token>",
                                      "<2mass>",
                                      "[@BOS@]",
                                      "[multimodal]"};
constexpr std::string_view mistral[] = {"<s>",
                                        "</s>",
                                        "<unk>",
                                        "<pad>",
                                        "[INST]",
                                        "[/INST]",
                                        "[TOOL_CALLS]",
                                        "[AVAILABLE_TOOLS]",
                                        "[/AVAILABLE_TOOLS]",
                                        "[TOOL_RESULTS]",
                                        "[/TOOL_RESULTS]",
                                        "[TOOL_CONTENT]",
                                        "[SYSTEM_PROMPT]",
                                        "[/SYSTEM_PROMPT]",
                                        "[PREFIX]",
                                        "[MIDDLE]",
                                        "[SUFFIX]",
                                        "[IMG]",
                                        "[IMG_BREAK]",
                                        "[IMG_END]",
                                        "[AUDIO]",
                                        "[BEGIN_AUDIO]",
                                        "[TRANSCRIBE]",
                                        "[ARGS]",
                                        "[CALL_ID]",
                                        "[THINK]",
                                        "[/THINK]",
                                        "[MODEL_SETTINGS]",
                                        "[/MODEL_SETTINGS]"};
constexpr std::string_view deepseek[] = {"<｜begin▁of▁sentence｜>",
                                         "<｜end▁of▁sentence｜>",
                                         "<｜▁pad▁｜>",
                                         "<｜User｜>",
                                         "<｜Assistant｜>",
                                         "<｜fim▁hole｜>",
                                         "<｜fim▁begin｜>",
                                         "<｜fim▁end｜>",
                                         "<｜tool▁calls▁begin｜>",
                                         "<｜tool▁calls▁end｜>",
                                         "<｜tool▁call▁begin｜>",
                                         "<｜tool▁call▁end｜>",
                                         "<｜tool▁outputs▁begin｜>",
                                         "<｜tool▁outputs▁end｜>",
                                         "<｜tool▁output▁begin｜>",
                                         "<｜tool▁output▁end｜>",
                                         "<｜tool▁sep｜>",
                                         "<|EOT|>",
                                         "<think>",
                                         "</think>"};
constexpr std::string_view phi[] = {
    "<|system|>",   "<|user|>",   "<|assistant|>", "<|end|>",        "<|endoftext|>",
    "<|tool|>",     "<|/tool|>",  "<|tool_call|>", "<|/tool_call|>", "<|tool_response|>",
    "<|im_start|>", "<|im_sep|>", "<|im_end|>",    "<|dummy_85|>",   "<|placeholder1|>",
    "<s>",          "</s>",       "<unk>"};
constexpr std::string_view command_r[] = {"<BOS_TOKEN>",
                                          "<EOS_TOKEN>",
                                          "<EOP_TOKEN>",
                                          "<PAD>",
                                          "<UNK>",
                                          "<CLS>",
                                          "<SEP>",
                                          "<MASK_TOKEN>",
                                          "<|START_OF_TURN_TOKEN|>",
                                          "<|END_OF_TURN_TOKEN|>",
                                          "<|SYSTEM_TOKEN|>",
                                          "<|USER_TOKEN|>",
                                          "<|CHATBOT_TOKEN|>",
                                          "<|YES_TOKEN|>",
                                          "<|NO_TOKEN|>",
                                          "<|GOOD_TOKEN|>",
                                          "<|BAD_TOKEN|>",
                                          "<|START_THINKING|>",
                                          "<|END_THINKING|>",
                                          "<|START_RESPONSE|>",
                                          "<|END_RESPONSE|>",
                                          "<|START_ACTION|>",
                                          "<|END_ACTION|>",
                                          "<|START_TOOL_RESULT|>",
                                          "<|END_TOOL_RESULT|>"};
constexpr std::string_view glm[] = {"[gMASK]",
                                    "[sMASK]",
                                    "[MASK]",
                                    "<sop>",
                                    "<eop>",
                                    "<|endoftext|>",
                                    "<|system|>",
                                    "<|user|>",
                                    "<|assistant|>",
                                    "<|observation|>",
                                    "<|begin_of_image|>",
                                    "<|end_of_image|>",
                                    "<|begin_of_video|>",
                                    "<|end_of_video|>",
                                    "<|begin_of_transcription|>",
                                    "<|end_of_transcription|>",
                                    "<tool_call>",
                                    "</tool_call>",
                                    "<arg_key>",
                                    "</arg_key>",
                                    "<arg_value>",
                                    "</arg_value>",
                                    "/nothink",
                                    "<think>",
                                    "</think>"};
constexpr std::string_view minimax[] = {"]~!b[",
                                        "]~b]",
                                        "[e~[",
                                        "]!p~[",
                                        "]!d~[",
                                        "]<]speech[>[",
                                        "]<]image[>[",
                                        "]<]video[>[",
                                        "]<]start of image[>[",
                                        "]<]end of image[>[",
                                        "<minimax:tool_call>",
                                        "</minimax:tool_call>",
                                        "<think>",
                                        "</think>"};
constexpr std::string_view harmony[] = {"<|start|>",     "<|end|>",         "<|message|>",        "<|channel|>",
                                        "<|constrain|>", "<|return|>",      "<|call|>",           "<|startoftext|>",
                                        "<|endoftext|>", "<|endofprompt|>", "<|reserved_200000|>"};

std::span<const std::string_view> list_of(ModelFamily family) noexcept {
    switch (family) {
        case ModelFamily::chatml:
            return chatml;
        case ModelFamily::llama:
            return llama;
        case ModelFamily::gemma:
            return gemma;
        case ModelFamily::mistral:
            return mistral;
        case ModelFamily::deepseek:
            return deepseek;
        case ModelFamily::phi:
            return phi;
        case ModelFamily::command_r:
            return command_r;
        case ModelFamily::glm:
            return glm;
        case ModelFamily::minimax:
            return minimax;
        case ModelFamily::harmony:
            return harmony;
    }
    bug("a model family outside its enum");
}

}  // namespace

Result<std::shared_ptr<const ControlSpellings>> ControlSpellings::parse(std::span<const std::string> list) {
    if (list.size() > spellings_max) {
        return fail(Reason::out_of_range, {}, {.limit = spellings_max, .actual = list.size()});
    }
    auto parsed = std::make_shared<ControlSpellings>();
    parsed->list_.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!can_be_kept_out(list[i])) return fail(Reason::control_spelling, "/" + std::to_string(i));
        parsed->list_.push_back(list[i]);
    }
    return std::shared_ptr<const ControlSpellings>(std::move(parsed));
}

std::vector<std::string> control_spellings(ModelFamily family) {
    const std::span<const std::string_view> list = list_of(family);
    return {list.begin(), list.end()};
}

}  // namespace taskstate::inline v0
