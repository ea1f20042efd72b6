#include <taskstate/base/text.hpp>

#include "support/catch.hpp"

#include <string>

using namespace taskstate;

namespace {

Reason reason_of_text(std::string_view text) {
    const auto admitted = admit_text(text, 100, TextPolicy::refuse);
    REQUIRE_FALSE(admitted.has_value());
    CHECK(admitted.error().path.empty());
    return admitted.error().reason;
}

Reason reason_of_ref(std::string_view ref) {
    const auto checked = check_ref(ref);
    REQUIRE_FALSE(checked.has_value());
    return checked.error().reason;
}

std::string title(std::string_view text) {
    const auto admitted = admit_title(text, 100, TextPolicy::refuse);
    REQUIRE(admitted.has_value());
    return admitted->text;
}

std::string replaced(std::string_view text) {
    const auto admitted = admit_text(text, 100, TextPolicy::replace);
    REQUIRE(admitted.has_value());
    return admitted->text;
}

}  // namespace

TEST_CASE("text: what may not be stored is refused with its reason", "[base][text][hazard:16][hazard:23]") {
    for (const char* ill_formed :
         {"\xED\xA0\x80", "\xC0\xAF", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "a\xE2\x82", "\xFF"}) {
        CHECK(reason_of_text(ill_formed) == Reason::invalid_utf8);
    }
    for (const std::string& control : {std::string("a\0b", 3), std::string("\x0B"), std::string("\x1F"),
                                       std::string("\x7F"), std::string("\u0085"), std::string("\u009F")}) {
        CHECK(reason_of_text(control) == Reason::control_character);
    }
    for (const char* bidi : {"\u202A", "\u202E", "\u2066", "\u2069"})
        CHECK(reason_of_text(bidi) == Reason::bidi_control);
    for (const char* tag : {"\U000E0000", "\U000E007F"}) CHECK(reason_of_text(tag) == Reason::tag_character);
    for (const char* none : {"\uFDD0", "\uFDEF", "\uFFFE", "\U0010FFFF"})
        CHECK(reason_of_text(none) == Reason::noncharacter);
}

TEST_CASE("text: literal escapes, emoji, joiners and every script pass", "[base][text][hazard:23]") {
    for (const std::string text :
         {"\\u0000", "👩🏽\u200D💻", "می\u200Cخواهم", "é", "文\n字\t!", "\u00AD\uFEFFx", "\uFFFD"}) {
        const auto admitted = admit_text(text, 100, TextPolicy::refuse);
        REQUIRE(admitted.has_value());
        CHECK(admitted->text == text);
        CHECK(admitted->replaced == 0);
    }
}

TEST_CASE("text: white space at the ends is trimmed, the rest is left as given", "[base][text]") {
    CHECK(admit_text("\r\n \u3000\u00A0a  b\n\nc\u2028\t", 100, TextPolicy::refuse)->text == "a  b\n\nc");
}

TEST_CASE("text: what has nothing visible is blank", "[base][text]") {
    for (const char* blank : {"", " ", "\n\t", "\u3000", "\u200B\u2060", " \uFEFF \u00AD\u3164"}) {
        CHECK(reason_of_text(blank) == Reason::blank);
        CHECK(admit_title(blank, 100, TextPolicy::refuse).error().reason == Reason::blank);
        CHECK(reason_of_ref(blank) ==
              (std::string_view(blank).find_first_of("\n\t") == 0 ? Reason::control_character : Reason::blank));
    }
}

TEST_CASE("text: the cap counts code points of the admitted form and is told with both numbers",
          "[base][text][spec:C5]") {
    CHECK(admit_text("  文🔥é  ", 3, TextPolicy::refuse).has_value());
    const auto over = admit_text(" 文🔥éx ", 3, TextPolicy::refuse);
    REQUIRE_FALSE(over.has_value());
    CHECK(over.error() == fail(Reason::too_long, {}, {.limit = 3, .actual = 4}));
    CHECK(admit_title("e\u0301  e\u0301", 3, TextPolicy::refuse).has_value());
    CHECK(admit_title("e\u0301  e\u0301", 2, TextPolicy::refuse).error() ==
          fail(Reason::too_long, {}, {.limit = 2, .actual = 3}));
}

