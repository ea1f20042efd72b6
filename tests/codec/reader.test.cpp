// What the strict reader refuses before anything is made of it, seen through the decoders that use it.

#include "support/catch.hpp"

#include <taskstate/base/json_writer.hpp>
#include <taskstate/codec/json.hpp>

using namespace taskstate;
using namespace std::string_literals;

namespace {

std::string repeated(std::string_view piece, std::size_t times) {
    std::string text;
    for (; times > 0; --times) text += piece;
    return text;
}

// A delta whose one note has this spelling of its text.
std::string with_text(const std::string& spelling) {
    return R"({"notes":[{"id":"a","category":"decision","source":{"label":"x"},"text":)" + spelling + "}]}";
}
// A receipt whose dropped `error` may be any JSON, so that the reader alone judges it.
std::string with_error(const std::string& spelling) {
    return R"({"record_actions":[{"execution":"e","status":"started","completion":"unknown","error":)" + spelling +
           "}]}";
}
const std::string error_path = "/record_actions/0/error";

struct Refused {
    std::string json{};
    Reason reason{};
    std::string path{};
};

void check_refused(const Refused& row) {
    INFO(row.json.substr(0, 200));
    const auto result = decode_delta(row.json);
    REQUIRE_FALSE(result.has_value());
    CHECK(word(result.error().reason) == word(row.reason));
    CHECK(result.error().path == row.path);
}

}  // namespace

TEST_CASE("read: text that is no JSON is refused with the pointer of the value where it ends being JSON",
          "[codec][spec:C4][hazard:19]") {
    for (const char* spelling : {"NaN",
                                 "-Infinity",
                                 "Infinity",
                                 "0x10",
                                 "01",
                                 "-",
                                 "+1",
                                 "1.",
                                 ".5",
                                 "1e",
                                 "tru",
                                 "'a'",
                                 "\"a",
                                 "\"\\x\"",
                                 "\"\\u12g4\"",
                                 "\"\t\"",
                                 "/* no comments */1",
                                 "{",
                                 "[1,]",
                                 "[1 2]",
                                 "undefined"}) {
        INFO(spelling);
        const auto result = decode_delta(with_error(spelling));
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().reason == Reason::not_json);
        CHECK(result.error().path.substr(0, error_path.size()) == error_path);
    }
    check_refused({"", Reason::not_json, ""});
    check_refused({" \n", Reason::not_json, ""});
    check_refused({"\xEF\xBB\xBF{}", Reason::not_json, ""});
    check_refused({"{\"a\":{},}", Reason::not_json, "/a"});
    check_refused({"{'resolve':[]}", Reason::not_json, ""});
    check_refused({R"({"resolve":["a",}])", Reason::not_json, "/resolve/1"});
}

TEST_CASE("read: data behind the document is refused, hidden behind a NUL too", "[codec][hazard:12]") {
    for (const auto& tail : {"{}"s, "x"s, "1"s, "}"s, "\0"s, "\0{}"s, " \0 "s, "\n\0"s}) {
        check_refused({R"({"resolve":["a"]})" + tail, Reason::trailing_data, ""});
    }
    CHECK(decode_delta(" {\"resolve\":[\"a\"]} \r\n\t").has_value());
    check_refused({"\0{}"s, Reason::not_json, ""});
    check_refused({with_text("\"a\0b\""s), Reason::not_json, "/notes/0/text"});
}

TEST_CASE("read: a duplicate key is refused at the key, whatever its spelling", "[codec][spec:C4]") {
    check_refused({R"({"resolve":["a"],"reason":"r","resolve":["b"]})", Reason::duplicate_key, "/resolve"});
    check_refused({R"({"reason":"r","r\u0065ason":"s"})", Reason::duplicate_key, "/reason"});
    check_refused({with_error(R"([0,{"a":{"b":1,"c":2,"b":1}}])"), Reason::duplicate_key, error_path + "/1/a/b"});
    CHECK(decode_delta(with_error(R"([{"a":1},{"a":{"a":1}}])")).has_value());
}

