#pragma once
// Everything that a memory store holds, and how a batch changes it.

#include <taskstate/store/store.hpp>

#include "store/undo.hpp"

#include <array>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace taskstate::inline v0 {

/// Everything of one task.
///
/// Shape: sequence `n` stands at `n - 1`; revisions ascend, with gaps in front of bases.
struct TaskRows {
    TaskHead head{};
    Snapshot snapshot{};
    std::deque<RevisionRecord> revisions{};
    std::deque<DecisionRecord> decisions{};
    std::deque<DeliveryRecord> deliveries{};
    std::map<std::string, std::uint64_t, std::less<>> keys{};  ///< sequence of the decision under a key
    std::set<std::string, std::less<>> decision_ids{};
    std::set<std::tuple<TargetKind, std::string, Revision>> lineage{};
    std::set<std::tuple<std::string, Timestamp, std::uint64_t>> repeats{};  ///< fingerprint, time, sequence

    /// The first of the log that is not before `revision`.
    [[nodiscard]] std::deque<RevisionRecord>::const_iterator from(Revision revision) const;
};

/// Where a delivery lies.
struct DeliveryPlace {
    std::string task{};
    std::uint64_t sequence = 0;
};

/// Created, id: the order of a list.
using Listed = std::pair<Timestamp, std::string>;

/// Everything of one scope.
struct ScopeRows {
    ScopeMode mode = ScopeMode::disabled;
    std::map<std::string, TaskRows, std::less<>> tasks{};
    std::map<std::string, std::string, std::less<>> started{};  ///< id of the task that was started under a key
    std::array<std::set<Listed>, Words<Lifecycle>::list.size()> listed{};
    std::map<std::string, DeliveryPlace, std::less<>> deliveries{};
    std::uint64_t last_binding = 0;
    std::map<std::uint64_t, Binding> bindings{};  ///< in the order in which they were added
    std::map<std::string, std::uint64_t, std::less<>> binding_ids{};
    std::set<std::pair<std::string, std::uint64_t>> bindings_of_task{};
    std::set<std::tuple<std::string, std::string, std::uint64_t>> bindings_of_session{};  ///< host, session
};

struct ScopeOrder {
    bool operator()(const Scope& a, const Scope& b) const noexcept {
        return std::tie(a.tenant, a.owner, a.agent, a.workspace) < std::tie(b.tenant, b.owner, b.agent, b.workspace);
    }
};

/// A task that is due at some time, in the order of a scan.
struct Due {
    Timestamp at{};
    TaskAddress task{};

    friend bool operator<(const Due& a, const Due& b) noexcept {
        if (a.at != b.at) return a.at < b.at;
        if (a.task.scope != b.task.scope) return ScopeOrder()(a.task.scope, b.task.scope);
        return a.task.id < b.task.id;
    }
};

struct Rows {
    std::map<Scope, ScopeRows, ScopeOrder> scopes{};
    std::set<Due> due{};
    std::map<std::string, Profile, std::less<>> profiles{};

    /// What there is of a scope or a task; nullptr for nothing.
    [[nodiscard]] ScopeRows* find(const Scope& scope);
    [[nodiscard]] TaskRows* find(const TaskAddress& task);
};

/// Some writes, each of which sees those before it, and which happen together when they are kept.
///
/// Thread-safety: confined.
class Batch {
 public:
    explicit Batch(Rows& rows) : rows_(rows) {}

    Result<void> write(const Write& write);
    /// Marks an injected delivery of the scope as exposed; false for any other.
    bool expose(const Scope& address, std::string_view id, Timestamp at);
    /// A task as it is, whose log follows.
    Result<void> restore(const TaskHead& head);
    /// A revision of the log of such a task.
    Result<void> restore(const TaskAddress& address, const RevisionRecord& revision);
    /// Takes out everything of a task.
    std::optional<Removed> forget(const TaskAddress& address);
    void keep() noexcept { undo_.keep(); }

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

    ScopeRows& scope_at(const Scope& scope);
    void add_revision(TaskRows& task, const RevisionRecord& revision);
    void enlist(const TaskHead& head);
    void delist(const TaskHead& head);
    void revoke(Binding& binding, const RevokeBinding& end);
    std::uint64_t forget_bindings(ScopeRows& scope, const std::string& task);

    Rows& rows_;
    Undo undo_{};
};

}  // namespace taskstate::inline v0
