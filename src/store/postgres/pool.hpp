#pragma once
// The connections of a store.

#include "store/postgres/connection.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace taskstate::inline v0 {

/// At most as many connections as the options say, each used by one caller at a time, the last used first.
///
/// One that has ended is replaced when it is taken; a caller waits for a free one, and for a server that comes back.
/// Thread-safety: shared.
class PostgresPool {
 public:
    /// `first` is a connection to a schema of this version.
    PostgresPool(PostgresOptions options, std::unique_ptr<PostgresConnection> first) : options_(std::move(options)) {
        free_.push_back(std::move(first));
    }

    /// A connection until it goes.
    class Lease {
     public:
        Lease(PostgresPool& pool, std::unique_ptr<PostgresConnection> connection)
            : pool_(&pool), connection_(std::move(connection)) {}
        Lease(Lease&& other) noexcept = default;
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (connection_ != nullptr) pool_->give_back(std::move(connection_));
        }
        PostgresConnection* operator->() const { return connection_.get(); }
        PostgresConnection& operator*() const { return *connection_; }

     private:
        PostgresPool* pool_;
        std::unique_ptr<PostgresConnection> connection_;
    };

    /// Errors: `lock_timeout` where none becomes free; those of `PostgresConnection::open`, after the last attempt;
    ///         `newer_format` and `foreign_file` where the schema has become one of those.
    Result<Lease> take();

    /// How often callers waited for an answer of the server to a statement of theirs.
    [[nodiscard]] std::uint64_t round_trips();

 private:
    /// One that is free; nothing where a new one may be opened.
    Result<std::unique_ptr<PostgresConnection>> reserve();
    Result<std::unique_ptr<PostgresConnection>> open() const;
    void give_back(std::unique_ptr<PostgresConnection> connection);

    PostgresOptions options_;
    std::mutex mutex_{};
    std::condition_variable freed_{};
    std::vector<std::unique_ptr<PostgresConnection>> free_{};
    std::uint64_t taken_ = 0;
    std::uint64_t round_trips_ = 0;
};

}  // namespace taskstate::inline v0
