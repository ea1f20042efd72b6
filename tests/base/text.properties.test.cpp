#include <taskstate/base/text.hpp>

#include "support/catch.hpp"
#include "support/hostile_text.hpp"

#include <string>

using namespace taskstate;

TEST_CASE("text: admission of an admitted text changes nothing", "[base][text]") {
    for (const auto admit : {admit_text, admit_title}) {
        CHECK(rc::check("idempotent", [admit] {
            const std::string raw = *test::refusable_text() + *test::hostile_bytes();
            const auto first = admit(raw, 1'000'000, TextPolicy::replace);
            if (!first) {
                RC_ASSERT(first.error().reason == Reason::blank);
                return;
            }
            const auto again = admit(first->text, 1'000'000, TextPolicy::refuse);
            RC_ASSERT(again.has_value());
            RC_ASSERT(again->text == first->text);
            RC_ASSERT(again->replaced == 0U);
        }));
    }
}
