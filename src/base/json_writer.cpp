#include <taskstate/base/json_writer.hpp>

#include "lanes.hpp"

#include <array>
#include <charconv>
#include <iterator>

namespace taskstate::inline v0 {
namespace {

constexpr std::array<bool, 256> make_escaped_bytes() {
    std::array<bool, 256> escaped{};
    for (std::size_t byte = 0; byte < 0x20; ++byte) escaped[byte] = true;
    escaped['"'] = escaped['\\'] = true;
    return escaped;
}
constexpr std::array<bool, 256> escaped_bytes = make_escaped_bytes();

// Bytes before the first that needs an escape.
std::size_t bare_run(std::string_view text) {
    std::size_t at = 0;
#if defined(__SSE2__) || defined(__ARM_NEON)
    using namespace lanes;
    for (; text.size() - at >= lane_size; at += lane_size) {
        const Lane a = load(text.data() + at);
        const std::size_t bare = first_set(either(within(a, 0x00, 0x1F), either(is(a, '"'), is(a, '\\'))));
        if (bare < lane_size) return at + bare;
    }
#endif
    while (at < text.size() && !escaped_bytes[static_cast<unsigned char>(text[at])]) ++at;
    return at;
}

struct Escape {
    char bytes[6] = {'\\', 'u', '0', '0', '0', '0'};
    std::size_t size = 6;
    [[nodiscard]] std::string_view view() const { return {bytes, size}; }
};

Escape escape_of(char byte) {
    constexpr std::string_view plain = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
    Escape escape;
    if (const std::size_t at = plain.find(byte); at != std::string_view::npos) {
        escape.bytes[1] = letters[at];
        escape.size = 2;
    } else {
        escape.bytes[4] = static_cast<char>('0' + (byte >> 4));
        escape.bytes[5] = "0123456789abcdef"[byte & 15];
    }
    return escape;
}

}  // namespace

void JsonWriter::key(std::string_view name) {
    comma();
    append_string(name);
    append(':');
    first_ = true;
}

void JsonWriter::string(std::string_view text) {
    comma();
    append_string(text);
}

void JsonWriter::integer(std::int64_t number) {
    char digits[20];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    raw({digits, static_cast<std::size_t>(end - digits)});
}

void JsonWriter::boolean(bool value) { raw(value ? "true" : "false"); }

void JsonWriter::raw(std::string_view json) {
    comma();
    append(json);
}

void JsonWriter::punctuate(char opening) {
    comma();
    append(opening);
    first_ = true;
}

void JsonWriter::close(char closing) {
    append(closing);
    first_ = false;
}

void JsonWriter::comma() {
    if (!first_) append(',');
    first_ = false;
}

void JsonWriter::append(char byte) {
    ++size_;
    if (out_ != nullptr) out_->push_back(byte);
}

void JsonWriter::append(std::string_view bytes) {
    size_ += bytes.size();
    if (out_ != nullptr) out_->append(bytes);
}

void JsonWriter::append_string(std::string_view text) {
    append('"');
    for (std::size_t bare = bare_run(text); bare < text.size(); bare = bare_run(text)) {
        append(text.substr(0, bare));
        append(escape_of(text[bare]).view());
        text.remove_prefix(bare + 1);
    }
    append(text);
    append('"');
}

}  // namespace taskstate::inline v0
