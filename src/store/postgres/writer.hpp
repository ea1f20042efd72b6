#pragma once
// Writes of a batch as statements.

#include <taskstate/store/store.hpp>

#include "store/postgres/statement.hpp"

#include <span>
#include <vector>

namespace taskstate::inline v0 {

/// The calls of functions that make, or refuse, the writes.
[[nodiscard]] std::vector<PostgresStatement> statements_of(std::span<const Write> batch);

[[nodiscard]] PostgresStatement exposing(const Scope& scope, std::string_view delivery, Timestamp at);
/// Gives seven counts in the order of `Removed`; NULL for each where there is no task.
[[nodiscard]] PostgresStatement forgetting(const TaskAddress& task);

}  // namespace taskstate::inline v0
