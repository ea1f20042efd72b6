#pragma once
// What is done, what is left, and whether the task may finish, as a person reads it.

#include <taskstate/engine/apply.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// The items that are next in line: pending or ready.
///
/// Shape: in item order; `waiting` holds those with a dependency that is not settled.
/// Thread-safety: value; the ids live as long as the state.
struct NextWork {
    std::vector<std::string_view> ready{}, waiting{};
};
[[nodiscard]] NextWork next_work(const State& state);

/// Shape: lists in item order; `blocked` holds blocked items and those that wait for another one; `ready` those that
///        could be begun now; `remaining` whatever is not settled.
struct Summary {
    std::size_t total = 0, completed = 0, skipped = 0, failed = 0;
    std::vector<std::string> blocked{}, ready{}, remaining{};
    std::vector<std::string> open_constraints{};  ///< gating notes that are active
    bool completion_allowed = false;
    std::vector<std::string> completion_blockers{};  ///< item ids, `kind:<kind>`, `constraint:<id>`
};

/// Thread-safety: pure.
[[nodiscard]] Summary summarize(const Snapshot& snapshot, const Profile& profile);

}  // namespace taskstate::inline v0
