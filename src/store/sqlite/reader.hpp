#pragma once
// Reads of a store as queries.

#include <taskstate/store/store.hpp>

#include "store/sqlite/places.hpp"

namespace taskstate::inline v0 {

/// Answers the reads of `Store` on one connection, each inside a transaction that somebody else begins and ends.
///
/// Errors: those of the database; `unreadable_record` for a row that is no record.
/// Thread-safety: confined.
class SqliteReader {
 public:
    explicit SqliteReader(Database& database) : database_(database) {}

    Result<std::optional<Found>> find(const TaskAddress& task, const OptText& key);
    Result<std::optional<TaskHead>> find_started(const Scope& scope, std::string_view key);
    Result<std::optional<StoredTask>> load(const TaskAddress& task);
    Result<std::vector<TaskHead>> list(const HeadQuery& query);
    Result<std::vector<TaskHead>> due(Timestamp now, std::size_t limit);
    Result<std::vector<RevisionRecord>> revisions(const TaskAddress& task, Revision after, std::size_t limit);
    Result<std::vector<DecisionRecord>> decisions(const TaskAddress& task, std::uint64_t after, std::size_t limit);
    Result<std::vector<DeliveryRecord>> deliveries(const TaskAddress& task, std::uint64_t after, std::size_t limit);
    Result<std::vector<RevisionRecord>> lineage(const TaskAddress& task, std::optional<TargetKind> kind,
                                                std::string_view id);
    Result<std::uint64_t> count_repeats(const TaskAddress& task, std::string_view fingerprint, Timestamp since);
    Result<std::vector<Binding>> bindings(const BindingQuery& query);
    Result<std::vector<Scope>> scopes();
    Result<ScopeMode> mode(const Scope& scope);
    Result<std::optional<Profile>> profile(std::string_view id);
    Result<std::vector<Profile>> profiles();
    Result<Tally> tally(const Scope& scope);

 private:
    struct HeadRow {
        std::int64_t row = 0;
        TaskHead head{};
    };
    Result<std::optional<HeadRow>> head_of(const TaskAddress& task);

    Database& database_;
};

}  // namespace taskstate::inline v0
