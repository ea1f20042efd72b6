#include <taskstate/base/time.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace taskstate::inline v0 {
namespace {

constexpr std::int64_t day_ms = 86'400'000;
constexpr std::string_view form = "0000-00-00T00:00:00.000Z";

struct Date {
    std::int64_t year = 1970, month = 1, day = 1;
    friend bool operator==(const Date&, const Date&) = default;
};

// Both directions count in years that begin in March, so that a leap day is the last day of its year.
std::int64_t days_since_epoch(Date date) {
    const std::int64_t march_year = date.year - (date.month <= 2 ? 1 : 0);
    const std::int64_t march_month = (date.month + 9) % 12;
    const std::int64_t leap_days = march_year / 4 - march_year / 100 + march_year / 400;
    constexpr std::int64_t first_of_march_0_to_epoch = 719'468;
    return march_year * 365 + leap_days + (march_month * 153 + 2) / 5 + date.day - 1 - first_of_march_0_to_epoch;
}

Date date_of(std::int64_t days) {
    std::int64_t year = 1970 + days / 366;  // never too late, at most a few years too early
    while (days_since_epoch({.year = year + 1, .month = 3}) <= days) ++year;
    if (days < days_since_epoch({.year = year, .month = 3})) --year;
    const std::int64_t day_of_year = days - days_since_epoch({.year = year, .month = 3});
    const std::int64_t march_month = (day_of_year * 5 + 2) / 153;
    const std::int64_t month = march_month < 10 ? march_month + 3 : march_month - 9;
    return {.year = year + (month <= 2 ? 1 : 0), .month = month, .day = day_of_year - (march_month * 153 + 2) / 5 + 1};
}

void put(TimeText& text, std::size_t end, std::size_t digits, std::int64_t number) {
    for (; digits > 0; --digits, number /= 10) text[--end] = static_cast<char>('0' + number % 10);
}

class SystemClock final : public Clock {
 public:
    Timestamp now() override {
        using namespace std::chrono;
        return {duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()};
    }
};

}  // namespace

TimeText time_text(Timestamp time) noexcept {
    if (time.ms < 0 || time > timestamp_max) bug("a time outside 1970-9999 was to be written");
    const Date date = date_of(time.ms / day_ms);
    const std::int64_t ms = time.ms % day_ms;
    TimeText text;
    std::copy(form.begin(), form.end(), text.begin());
    put(text, 4, 4, date.year);
    put(text, 7, 2, date.month);
    put(text, 10, 2, date.day);
    put(text, 13, 2, ms / 3'600'000);
    put(text, 16, 2, ms / 60'000 % 60);
    put(text, 19, 2, ms / 1'000 % 60);
    put(text, 23, 3, ms % 1'000);
    return text;
}

std::string format_time(Timestamp time) {
    const TimeText text = time_text(time);
    return {text.begin(), text.end()};
}

Result<Timestamp> parse_time(std::string_view text) {
    if (text.size() != form.size()) return fail(Reason::bad_time);
    const char* next = text.data();
    bool has_form = true;
    const auto number = [&](std::size_t digits, char behind) {
        unsigned value = 0;
        for (; digits > 0; --digits) {
            const unsigned digit = static_cast<unsigned char>(*next++) - unsigned{'0'};
            has_form &= digit < 10;
            value = value * 10 + digit;
        }
        has_form &= *next++ == behind;
        return std::int64_t{value};
    };
    Date date;
    date.year = number(4, '-');
    date.month = number(2, '-');
    date.day = number(2, 'T');
    const std::int64_t hour = number(2, ':');
    const std::int64_t minute = number(2, ':');
    const std::int64_t second = number(2, '.');
    const std::int64_t ms = number(3, 'Z');
    const bool in_range = has_form && date.year >= 1970 && date.month >= 1 && date.month <= 12 && date.day >= 1 &&
                          hour < 24 && minute < 60 && second < 60;
    if (!in_range) return fail(Reason::bad_time);
    const std::int64_t days = days_since_epoch(date);
    // A day that its month does not have comes back as another date.
    if (date.day > 28 && date_of(days) != date) return fail(Reason::bad_time);
    return Timestamp{(((days * 24 + hour) * 60 + minute) * 60 + second) * 1'000 + ms};
}

std::shared_ptr<Clock> system_clock() {
    static const std::shared_ptr<Clock> clock = std::make_shared<SystemClock>();
    return clock;
}

}  // namespace taskstate::inline v0
