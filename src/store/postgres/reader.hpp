#pragma once
// Reads of a store as statements, and their rows as records.

#include <taskstate/store/store.hpp>

#include "store/postgres/connection.hpp"

namespace taskstate::inline v0 {

/// One read: one statement, which sees one moment, and what its rows mean.
///
/// Errors of `decode`: `unreadable_record` for a row that is no record.
template <class Answer>
struct PostgresRead {
    PostgresStatement statement{};
    Result<Answer> (*decode)(const PostgresRows& rows) = nullptr;
};

/// The reads of `Store`, by their names there.
///
/// Thread-safety: pure.
namespace postgres_read {
[[nodiscard]] PostgresRead<std::optional<Found>> find(const TaskAddress& task, const OptText& key);
[[nodiscard]] PostgresRead<std::optional<TaskHead>> find_started(const Scope& scope, std::string_view key);
[[nodiscard]] PostgresRead<std::optional<StoredTask>> load(const TaskAddress& task);
[[nodiscard]] PostgresRead<std::vector<TaskHead>> list(const HeadQuery& query);
[[nodiscard]] PostgresRead<std::vector<TaskHead>> due(Timestamp now, std::size_t limit);
[[nodiscard]] PostgresRead<std::vector<RevisionRecord>> revisions(const TaskAddress& task, Revision after,
                                                                  std::size_t limit);
[[nodiscard]] PostgresRead<std::vector<DecisionRecord>> decisions(const TaskAddress& task, std::uint64_t after,
                                                                  std::size_t limit);
[[nodiscard]] PostgresRead<std::vector<DeliveryRecord>> deliveries(const TaskAddress& task, std::uint64_t after,
                                                                   std::size_t limit);
[[nodiscard]] PostgresRead<std::vector<RevisionRecord>> lineage(const TaskAddress& task, std::optional<TargetKind> kind,
                                                                std::string_view id);
[[nodiscard]] PostgresRead<std::uint64_t> count_repeats(const TaskAddress& task, std::string_view fingerprint,
                                                        Timestamp since);
[[nodiscard]] PostgresRead<std::vector<Binding>> bindings(const BindingQuery& query);
[[nodiscard]] PostgresRead<std::vector<Scope>> scopes();
[[nodiscard]] PostgresRead<ScopeMode> mode(const Scope& scope);
[[nodiscard]] PostgresRead<std::optional<Profile>> profile(std::string_view id);
[[nodiscard]] PostgresRead<std::vector<Profile>> profiles();
[[nodiscard]] PostgresRead<Tally> tally(const Scope& scope);
}  // namespace postgres_read

}  // namespace taskstate::inline v0
