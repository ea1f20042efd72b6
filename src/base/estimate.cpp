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

// The kinds of ASCII signs.  `none` is no sign; as a run it is the beginning of a text and whatever is not ASCII.
enum class Kind : std::uint8_t { space, line, digit, mark, lower, upper, none };
constexpr std::size_t kind_count = 7;

constexpr std::array<Kind, 128> make_ascii_kinds() {
    std::array<Kind, 128> kind_of{};
    for (std::size_t byte = 0; byte < kind_of.size(); ++byte) {
        const char c = static_cast<char>(byte);
        kind_of[byte] = c == ' '               ? Kind::space
                        : c < ' '              ? Kind::line
                        : c >= '0' && c <= '9' ? Kind::digit
                        : c >= 'a' && c <= 'z' ? Kind::lower
                        : c >= 'A' && c <= 'Z' ? Kind::upper
                                               : Kind::mark;
    }
    return kind_of;
}
constexpr std::array<Kind, 128> ascii_kinds = make_ascii_kinds();

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

bool holds(const Script& script, char32_t code_point) noexcept {
    return code_point >= script.first && (&script == std::end(scripts) - 1 || code_point < (&script)[1].first);
}

const Script& script_of(char32_t code_point) noexcept {
    const auto before = [](char32_t sought, const Script& script) { return sought < script.first; };
    return *std::prev(std::upper_bound(std::begin(scripts), std::end(scripts), code_point, before));
}

// The run that a text has come to.  A length beyond the longest that makes a difference is that one.
struct Run {
    Kind kind = Kind::none;
    std::size_t length = 1;
};

// What one more sign costs, and the run that it leads to.
struct Charge {
    std::size_t cost = 0;
    Run run{};
};

// A word costs more the longer it is.  An upper-case letter after a lower-case one begins another word, and one that no
// dictionary is likely to hold in this place: random text is full of them.
constexpr Charge add_letter(Run run, Kind kind) {
    const bool in_word = run.kind == Kind::lower || run.kind == Kind::upper;
    if (!in_word) return {run.kind == Kind::digit ? 140U : 120U, {kind, 1}};
    if (kind == Kind::upper && run.kind == Kind::lower) return {220, {kind, 1}};
    const std::size_t length = std::min<std::size_t>(run.length + 1, 13);
    const std::size_t cost = length > 12 ? 90 : length > 8 ? 50 : length > 4 ? 20 : 0;
    return {cost + (kind == Kind::upper ? 20 : 0), {kind, length}};
}

constexpr Charge add(Run run, Kind kind) {
    const bool goes_on = kind == run.kind;
    switch (kind) {
        case Kind::space: {
            const std::size_t length = goes_on ? std::min<std::size_t>(run.length + 1, 3) : 1;
            return {length == 2 ? 70U : 0U, {kind, length}};
        }
        case Kind::line:
            return {goes_on ? 0U : 70U, {kind, 1}};
        case Kind::digit: {
            const std::size_t length = goes_on ? run.length % 3 + 1 : 1;
            return {length == 1 ? 100U : 0U, {kind, length}};
        }
        case Kind::mark:
            return {goes_on ? 20U : 60U, {kind, 1}};
        case Kind::lower:
        case Kind::upper:
            return add_letter(run, kind);
        case Kind::none:
            break;
    }
    return {0, run};
}

// All runs, numbered.
constexpr std::array<std::size_t, kind_count> lengths{3, 1, 3, 1, 13, 13, 1};  // of each kind, as far as they differ
constexpr std::size_t first_number(Kind kind) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(kind); ++i) number += lengths[i];
    return number;
}
constexpr std::size_t number_of(Run run) { return first_number(run.kind) + run.length - 1; }
constexpr std::size_t beginning = number_of({Kind::none, 1});
constexpr std::size_t runs = beginning + 1;

// What two signs at once cost: reading by single ones would wait twice as often for the run before.
struct Pair {
    std::uint16_t cost = 0;
    std::uint16_t row = 0;  // where the pairs after the run that it leads to begin
};
constexpr std::size_t row_size = kind_count * kind_count;

constexpr std::array<Pair, runs * row_size> make_pairs() {
    std::array<Pair, runs * row_size> pairs{};
    for (std::size_t before = 0; before < kind_count; ++before) {
        for (std::size_t length = 1; length <= lengths[before]; ++length) {
            const Run run{static_cast<Kind>(before), length};
            for (std::size_t i = 0; i < row_size; ++i) {
                const Charge one = add(run, static_cast<Kind>(i / kind_count));
                const Charge two = add(one.run, static_cast<Kind>(i % kind_count));
                pairs[number_of(run) * row_size + i] = {static_cast<std::uint16_t>(one.cost + two.cost),
                                                        static_cast<std::uint16_t>(number_of(two.run) * row_size)};
            }
        }
    }
    return pairs;
}
constexpr std::array<Pair, runs * row_size> pairs = make_pairs();

// Reads a text once and adds up what it costs.
class Meter {
 public:
    void add_ascii(Kind first, Kind second = Kind::none) noexcept {
        const Pair& pair =
            pairs[row_ + static_cast<std::size_t>(first) * kind_count + static_cast<std::size_t>(second)];
        cost_ += pair.cost;
        row_ = pair.row;
    }

    void add_wide(char32_t code_point) noexcept {
        const Script& script = holds(*script_, code_point) ? *script_ : script_of(code_point);
        cost_ += script.each;
        if (script.latin) return add_ascii(Kind::lower);
        if (row_ != beginning_row || script_ != &script) cost_ += script.run;
        script_ = &script;
        row_ = beginning_row;
    }

    [[nodiscard]] std::size_t hundredths() const noexcept { return cost_; }

 private:
    static constexpr std::size_t beginning_row = beginning * row_size;

    std::size_t cost_ = 0;
    std::size_t row_ = beginning_row;
    const Script* script_ = std::begin(scripts);  // of the run of wide code points; the first has no cost of its own
};

}  // namespace

std::size_t estimate_hundredths(std::string_view text) noexcept {
    Meter meter;
    const auto kind_at = [text](std::size_t i) { return ascii_kinds[static_cast<unsigned char>(text[i])]; };
    for (std::size_t i = 0; i < text.size();) {
        if (!is_ascii(text[i])) {
            const Decoded decoded = decode_utf8(text.substr(i));
            meter.add_wide(decoded.code_point);
            i += decoded.size;
        } else if (i + 1 < text.size() && is_ascii(text[i + 1])) {
            meter.add_ascii(kind_at(i), kind_at(i + 1));
            i += 2;
        } else {
            meter.add_ascii(kind_at(i));
            ++i;
        }
    }
    return meter.hundredths();
}

std::size_t estimate_tokens(std::string_view text) noexcept { return whole_tokens(estimate_hundredths(text)); }

}  // namespace taskstate::inline v0
