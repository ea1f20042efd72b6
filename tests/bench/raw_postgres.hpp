#pragma once
// What the PostgreSQL store is measured against: the same rows in the same tables, by one prepared statement.

#include "bench/raw_change.hpp"

#include <memory>
#include <string>

struct pg_conn;

namespace taskstate::bench {

/// A connection that writes the changes of one task.
///
/// Thread-safety: confined.
class RawPostgres {
 public:
    RawPostgres(const std::string& url, const std::string& schema, const std::string& task);
    void commit(const RawChange& change);

 private:
    struct Finish {
        void operator()(pg_conn* handle) const noexcept;
    };
    void run(const std::string& sql);

    std::unique_ptr<pg_conn, Finish> handle_;
    std::string place_{};  ///< of the task
};

}  // namespace taskstate::bench
