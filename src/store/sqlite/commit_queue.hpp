#pragma once
// The one connection that writes to a file.

#include "store/sqlite/writer.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace taskstate::inline v0 {

/// The connection of this process that writes to a file, for every store on it: callers that come while it is busy share
/// the next transaction and its sync.
///
/// Thread-safety: shared.
class CommitQueue {
 public:
    using Change = std::function<Result<void>(SqliteWriter&)>;

    explicit CommitQueue(Database database) : database_(std::move(database)) {}

    /// Errors: those of the change; those of the transaction.
    Result<void> run(Change change);
    /// Writes what was committed from the log into the file and empties the log, unless somebody still reads from it:
    /// what was deleted still stands in it.
    void empty_log();
    /// From now on a commit that was acknowledged survives a power cut, whatever the first store here was content with.
    Result<void> sync_fully();

 private:
    struct Waiting {
        Change change{};
        std::optional<Result<void>> done{};
    };

    std::vector<Result<void>> commit(const std::vector<Waiting*>& group);
    Result<void> run_alone(const Change& change);

    Database database_;  // of whoever made the queue busy
    std::mutex mutex_{};
    std::condition_variable turn_{};
    std::vector<Waiting*> waiting_{};
    bool busy_ = false;
};

}  // namespace taskstate::inline v0
