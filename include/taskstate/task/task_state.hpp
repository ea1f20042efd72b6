#pragma once
// One task in memory: the door that a host uses.

#include <taskstate/base/text.hpp>
#include <taskstate/base/time.hpp>
#include <taskstate/engine/decision.hpp>
#include <taskstate/prompt/block.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// What a commit left behind.
///
/// Shape: `outcome` is `accepted` or `no_change`; `snapshot` is the head after the call; `replaced` counts code points
///        that became U+FFFD under `TextPolicy::replace`.
struct Commit {
    Outcome outcome{};
    Snapshot snapshot{};
    std::size_t replaced = 0;
};

/// One accepted step, as a journal must keep it.
///
/// Shape: `changes(before, after)` gives the entries that were put and erased.
struct Change {
    Snapshot before{}, after{};
    OptText reason{};
    bool progressed = false;  ///< whether it got the task on
};

/// Who is signed in now.  `nullopt` = not set, which passes.
class OwnerSource {
 public:
    virtual ~OwnerSource() = default;
    virtual OptText current_owner() = 0;
};

/// Makes a change durable before it becomes visible.  A refusal leaves the task as it was.
///
/// It must refuse, as a conflict, a change whose `before` is not the state that it keeps: several `TaskState` objects,
/// or threads on one of them, may ask at once, and only the journal decides which of them is next.
class Journal {
 public:
    virtual ~Journal() = default;
    virtual Result<void> commit(const Change& change) = 0;
};

/// Told after each accepted commit, without a lock.
class CommitObserver {
 public:
    virtual ~CommitObserver() = default;
    virtual void committed(const Commit& commit) = 0;
};

struct TaskOptions {
    std::string id{};  ///< Id
    Scope scope{};     ///< owner and workspace required
    OptText association{}, goal{};
    std::string profile = "notebook-v1";
    std::optional<Limits> limits{};  ///< absent: the profile's
    std::optional<LinkTarget> link{};
    TextPolicy text = TextPolicy::refuse;
    std::vector<Secret> secrets{};   ///< the first signs, all verify
    std::shared_ptr<Clock> clock{};  ///< absent: the system's
    std::shared_ptr<OwnerSource> owner{};
    std::shared_ptr<Journal> journal{};
    std::shared_ptr<CommitObserver> observer{};
};

/// A ticket for reading the linked memory task; dropping it aborts the refresh.
///
/// Thread-safety: confined.
class Refresh {
 public:
    Refresh(Refresh&&) noexcept = default;
    Refresh& operator=(Refresh&&) noexcept = default;
    Refresh(const Refresh&) = delete;
    Refresh& operator=(const Refresh&) = delete;

    [[nodiscard]] const std::string& link_id() const noexcept { return link_id_; }
    [[nodiscard]] Revision base() const noexcept { return base_; }
    [[nodiscard]] Generation generation() const noexcept { return generation_; }

 private:
    friend class TaskState;
    Refresh(std::string link_id, Revision base, Generation generation)
        : link_id_(std::move(link_id)), base_(base), generation_(generation) {}

    std::string link_id_;
    Revision base_;
    Generation generation_;
};

/// What the memory system showed for the linked id.
///
/// Shape: `type` and `state` absent where it showed nothing: missing, archived and invisible look alike.
struct LinkedTask {
    OptText type{};   ///< must be "task"
    OptText state{};  ///< Ref, stored as it is
};

/// One task.  The host is the only one who changes it; each change names the revision it was made from.
///
/// Every call that can fail checks first whether the task was destroyed, then the owner.  A failed call changes
/// nothing.
/// Thread-safety: shared; moving is confined.
/// Source: docs/guide.md.
class TaskState {
 public:
    /// A new task at revision 0.
    /// Errors: text and id reasons with the option's path, `options_invalid`, `unknown_profile`.
    static Result<TaskState> create(const TaskOptions& options);
    /// A task continued from a saved snapshot.
    /// Errors: as `create` and `restore`.
    static Result<TaskState> open(const TaskOptions& options, const SnapshotInput& saved);

