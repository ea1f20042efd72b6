#pragma once
// What a store answers out of rows in memory.

#include "store/rows.hpp"

namespace taskstate::inline v0 {

/// The reads of `Store`, of rows that nobody changes meanwhile.
///
/// Thread-safety: confined.
class RowsReader {
 public:
    explicit RowsReader(Rows& rows) : rows_(rows) {}

    [[nodiscard]] std::optional<Found> find(const TaskAddress& address, const OptText& key) const;
    [[nodiscard]] std::optional<TaskHead> find_started(const Scope& address, std::string_view key) const;
    /// A handle of the state, for who copies it later.
    struct Handles {
        TaskHead head{};
        Snapshot snapshot{};
    };
    [[nodiscard]] std::optional<Handles> load(const TaskAddress& address) const;
    [[nodiscard]] std::vector<TaskHead> list(const HeadQuery& query) const;
    [[nodiscard]] std::vector<TaskHead> due(Timestamp now, std::size_t limit) const;
    [[nodiscard]] std::vector<RevisionRecord> revisions(const TaskAddress& task, Revision after,
                                                        std::size_t limit) const;
    [[nodiscard]] std::vector<DecisionRecord> decisions(const TaskAddress& task, std::uint64_t after,
                                                        std::size_t limit) const;
    [[nodiscard]] std::vector<DeliveryRecord> deliveries(const TaskAddress& task, std::uint64_t after,
                                                         std::size_t limit) const;
    [[nodiscard]] std::vector<RevisionRecord> lineage(const TaskAddress& address, std::optional<TargetKind> kind,
                                                      std::string_view id) const;
    [[nodiscard]] std::uint64_t count_repeats(const TaskAddress& address, std::string_view fingerprint,
                                              Timestamp since) const;
    [[nodiscard]] std::vector<Binding> bindings(const BindingQuery& query) const;
    [[nodiscard]] std::vector<Scope> scopes() const;
    [[nodiscard]] ScopeMode mode(const Scope& address) const;
    [[nodiscard]] std::optional<Profile> profile(std::string_view id) const;
    [[nodiscard]] std::vector<Profile> profiles() const;
    [[nodiscard]] Tally tally(const Scope& address) const;

 private:
    Rows& rows_;
};

/// What `load` gives of such handles.
[[nodiscard]] std::optional<StoredTask> stored_task(const std::optional<RowsReader::Handles>& found);

}  // namespace taskstate::inline v0
