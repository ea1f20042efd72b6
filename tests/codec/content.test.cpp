// Item content: any object within bounds, in the canonical form of RFC 8785.

#include "support/catch.hpp"

#include <taskstate/codec/json.hpp>
#include <taskstate/engine/guards.hpp>

#include <rapidcheck.h>

#include <bit>
#include <cstdio>
#include <cstdlib>

using namespace taskstate;

namespace {

std::string canonical(const std::string& json) {
    const auto content = parse_content(json);
    return content ? content->canonical() : std::string(word(content.error().reason)) + " at " + content.error().path;
}
std::string number(const std::string& spelling) {
    const std::string json = canonical("{\"n\":" + spelling + "}");
    return json.starts_with("{\"n\":") ? json.substr(5, json.size() - 6) : json;
}

}  // namespace

TEST_CASE("content: numbers are printed as ECMAScript prints them", "[codec]") {
    const std::pair<const char*, const char*> rows[] = {
        {"0", "0"},
        {"-0", "0"},
        {"-0.0", "0"},
        {"1.0", "1"},
        {"1e3", "1000"},
        {"4.50", "4.5"},
        {"2e-3", "0.002"},
        {"0.000001", "0.000001"},
        {"0.0000001", "1e-7"},
        {"123e-9", "1.23e-7"},
        {"0.000000000000000000000000001", "1e-27"},
        {"1E30", "1e+30"},
        {"1e21", "1e+21"},
        {"123456e18", "1.23456e+23"},
        {"333333333.33333329", "333333333.3333333"},
        {"1.7976931348623157e308", "1.7976931348623157e+308"},
        {"5e-324", "5e-324"},
        {"-5e-324", "-5e-324"},
        {"1e-400", "0"},
        {"9007199254740991", "9007199254740991"},
        {"-9007199254740991", "-9007199254740991"},
        {"9007199254740991.0", "9007199254740991"},
        {"0.1", "0.1"},
        {"-1.5", "-1.5"},
        {"12345.678", "12345.678"},
    };
    for (const auto& [spelling, text] : rows) {
        INFO(spelling);
        CHECK(number(spelling) == text);
    }
}

TEST_CASE("content: a number that would change is refused", "[codec][spec:C4][hazard:19]") {
    for (const char* spelling : {"9007199254740992", "-9007199254740992", "9007199254740993.0", "1e16", "1e20",
                                 "18446744073709551616", "100000000000000000000000", "1e999", "-1e999"}) {
        INFO(spelling);
        CHECK(number(spelling) == "out_of_range at /n");
    }
    for (const char* spelling : {"NaN", "Infinity", "-Infinity"}) CHECK(number(spelling) == "not_json at /n");
}

TEST_CASE("content: every finite double reads back as itself", "[codec]") {
    CHECK(rc::check("parse(print(d)) == d", [](std::uint64_t bits) {
        const double value = std::bit_cast<double>(bits);
        char spelling[64];
        std::snprintf(spelling, sizeof spelling, "%.17g", value);
        const std::string printed = number(spelling);
        RC_PRE(std::isfinite(value) && printed.find("out_of_range") == std::string::npos);
        RC_ASSERT(std::strtod(printed.c_str(), nullptr) == value);
        RC_ASSERT(number(printed) == printed);
    }));
}

TEST_CASE("content: keys are sorted by UTF-16 code units at every level", "[codec]") {
    CHECK(
        canonical(
            R"({"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7,"":8,"10":9,"\ud7ff":10,"\ue000":11})") ==
        "control_character at /\uFFFD");
    CHECK(
        canonical(
            R"({"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u00f6":7,"":8,"10":9,"\ud7fb":10,"\ue000":11})") ==
        "{\"\":8,\"\\r\":2,\"1\":4,\"10\":9,\"ö\":7,\"€\":1,\"\uD7FB\":10,\"\U0001F600\":5,\"\uE000\":11,\"\uFB33\":"
        "3}");
    CHECK(canonical(R"( { "b" : [ { "d" : null , "c" : true } ] , "a" : false } )") ==
          R"({"a":false,"b":[{"c":true,"d":null}]})");
}

