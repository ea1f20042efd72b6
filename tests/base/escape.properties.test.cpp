#include <taskstate/base/escape.hpp>
#include <taskstate/base/text.hpp>

#include "support/catch.hpp"
#include "support/hostile_text.hpp"
#include "support/read_json_string.hpp"

#include <string>
#include <vector>

using namespace taskstate;

namespace {

std::string escaped(std::string_view text, Spellings spellings = {}) {
    std::string out;
    append_escaped(out, text, spellings);
    return out;
}

bool has_raw_control(std::string_view out) {
    for (const char byte : out) {
        if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F) return true;
    }
    return false;
}

bool has_bare_less_than(std::string_view out) {
    for (std::size_t at = out.find('<'); at != std::string_view::npos; at = out.find('<', at + 1)) {
        if (out[at + 1] != ' ' && out[at + 1] != '=') return true;
    }
    return false;
}

bool has_forbidden_spelling(std::string_view out) {
    for (const std::string_view spelling : test::forbidden_spellings) {
        if (out.find(spelling) != std::string_view::npos) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("escape: no content can forge, hide or break, and all of it reads back",
          "[base][escape][hazard:20][hazard:21]") {
    CHECK(rc::check("well-formed text", [] {
        const std::string text = *test::refusable_text();
        const std::string out = escaped(text);
        RC_ASSERT(test::read_json_string(out) == text);
        RC_ASSERT_FALSE(has_raw_control(out));
        RC_ASSERT_FALSE(has_bare_less_than(out));
        RC_ASSERT_FALSE(has_forbidden_spelling(out));
    }));
    CHECK(rc::check("any bytes", [] {
        const std::string out = escaped(*test::hostile_bytes());
        RC_ASSERT(admit_text(out, out.size(), TextPolicy::refuse).has_value());
        RC_ASSERT(test::read_json_string(out).has_value());
        RC_ASSERT_FALSE(has_forbidden_spelling(out));
    }));
}

TEST_CASE("escape: no spelling of the host survives, in a text or in a word", "[base][escape][hazard:21]") {
    const std::vector<std::string> list{"[x", "A]", "]|", "= ", "<=", "x]~", "e~",
                                        "3c", "ﬀ",  "文", "é",  "b[", "``",  "A"};
    CHECK(rc::check("host spellings", [&list] {
        const std::string text = *test::hostile_text();
        const std::string out = escaped(text, list);
        RC_ASSERT(test::read_json_string(out) == text);
        RC_ASSERT_FALSE(has_bare_less_than(out));
        for (const std::string& spelling : list) {
            // Made of what escapes are made of: refused by `ControlSpellings::parse`.
            if (spelling != "3c") RC_ASSERT(out.find(spelling) == std::string::npos);
        }
        std::string word;
        append_word(word, text, list);
        RC_ASSERT(word == text || word == out);
        RC_ASSERT(word == out || is_bare(word));
    }));
}
