#pragma once
// Where scopes and tasks lie in the tables.

#include "store/sqlite/database.hpp"

namespace taskstate::inline v0 {

/// A scope's row; 0, which no row has, for one that nobody wrote to.
[[nodiscard]] Result<std::int64_t> find_scope(Database& database, const Scope& scope);

/// A task's row and revision; row 0 where there is none.
struct TaskPlace {
    std::int64_t scope = 0, row = 0;
    std::uint64_t revision = 0;
};
[[nodiscard]] Result<TaskPlace> find_task(Database& database, const TaskAddress& task);

}  // namespace taskstate::inline v0
