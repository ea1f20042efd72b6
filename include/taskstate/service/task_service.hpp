#pragma once
// Many tasks over one store: the door of a host whose tasks are proposed to by others.

#include <taskstate/service/adapters.hpp>
#include <taskstate/service/requests.hpp>
#include <taskstate/store/store.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

struct ServiceOptions {
    std::shared_ptr<Store> store{};  ///< required
    std::shared_ptr<Clock> clock{};  ///< absent: the system's
    std::string clock_name = "system-utc-v1";
    std::shared_ptr<IdSource> ids{};  ///< absent: random
    std::vector<Secret> secrets{};    ///< the first signs, all verify
    std::optional<Limits> limits{};   ///< absent: each profile's
    TextPolicy text = TextPolicy::refuse;
    std::shared_ptr<EvidenceResolver> evidence{};           ///< absent: evidence is not looked up
    std::shared_ptr<ObservationInterpreter> interpreter{};  ///< absent: nothing is ever inferred
    std::size_t cache_tasks_max = 64;                       ///< snapshots kept; 0 = none
};

/// Many tasks over one store.
///
/// It holds no state of its own but a bounded cache of snapshots, each used only where the head row of the same look
/// has its revision and digest.  An `Error` means that nothing was judged or recorded; a decision, whatever its
/// outcome, was recorded, but for that of a start in shadow, which has no task to be recorded with.  Every scope is off
/// until `set_mode`; all calls but that, `mode`, profiles, `forget`, `trim` and `confirm_exposure` answer `task_state_disabled`
/// for a scope that is off.  Unknown, foreign and (from outside) terminal tasks cannot be told apart.
/// Errors of all: those of the store; `commit_in_doubt`: send the same request with the same key again.
/// Thread-safety: shared.
/// Source: docs/service.md.
class TaskService {
 public:
    class Core;  ///< what its parts share; not for hosts

    /// Errors: `options_invalid` without a store.
    static Result<TaskService> open(const ServiceOptions& options);
    TaskService(TaskService&&) noexcept;
    TaskService& operator=(TaskService&&) noexcept;
    ~TaskService();

    // Scopes and rules.

    Result<void> set_mode(const Scope& scope, ScopeMode mode);
    Result<ScopeMode> mode(const Scope& scope);
    /// Errors: `capability_denied`; `invalid_profile`, `unreachable_phases`, `no_transitions` with a path;
    ///         `profile_version_differs`.
    Result<Registration> register_profile(const Profile& profile, const Actor& actor, Registering how);

    // Steps.  Each is judged once under its key; the same request again answers with the same decision, for ever.
    // Errors of all: `idempotency_key_reused` for another request under a key; `task_not_eligible`; text and shape
    // reasons with a pointer into the request.

    /// Errors: `already_exists`, `unknown_profile`, `capability_denied`; what is said of items and evidence elsewhere.
    Result<StepResult> start(const StartInput& request);
    Result<StepResult> submit(const ProposalInput& request);
    /// A submission that may touch what the host said.  Rejected: `capability_denied`, `reason_required`.
    Result<StepResult> correct(const ProposalInput& request);
    Result<StepResult> lifecycle(const LifecycleInput& request);

    // The host boundary: who speaks is an adapter of a session, and only of the task that the session is bound to.
    // Errors of all: `session_identity_required`, the codes of `resolve`, `host_task_not_bound_to_session`.

    Result<StepResult> observe(const ObservationInput& request);
    Result<StepResult> propose_delta(const HostProposalInput& request);
    Result<StepResult> request_lifecycle(const HostLifecycleInput& request);

    // Looking.

    Result<TaskView> read(const TaskAddress& task);
    Result<ListPage> list(const ListInput& request);
    Result<Provenance> provenance(const ProvenanceInput& request);
    Result<Timeline> timeline(const TimelineInput& request);
    Result<Health> health(const Scope& scope);
    /// Recomputes every digest, link and pause of every task of the scope from its log.
    Result<Integrity> verify(const Scope& scope);
    [[nodiscard]] Capabilities capabilities() const;

    // Delivery.

    Result<ContextPackage> prepare(const PrepareInput& request);
    /// True once, for an injected delivery of the scope; whatever became of the task since.
    Result<bool> confirm_exposure(const Scope& scope, std::string_view delivery);

    // Sessions.

    /// Errors: `task_not_eligible` unless the task is open; `binding_already_active`; `capability_denied`.
    Result<Binding> bind(const BindInput& request);
    /// Errors: `binding_not_found`; `capability_denied`.
    Result<void> unbind(const UnbindInput& request);
    /// Errors: `task_binding_conflict`, `task_binding_stale_session`, `task_context_selection_required`.
    Result<Resolution> resolve(const ResolveInput& request);
    Result<std::vector<Binding>> bindings(const BindingQuery& query);

    // Upkeep.

    /// Expires what is due, oldest first, up to `limit` tasks (1 … 1,000); those that were due and are expired now.
    ///
    /// A task that cannot be expired does not keep the others from it.  Errors: only where nothing could be expired.
    Result<std::vector<TaskAddress>> expire_due(std::size_t limit = 200);
    /// Errors: `capability_denied`; `task_not_eligible`.
    Result<DeletionReceipt> forget(const TaskAddress& task, const Actor& actor);

    /// Removes older revisions of a task for good.  Head, decisions, deliveries and bindings stay; what is left of the
    /// log begins anew at the first revision that stays, and at each pinned one.
    ///
    /// The same call again removes nothing more.
    /// Errors: `missing_field` (path `/last`) without a rule; `out_of_range` for `last` 0 and for a pin after the head;
    ///         `capability_denied`; `task_not_eligible`; the corrupt reasons where the log does not hold: then nothing
    ///         is removed.
    Result<Trimmed> trim(const TrimInput& request);

    /// Makes an adapter known; see `Capabilities`.  Another one of the same name takes its place.
    /// Errors: those of a Ref, with paths `/name`, `/rotating_value`, `/delta_tool`.
    Result<void> register_adapter(const AdapterAbilities& adapter);

 private:
    explicit TaskService(std::unique_ptr<Core> core);
    std::unique_ptr<Core> core_;
};

}  // namespace taskstate::inline v0
