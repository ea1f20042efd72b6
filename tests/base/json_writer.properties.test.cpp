#include <taskstate/base/json_writer.hpp>

#include "support/catch.hpp"
#include "support/hostile_text.hpp"
#include "support/read_json_string.hpp"

#include <string>

using namespace taskstate;

TEST_CASE("writer: a string reads back to the text", "[base][json]") {
    CHECK(rc::check("round trip", [] {
        const std::string text = *test::refusable_text();
        std::string out;
        JsonWriter writing(out);
        writing.string(text);
        RC_ASSERT(test::read_json_string(out) == text);
        JsonWriter counting;
        counting.string(text);
        RC_ASSERT(counting.size() == out.size());
    }));
}
