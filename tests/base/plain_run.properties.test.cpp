#include "base/plain_run.hpp"

#include "base/code_points.hpp"
#include "base/utf8.hpp"
#include "support/catch.hpp"
#include "support/hostile_text.hpp"

#include <taskstate/base/escape.hpp>

#include <string>

using namespace taskstate;

namespace {

std::string encoded(char32_t code_point) {
    std::string text;
    append_utf8(text, code_point);
    return text;
}

/// Texts that reach into several lanes at every alignment: pieces between fillers of any length.
rc::Gen<std::string> spread_out(const rc::Gen<std::string>& pieces) {
    return rc::gen::exec([pieces] {
        std::string text;
        for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
            const char* const filler = *rc::gen::element("a", "Ж", "文", "é", "x文");
            for (int j = *rc::gen::inRange(0, 20); j > 0; --j) text += filler;
            text += *pieces;
        }
        return text;
    });
}

/// What `line_run` finds, looked for byte by byte.
std::size_t line_run_by_bytes(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size() && text[at] >= 0x20 && text[at] < 0x7F && (at == 0 || text.substr(at - 1, 2) != "  ")) ++at;
    return at;
}

}  // namespace

TEST_CASE("plain run: both lanes agree, on any bytes and at any place", "[base][escape]") {
    const auto agree = [](const std::string& text) {
        for (std::size_t from = 0; from < std::min<std::size_t>(text.size(), 40); ++from) {
            const std::string rest = text.substr(from);  // its own allocation: a read beyond it is an error
            RC_ASSERT(plain_run(rest) == plain_run_by_bytes(rest));
            RC_ASSERT(line_run(rest) == line_run_by_bytes(rest));
        }
    };
    CHECK(rc::check("hostile text", [&agree] { agree(*spread_out(test::refusable_text())); }));
    CHECK(rc::check("hostile bytes", [&agree] { agree(*spread_out(test::hostile_bytes())); }));
    CHECK(rc::check("random bytes", [&agree] { agree(*spread_out(rc::gen::arbitrary<std::string>())); }));
}

TEST_CASE("plain run: both lanes agree on each pair of bytes wherever it stands", "[base][escape]") {
    for (const std::size_t place : {0U, 1U, 7U, 13U, 14U, 15U}) {
        for (unsigned pair = 0; pair < 0x10000; ++pair) {
            std::string text(40, 'a');
            text[place] = static_cast<char>(pair >> 8);
            text[place + 1] = static_cast<char>(pair & 0xFF);
            const std::size_t run = plain_run(text);
            if (run != plain_run_by_bytes(text)) FAIL(pair << " at " << place << " ends a run of " << run);
        }
    }
}

TEST_CASE("line run: it ends at the same byte, wherever a pair of bytes stands and however long the text is",
          "[base][text]") {
    for (const std::size_t size : {2U, 3U, 15U, 16U, 17U, 18U, 31U, 32U, 33U, 40U}) {
        for (std::size_t place = 0; place + 2 <= size; ++place) {
            for (const char* pair : {"  ", " a", "a ", "a\n", "\x7F ", " \x1F", " \x80", "\xFF ", "~!"}) {
                std::string text(size, 'a');
                text.replace(place, 2, pair);
                INFO(size << ' ' << place << ' ' << pair);
                CHECK(line_run(text) == line_run_by_bytes(text));
            }
        }
    }
}

TEST_CASE("plain run: it holds whole code points that are written as they are", "[base][escape]") {
    std::size_t passed = 0;
    for (char32_t code_point = 0; code_point < 0x110000; ++code_point) {
        if (code_point >= 0xD800 && code_point < 0xE000) continue;
        const std::string text = encoded(code_point);
        if (plain_run(text) == 0) continue;
        ++passed;
        REQUIRE(plain_run(text) == text.size());
        REQUIRE(plain_run(text.substr(0, text.size() - 1)) == 0);
        REQUIRE(classify(code_point) == CodePointClass::plain);
        std::string written;
        append_escaped(written, text);
        REQUIRE(written == "\"" + text + "\"");
    }
    CHECK(passed > 40'000);  // letters of most living scripts
}

TEST_CASE("plain run: what is not well-formed ends it", "[base][escape]") {
    for (const char* part : {"\xD0", "\xE4\xB8", "\xED\xA0\x80", "\xC0\xAF", "\xE4\x41\x41", "\x80", "\xFF", "\xF8"}) {
        const std::string text = std::string(30, 'a') + part;
        CHECK(plain_run(text) == 30);
        CHECK(plain_run(text + std::string(30, 'a')) == 30);
    }
}
