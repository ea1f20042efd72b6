#pragma once
// What an onlooker may see of tasks: numbers, words of closed lists, names and times.

#include <taskstate/service/requests.hpp>
#include <taskstate/store/records.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace taskstate::inline v0 {

/// The value at `percent` of the way through the sorted values, at the nearest rank, the even one of two; none of none.
[[nodiscard]] std::optional<std::uint64_t> percentile(std::vector<std::uint64_t> values, std::uint64_t percent);

/// Where a task stands against its rule; what has ended is due no more.
[[nodiscard]] ExpiryStatus expiry_status(const TaskHead& head, Timestamp now);

/// How far a task that is not terminal is past its time; nothing where it is not.
[[nodiscard]] std::optional<Overdue> overdue(const TaskHead& head, Timestamp now);

/// The record without anything that was said in it.
[[nodiscard]] RevisionRecord content_free(RevisionRecord record);
[[nodiscard]] DecisionRecord content_free(DecisionRecord decision);

}  // namespace taskstate::inline v0
