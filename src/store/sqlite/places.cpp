#include "store/sqlite/places.hpp"

namespace taskstate::inline v0 {

Result<std::int64_t> find_scope(Database& database, const Scope& scope) {
    auto query = database.query("SELECT row FROM scopes WHERE owner=? AND workspace=? AND tenant=? AND agent=?");
    const auto found = query.bind(scope.owner, scope.workspace, scope.tenant, scope.agent).step();
    if (!found) return found.error();
    return *found ? query.integer(0) : 0;
}

Result<TaskPlace> find_task(Database& database, const TaskAddress& task) {
    const auto scope = find_scope(database, task.scope);
    if (!scope) return scope.error();
    auto query = database.query("SELECT row, revision FROM tasks WHERE scope=? AND id=?");
    const auto found = query.bind(*scope, task.id).step();
    if (!found) return found.error();
    if (!*found) return TaskPlace{.scope = *scope};
    return TaskPlace{*scope, query.integer(0), static_cast<std::uint64_t>(query.integer(1))};
}

}  // namespace taskstate::inline v0
