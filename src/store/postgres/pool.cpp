#include "store/postgres/pool.hpp"

#include "store/postgres/schema.hpp"

#include <algorithm>
#include <thread>

namespace taskstate::inline v0 {
namespace {

using std::chrono::milliseconds;

/// Whether another attempt may do better: a right that is missing, or a schema of somebody else, stays.
bool may_pass(const Error& error) {
    return error.reason == Reason::storage_failed || error.reason == Reason::lock_timeout;
}

}  // namespace

Result<PostgresPool::Lease> PostgresPool::take() {
    auto connection = reserve();
    if (!connection) return std::move(connection).error();
    milliseconds pause(50);
    for (std::uint64_t attempt = 1; *connection == nullptr || !(*connection)->is_usable(); ++attempt) {
        connection = open();
        if (connection) continue;
        if (attempt < options_.connect_attempts && may_pass(connection.error())) {
            std::this_thread::sleep_for(pause);
            pause = std::min(2 * pause, milliseconds(1'000));
            connection = std::unique_ptr<PostgresConnection>();
            continue;
        }
        give_back(nullptr);
        return std::move(connection).error();
    }
    return Lease(*this, *std::move(connection));
}

Result<std::unique_ptr<PostgresConnection>> PostgresPool::reserve() {
    std::unique_lock lock(mutex_);
    const bool free =
        freed_.wait_for(lock, milliseconds(options_.lock_timeout_ms), [&] { return taken_ < options_.connections; });
    if (!free) return fail(Reason::lock_timeout);
    ++taken_;
    if (free_.empty()) return std::unique_ptr<PostgresConnection>();
    auto last = std::move(free_.back());
    free_.pop_back();
    return last;
}

Result<std::unique_ptr<PostgresConnection>> PostgresPool::open() const {
    auto connection = PostgresConnection::open(options_);
    if (!connection) return std::move(connection).error();
    const auto version = check_schema(*connection, options_.schema, postgres_migrations());
    if (!version) return version.error();
    (void)connection->take_round_trips();
    return std::make_unique<PostgresConnection>(*std::move(connection));
}

void PostgresPool::give_back(std::unique_ptr<PostgresConnection> connection) {
    const std::lock_guard lock(mutex_);
    --taken_;
    if (connection != nullptr) {
        round_trips_ += connection->take_round_trips();
        free_.push_back(std::move(connection));
    }
    freed_.notify_one();
}

std::uint64_t PostgresPool::round_trips() {
    const std::lock_guard lock(mutex_);
    return round_trips_;
}

}  // namespace taskstate::inline v0