TEST_CASE("text: under replace one U+FFFD stands for each refused code point or ill-formed part",
          "[base][text][hazard:16]") {
    CHECK(replaced(std::string("a\0b", 3)) == "a\uFFFDb");
    CHECK(replaced("\xED\xA0\x80|\xE2\x82|\xC0\xAF") == "\uFFFD\uFFFD\uFFFD|\uFFFD|\uFFFD\uFFFD");
    CHECK(replaced("x\u202E\U000E0041\uFFFE") == "x\uFFFD\uFFFD\uFFFD");
    CHECK(admit_text("\x01y\xFF", 100, TextPolicy::replace)->replaced == 2);
    CHECK(admit_title("\x01 y \xFF", 100, TextPolicy::replace)->replaced == 2);
    CHECK(admit_text("\x01", 100, TextPolicy::replace)->text == "\uFFFD");
}

TEST_CASE("title: white space becomes single spaces, and composed forms are kept", "[base][text]") {
    CHECK(title("  one\n\ttwo\u3000 three ") == "one two three");
    CHECK(title("Cafe\u0301 \u212B") == "Café Å");
    CHECK(title("\u1100\u1161\u11A8") == "각");
    CHECK(title("ﬁ ①") == "ﬁ ①");
    CHECK(title("q\u0307\u0323") == "q\u0323\u0307");
    CHECK(title("\u2000x\u2001") == "x");
}

TEST_CASE("title: a long run of combining marks is put in order without delay", "[base][text]") {
    std::string hostile = "q";
    for (int i = 0; i < 100'000; ++i) hostile += "\u0307";
    for (int i = 0; i < 100'000; ++i) hostile += "\u0323";
    CHECK(admit_title(hostile, 1'000'000, TextPolicy::refuse)->text.starts_with("q\u0323\u0323"));
}

TEST_CASE("id: only the closed alphabet, and at most 128 of it", "[base][text][hazard:15]") {
    for (const std::string& id :
         {std::string("a"), std::string("9"), std::string("A.b_c:d-e"), std::string(128, 'x')}) {
        CHECK(check_id(id).has_value());
    }
    for (const char* id :
         {"..", "../x", "/abs", "a\\b", "-", ".a", "_a", "a b", "a ", " a", "t1\n", "é", "a/b", "%2e%2e", "a\xFF"}) {
        CAPTURE(id);
        CHECK(check_id(id).error().reason == Reason::bad_id);
    }
    CHECK(check_id(std::string_view("a\0", 2)).error().reason == Reason::bad_id);
    CHECK(check_id("").error().reason == Reason::blank);
    CHECK(check_id(std::string(129, 'x')).error() == fail(Reason::too_long, {}, {.limit = 128, .actual = 129}));
}

TEST_CASE("ref: any visible name on one line, without outer space", "[base][text]") {
    for (const char* ref : {"call_1", "a b", "文/x", "é", "<x>", "../x"}) CHECK(check_ref(ref).has_value());
    CHECK(reason_of_ref(" a") == Reason::outer_space);
    CHECK(reason_of_ref("a\u3000") == Reason::outer_space);
    for (const char* ref : {"a\nb", "a\tb", "a\rb", "a\u0085"}) CHECK(reason_of_ref(ref) == Reason::control_character);
    CHECK(reason_of_ref("a\u202E") == Reason::bidi_control);
    CHECK(reason_of_ref("a\xFF") == Reason::invalid_utf8);
    std::string long_ref;
    for (int i = 0; i < 256; ++i) long_ref += "文";
    CHECK(check_ref(long_ref).has_value());
    CHECK(check_ref(long_ref + "x").error() == fail(Reason::too_long, {}, {.limit = 256, .actual = 257}));
    CHECK(check_ref("abcd", 3).error().reason == Reason::too_long);
}

TEST_CASE("text: code points are counted, not bytes", "[base][text]") {
    CHECK(count_code_points("") == 0);
    CHECK(count_code_points("a文🔥e\u0301") == 5);
}
