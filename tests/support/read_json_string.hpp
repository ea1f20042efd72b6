#pragma once
// Reads one JSON string, as whoever reads a block would: independent of the library.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace taskstate::test {

inline std::optional<unsigned> read_hex4(std::string_view json, std::size_t at) {
    if (at + 4 > json.size()) return std::nullopt;
    unsigned value = 0;
    for (const char digit : json.substr(at, 4)) {
        const std::size_t nibble = std::string_view("0123456789abcdef").find(digit);
        if (nibble == std::string_view::npos) return std::nullopt;
        value = value * 16 + static_cast<unsigned>(nibble);
    }
    return value;
}

inline void append_code_point(std::string& text, unsigned code_point) {
    const auto put = [&text](unsigned byte) { text.push_back(static_cast<char>(byte)); };
    if (code_point < 0x80) return put(code_point);
    if (code_point < 0x800) {
        put(0xC0 + code_point / 64);
    } else {
        if (code_point < 0x10000) {
            put(0xE0 + code_point / 4096);
        } else {
            put(0xF0 + code_point / 262144);
            put(0x80 + code_point / 4096 % 64);
        }
        put(0x80 + code_point / 64 % 64);
    }
    put(0x80 + code_point % 64);
}

/// The text of `json`, which must be exactly one JSON string; nothing if it is not.  Hex digits must be lower case.
inline std::optional<std::string> read_json_string(std::string_view json) {
    if (json.size() < 2 || json.front() != '"' || json.back() != '"') return std::nullopt;
    json = json.substr(1, json.size() - 2);
    std::string text;
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (json[i] == '"' || static_cast<unsigned char>(json[i]) < 0x20) return std::nullopt;
        if (json[i] != '\\') {
            text.push_back(json[i]);
            continue;
        }
        if (++i == json.size()) return std::nullopt;
        if (json[i] == 'u') {
            auto unit = read_hex4(json, i + 1);
            if (!unit) return std::nullopt;
            i += 4;
            if (*unit >= 0xD800 && *unit < 0xDC00) {
                const auto low = json.substr(i + 1, 2) == "\\u" ? read_hex4(json, i + 3) : std::nullopt;
                if (!low || *low < 0xDC00 || *low > 0xDFFF) return std::nullopt;
                unit = 0x10000 + (*unit - 0xD800) * 0x400 + (*low - 0xDC00);
                i += 6;
            }
            append_code_point(text, *unit);
            continue;
        }
        const std::size_t letter = std::string_view("\"\\/bfnrt").find(json[i]);
        if (letter == std::string_view::npos) return std::nullopt;
        text.push_back("\"\\/\b\f\n\r\t"[letter]);
    }
    return text;
}

}  // namespace taskstate::test
