#pragma once
// Moving one task from one store to another.

#include "cli/copy.hpp"

#include <vector>

namespace taskstate::inline v0 {

/// One task on its way: written, then compared.
///
/// Thread-safety: confined.
class TaskCopy {
 public:
    /// `stored` as it was loaded from `from`.  All of them must outlive it.
    TaskCopy(Store& from, Store& to, const StoredTask& stored)
        : from_(from), to_(to), stored_(stored), task_(stored.head.address()) {}

    /// Writes what is missing, and adds up what that was.
    Result<void> write(Copied& copied);
    /// Whether all of it has arrived as it was.
    Result<void> check();

 private:
    Result<void> begin();
    Result<void> write_log(Copied& copied);
    Result<void> write_decisions(Copied& copied);
    Result<void> write_deliveries(Copied& copied);
    Result<void> check_log();
    /// One page of the records of a task.
    template <class Record>
    using Page = Result<std::vector<Record>> (Store::*)(const TaskAddress&, std::uint64_t, std::size_t);
    template <class Record>
    Result<void> check_records(Page<Record> page);

    Result<void> add(const RevisionRecord& record);
    Result<void> add_base(const RevisionRecord& base);
    Result<void> advance(RevisionRecord record);
    Result<void> end_bases();
    Result<void> flush();

    Store &from_, &to_;
    const StoredTask& stored_;
    const TaskAddress task_;
    TaskHead row_{};   // of `seen_`
    Snapshot seen_{};  // the last state that was written
    std::vector<Write> batch_{};
    std::vector<RevisionRecord> bases_{};  // written as successors, to take their places at the end
};

}  // namespace taskstate::inline v0
