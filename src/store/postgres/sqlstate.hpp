#pragma once
// What failures of PostgreSQL mean to a host.

#include "store/postgres/connection.hpp"

namespace taskstate::inline v0 {

/// What a statement or a transaction that failed means.
[[nodiscard]] PostgresAnswer answer_of_failure(const pg_result* result);

/// What libpq says of a connection that was refused.  The text may hold names: only the code in it is told.
[[nodiscard]] Error error_of_connection(std::string_view message);

}  // namespace taskstate::inline v0
