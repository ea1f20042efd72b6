#include <taskstate/base/time.hpp>

#include "support/catch.hpp"

#include <string>

using namespace taskstate;

TEST_CASE("time: known instants are written and read in the one form", "[base][time]") {
    const std::pair<std::int64_t, const char*> known[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {1, "1970-01-01T00:00:00.001Z"},
        {951'782'400'000, "2000-02-29T00:00:00.000Z"},
        {951'868'799'999, "2000-02-29T23:59:59.999Z"},
        {1'709'164'800'000, "2024-02-29T00:00:00.000Z"},
        {1'767'225'600'000, "2026-01-01T00:00:00.000Z"},
        {4'107'542'400'000, "2100-03-01T00:00:00.000Z"},
        {253'402'300'799'999, "9999-12-31T23:59:59.999Z"},
    };
    for (const auto& [ms, text] : known) {
        CHECK(format_time({ms}) == text);
        CHECK(*parse_time(text) == Timestamp{ms});
    }
    CHECK(timestamp_max == *parse_time("9999-12-31T23:59:59.999Z"));
}

TEST_CASE("time: every other spelling and every date that does not exist is refused", "[base][time]") {
    for (const char* text : {"",
                             "2026-01-01",
                             "2026-01-01T00:00:00Z",
                             "2026-01-01T00:00:00.0000Z",
                             "2026-01-01T00:00:00.000z",
                             "2026-01-01t00:00:00.000Z",
                             "2026-01-01 00:00:00.000Z",
                             "2026-01-01T00:00:00,000Z",
                             "2026-01-01T00:00:00.000+",
                             "2026-01-01T00:00:00.000Z ",
                             "+026-01-01T00:00:00.000Z",
                             "1969-12-31T23:59:59.999Z",
                             "0000-01-01T00:00:00.000Z",
                             "2026-00-01T00:00:00.000Z",
                             "2026-13-01T00:00:00.000Z",
                             "2026-01-00T00:00:00.000Z",
                             "2026-01-32T00:00:00.000Z",
                             "2026-04-31T00:00:00.000Z",
                             "2026-02-29T00:00:00.000Z",
                             "2100-02-29T00:00:00.000Z",
                             "9999-12-32T00:00:00.000Z",
                             "2026-01-01T24:00:00.000Z",
                             "2026-01-01T00:60:00.000Z",
                             "2026-01-01T00:00:60.000Z"}) {
        CAPTURE(text);
        const auto parsed = parse_time(text);
        REQUIRE_FALSE(parsed.has_value());
        CHECK(parsed.error().reason == Reason::bad_time);
    }
}

TEST_CASE("time: the system's clock is in our century", "[base][time]") {
    const std::string now = format_time(system_clock()->now());
    CHECK(now.starts_with("20"));
}
