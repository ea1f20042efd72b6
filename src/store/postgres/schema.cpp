#include "store/postgres/schema.hpp"

#include "store/postgres/first_version.hpp"

namespace taskstate::inline v0 {
namespace {

const std::string first_version = std::string(postgres_tables) + postgres_functions;
const PostgresMigration migrations[] = {{first_version.c_str()}};

/// What is in a schema: how many tables, and whether one of them is `store`, which names the owner and the version.
struct Contents {
    std::int64_t tables = 0;
    bool has_store = false;
};

Result<Contents> look(PostgresConnection& connection, const std::string& schema) {
    auto rows =
        connection.ask({.sql = "SELECT count(*), count(*) FILTER (WHERE relname='store' AND relkind='r') "
                               "FROM pg_class WHERE relnamespace=(SELECT oid FROM pg_namespace WHERE nspname=$1)",
                        .values = {schema}});
    if (!rows) return std::move(rows).error();
    return Contents{rows->integer(0, 0), rows->integer(0, 1) == 1};
}

/// Goes from one version to the next in one transaction, unless another connection was quicker.
Result<void> lift_once(PostgresConnection& connection, const std::string& schema,
                       std::span<const PostgresMigration> steps) {
    // The lock ends with the transaction.  Its numbers are "tsk1" and the schema's own.
    auto done =
        connection.run("BEGIN; SELECT pg_advisory_xact_lock(1953721137, hashtext(current_setting('search_path')))");
    if (!done) return done;
    const auto version = check_schema(connection, schema, steps);
    if (!version) return version.error();
    if (*version < steps.size()) {
        std::string sql;
        if (*version == 0) {
            sql = "CREATE SCHEMA IF NOT EXISTS " + quoted(schema) +
                  "; CREATE TABLE store(application text NOT NULL, version bigint NOT NULL);"
                  "INSERT INTO store VALUES('taskstate', 0);";
        }
        sql += steps[*version].sql;
        sql += ";UPDATE store SET version=version+1";
        if (done = connection.run(sql); !done) return done;
    }
    return connection.run("COMMIT");
}

}  // namespace

std::span<const PostgresMigration> postgres_migrations() noexcept { return migrations; }

Result<std::uint64_t> check_schema(PostgresConnection& connection, const std::string& schema,
                                   std::span<const PostgresMigration> steps) {
    const auto found = look(connection, schema);
    if (!found) return found.error();
    if (found->tables == 0) return std::uint64_t{0};
    if (!found->has_store) return fail(Reason::foreign_file);
    auto rows =
        connection.ask({.sql = "SELECT to_jsonb(store)->>'application', to_jsonb(store)->>'version' FROM store"});
    if (!rows) return std::move(rows).error();
    if (rows->size() != 1 || rows->text(0, 0) != "taskstate") return fail(Reason::foreign_file);
    const auto version = static_cast<std::uint64_t>(rows->integer(0, 1));
    if (version > steps.size()) return fail(Reason::newer_format, "", {steps.size(), version});
    return version;
}

Result<void> lift_schema(PostgresConnection& connection, const std::string& schema,
                         std::span<const PostgresMigration> steps) {
    for (;;) {
        const auto version = check_schema(connection, schema, steps);
        if (!version) return version.error();
        if (*version == steps.size()) return {};
        if (auto lifted = lift_once(connection, schema, steps); !lifted) {
            (void)connection.run("ROLLBACK");
            return lifted;
        }
    }
}

}  // namespace taskstate::inline v0
