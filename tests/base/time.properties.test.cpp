#include <taskstate/base/time.hpp>

#include "support/catch.hpp"

#include <rapidcheck.h>

#include <string>

using namespace taskstate;

TEST_CASE("time: reading what was written gives the same instant", "[base][time]") {
    CHECK(rc::check("round trip", [] {
        const Timestamp time{*rc::gen::inRange<std::int64_t>(0, timestamp_max.ms + 1)};
        RC_ASSERT(parse_time(format_time(time)).value() == time);
    }));
}