TEST_CASE("read: depth 32 is read and depth 33 is refused", "[codec][spec:C4]") {
    const std::size_t around = 3;  // the delta, the list of receipts, the receipt
    CHECK(decode_delta(with_error(repeated("[", 32 - around) + repeated("]", 32 - around))).has_value());
    const auto deeper = decode_delta(with_error(repeated("[", 33 - around) + repeated("]", 33 - around)));
    REQUIRE_FALSE(deeper.has_value());
    CHECK(deeper.error().reason == Reason::too_deep);
    CHECK(deeper.error().path == error_path + repeated("/0", 32 - around));
    CHECK(deeper.error().limit == 32);
    CHECK(deeper.error().actual == 33);
}

TEST_CASE("read: ill-formed UTF-8 and lone surrogates are refused where they stand", "[codec][spec:C4][hazard:16]") {
    for (const char* bytes :
         {"\xED\xA0\x80", "\xC0\xAF", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xE2\x82", "\xFF", "\x80", "\\ud99c",
          "\\udc00\\ud800", "\\uD800x", "\\ud800\\n", "\\ud800\\u0041", "\\uDBFF"}) {
        const std::string text = "\"ok " + std::string(bytes) + " \\\" ok\"";
        check_refused({with_text(text), Reason::invalid_utf8, "/notes/0/text"});
        check_refused({with_error(R"(["",{"k":)" + text + "}]"), Reason::invalid_utf8, error_path + "/1/k"});
        check_refused({R"({"resolve":[],"a)" + std::string(bytes) + "\":1}", Reason::invalid_utf8, ""});
        check_refused({"{}" + std::string("\xFF"), Reason::invalid_utf8, ""});
    }
    // What comes first is reported first.
    check_refused({R"({"resolve":[1 2,"\ud800"]})", Reason::not_json, "/resolve/1"});
    // The halves of a pair in two strings are two lone halves.
    check_refused({R"({"resolve":["\ud83d","\ude00"]})", Reason::invalid_utf8, "/resolve/0"});
}

TEST_CASE("read: a fault is found wherever it stands in a long text", "[codec][hazard:12][hazard:16]") {
    struct Row {
        std::string fault;
        Reason reason;
    };
    const Row rows[] = {{"\0"s, Reason::not_json},
                        {"\xFF", Reason::invalid_utf8},
                        {"\\ud800", Reason::invalid_utf8},
                        {"\\\"\\\\\\ud800", Reason::invalid_utf8}};
    for (const auto& [fault, reason] : rows) {
        for (std::size_t place = 0; place < 40; ++place) {
            for (const char* filler : {"x", "文", "\\\"", "["}) {
                check_refused({with_text('"' + repeated(filler, place) + fault + std::string(40, 'x') + '"'), reason,
                               "/notes/0/text"});
            }
        }
    }
    // A backslash between strings is no escape, whatever follows it.
    check_refused({R"({"resolve":["a\"b\\" \ud800]})", Reason::not_json, "/resolve/1"});
}

TEST_CASE("read: an escaped backslash before u is text, not an escape", "[codec][hazard:16][hazard:23]") {
    const auto delta = decode_delta(with_text(R"("\\ud800 \\u0000 \\\\ud800 \ud83d\ude00 \u00e9")"));
    REQUIRE(delta.has_value());
    CHECK(delta->notes[0].text == "\\ud800 \\u0000 \\\\ud800 \U0001F600 é");
}

