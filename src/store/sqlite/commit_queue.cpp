#include "store/sqlite/commit_queue.hpp"

#include <utility>

namespace taskstate::inline v0 {

Result<void> CommitQueue::run(Change change) {
    Waiting mine{.change = std::move(change)};
    std::unique_lock lock(mutex_);
    waiting_.push_back(&mine);
    turn_.wait(lock, [&] { return mine.done || !busy_; });
    if (mine.done) return *std::move(mine.done);
    busy_ = true;
    const std::vector<Waiting*> group = std::exchange(waiting_, {});
    lock.unlock();
    std::vector<Result<void>> done = commit(group);
    lock.lock();
    for (std::size_t i = 0; i < group.size(); ++i) group[i]->done = std::move(done[i]);
    busy_ = false;
    turn_.notify_all();
    return *std::move(mine.done);
}

void CommitQueue::empty_log() {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return !busy_; });
    (void)database_.query("PRAGMA wal_checkpoint(TRUNCATE)").run();
}

Result<void> CommitQueue::sync_fully() {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return !busy_; });
    return database_.run("PRAGMA synchronous=EXTRA");
}

std::vector<Result<void>> CommitQueue::commit(const std::vector<Waiting*>& group) {
    auto transaction = Transacted::begin(database_, Transacted::Begin::immediate);
    if (!transaction) return {group.size(), transaction.error()};
    std::vector<Result<void>> done;
    done.reserve(group.size());
    if (group.size() == 1) {
        SqliteWriter writer(database_);
        done.push_back(group.front()->change(writer));
        if (!done.front()) return done;
    } else {
        for (const Waiting* waiting : group) done.push_back(run_alone(waiting->change));
    }
    const auto committed = transaction->commit();
    if (committed) return done;
    for (Result<void>& result : done) {
        if (result) result = committed;
    }
    return done;
}

/// One change of a group: taken back alone where it is refused.
Result<void> CommitQueue::run_alone(const Change& change) {
    if (auto begun = database_.query("SAVEPOINT one").run(); !begun) return begun;
    SqliteWriter writer(database_);
    auto done = change(writer);
    if (!done) (void)database_.query("ROLLBACK TO one").run();
    auto released = database_.query("RELEASE one").run();
    return done ? std::move(released) : std::move(done);
}

}  // namespace taskstate::inline v0
