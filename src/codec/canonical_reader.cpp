#include "codec/canonical_reader.hpp"

#include "base/hex.hpp"
#include "base/plain_run.hpp"
#include "base/utf8.hpp"

#include <taskstate/model/input.hpp>

#include <charconv>

namespace taskstate::inline v0 {

bool CanonicalReader::take(std::string_view bytes) noexcept {
    if (!rest().starts_with(bytes)) return false;
    at_ += bytes.size();
    return true;
}

bool CanonicalReader::take_integer(std::uint64_t& out) noexcept {
    const std::string_view next = rest();
    const auto [end, error] = std::from_chars(next.data(), next.data() + next.size(), out);
    const auto size = static_cast<std::size_t>(end - next.data());
    at_ += size;
    return error == std::errc() && out <= integer_max && (size == 1 || next.front() != '0');
}

bool CanonicalReader::take_string(std::string& out) {
    if (!take('"')) return false;
    out = take_bare();
    while (!take('"')) {
        const auto byte = take_escape();
        if (!byte) return false;
        out += *byte;
        out += take_bare();
    }
    return true;
}

std::optional<std::string_view> CanonicalReader::take_quoted() noexcept {
    if (!take('"')) return std::nullopt;
    const std::size_t end = json_.find('"', at_);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = json_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
}

std::string_view CanonicalReader::take_bare() noexcept {
    const std::size_t from = at_;
    for (at_ += plain_run(rest()); !at_end(); at_ += plain_run(rest())) {
        const char next = json_[at_];
        if (next == '"' || next == '\\' || static_cast<unsigned char>(next) < 0x20) break;
        const Decoded decoded = decode_utf8(rest());
        if (!decoded.well_formed) break;
        at_ += decoded.size;
    }
    return json_.substr(from, at_ - from);
}

std::optional<char> CanonicalReader::take_escape() noexcept {
    constexpr std::string_view letters = "\"\\bfnrt", bytes = "\"\\\b\f\n\r\t";
    if (take("\\u00")) {
        if (rest().size() < 2) return std::nullopt;
        const std::size_t high = hex_digits.find(json_[at_]), low = hex_digits.find(json_[at_ + 1]);
        at_ += 2;
        const char byte = static_cast<char>(high << 4 | low);
        const bool canonical = high < 2 && low < 16 && bytes.find(byte) == std::string_view::npos;
        return canonical ? std::optional(byte) : std::nullopt;
    }
    if (!take('\\') || at_end()) return std::nullopt;
    const std::size_t letter = letters.find(json_[at_++]);
    return letter < bytes.size() ? std::optional(bytes[letter]) : std::nullopt;
}

std::optional<std::string_view> CanonicalReader::take_object() noexcept {
    if (!rest().starts_with('{')) return std::nullopt;
    const std::size_t from = at_;
    std::size_t depth = 0;
    bool in_string = false;
    for (; at_ < json_.size(); ++at_) {
        const char byte = json_[at_];
        if (byte == '\\') {
            ++at_;
        } else if (byte == '"') {
            in_string = !in_string;
        } else if (!in_string && (byte == '{' || byte == '[')) {
            ++depth;
        } else if (!in_string && (byte == '}' || byte == ']') && --depth == 0) {
            ++at_;
            return json_.substr(from, at_ - from);
        }
    }
    at_ = json_.size();
    return std::nullopt;
}

}  // namespace taskstate::inline v0
