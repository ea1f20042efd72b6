#include <taskstate/base/escape.hpp>

#include <taskstate/base/text.hpp>

#include "code_points.hpp"
#include "gathered.hpp"
#include "hex.hpp"
#include "plain_run.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace taskstate::inline v0 {
namespace {

constexpr std::string_view built_in[] = {"[gMASK]", "[sMASK]", "]~!b[", "]~b]", "[e~["};  // all hold a bracket

template <class Out>
void append_unit(Out& out, char32_t unit) {
    const char escape[] = {'\\',
                           'u',
                           hex_digits[unit >> 12 & 15],
                           hex_digits[unit >> 8 & 15],
                           hex_digits[unit >> 4 & 15],
                           hex_digits[unit & 15]};
    out.append(std::string_view(escape, sizeof escape));
}

template <class Out>
void append_unicode_escape(Out& out, char32_t code_point) {
    if (code_point < 0x10000) return append_unit(out, code_point);
    append_unit(out, 0xD800 + ((code_point - 0x10000) >> 10));
    append_unit(out, 0xDC00 + (code_point & 0x3FF));
}

bool is_upper(char byte) noexcept { return byte >= 'A' && byte <= 'Z'; }

// Row E4: whether what follows a `[` makes it a control spelling.
bool opens_bracket_token(std::string_view rest) noexcept {
    if (rest.starts_with('|')) return true;
    if (rest.starts_with('/')) rest.remove_prefix(1);
    if (rest.empty() || !is_upper(rest[0])) return false;
    const auto in_name = [](char byte) { return is_upper(byte) || (byte >= '0' && byte <= '9') || byte == '_'; };
    const auto* const end = std::find_if_not(rest.begin() + 1, rest.end(), in_name);
    return end - rest.begin() >= 2 && end != rest.end() && *end == ']';
}

// What stands before a joiner or selector decides whether it may stand raw (rows E7 and E8).
enum class Left : std::uint8_t {
    hidden,         // nothing, or a code point of rows E0 or E6–E8
    ascii,          // below U+0080
    wide,           // U+0080 or above
    wide_selected,  // the same with a raw U+FE0F
};

bool is_wide(const Decoded& decoded) noexcept {
    if (decoded.code_point < 0x80) return false;
    const CodePointClass kind = classify(decoded.code_point);
    return kind == CodePointClass::plain || kind == CodePointClass::less_than;
}

// Writes the inside of a string by rows E0–E9.
class RowWriter {
 public:
    RowWriter(Gathered& out, std::string_view text) : out_(out), text_(text) {}

    void write() {
        for (copy_plain(); at_ < text_.size(); copy_plain()) {
            if (is_ascii(text_[at_]))
                write_ascii(text_[at_++]);
            else
                write_wide(decode_utf8(text_.substr(at_)));
        }
    }

    // Whether a bracket was seen, without which no built-in spelling can occur.
    [[nodiscard]] bool bracketed() const noexcept { return bracketed_; }

 private:
    // Copies up to the next code point that a rule may want to change.
    void copy_plain() {
        do copy_ascii();
        while (copy_wide());
    }

    // Copies from a wide code point on; says whether there was one to copy.
    bool copy_wide() {
        const std::size_t from = at_;
        if (at_ == text_.size() || is_ascii(text_[at_])) return false;
        at_ += plain_run(text_.substr(at_));
        skip_wide();
        if (at_ == from) return false;
        left_ = is_ascii(text_[at_ - 1]) ? Left::ascii : Left::wide;
        out_.append(text_.substr(from, at_ - from));
        return true;
    }

    void copy_ascii() {
        std::string_view rest = text_.substr(at_);
        for (std::size_t run = lanes::lane_size; run == lanes::lane_size;) {
            const char* from = rest.data();
            char end[lanes::lane_size];
            if (rest.size() < sizeof end) {
                std::memset(end, '"', sizeof end);  // no plain byte: the run ends there
                rest.copy(end, rest.size());        // not memcpy: an empty text may have no address
                from = end;
            }
            run = plain_ascii_of_16(from);
            out_.append_of_16(from, run);
            if (run < lanes::lane_size)
                rest.remove_prefix(run);
            else
                rest.remove_prefix(lanes::lane_size);  // known before it is counted
        }
        if (at_ + rest.size() == text_.size()) return;
        left_ = Left::ascii;
        at_ = text_.size() - rest.size();
    }

