#pragma once
// What the parts of a service share: the store, what the host plugged in, and the way to a task.

#include <taskstate/service/task_service.hpp>

#include "service/adapter_registry.hpp"
#include "service/cache.hpp"
#include "store/stored_state.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// A task as one look showed it: its row, the state behind it, and the rules that it is judged by.
struct SeenTask {
    TaskHead head{};
    Snapshot snapshot{};
    std::shared_ptr<const Profile> profile{};
};

/// Thread-safety: shared.  No lock is held while host code or the store is asked.
class TaskService::Core {
 public:
    /// `options` with a store.
    explicit Core(const ServiceOptions& options);

    [[nodiscard]] Store& store() const noexcept { return *options_.store; }
    /// As given, with the defaults filled in.
    [[nodiscard]] const ServiceOptions& options() const noexcept { return options_; }
    /// The host's time, within what the wire can hold.
    [[nodiscard]] Timestamp now() const;
    [[nodiscard]] std::string make_id(std::string_view prefix) const { return options_.ids->make(prefix); }

    [[nodiscard]] AdapterRegistry& adapters() noexcept { return adapters_; }

    /// `shadow` or `enabled`.  Errors: `task_state_disabled`.
    [[nodiscard]] Result<ScopeMode> check_mode(const Scope& scope) const;
    /// A built-in profile, or one from the store.  Errors: `unknown_profile`.
    [[nodiscard]] Result<std::shared_ptr<const Profile>> profile(std::string_view id) const;
    /// The rules of a task with this profile, which must outlive them.
    [[nodiscard]] Rules rules(const Profile& profile) const;

    /// The row of a task, with the decision under `key`.  Errors: `task_not_eligible`, whatever the cause.
    [[nodiscard]] Result<Found> find(const TaskAddress& task, const OptText& key = std::nullopt) const;
    /// The state behind a row, or behind a newer one that took its place meanwhile.
    ///
    /// What the store gives is admitted and validated, and its digest must be the row's; its size is no matter, as
    /// bounds may have been lowered since.
    /// Errors: `task_not_eligible` for a task that is gone; `integrity_check_failed`.
    [[nodiscard]] Result<SeenTask> see(const TaskHead& head);
    /// The row as it is after expiry: commits the expired revision where the task is due and its scope enabled.
    ///
    /// Whoever loses the race for it takes what the winner left.  In shadow the row stays as it is.
    [[nodiscard]] Result<TaskHead> evaluate(TaskHead head, ScopeMode mode);
    /// `find`, `evaluate` and `see`, one after the other.
    [[nodiscard]] Result<SeenTask> current(const TaskAddress& task, ScopeMode mode);

    /// Keeps what was just committed for the next look.
    void keep(const SeenTask& task) {
        cache_.keep(task.head.address(), {task.snapshot, task.head.state_digest, task.profile});
    }
    /// Forgets what it kept of a task.
    void drop(const TaskAddress& task) { cache_.drop(task); }

 private:
    [[nodiscard]] Result<SeenTask> load(const TaskAddress& task) const;
    Result<TaskHead> expire(const TaskHead& head, Reason reason, Timestamp now);

    ServiceOptions options_;
    SnapshotCache cache_;
    AdapterRegistry adapters_{};
};

}  // namespace taskstate::inline v0