TEST_CASE("content: strings escape what JSON must, and nothing else", "[codec]") {
    CHECK(canonical(R"({"s":"\u0022\u005c\u002f\n\t\r\u00e9\ud83d\ude00\u200b"})") ==
          "{\"s\":\"\\\"\\\\/\\n\\t\\ré😀\u200B\"}");
}

TEST_CASE("content: what may not be stored as text may not be stored in content", "[codec][hazard:23]") {
    CHECK(canonical(R"({"a":["x\u0000"]})") == "control_character at /a/0");
    CHECK(canonical(R"({"a\u0000":1})") == "control_character at /a\uFFFD");
    CHECK(canonical(R"({"a":{"b":"\u202e"}})") == "bidi_control at /a/b");
    CHECK(canonical(R"({"a":"\udb40\udc41"})") == "tag_character at /a");
    CHECK(canonical(R"({"a":"\uffff"})") == "noncharacter at /a");
    CHECK(canonical(R"({"a":"\ud800"})") == "invalid_utf8 at /a");
    CHECK(canonical(R"({"a":"\\u0000"})") == R"({"a":"\\u0000"})");
}

TEST_CASE("content: it is one object, without repeated keys", "[codec][spec:C4]") {
    CHECK(canonical("{}") == "{}");
    for (const char* json : {"[]", "1", "\"{}\"", "null", "true"}) CHECK(canonical(json) == "wrong_type at ");
    CHECK(canonical(R"({"a":1,"b":{"c":1,"c":1}})") == "duplicate_key at /b/c");
    CHECK(canonical(R"({"a":1}{})") == "trailing_data at ");
}

TEST_CASE("content: depth 8 and 16 KiB of canonical bytes are the most", "[codec][hazard:18]") {
    CHECK(canonical(R"({"a":[[[[[[[]]]]]]]})") == R"({"a":[[[[[[[]]]]]]]})");
    const auto deep = parse_content(R"({"a":[[[[[[[[]]]]]]]]})");
    REQUIRE_FALSE(deep.has_value());
    CHECK(deep.error() == fail(Reason::too_deep, "", {.limit = 8, .actual = 9}));

    const auto of_size = [](std::size_t bytes) { return "{ \"a\" : \"" + std::string(bytes - 8, 'x') + "\" }"; };
    CHECK(parse_content(of_size(16'384)).has_value());
    const auto big = parse_content(of_size(16'385));
    REQUIRE_FALSE(big.has_value());
    CHECK(big.error() == fail(Reason::bad_content, "", {.limit = 16'384, .actual = 16'385}));
}

TEST_CASE("content: arguments are the same in whatever order their keys were", "[codec][governed:17.2]") {
    const auto fingerprint = [](std::string_view arguments) {
        return action_fingerprint("click", "item-1", *parse_content(arguments));
    };
    CHECK(fingerprint(R"({"x":1, "y":{"a":1,"b":2}})") == fingerprint(R"({"y":{"b":2,"a":1},"x":1.0})"));
    CHECK(fingerprint(R"({"x":[1,2]})") != fingerprint(R"({"x":[2,1]})"));
}

TEST_CASE("content: under replace its strings are mended and its keys are not", "[codec][hazard:16]") {
    const std::string before = R"({"format":"taskstate.snapshot/1","id":"t","profile":"notebook-v1",)"
                               R"("scope":{"owner":"o","workspace":"w"},"revision":0,"lifecycle":"open",)"
                               R"("created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z",)"
                               R"("last_progress_at":"2026-01-01T00:00:00.000Z",)"
                               R"("items":[{"id":"t1","title":"x","status":"ready","assurance":"asserted","content":)";
    const auto mended = decode_snapshot(before + R"({"a":"\u0000\ud800"}}]})", {}, TextPolicy::replace);
    REQUIRE(mended.has_value());
    CHECK(mended->items[0].content.canonical() == "{\"a\":\"\uFFFD\uFFFD\"}");
    const auto refused = decode_snapshot(before + R"({"a\u0000":1}}]})", {}, TextPolicy::replace);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().path == "/items/0/content/a\uFFFD");
}