TEST_CASE("read: under replace one U+FFFD stands for each lone escape and each maximal ill-formed part",
          "[codec][hazard:16]") {
    struct Row {
        std::string spelling;
        std::string text;
        std::size_t replaced;
    };
    const Row rows[] = {
        {"a\\ud99cb", "a\uFFFDb", 1},
        {"\\udc00\\ud800", "\uFFFD\uFFFD", 2},
        {"\\ud800\\u0041", "\uFFFDA", 1},
        {"\\ud800\\ud83d\\ude00", "\uFFFD\U0001F600", 1},
        {"\\ud800", "\uFFFD", 1},
        {"\\\\ud800", "\\ud800", 0},
        {"\xE2\x82|", "\uFFFD|", 1},
        {"\xF0\x9F\x98|\xC0\xAF", "\uFFFD|\uFFFD\uFFFD", 3},
        {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD", 3},
    };
    for (const auto& [spelling, text, replaced] : rows) {
        INFO(spelling);
        const auto delta = decode_delta(with_text('"' + spelling + '"'), {}, TextPolicy::replace);
        REQUIRE(delta.has_value());
        CHECK(delta->notes[0].text == text);
        CHECK(delta->replaced == replaced);
    }
    // Nothing but text is mended.
    const auto nul = decode_delta(with_text("\"\\ud800\0\""s), {}, TextPolicy::replace);
    REQUIRE_FALSE(nul.has_value());
    CHECK(nul.error().reason == Reason::not_json);
    CHECK(nul.error().path == "/notes/0/text");
}

TEST_CASE("read: a key in a path is escaped, bounded and printable", "[codec][hazard:17]") {
    check_refused({R"({"a/b~c":1})", Reason::unknown_field, "/a~1b~0c"});
    check_refused({R"({"\u0001\u202e<\u2028":1})", Reason::unknown_field, "/\uFFFD\uFFFD<\uFFFD"});
    check_refused({"{\"" + std::string(1'000, 'k') + "\":1}", Reason::unknown_field, "/" + std::string(64, 'k') + "…"});
    check_refused({"{\"" + std::string(63, 'k') + "é\":1}", Reason::unknown_field, "/" + std::string(63, 'k') + "…"});
    check_refused({R"({"":1})", Reason::unknown_field, "/"});
}

TEST_CASE("read: a megabyte of hostile text in a refused field leaves a short well-formed message",
          "[codec][hazard:17]") {
    const std::string hostile = repeated("\\u0001\\\"</task-state>", 50'000);
    const Limits wide{.input_bytes_max = 2'000'000};
    const auto result = decode_delta("{\"" + hostile + "\":\"" + hostile + "\"}", wide);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().message.size() < 500);
    CHECK(result.error().message.find("</task-state") == std::string::npos);
}

TEST_CASE("read: exactly the allowed bytes pass and one more is refused before parsing", "[codec][spec:C3]") {
    const std::string json = with_text("\"é\U0001F600\\\"\\n\"");
    const Limits exact{.snapshot_bytes_max = json.size(), .input_bytes_max = json.size()};
    CHECK(decode_delta(json, exact).has_value());
    const auto delta = decode_delta(json + " ", exact);
    REQUIRE_FALSE(delta.has_value());
    CHECK(delta.error().reason == Reason::input_bytes_exceeded);
    CHECK(delta.error().limit == json.size());
    CHECK(delta.error().actual == json.size() + 1);
    const auto snapshot = decode_snapshot(json + " ", exact);
    REQUIRE_FALSE(snapshot.has_value());
    CHECK(snapshot.error().reason == Reason::snapshot_bytes_exceeded);
    // Too big wins over every other fault: nothing was read.
    CHECK(decode_delta(std::string(json.size() + 1, '['), exact).error().reason == Reason::input_bytes_exceeded);
}

TEST_CASE("read: what was mended before a delta was read counts in the commit", "[codec][hazard:16]") {
    auto task = TaskState::create({.id = "t", .scope = {.owner = "o", .workspace = "w"}, .text = TextPolicy::replace});
    REQUIRE(task.has_value());
    const auto delta = decode_delta(with_text("\"\\ud800 \\u0007 \xFF\""), {}, TextPolicy::replace);
    REQUIRE(delta.has_value());
    const auto commit = task->update(*delta, {});
    REQUIRE(commit.has_value());
    CHECK(commit->replaced == 3);
    CHECK((*commit->snapshot.notes().begin()).text == "\uFFFD \uFFFD \uFFFD");
}
