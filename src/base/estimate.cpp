#include <taskstate/base/estimate.hpp>

#include "utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace taskstate::inline v0 {
namespace {

// All charges are hundredths of a token.  They were fitted to two public vocabularies, whichever counts more, so that
// the estimate is seldom too low; the names and numbers are those of docs/format.md.

enum class Kind : std::uint8_t { none, space, line, digit, lower, upper, mark, wide };

// Code points from `first` up to the next row: what each costs, and what the first of a run costs besides.
struct Script {
    char32_t first = 0;
    std::uint16_t each = 0, run = 0;
    bool latin = false;  // a letter of a word in Latin script, at `each` more than a plain one
};

constexpr Script scripts[] = {
    {.first = 0x0080, .each = 100},                 // Latin-1 signs
    {.first = 0x00C0, .each = 30, .latin = true},   // Latin-1 letters
    {.first = 0x0100, .each = 190, .latin = true},  // Latin, extended
    {.first = 0x0250, .each = 150},                 // phonetic letters, combining marks
    {.first = 0x0370, .each = 105, .run = 25},      // Greek
    {.first = 0x0400, .each = 55, .run = 25},       // Cyrillic
    {.first = 0x0530, .each = 220},                 // Armenian
    {.first = 0x0590, .each = 115, .run = 25},      // Hebrew
    {.first = 0x0600, .each = 80, .run = 55},       // Arabic
    {.first = 0x0800, .each = 130},                 // Devanagari and its neighbours
    {.first = 0x0980, .each = 200},                 // the other scripts of India
    {.first = 0x0E00, .each = 130},                 // Thai, Lao
    {.first = 0x0F00, .each = 250},                 // Tibetan, Georgian, Ethiopic, Khmer, …
    {.first = 0x1E00, .each = 150, .latin = true},  // Latin, Vietnamese
    {.first = 0x1F00, .each = 250},                 // Greek, extended
    {.first = 0x2000, .each = 150},                 // punctuation, currencies, joiners
    {.first = 0x2190, .each = 300},                 // arrows, symbols
    {.first = 0x2E80, .each = 135},                 // punctuation of Chinese and Japanese
    {.first = 0x3040, .each = 110},                 // kana
    {.first = 0x3100, .each = 150},                 // Han
    {.first = 0xA000, .each = 250},                 // Yi, Vai, …
    {.first = 0xAC00, .each = 120},                 // Hangul
    {.first = 0xD800, .each = 300},                 // private use
    {.first = 0xF900, .each = 150},                 // Han, compatibility
    {.first = 0xFB00, .each = 200},                 // presentation forms
    {.first = 0xFE00, .each = 150},                 // selectors, full and half width
    {.first = 0x10000, .each = 300},                // emoji, rare scripts
    {.first = 0x20000, .each = 400},                // Han, rare
};

const Script& script_of(char32_t code_point) noexcept {
    const auto before = [](char32_t sought, const Script& script) { return sought < script.first; };
    return *std::prev(std::upper_bound(std::begin(scripts), std::end(scripts), code_point, before));
}

constexpr std::array<Kind, 128> make_ascii_kinds() {
    std::array<Kind, 128> kinds{};
    for (std::size_t byte = 0; byte < kinds.size(); ++byte) {
        const char c = static_cast<char>(byte);
        kinds[byte] = c == ' '               ? Kind::space
                      : c < ' '              ? Kind::line
                      : c >= '0' && c <= '9' ? Kind::digit
                      : c >= 'a' && c <= 'z' ? Kind::lower
                      : c >= 'A' && c <= 'Z' ? Kind::upper
                                             : Kind::mark;
    }
    return kinds;
}
constexpr std::array<Kind, 128> ascii_kinds = make_ascii_kinds();

// Reads a text once and adds up what its runs cost.
class Meter {
 public:
    void add_ascii(Kind kind) noexcept {
        const bool goes_on = kind == previous_;
        switch (kind) {
            case Kind::space:
                cost_ += goes_on && ++length_ == 2 ? 70 : 0;
                break;
            case Kind::line:
                cost_ += goes_on ? 0 : 70;
                break;
            case Kind::digit:
                cost_ += goes_on && ++length_ % 3 != 1 ? 0 : 100;
                break;
            case Kind::mark:
                cost_ += goes_on ? 20 : 60;
                break;
            case Kind::lower:
            case Kind::upper:
                add_letter(kind);
                return;
            case Kind::none:
            case Kind::wide:
                break;
        }
        if (!goes_on) length_ = 1;
        previous_ = kind;
    }

    void add_wide(char32_t code_point) noexcept {
        const Script& script = script_of(code_point);
        cost_ += script.each;
        if (script.latin) return add_letter(Kind::lower);
        if (previous_ != Kind::wide || script_ != &script) cost_ += script.run;
        script_ = &script;
        previous_ = Kind::wide;
    }

    [[nodiscard]] std::size_t hundredths() const noexcept { return cost_; }

 private:
    // A word costs more the longer it is.  An upper-case letter after a lower-case one begins another word, and one
    // that no dictionary is likely to hold in this place: random text is full of them.
    void add_letter(Kind kind) noexcept {
        const bool in_word = previous_ == Kind::lower || previous_ == Kind::upper;
        if (in_word && (kind == Kind::lower || previous_ == Kind::upper)) {
            ++length_;
            cost_ += length_ > 12 ? 90 : length_ > 8 ? 50 : length_ > 4 ? 20 : 0;
            if (kind == Kind::upper) cost_ += 20;
        } else {
            length_ = 1;
            cost_ += in_word ? 220 : previous_ == Kind::digit ? 140 : 120;
        }
        previous_ = kind;
    }

    std::size_t cost_ = 0;
    std::size_t length_ = 0;  // of the run or word so far
    Kind previous_ = Kind::none;
    const Script* script_ = nullptr;  // of the run of wide code points
};

}  // namespace

std::size_t estimate_hundredths(std::string_view text) noexcept {
    Meter meter;
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x80) {
            meter.add_ascii(ascii_kinds[byte]);
            ++i;
        } else {
            const Decoded decoded = decode_utf8(text.substr(i));
            meter.add_wide(decoded.code_point);
            i += decoded.size;
        }
    }
    return meter.hundredths();
}

std::size_t estimate_tokens(std::string_view text) noexcept { return whole_tokens(estimate_hundredths(text)); }

}  // namespace taskstate::inline v0