    TaskState(TaskState&&) noexcept;
    TaskState& operator=(TaskState&&) noexcept;
    ~TaskState();

    // Each of these changes names the revision that the host decided on.  Accepted: the revision moves by one.  Nothing
    // to change: `no_change`, the same head.  Otherwise nothing has happened.
    // Errors of all: `stale_base_revision` with the current revision and the one sent; `task_is_paused`,
    // `task_is_terminal`; what `admit` and `apply` refuse, with a pointer into the argument; what the journal answers.

    /// Does all that `delta` says, in its fixed order, or nothing.
    Result<Commit> update(const HostDelta& delta, Revision expected);
    /// Adds notes that nobody confirmed: suggestions of a model, say.  They supersede nothing.
    Result<Commit> propose(std::span<const NoteInput> notes, Revision expected);
    /// Adds notes that are taken for granted until somebody knows better.  They supersede nothing.
    Result<Commit> assume(std::span<const NoteInput> notes, Revision expected);
    /// Records `started` before an act and its outcome after it.
    Result<Commit> record_action(const ActionOutcome& outcome, Revision expected);
    /// Says where an action stands for the host; replaces what was said before.
    Result<Commit> confirm_action(const ConfirmAction& confirmation, Revision expected);
    /// Removes notes that are resolved or superseded and actions that are confirmed as ended, for good.
    Result<Commit> prune(const Prune& targets, Revision expected);
    /// Mirrors the status of a linked task or routine, which stays the master of it.
    Result<Commit> sync_link(const LinkStatus& seen, Revision expected);

    /// A ticket to read the linked memory task with; the waiting is the host's, without any lock.
    ///
    /// Errors: `no_link`, `wrong_link_kind`; `principal_mismatch` where `principal` is not the task's owner;
    ///         `stale_base_revision`.
    Result<Refresh> begin_refresh(std::string_view principal, Revision expected) const;
    /// Mirrors what was seen, unless anything happened since the ticket was given.
    ///
    /// Errors: `generation_moved`; `linked_task_unusable` for whatever is not a visible task with a state.
    Result<Commit> commit_refresh(Refresh refresh, const LinkedTask& seen);

    /// `delta` again, if nobody touched its targets since `from`: send it with the current revision.
    ///
    /// Bounds: the last 32 revisions are remembered.
    /// Errors: `rebase_touches_changes`; `stale_base_revision` when `from` is not remembered.
    Result<HostDelta> rebase(const HostDelta& delta, Revision from) const;

    /// The head; O(1).
    Result<Snapshot> snapshot() const;
    /// The head's revision; 0 once destroyed.
    [[nodiscard]] Revision revision() const noexcept;
    [[nodiscard]] Generation generation() const noexcept;

    /// The block; the same handle while nothing changed.
    ///
    /// Errors: `prompt_budget_exceeded` with the bound and the needed size.
    Result<Block> prompt(const PromptOptions& options = {}) const;
    /// What the block is, for the system prompt; constant for the task and its first secret.
    Result<std::string> preamble() const;
    /// Whether `block` is current and stands in the request as it must.
    /// Errors: `block_stale`, and those of `verify_placement`.
    Result<void> verify_dispatch(const Block& block, std::span<const Message> messages,
                                 const DispatchRules& rules = {}) const;

    /// Replaces the whole state.
    /// Errors: those of validation; `journalled` where a journal is set.
    Result<Snapshot> restore(const SnapshotInput& saved);
    /// Back to the empty task at revision 0, as for a session that holds no state.
    Result<void> clear();
    /// Drops the contents; every later call that can fail answers `task_destroyed`.
    void destroy() noexcept;

 private:
    class Core;
    explicit TaskState(std::unique_ptr<Core> core);
    std::unique_ptr<Core> core_;
};

}  // namespace taskstate::inline v0
