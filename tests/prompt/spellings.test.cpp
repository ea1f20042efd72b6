#include <taskstate/model/words.hpp>
#include <taskstate/prompt/spellings.hpp>

#include "../../src/prompt/specimen.hpp"
#include "support/catch.hpp"
#include "support/hostile.hpp"
#include "support/read_json_string.hpp"

#include <string>
#include <vector>

using namespace taskstate;

namespace {

constexpr ModelFamily families[] = {
    ModelFamily::chatml, ModelFamily::llama,     ModelFamily::gemma, ModelFamily::mistral, ModelFamily::deepseek,
    ModelFamily::phi,    ModelFamily::command_r, ModelFamily::glm,   ModelFamily::minimax, ModelFamily::harmony};

template <class E>
void check_words_in_specimen() {
    for (const std::string_view text : Words<E>::list) {
        CAPTURE(std::string(text));
        CHECK(specimen.find(text) != std::string_view::npos);
    }
}

}  // namespace

TEST_CASE("spellings: a usable list is kept in order", "[prompt][spellings]") {
    const std::vector<std::string> list{"<|im_end|>", "[INST]", "END_OF_TURN", "｜", std::string(64, 'x')};
    const auto parsed = ControlSpellings::parse(list);
    REQUIRE(parsed.has_value());
    CHECK(std::vector<std::string>((*parsed)->list().begin(), (*parsed)->list().end()) == list);
    CHECK((*ControlSpellings::parse({}))->list().empty());
}

TEST_CASE("spellings: one that cannot be kept out is refused with its place", "[prompt][spellings][hazard:21]") {
    const std::string refused[] = {"",
                                   "a\"b",
                                   "a\\b",
                                   "a\nb",
                                   std::string("a\0b", 3),
                                   "\x7F",
                                   "\u0085",
                                   "a\xFF",
                                   "0",
                                   "u003c",
                                   "1e+5",
                                   "-.",
                                   "constraint",
                                   "n",
                                   "source=",
                                   "item",
                                   "key",
                                   " ",
                                   "state=superseded",
                                   "items=-",
                                   "null",
                                   std::string(65, 'x')};
    for (const std::string& spelling : refused) {
        CAPTURE(spelling);
        const std::vector<std::string> list{"<ok>", spelling};
        const auto parsed = ControlSpellings::parse(list);
        REQUIRE_FALSE(parsed.has_value());
        CHECK(parsed.error().reason == Reason::control_spelling);
        CHECK(parsed.error().path == "/1");
    }
}

TEST_CASE("spellings: at most a thousand", "[prompt][spellings]") {
    CHECK(ControlSpellings::parse(std::vector<std::string>(1'000, "<x>")).has_value());
    CHECK(ControlSpellings::parse(std::vector<std::string>(1'001, "<x>")).error() ==
          fail(Reason::out_of_range, {}, {.limit = 1'000, .actual = 1'001}));
}

TEST_CASE("spellings: the ready list of each family is accepted and none of it survives",
          "[prompt][spellings][hazard:21]") {
    for (const ModelFamily family : families) {
        const std::vector<std::string> list = control_spellings(family);
        CHECK(list.size() > 5);
        const auto parsed = ControlSpellings::parse(list);
        REQUIRE(parsed.has_value());
        for (const std::string& spelling : list) {
            const std::string text = "before " + spelling + spelling + " after";
            std::string out;
            append_escaped(out, text, (*parsed)->list());
            CAPTURE(spelling, out);
            CHECK(test::read_json_string(out) == text);
            for (const std::string& sought : list) CHECK(out.find(sought) == std::string::npos);
        }
    }
}

TEST_CASE("spellings: those of the hazards are broken without any list", "[prompt][spellings][hazard:21]") {
    for (const std::string_view spelling : test::forbidden_spellings) {
        std::string out;
        append_escaped(out, spelling);
        CAPTURE(out);
        CHECK(out.find(spelling) == std::string::npos);
    }
}

TEST_CASE("specimen: every word that a block may print stands in it", "[prompt][spellings]") {
    check_words_in_specimen<Category>();
    check_words_in_specimen<ActionStatus>();
    check_words_in_specimen<Completion>();
    check_words_in_specimen<Confirmed>();
    check_words_in_specimen<ItemStatus>();
    check_words_in_specimen<Assurance>();
    check_words_in_specimen<Lifecycle>();
    check_words_in_specimen<LinkKind>();
    check_words_in_specimen<RoutineStatus>();
}

TEST_CASE("spellings: what could arise between words or in content is refused", "[prompt]") {
    for (const std::string spelling :
         {"open revision", "lifecycle=open r", "failed unknown", "a,b", "[[", "[1]", "}}", "true}"}) {
        INFO(spelling);
        const std::string list[] = {spelling};
        CHECK(ControlSpellings::parse(list).error().reason == Reason::control_spelling);
    }
    for (const std::string spelling : {"[user]", "end of turn>", "<a b>", "delivery"}) {
        INFO(spelling);
        const std::string list[] = {spelling};
        CHECK(ControlSpellings::parse(list).has_value());
    }
}