    // Goes past plain code points with watched leads, one by one up to the next ASCII: a script's letters keep
    // together.
    void skip_wide() {
        while (at_ < text_.size() && !is_ascii(text_[at_])) {
            const Decoded decoded = decode_utf8(text_.substr(at_));
            if (!decoded.well_formed || classify(decoded.code_point) != CodePointClass::plain) return;
            at_ += decoded.size;
        }
    }

    // `byte` stands before `at_`.
    void write_ascii(char byte) {
        const std::string_view rest = text_.substr(at_);
        left_ = Left::ascii;
        switch (byte) {
            case '"':
                return out_.append("\\\"");
            case '\\':
                return out_.append("\\\\");
            case '\t':
                return out_.append("\\t");
            case '\n':
                return out_.append("\\n");
            case '\r':
                return out_.append("\\r");
            case '<':
                return raw_if(rest.starts_with(' ') || rest.starts_with('='), byte);
            case '[':
                bracketed_ = true;
                return raw_if(!opens_bracket_token(rest), byte);
            case ']':
                bracketed_ = true;
                return raw_if(true, byte);
            case '`':
                return raw_if(!rest.starts_with("``"), byte);
            default:
                left_ = Left::hidden;
                return raw_if(false, byte);
        }
    }

    void raw_if(bool raw, char byte) {
        if (raw)
            out_.append({&byte, 1});
        else
            append_unicode_escape(out_, static_cast<unsigned char>(byte));
    }

    void write_wide(const Decoded& decoded) {
        const std::size_t next = at_ + decoded.size;
        bool raw = false;
        Left left = Left::hidden;
        switch (classify(decoded.code_point)) {
            case CodePointClass::plain:
                raw = true;
                left = Left::wide;
                break;
            case CodePointClass::less_than:
                left = Left::wide;
                break;
            case CodePointClass::joiner:
                raw = (left_ == Left::wide || left_ == Left::wide_selected) && next < text_.size() &&
                      is_wide(decode_utf8(text_.substr(next)));
                break;
            case CodePointClass::selector:
                raw = left_ == Left::ascii || left_ == Left::wide;
                if (left_ == Left::wide && decoded.code_point == 0xFE0F) left = Left::wide_selected;
                break;
            case CodePointClass::control:
            case CodePointClass::bidi:
            case CodePointClass::tag:
            case CodePointClass::noncharacter:
            case CodePointClass::invisible:
                break;
        }
        if (raw && decoded.well_formed)
            out_.append(text_.substr(at_, decoded.size));
        else if (raw)
            out_.append("\xEF\xBF\xBD");
        else
            append_unicode_escape(out_, decoded.code_point);
        left_ = left;
        at_ = next;
    }

