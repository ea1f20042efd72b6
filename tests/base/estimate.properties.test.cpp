#include <taskstate/base/estimate.hpp>

#include "support/catch.hpp"
#include "support/hostile_text.hpp"

#include <string>

using namespace taskstate;

TEST_CASE("estimate: summing by line stays close to the whole", "[base][estimate][spec:C2]") {
    CHECK(rc::check("nearly additive", [] {
        const std::string first = *test::refusable_text(), second = *test::hostile_bytes();
        const std::size_t whole = estimate_tokens(first + "\n" + second);
        const std::size_t parts = estimate_tokens(first + "\n") + estimate_tokens(second);
        RC_ASSERT(whole <= parts);
        RC_ASSERT(parts <= whole + 3);
    }));
}
