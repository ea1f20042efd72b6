#pragma once
// What the judge answers.

#include <taskstate/base/result.hpp>
#include <taskstate/model/snapshot.hpp>

namespace taskstate::inline v0 {

enum class Outcome : std::uint8_t { accepted, rejected, conflict, no_change };
template <>
struct Words<Outcome> {
    static constexpr std::array<std::string_view, 4> list{"accepted", "rejected", "conflict", "no_change"};
};

/// The judge's answer to one transaction.
///
/// Shape: `snapshot` is the successor when accepted, the head when nothing changed or the transaction was refused;
///        `error.reason` is the reason in every case, with path and numbers where it was refused; `progressed` says
///        whether the successor got the task on.
/// Thread-safety: value.
struct Decision {
    Outcome outcome{};
    Snapshot snapshot{};
    Error error{};
    bool progressed = false;
};

}  // namespace taskstate::inline v0
