// Canonical form of any JSON value (RFC 8785), and item content in it.

#include "codec/values.hpp"
#include "model/trusted_content.hpp"

#include <taskstate/codec/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t content_bytes_max = 16 * 1024;
constexpr std::size_t content_depth_max = 8;

// A finite number as ECMAScript prints it.
std::string number_text(double number) {
    if (number == 0) return "0";
    char scientific[32];
    const auto end =
        std::to_chars(std::begin(scientific), std::end(scientific), std::abs(number), std::chars_format::scientific)
            .ptr;
    char* const e = std::find(std::begin(scientific), end, 'e');
    int point = 0;  // how many digits stand before the decimal point
    std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, point);
    ++point;
    std::string digits(1, scientific[0]);
    if (e - scientific > 2) digits.append(scientific + 2, e);

    const int count = static_cast<int>(digits.size());
    const auto zeros = [](int n) { return std::string(static_cast<std::size_t>(n), '0'); };
    std::string text;
    if (point >= count && point <= 21) {
        text = digits + zeros(point - count);
    } else if (point > 0 && point <= 21) {
        text = digits.insert(static_cast<std::size_t>(point), ".");
    } else if (point > -6 && point <= 0) {
        text = "0." + zeros(-point) + digits;
    } else {
        if (count > 1) digits.insert(1, ".");
        text = digits + (point > 0 ? "e+" : "e-") + std::to_string(std::abs(point - 1));
    }
    return number < 0 ? '-' + text : text;
}

void write_number(const Cursor& at, JsonWriter& json) {
    const std::string_view lexeme = at.node().text;
    double number = 0;  // stays 0 for what is too small for a double: what is too large, the reader refused
    std::from_chars(lexeme.data(), lexeme.data() + lexeme.size(), number);
    const std::string canonical = number_text(number);
    // Beyond 2^53 - 1 an integer may not be what was written, nor be read as what it is.
    const bool exact =
        std::abs(number) <= static_cast<double>(integer_max) || !(is_integer(lexeme) || is_integer(canonical));
    if (!exact) return at.fail(Reason::out_of_range);
    json.raw(canonical);
}

// RFC 8785 sorts by UTF-16 code units: the surrogates of U+10000 and above (lead bytes F0-F4) stand before U+E000 ...
// U+FFFF (lead bytes EE and EF).
bool utf16_less(std::string_view a, std::string_view b) {
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (x == a.end() || y == b.end()) return x == a.end() && y != b.end();
    const auto rank = [](char byte) {
        const int lead = static_cast<unsigned char>(byte);
        return lead < 0xEE ? lead : lead < 0xF0 ? lead + 5 : lead - 2;
    };
    return rank(*x) < rank(*y);
}

// Whether the strings inside are written as they are, or are admitted like any stored text.
enum class StringRule : std::uint8_t { any, admitted };

class Canonical {
 public:
    Canonical(JsonWriter& json, StringRule rule) : json_(json), rule_(rule) {}

    void value(const Cursor& at) {
        const Node& node = at.node();
        switch (node.kind) {
            case Node::Kind::null:
                return json_.raw("null");
            case Node::Kind::boolean:
                return json_.boolean(node.truth);
            case Node::Kind::number:
                return write_number(at, json_);
            case Node::Kind::string:
                return string(at);
            case Node::Kind::array:
                return array(at);
            case Node::Kind::object:
                return object(at);
        }
    }

 private:
    void string(const Cursor& at) {
        if (rule_ == StringRule::any) return json_.string(at.node().text);
        const auto clean = clean_text(at.node().text, at.policy());
        if (!clean) return at.fail(clean.error());
        json_.string(clean->text);
    }

    void array(const Cursor& at) {
        json_.open_array();
        std::size_t index = 0;
        for (const Node& element : at.members()) value(at.element(element, index++));
        json_.close_array();
    }

    void object(const Cursor& at) {
        std::vector<const Node*> sorted;
        for (const Node& member : at.members()) sorted.push_back(&member);
        std::sort(sorted.begin(), sorted.end(),
                  [](const auto* a, const auto* b) { return utf16_less(a->key, b->key); });
        json_.open_object();
        for (const Node* member : sorted) {
            key(at.member(*member));
            value(at.member(*member));
        }
        json_.close_object();
    }

    // A key is a name: it is refused, never mended.
    void key(const Cursor& member) {
        if (rule_ == StringRule::admitted) {
            if (const auto clean = clean_text(member.node().key, TextPolicy::refuse); !clean)
                member.fail(clean.error());
        }
        json_.key(member.node().key);
    }

    JsonWriter& json_;
    StringRule rule_;
};

std::size_t depth(const Node& node) {
    const bool contains = node.kind == Node::Kind::array || node.kind == Node::Kind::object;
    std::size_t deepest = 0;
    for (const Node& member : Members(node)) deepest = std::max(deepest, depth(member));
    return deepest + (contains ? 1 : 0);
}

}  // namespace

void write_canonical(const Cursor& at, JsonWriter& json) { Canonical(json, StringRule::any).value(at); }

void read(const Cursor& at, Content& out) {
    if (!at.is(Node::Kind::object)) return;
    if (const std::size_t levels = depth(at.node()); levels > content_depth_max) {
        return at.fail(fail(Reason::too_deep, {}, {.limit = content_depth_max, .actual = levels}));
    }
    std::string canonical;
    JsonWriter json(canonical);
    Canonical(json, StringRule::admitted).value(at);
    if (json.size() > content_bytes_max) {
        at.fail(fail(Reason::bad_content, {}, {.limit = content_bytes_max, .actual = json.size()}));
    }
    if (!at.failed()) out = TrustedContent::make(std::move(canonical));
}

// White space and long spellings do not count, so the text may be longer than what is kept of it.
Result<Content> parse_content(std::string_view json) {
    return decode_as<Content>(json, {.bytes_max = Limits{}.input_bytes_max}, TextPolicy::refuse);
}

}  // namespace taskstate::inline v0
