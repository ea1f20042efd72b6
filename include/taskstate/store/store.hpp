#pragma once
// Where tasks live: reads that see one moment, and batches that happen as a whole or not at all.

#include <taskstate/model/input.hpp>
#include <taskstate/store/records.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace taskstate::inline v0 {

/// A new task with its first revision.  Refused: `already_exists` (path `/id`) where the scope has such a task, or
/// (path `/key`) one that was started under this key.
struct StartTask {
    TaskHead head{};
    RevisionRecord revision{};
};
/// The next revision of a task.  Refused: `concurrent_successor_committed`, with the stored revision and the one that
/// was built on, where the stored head is another than `head.frame.revision - 1`; `task_not_eligible` without a task.
struct AdvanceTask {
    TaskHead head{};
    RevisionRecord revision{};
};
/// The log of a task without its revisions up to `first`, but for those in `kept`, which take their own places.
/// Lineages go with their revisions.  Refused: `revision_gap` where the log has no revision `first`;
/// `task_not_eligible`.
///
/// Shape: `kept` in ascending order, each with a `base`; the last one is `first`.
struct TrimLog {
    TaskAddress task{};
    Revision first{};
    std::vector<RevisionRecord> kept{};
};
/// One more decision of a task.  Refused: `idempotency_key_reused` (path `/key`) where its key is taken in the task;
/// `already_exists` (path `/id`) where its id is; `task_not_eligible`.
struct AddDecision {
    TaskAddress task{};
    DecisionRecord decision{};
};
/// One more delivery of a task.  Refused: `already_exists` (path `/id`) where its id is taken in the scope;
/// `task_not_eligible`.
struct AddDelivery {
    TaskAddress task{};
    DeliveryRecord delivery{};
};
/// A binding.  A row of the same scope and identity whose lifetime is over when this one begins is revoked with it, by
/// its actor.  Refused: `binding_already_active` where such a row is active and has not lapsed; `already_exists` (path
/// `/id`) where its id is taken in the scope; `task_not_eligible`.
struct AddBinding {
    Binding binding{};
};
/// The end of a binding.  Refused: `binding_not_found` for an unknown, foreign or revoked one.
struct RevokeBinding {
    Scope scope{};
    std::string id{};
    Timestamp at{};
    std::string by{};
    OptText because{};
};
struct SetScopeMode {
    Scope scope{};
    ScopeMode mode{};
};
/// A version of rules, for ever.  Refused: `profile_version_differs` where the id has other rules; the same again is
/// nothing.
struct AddProfile {
    Profile profile{};
};

using Write = std::variant<StartTask, AdvanceTask, TrimLog, AddDecision, AddDelivery, AddBinding, RevokeBinding,
                           SetScopeMode, AddProfile>;

/// What one look for a task shows.
struct Found {
    TaskHead head{};
    std::optional<DecisionRecord> decision{};  ///< of the key that was asked for
};

/// A task with its entries, as saved: admitted and validated by whoever loads it.
struct StoredTask {
    TaskHead head{};
    SnapshotInput snapshot{};
    friend bool operator==(const StoredTask&, const StoredTask&) = default;
};

/// Which heads of a scope, in the order of (created, id).
struct HeadQuery {
    Scope scope{};
    std::vector<Lifecycle> lifecycles{};  ///< none = all
    struct Place {
        Timestamp created_at{};
        std::string id{};
    };
    std::optional<Place> after{};
    std::size_t limit = 50;
};

/// Which bindings, in the order in which they were added.
struct BindingQuery {
    Scope scope{};
    OptText task{};
    OptText host{}, session{};
    bool revoked_too = false;
};

/// Where tasks live.
///
/// A read sees everything that a batch wrote, or nothing of it.  A batch is all or nothing: after a refusal, or a
/// failure other than `commit_in_doubt`, the store is as it was.  After `commit_in_doubt` it is one or the other;
/// sending the same requests again settles it, as each write is refused the second time.  Nothing here judges: what a
/// batch may hold is for the caller to know.
/// Shape: the writes of a batch concern one scope, or none.
/// Errors of all: `storage_*`, `lock_timeout`, the corrupt reasons.
/// Thread-safety: shared.
/// Source: docs/stores.md.
class Store {
 public:
    virtual ~Store() = default;

    /// Errors: what the writes refuse; `options_invalid` for writes to several scopes.
    virtual Result<void> commit(std::span<const Write> batch) = 0;

    /// The head of a task, with the decision under `key`; nothing without a task.
    virtual Result<std::optional<Found>> find(const TaskAddress& task, const OptText& key) = 0;
    /// The task of a scope that was started under `key`.
    virtual Result<std::optional<TaskHead>> find_started(const Scope& scope, std::string_view key) = 0;
    virtual Result<std::optional<StoredTask>> load(const TaskAddress& task) = 0;
    virtual Result<std::vector<TaskHead>> list(const HeadQuery& query) = 0;
    /// Heads of any scope that are due at `now`, those first that have been for longest.
    virtual Result<std::vector<TaskHead>> due(Timestamp now, std::size_t limit) = 0;

    // Of one task; empty without one.  `after` 0 = from the first.

    virtual Result<std::vector<RevisionRecord>> revisions(const TaskAddress& task, Revision after,
                                                          std::size_t limit) = 0;
    virtual Result<std::vector<DecisionRecord>> decisions(const TaskAddress& task, std::uint64_t after,
                                                          std::size_t limit) = 0;
    virtual Result<std::vector<DeliveryRecord>> deliveries(const TaskAddress& task, std::uint64_t after,
                                                           std::size_t limit) = 0;
    /// Revisions that gave the target a value, oldest first; without a kind, all that have a lineage.
    virtual Result<std::vector<RevisionRecord>> lineage(const TaskAddress& task, std::optional<TargetKind> kind,
                                                        std::string_view id) = 0;
    /// Decisions of the task with this fingerprint since `since`, that moment included; shadow steps left out.
    virtual Result<std::uint64_t> count_repeats(const TaskAddress& task, std::string_view fingerprint,
                                                Timestamp since) = 0;

    /// Marks an injected delivery of the scope as exposed; false for any that is none, foreign, or exposed already.
    virtual Result<bool> expose(const Scope& scope, std::string_view delivery, Timestamp at) = 0;

    virtual Result<std::vector<Binding>> bindings(const BindingQuery& query) = 0;
    /// Every scope that a batch was ever kept of, in the order of tenant, owner, agent, workspace.
    virtual Result<std::vector<Scope>> scopes() = 0;
    virtual Result<ScopeMode> mode(const Scope& scope) = 0;
    virtual Result<std::optional<Profile>> profile(std::string_view id) = 0;
    virtual Result<std::vector<Profile>> profiles() = 0;  ///< in the order of their ids
    virtual Result<Tally> tally(const Scope& scope) = 0;

    /// Deletes everything of a task; nothing without one.
    virtual Result<std::optional<Removed>> forget(const TaskAddress& task) = 0;
};

}  // namespace taskstate::inline v0
