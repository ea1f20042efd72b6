#pragma once
// Writes of a batch as rows.

#include <taskstate/store/store.hpp>

#include "store/sqlite/places.hpp"

namespace taskstate::inline v0 {

/// Runs the writes of batches inside a transaction that somebody else begins and ends.
///
/// Errors: those of `Write`, and those of the database; after one, the batch must be taken back.
/// Thread-safety: confined.
class SqliteWriter {
 public:
    explicit SqliteWriter(Database& database) : database_(database) {}

    Result<void> write(const Write& write);
    Result<bool> expose(const Scope& scope, std::string_view delivery, Timestamp at);
    Result<std::optional<Removed>> forget(const TaskAddress& task);

 private:
    Result<void> write(const StartTask& start);
    Result<void> write(const AdvanceTask& next);
    Result<void> write(const TrimLog& trim);
    Result<void> write(const AddDecision& added);
    Result<void> write(const AddDelivery& added);
    Result<void> write(const AddBinding& added);
    Result<void> write(const RevokeBinding& end);
    Result<void> write(const SetScopeMode& set);
    Result<void> write(const AddProfile& added);

    /// The row of a scope, which is made where it is missing.
    Result<std::int64_t> scope_row(const Scope& scope);
    /// Where a task lies.  Errors: `task_not_eligible` where there is none.
    Result<TaskPlace> existing(const TaskAddress& task);
    /// Errors: `taken` at `path` where the query finds something.
    Result<void> check_free(Query query, Reason taken, std::string path);
    Result<void> put_revision(std::int64_t task, const RevisionRecord& revision);
    Result<void> put_entries(std::int64_t task, const std::vector<EntryChange>& changes);
    Result<std::uint64_t> next_sequence(Query query);
    Result<void> revoke(std::int64_t row, Binding binding, const RevokeBinding& end);
    Result<std::uint64_t> erase(Query query);

    struct Located {
        TaskAddress task{};
        TaskPlace place{};
    };

    Database& database_;
    std::optional<Located> last_{};  ///< as most batches are about one task
};

}  // namespace taskstate::inline v0