    Gathered& out_;
    std::string_view text_;
    std::size_t at_ = 0;
    Left left_ = Left::hidden;
    bool bracketed_ = false;
};

// One escape or one raw code point of written text.
struct Piece {
    std::size_t size = 0;
    bool raw = false;
};

Piece piece_at(std::string_view written, std::size_t at) noexcept {
    if (written[at] == '\\') return {.size = written[at + 1] == 'u' ? 6U : 2U};
    return {.size = decode_utf8(written.substr(at)).size, .raw = true};
}

// Where in `written`, from the piece at `at` on, the first raw code point lies that reaches into [begin, end); `end` or
// more if none does, which only a list that `ControlSpellings` did not check can bring about.
std::size_t raw_piece_inside(std::string_view written, std::size_t at, std::size_t begin, std::size_t end) noexcept {
    while (at < end) {
        const Piece piece = piece_at(written, at);
        if (piece.raw && at + piece.size > begin) break;
        at += piece.size;
    }
    return at;
}

// Row E10 for one spelling: escapes the first raw code point of each occurrence behind `from`.
bool break_spelling(std::string& out, std::size_t from, std::string_view spelling) {
    const std::string_view written = std::string_view(out).substr(from);
    std::size_t found = spelling.empty() ? std::string_view::npos : written.find(spelling);
    if (found == std::string_view::npos) return false;
    std::string broken;
    std::size_t copied = 0;
    for (std::size_t at = 0; found != std::string_view::npos; found = written.find(spelling, at)) {
        at = raw_piece_inside(written, at, found, found + spelling.size());
        if (at >= found + spelling.size()) continue;
        broken += written.substr(copied, at - copied);
        if (broken.ends_with('<')) {  // row E3: raw only before a raw SPACE or `=`
            broken.pop_back();
            append_unicode_escape(broken, '<');
        }
        const Decoded decoded = decode_utf8(written.substr(at));
        append_unicode_escape(broken, decoded.code_point);
        at += decoded.size;
        copied = at;
    }
    if (copied == 0) return false;
    broken += written.substr(copied);
    out.replace(from, std::string::npos, broken);
    return true;
}

void break_spellings(std::string& out, std::size_t from, bool bracketed, Spellings spellings) {
    for (bool changed = true; changed;) {
        changed = false;
        if (bracketed) {
            for (const std::string_view spelling : built_in) changed |= break_spelling(out, from, spelling);
        }
        for (const std::string& spelling : spellings) changed |= break_spelling(out, from, spelling);
    }
}

// Whether one of the spellings occurs in `word`, or could occur with `word` as one of the words that it spans: what
// stands beside a bare word is SPACE, `=` or `,`, and is not known here.
bool touches_spelling(std::string_view word, std::string_view spelling) noexcept {
    constexpr std::string_view delimiters = " =,";
    if (spelling.empty()) return false;
    if (word.find(spelling) != std::string_view::npos) return true;
    std::size_t end = spelling.find_first_of(delimiters);
    if (end == std::string_view::npos) return false;
    if (end != 0 && word.ends_with(spelling.substr(0, end))) return true;
    for (;;) {
        const std::string_view rest = spelling.substr(end + 1);
        const std::size_t length = rest.find_first_of(delimiters);
        if (length == std::string_view::npos) return !rest.empty() && word.starts_with(rest);
        if (word == rest.substr(0, length)) return true;
        end += 1 + length;
    }
}

// Reads four hex digits of canonical JSON.
char32_t unit_at(std::string_view digits) noexcept {
    char32_t unit = 0;
    for (const char digit : digits) unit = unit << 4 | (hex_digits.find(digit) & 15);
    return unit;
}

// Reads the inside of a JSON string.
std::string unescaped(std::string_view inside) {
    constexpr std::string_view letters = "bfnrt", meant = "\b\f\n\r\t";
    std::string text;
    while (!inside.empty()) {
        const std::size_t plain = std::min(inside.find('\\'), inside.size());
        text += inside.substr(0, plain);
        inside.remove_prefix(plain);
        if (inside.size() < 2) break;
        if (inside[1] == 'u') {
            // Canonical JSON writes only controls so; pairs do not occur.
            append_utf8(text, unit_at(inside.substr(2, 4)));
            inside.remove_prefix(std::min<std::size_t>(6, inside.size()));
        } else {
            const std::size_t letter = letters.find(inside[1]);
            text += letter == std::string_view::npos ? inside[1] : meant[letter];
            inside.remove_prefix(2);
        }
    }
    return text;
}

}  // namespace

void append_escaped(Gathered& out, std::string_view text, Spellings spellings) {
    out.append("\"");
    const std::size_t from = out.size();
    RowWriter writer(out, text);
    writer.write();
    if (writer.bracketed() || !spellings.empty()) break_spellings(out.whole(), from, writer.bracketed(), spellings);
    out.append("\"");
}

void append_word(Gathered& out, std::string_view text, Spellings spellings) {
    const auto touched = [text](const std::string& spelling) { return touches_spelling(text, spelling); };
    if (is_bare(text) && std::none_of(spellings.begin(), spellings.end(), touched))
        out.append(text);
    else
        append_escaped(out, text, spellings);
}

void append_object(Gathered& out, std::string_view canonical, Spellings spellings) {
    while (!canonical.empty()) {
        const std::size_t opening = std::min(canonical.find('"'), canonical.size());
        out.append(canonical.substr(0, opening));
        if (opening == canonical.size()) return;
        std::size_t closing = opening + 1;
        while (closing < canonical.size() && canonical[closing] != '"') closing += canonical[closing] == '\\' ? 2 : 1;
        closing = std::min(closing, canonical.size());
        append_escaped(out, unescaped(canonical.substr(opening + 1, closing - opening - 1)), spellings);
        canonical.remove_prefix(std::min(closing + 1, canonical.size()));
    }
}

void append_escaped(std::string& out, std::string_view text, Spellings spellings) {
    Gathered gathered(out);
    append_escaped(gathered, text, spellings);
}

void append_word(std::string& out, std::string_view text, Spellings spellings) {
    Gathered gathered(out);
    append_word(gathered, text, spellings);
}

void append_object(std::string& out, std::string_view canonical, Spellings spellings) {
    Gathered gathered(out);
    append_object(gathered, canonical, spellings);
}

}  // namespace taskstate::inline v0
