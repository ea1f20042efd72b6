#pragma once
// Points in time: milliseconds, RFC 3339 in UTC on the wire.

#include <taskstate/base/result.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// A point in time.
///
/// Units: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
/// Bounds: 1970-01-01T00:00:00.000Z … 9999-12-31T23:59:59.999Z.
/// Thread-safety: value.
struct Timestamp {
    std::int64_t ms = 0;
    friend constexpr auto operator<=>(const Timestamp&, const Timestamp&) = default;
};

inline constexpr Timestamp timestamp_max{253'402'300'799'999};

/// `YYYY-MM-DDTHH:MM:SS.mmmZ`, always 24 bytes.
using TimeText = std::array<char, 24>;
[[nodiscard]] TimeText time_text(Timestamp time) noexcept;
[[nodiscard]] std::string format_time(Timestamp time);

/// Reads exactly the form that `format_time` writes.
///
/// Errors: `bad_time` for any other spelling, a date that does not exist, or a year outside 1970–9999.
[[nodiscard]] Result<Timestamp> parse_time(std::string_view text);

/// Where the host's time comes from.  Asked without a lock and before any change.
///
/// Thread-safety: implementations used by a `TaskState` are called from the threads that call it.
class Clock {
 public:
    virtual ~Clock() = default;
    virtual Timestamp now() = 0;
};

/// The system's real-time clock.
[[nodiscard]] std::shared_ptr<Clock> system_clock();

}  // namespace taskstate::inline v0
