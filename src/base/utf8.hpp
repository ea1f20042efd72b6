#pragma once
// Code points out of UTF-8 and back.

#include <cstddef>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

inline constexpr char32_t replacement = 0xFFFD;

[[nodiscard]] inline bool is_ascii(char byte) noexcept { return static_cast<unsigned char>(byte) < 0x80; }

/// The first code point of a text.
struct Decoded {
    char32_t code_point = replacement;  ///< U+FFFD for an ill-formed part
    std::size_t size = 1;               ///< bytes; of an ill-formed part the maximal subpart
    bool well_formed = false;
};

/// Decodes the beginning of `rest`, which must not be empty.
///
/// Thread-safety: pure.
/// Source: The Unicode Standard 3.9, table 3-7 and "U+FFFD substitution of maximal subparts".
[[nodiscard]] inline Decoded decode_utf8(std::string_view rest) noexcept {
    const auto byte = [rest](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1, true};
    if (lead < 0xC2 || lead > 0xF4) return {};
    const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t code_point = lead & (0xFFU >> (size + 1));
    // The second byte is narrower where overlong forms, surrogates and values beyond U+10FFFF would begin.
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (std::size_t i = 1; i < size; ++i, low = 0x80, high = 0xBF) {
        if (i >= rest.size() || byte(i) < low || byte(i) > high) return {replacement, i, false};
        code_point = code_point << 6 | (byte(i) & 0x3FU);
    }
    return {code_point, size, true};
}

inline void append_utf8(std::string& out, char32_t code_point) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code_point >> shift & 0x3F)); };
    if (code_point < 0x80) {
        out += static_cast<char>(code_point);
    } else if (code_point < 0x800) {
        out += static_cast<char>(0xC0 | code_point >> 6);
        tail(0);
    } else if (code_point < 0x10000) {
        out += static_cast<char>(0xE0 | code_point >> 12);
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xF0 | code_point >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

}  // namespace taskstate::inline v0
