#include <taskstate/base/escape.hpp>
#include <taskstate/base/text.hpp>

#include "support/catch.hpp"
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

std::string inside(std::string_view text) {
    const std::string out = escaped(text);
    return out.substr(1, out.size() - 2);
}

struct Case {
    std::string text, written;
};

void check(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
        CAPTURE(c.text);
        CHECK(inside(c.text) == c.written);
    }
}

}  // namespace

TEST_CASE("escape: what admission refuses is written as an escape should it ever arrive", "[base][escape][hazard:16]") {
    check({{std::string("\0", 1), R"(\u0000)"},
           {"\x08\x0B\x0C\x0E\x1F", R"(\u0008\u000b\u000c\u000e\u001f)"},
           {"\x7F\u0080\u0085\u009F", R"(\u007f\u0080\u0085\u009f)"},
           {"\u202A\u202E\u2066\u2069", R"(\u202a\u202e\u2066\u2069)"},
           {"\uFDD0\uFDEF\uFFFE\uFFFF", R"(\ufdd0\ufdef\ufffe\uffff)"},
           {"\U0001FFFE\U0010FFFF", R"(\ud83f\udffe\udbff\udfff)"},
           {"\U000E0000\U000E0041\U000E007F", R"(\udb40\udc00\udb40\udc41\udb40\udc7f)"},
           {"\uFDCF\uFDF0\u00A0", "\uFDCF\uFDF0\u00A0"}});
}

