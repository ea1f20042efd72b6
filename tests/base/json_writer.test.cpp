#include <taskstate/base/json_writer.hpp>

#include "support/catch.hpp"
#include "support/read_json_string.hpp"

#include <cstdint>
#include <limits>
#include <string>

using namespace taskstate;

namespace {

void write_sample(JsonWriter& writer) {
    writer.open_object();
    writer.key("a");
    writer.open_array();
    writer.integer(0);
    writer.integer(-7);
    writer.open_object();
    writer.close_object();
    writer.open_array();
    writer.close_array();
    writer.string("x");
    writer.close_array();
    writer.key("b\"");
    writer.boolean(true);
    writer.key("c");
    writer.raw(R"({"d":null})");
    writer.key("e");
    writer.boolean(false);
    writer.close_object();
}

std::string string_of(std::string_view text) {
    std::string out;
    JsonWriter writer(out);
    writer.string(text);
    return out;
}

}  // namespace

TEST_CASE("writer: commas and colons stand where they belong", "[base][json]") {
    std::string out = "before ";
    JsonWriter writer(out);
    write_sample(writer);
    CHECK(out == R"(before {"a":[0,-7,{},[],"x"],"b\"":true,"c":{"d":null},"e":false})");
}

TEST_CASE("writer: counting gives the size of what would be written", "[base][json]") {
    std::string out;
    JsonWriter writing(out);
    JsonWriter counting;
    write_sample(writing);
    write_sample(counting);
    CHECK(counting.size() == out.size());
    CHECK(writing.size() == out.size());
}

TEST_CASE("writer: strings are escaped as RFC 8785 asks and no further", "[base][json]") {
    CHECK(string_of("\b\t\n\f\r\"\\/") == R"("\b\t\n\f\r\"\\/")");
    CHECK(string_of(std::string_view("\0\x01\x1F", 3)) == R"("\u0000\u0001\u001f")");
    CHECK(string_of("\x7F <é> \u2028 🔥 [INST]") == "\"\x7F <é> \u2028 🔥 [INST]\"");
    CHECK(string_of("") == "\"\"");
}

TEST_CASE("writer: integers of any size are exact", "[base][json]") {
    std::string out;
    JsonWriter writer(out);
    writer.integer(std::numeric_limits<std::int64_t>::min());
    CHECK(out == "-9223372036854775808");
}

TEST_CASE("writer: each byte is written as it is or escaped, wherever it stands in a long string", "[base][json]") {
    for (unsigned value = 0; value < 0x100; ++value) {
        const char byte = static_cast<char>(value);
        const std::string alone = string_of(std::string(1, byte));
        const bool escaped = value < 0x20 || byte == '"' || byte == '\\';
        REQUIRE((alone.size() > 3) == escaped);
        const std::string spelling = alone.substr(1, alone.size() - 2);
        for (std::size_t place = 0; place < 40; ++place) {
            const std::string before(place, 'a'), after(40 - place, 'b');
            REQUIRE(string_of(before + byte + after) == '"' + before + spelling + after + '"');
        }
    }
}
