// What a row may be spelled like, and how little of anything else is taken.

#include "codec/canonical_reader.hpp"

#include "support/catch.hpp"
#include "support/hostile_text.hpp"

#include <taskstate/base/json_writer.hpp>
#include <taskstate/model/input.hpp>

#include <nlohmann/json.hpp>

#include <string>

using namespace taskstate;
using namespace std::string_literals;

namespace {

std::string written(std::string_view text) {
    std::string json;
    JsonWriter writer(json);
    writer.string(text);
    return json;
}

bool takes_string(std::string_view json) {
    CanonicalReader reader(json);
    std::string text;
    return reader.take_string(text) && reader.at_end();
}

bool takes_integer(std::string_view json) {
    CanonicalReader reader(json);
    std::uint64_t number = 0;
    return reader.take_integer(number) && reader.at_end() && std::to_string(number) == json;
}

bool takes_object(std::string_view json) {
    CanonicalReader reader(json);
    return reader.take_object() == json && reader.at_end();
}

}  // namespace

TEST_CASE("canonical reader: a text reads back as the writer was given it, whatever follows it", "[codec]") {
    CHECK(rc::check("round trip", [] {
        const std::string text = *test::refusable_text();
        const std::string json = written(text) + *rc::gen::element(""s, ",\"a\""s, "}"s);
        CanonicalReader reader(json);
        std::string read = "before";
        RC_ASSERT(reader.take_string(read));
        RC_ASSERT(read == text);
        RC_ASSERT(reader.at_end() == (json.size() == written(text).size()));
    }));
}

TEST_CASE("canonical reader: a text that is ill-formed, cut or spelled in another way is not taken", "[codec]") {
    CHECK(rc::check("ill-formed", [] {
        const std::string json = '"' + *test::hostile_bytes() + '"';
        RC_PRE(json.find('\\') == std::string::npos && json.find('"', 1) == json.size() - 1);
        RC_ASSERT(takes_string(json) == nlohmann::json::accept(json));
    }));
    for (const auto& spelling : {R"(")"s, R"("a)"s, R"(a")"s, "\"\n\""s, "\"\0\""s, R"("\)"s, R"("\")"s, R"("\/")"s,
                                 R"("\x")"s, R"("\u0")"s, R"("\u00)"s, R"("\u000")"s, R"("\u0020")"s, R"("\u000a")"s,
                                 R"("\u000F")"s, R"("\u0100")"s, R"("\u-001")"s, R"("\uD800")"s}) {
        INFO(spelling);
        CHECK_FALSE(takes_string(spelling));
    }
    CHECK(CanonicalReader(R"("open",)").take_quoted() == "open");
    for (const char* cut : {"", "open", R"("open)"}) CHECK_FALSE(CanonicalReader(cut).take_quoted().has_value());
}

TEST_CASE("canonical reader: an integer has one spelling and is at most 2^53 - 1", "[codec]") {
    for (const auto& spelling : {"0"s, "7"s, "10"s, std::to_string(integer_max)}) CHECK(takes_integer(spelling));
    for (const auto& spelling : {""s, "-1"s, "-0"s, "00"s, "01"s, "+1"s, "1.0"s, "1e1"s, "x"s,
                                 std::to_string(integer_max + 1), "99999999999999999999"s}) {
        INFO(spelling);
        CHECK_FALSE(takes_integer(spelling));
    }
}

TEST_CASE("canonical reader: members come one after the other, each by its whole name", "[codec]") {
    CanonicalReader reader(R"({"a":1,"ab":2})");
    std::uint64_t number = 0;
    REQUIRE(reader.take('{'));
    CHECK_FALSE(reader.take_key("ab"));
    REQUIRE(reader.take_key("a"));
    REQUIRE(reader.take_integer(number));
    CHECK_FALSE(reader.take_key("a"));
    CHECK_FALSE(reader.take_key("abc"));
    REQUIRE(reader.take_key("ab"));
    REQUIRE(reader.take_integer(number));
    CHECK_FALSE(reader.take_key("c"));
    CHECK(reader.take('}'));
    CHECK(number == 2);
    CHECK(reader.at_end());
    for (const char* json : {R"({,"a":1})", R"({ "a":1})", R"({"a" :1})", R"({"a)"}) {
        CanonicalReader spaced(json);
        REQUIRE(spaced.take('{'));
        CHECK_FALSE(spaced.take_key("a"));
    }
}

TEST_CASE("canonical reader: an object is taken whole, whatever its texts hold", "[codec]") {
    for (const char* json : {"{}", R"({"a":{"b":[{},[1]]}})", R"({"a":"}]\"}\\"})"}) CHECK(takes_object(json));
    for (const char* json : {"", "1", "[]", "{", R"({"a":")", R"({"a":"}\)", R"({"a":[})"})
        CHECK_FALSE(takes_object(json));
    CanonicalReader reader(R"({"a":"\"}"},1)");
    CHECK(reader.take_object() == R"({"a":"\"}"})");
    CHECK(reader.take(','));
}