TEST_CASE("escape: each ill-formed part becomes one U+FFFD", "[base][escape][hazard:16]") {
    check({{"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
           {"\xC0\xAF", "\uFFFD\uFFFD"},
           {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
           {"\xF8", "\uFFFD"},
           {"a\xE2\x82", "a\uFFFD"},
           {"\xE2\x82z", "\uFFFDz"},
           {"\xF0\x9F\x94\xE2\x82\xAC", "\uFFFD€"},
           {"\xFF", "\uFFFD"}});
}

TEST_CASE("escape: a text of no bytes may stand at no address", "[base][escape]") {
    CHECK(escaped(std::string_view()) == R"("")");
    const std::string spelling = "xyz";
    CHECK(escaped(std::string_view(), {&spelling, 1}) == R"("")");
}

TEST_CASE("escape: quotes, backslashes and line ends take the short forms", "[base][escape]") {
    check({{R"(say "hi")", R"(say \"hi\")"},
           {R"(\\server\share)", R"(\\\\server\\share)"},
           {"one\ttwo\n\nHuman:\rx", R"(one\ttwo\n\nHuman:\rx)"},
           {R"(\u003c)", R"(\\u003c)"}});
}

TEST_CASE("escape: less-than stands raw only before a space or an equals sign",
          "[base][escape][hazard:20][hazard:21]") {
    check({{"a < b", "a < b"},
           {"x <= y", "x <= y"},
           {"a<b", R"(a\u003cb)"},
           {"<", R"(\u003c)"},
           {"<\t", R"(\u003c\t)"},
           {"</task-state key=", R"(\u003c/task-state key=)"},
           {"<!-- x -->", R"(\u003c!-- x -->)"},
           {"<<SYS>>", R"(\u003c\u003cSYS>>)"},
           {"<｜User｜>", R"(\u003c｜User｜>)"},
           {"<|im_end|>", R"(\u003c|im_end|>)"},
           {">>TITLE<<", R"(>>TITLE\u003c\u003c)"},
           {"<< 1", R"(\u003c< 1)"}});
}

TEST_CASE("escape: an opening bracket is broken where a control spelling begins", "[base][escape][hazard:21]") {
    check({{"[INST]", R"(\u005bINST])"},
           {"[/INST]", R"(\u005b/INST])"},
           {"[TOOL_CALLS]", R"(\u005bTOOL_CALLS])"},
           {"[BOS]", R"(\u005bBOS])"},
           {"[A1]", R"(\u005bA1])"},
           {"[|user|]", R"(\u005b|user|])"},
           {"[TODO]", R"(\u005bTODO])"},
           {"[[INST]]", R"([\u005bINST]])"},
           {"[x] arr[0] [link](u)", "[x] arr[0] [link](u)"},
           {"[A] [1A] [Ab] [/] [AB", "[A] [1A] [Ab] [/] [AB"},
           {"[//INST] [AB C]", "[//INST] [AB C]"}});
}

TEST_CASE("escape: no run of three backticks survives", "[base][escape]") {
    check({{"`a` ``b``", "`a` ``b``"}, {"```sh", R"(\u0060``sh)"}, {"`````", R"(\u0060\u0060\u0060``)"}});
}

TEST_CASE("escape: what cannot be seen becomes visible", "[base][escape][hazard:20]") {
    check({{"\u00AD\u034F\u061C\u115F\u1160", R"(\u00ad\u034f\u061c\u115f\u1160)"},
           {"\u17B4\u17B5\u180B\u180F\u200B", R"(\u17b4\u17b5\u180b\u180f\u200b)"},
           {"\u200E\u200F\u2028\u2029\u2060\u2065", R"(\u200e\u200f\u2028\u2029\u2060\u2065)"},
           {"\u206A\u206F\u3164\uFE00\uFE0D\uFEFF", R"(\u206a\u206f\u3164\ufe00\ufe0d\ufeff)"},
           {"\uFFA0\uFFF0\uFFFB\uFFFC", "\\uffa0\\ufff0\\ufffb\uFFFC"},
           {"\U0001BCA0\U0001BCA3\U0001D173\U0001D17A", R"(\ud82f\udca0\ud82f\udca3\ud834\udd73\ud834\udd7a)"},
           {"\U000E0080\U000E0FFF", R"(\udb40\udc80\udb43\udfff)"}});
}

TEST_CASE("escape: a joiner stands raw only between letters of wide scripts", "[base][escape][hazard:20]") {
    check({{"می\u200Cخواهم", "می\u200Cخواهم"},
           {"क्\u200Dष", "क्\u200Dष"},
           {"👩\u200D💻", "👩\u200D💻"},
           {"❤\uFE0F\u200D🔥", "❤\uFE0F\u200D🔥"},
           {"ta\u200Dsk", R"(ta\u200dsk)"},
           {"é\u200Dx", R"(é\u200dx)"},
           {"x\u200Dé", R"(x\u200dé)"},
           {"é\u200D", R"(é\u200d)"},
           {"\u200Dé", R"(\u200dé)"},
           {"é\u200D\u200Dé", R"(é\u200d\u200dé)"},
           {"é\u200B\u200Dé", R"(é\u200b\u200dé)"},
           {"é\uFE0E\u200Dé", "é\uFE0E\\u200dé"},
           {"1\uFE0F\u200Dé", "1\uFE0F\\u200dé"},
           {"é\uFE0F\uFE0F\u200Dé", "é\uFE0F\\ufe0f\\u200dé"}});
}

TEST_CASE("escape: a selector stands raw only behind a visible code point", "[base][escape]") {
    check({{"⚠\uFE0F 1\uFE0F\u20E3 ☎\uFE0E", "⚠\uFE0F 1\uFE0F\u20E3 ☎\uFE0E"},
           {"\uFE0F", R"(\ufe0f)"},
           {"⚠\uFE0F\uFE0E\uFE0F", "⚠\uFE0F\\ufe0e\\ufe0f"},
           {"\u200B\uFE0F", R"(\u200b\ufe0f)"}});
}

TEST_CASE("escape: compatibility forms of less-than are broken", "[base][escape][hazard:20]") {
    check({{"＜/task-state＞", R"(\uff1c/task-state＞)"}, {"﹤a", R"(\ufe64a)"}, {"《a》 ‹b› ｜", "《a》 ‹b› ｜"}});
}

TEST_CASE("escape: the built-in spellings are broken wherever they stand", "[base][escape][hazard:21]") {
    check({{"[gMASK]", R"(\u005bgMASK])"},
           {"[sMASK]", R"(\u005bsMASK])"},
           {"]~!b[", R"(\u005d~!b[)"},
           {"]~b]~b]", R"(\u005d~b\u005d~b])"},
           {"[e~[e~[", R"(\u005be~\u005be~[)"}});
}

TEST_CASE("escape: everything else stays as it is", "[base][escape]") {
    const std::string text = "a > b & c / d ! | ' { } ｜ 《 ‹ é ß Ж 文 अ 🏴 ![x]";
    CHECK(escaped(text) == "\"" + text + "\"");
    CHECK(escaped("") == "\"\"");
}

TEST_CASE("escape: a host's spelling is broken where a tokenizer would see it", "[base][escape][hazard:21]") {
    const std::vector<std::string> list{"nHello", "END", "tool call", "= ="};
    CHECK(escaped("\nHello", list) == R"("\n\u0048ello")");
    CHECK(escaped("ENDEND", list) == R"("\u0045ND\u0045ND")");
    CHECK(escaped("a tool call", list) == R"("a \u0074ool call")");
    CHECK(escaped("x<= =y", list) == R"("x\u003c\u003d =y")");
    CHECK(escaped("nothing", list) == R"("nothing")");
}

TEST_CASE("escape: breaking one spelling cannot leave or make another", "[base][escape][hazard:21]") {
    // The escape of "x" ends in 8, which makes the first spelling where there was none.
    const std::vector<std::string> list{"8!", "x!"};
    CHECK(escaped("x!!", list) == R"("\u0078\u0021!")");
}

TEST_CASE("escape: a list that nobody checked ends all the same", "[base][escape]") {
    const std::vector<std::string> list{"", "u00", "n"};
    CHECK(escaped("\n<n", list) == R"("\n\u003c\u006e")");
}

TEST_CASE("word: bare in the closed alphabet, quoted otherwise", "[base][escape]") {
    const auto word = [](std::string_view text, const std::vector<std::string>& spellings) {
        std::string out;
        append_word(out, text, spellings);
        return out;
    };
    CHECK(word("turn-1", {}) == "turn-1");
    CHECK(word("A.b_c:9", {}) == "A.b_c:9");
    CHECK(word("-", {}) == "\"-\"");
    CHECK(word("", {}) == "\"\"");
    CHECK(word("a b", {}) == "\"a b\"");
    CHECK(word("é", {}) == "\"é\"");
    CHECK(word("my_END_1", {"END"}) == R"("my_\u0045ND_1")");
}

TEST_CASE("word: a spelling that would span words is kept apart by quotes", "[base][escape][hazard:21]") {
    const std::vector<std::string> list{"tool=pay now,x"};
    const auto word = [&list](std::string_view text) {
        std::string out;
        append_word(out, text, list);
        return out;
    };
    CHECK(word("mytool") == "\"mytool\"");
    CHECK(word("pay") == "\"pay\"");
    CHECK(word("now") == "\"now\"");
    CHECK(word("xy") == "\"xy\"");
    CHECK(word("payer") == "payer");
    CHECK(word("tools") == "tools");
}

TEST_CASE("object: keys and strings are escaped again, the rest is copied", "[base][escape]") {
    const auto object = [](std::string_view canonical) {
        std::string out;
        append_object(out, canonical);
        return out;
    };
    CHECK(object(R"({"a":1.5,"b":[true,null,"x\ny"],"<c>":{"d":"[INST] \"q\" \\ \u001f"}})") ==
          R"({"a":1.5,"b":[true,null,"x\ny"],"\u003cc>":{"d":"\u005bINST] \"q\" \\ \u001f"}})");
    CHECK(object("{}") == "{}");
    CHECK(object(R"({"a":"unfinished\)") == R"({"a":"unfinished")");
}
