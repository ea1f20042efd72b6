#pragma once
// What is asked of a service, and what it answers.

#include <taskstate/engine/proposal.hpp>
#include <taskstate/engine/summary.hpp>
#include <taskstate/prompt/block.hpp>
#include <taskstate/store/records.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace taskstate::inline v0 {

/// A new task with everything that it starts with, which becomes revision 1.
///
/// Shape: `constraints` are texts that become host constraints `constraint-1`, `constraint-2`, … whose source is the
///        actor's name; `key` is its idempotency key: the same request again answers with the same task.
struct StartInput {
    TaskAddress task{};
    std::string key{};
    Actor actor{};
    std::string profile = "general-v1";
    OptText association{}, goal{};
    OptText continues{};  ///< id of an earlier task of the scope
    std::vector<std::string> constraints{};
    std::vector<std::string> sources{};
    std::vector<ItemInput> items{};
    std::vector<EvidenceInput> evidence{};
    friend bool operator==(const StartInput&, const StartInput&) = default;
};

/// A change of lifecycle by somebody who may ask for one.
struct LifecycleInput {
    TaskAddress task{};
    std::string key{};
    Actor actor{};
    Lifecycle to{};
    Revision base{};
    OptText reason{};
    bool over_open_gates = false;
    std::vector<EvidenceInput> evidence{};
};

/// The answer to one step: what was decided, and whether this is an earlier decision told again.
struct StepResult {
    DecisionRecord decision{};
    bool replayed = false;
};

/// One task as a reader sees it.
struct TaskView {
    Snapshot snapshot{};
    OptText terminal_reason{}, continues{};
    ExpiryStatus expiry{};
    std::string clock{};
    Summary summary{};
};

struct ListInput {
    Scope scope{};
    std::vector<Lifecycle> lifecycles{};
    OptText cursor{};
    std::size_t limit = 50;  ///< 1 … 500
};
/// One page; `cursor` leads to the next one, none after the last.
struct ListPage {
    std::vector<TaskHead> tasks{};
    OptText cursor{};
};

/// A block for one model call.  The task is named, or found by the session that is bound to it.
struct PrepareInput {
    Scope scope{};
    OptText task{};
    std::optional<SessionIdentity> identity{};
    std::optional<Timestamp> session_started_at{};  ///< when the host knows it: a binding older than that is stale
    PromptOptions prompt{};
};
/// What may be put into the request, or why nothing.
///
/// Shape: injected: block, delivery, digest and cache key; withheld: `withheld` alone, and for `prompt_budget_exceeded`
///        revision, limit and actual.  Unknown, foreign, terminal and paused tasks look the same.
struct ContextPackage {
    std::optional<Block> block{};
    OptText preamble{};
    OptText delivery{};  ///< for `confirm_exposure`
    OptText cache_key{};
    std::optional<Revision> revision{};
    std::optional<Reason> withheld{};
    std::optional<std::uint64_t> limit{}, actual{};
};

struct BindInput {
    TaskAddress task{};
    SessionIdentity identity{};
    Actor actor{};
    OptText reason{};
};
struct UnbindInput {
    Scope scope{};
    std::string binding{};
    Actor actor{};
    OptText reason{};
};
struct ResolveInput {
    Scope scope{};
    OptText task{};  ///< named explicitly
    std::optional<SessionIdentity> identity{};
    std::optional<Timestamp> session_started_at{};
};
/// Which task a call is about: exactly one, and how it was found.  A refusal is an error.
enum class ResolvedBy : std::uint8_t { explicit_id, binding };
template <>
struct Words<ResolvedBy> {
    static constexpr std::array<std::string_view, 2> list{"explicit", "bound"};
};
struct Resolution {
    std::string task{};
    ResolvedBy by{};
    OptText binding{};
};

/// Who reports from the host's side: an adapter, never a person.
struct Adapter {
    std::string name{}, version{};
};
/// What a host saw, in words.
struct ObservationInput {
    TaskAddress task{};
    SessionIdentity identity{};
    std::optional<Timestamp> session_started_at{};  ///< as in `PrepareInput`
    std::string key{};
    std::string observation{};  ///< Text, at most 2,000 code points
    Adapter adapter{};
    std::vector<EvidenceInput> evidence{};
};
/// A delta that a model asked for through a registered tool.
struct HostProposalInput {
    TaskAddress task{};
    SessionIdentity identity{};
    std::optional<Timestamp> session_started_at{};  ///< as in `PrepareInput`
    std::string key{};
    Revision base{};
    std::vector<Operation> operations{};
    Adapter adapter{};
    std::vector<EvidenceInput> evidence{};
    OptText reason{};
    OptText action_fingerprint{};
};
/// Pause, resume or complete, as a host may ask.
struct HostLifecycleInput {
    TaskAddress task{};
    SessionIdentity identity{};
    std::optional<Timestamp> session_started_at{};  ///< as in `PrepareInput`
    std::string key{};
    Lifecycle to{};
    Revision base{};
    Adapter adapter{};
    OptText reason{};
};

/// Why a value is what it is, in words first.
struct ProvenanceEntry {
    std::string summary{};  ///< one or two sentences, without stored text but the actor's name
    TargetKind kind{};
    std::string id{};
    Revision revision{};
    Origin origin{};
    std::string role_words{}, method_words{}, assurance_words{};
    Assurance assurance{};
    bool independently_verified = false;
    Timestamp observed_at{};
    std::optional<Revision> supersedes{};
};
struct ProvenanceInput {
    TaskAddress task{};
    std::optional<TargetKind> kind{};  ///< none: the whole task, by kind and id
    std::string id{};
};
struct Provenance {
    bool found = false;  ///< whether the target has a history
    Revision current{};  ///< of the task; 0 without one
    std::vector<ProvenanceEntry> history{};
    std::vector<DeliveryRecord> deliveries{};  ///< of the revisions in the history
    OptText retention{};                       ///< a sentence, where older revisions were removed
};

struct TimelineInput {
    TaskAddress task{};
    std::uint64_t after = 0;  ///< sequence of decisions and deliveries, and revision, to go on from
    std::size_t limit = 200;  ///< 1 … 1,000
};
/// What happened to a task, without anything that was said in it; empty without such a task.
///
/// Shape: rows with a number after `after`, up to `after + limit`; left out are changes and lineage, link, reasons, interpreters, evidence and idempotency keys.
struct Timeline {
    std::vector<RevisionRecord> revisions{};
    std::vector<DecisionRecord> decisions{};
    std::vector<DeliveryRecord> deliveries{};
    OptText retention{};  ///< as in `Provenance`
};

/// One thing that does not hold.
struct Problem {
    std::string task{};
    Reason reason{};
    std::optional<Revision> revision{};
};
struct Integrity {
    bool valid = true;
    std::uint64_t checked_tasks = 0;
    std::vector<Problem> problems{};
};
struct Overdue {
    std::string task{};
    Reason reason{};
    std::uint64_t absolute_age_ms = 0, no_progress_age_ms = 0;
};
/// A scope at one moment; content-free.
struct Health {
    Timestamp observed_at{};
    Tally tally{};
    std::vector<Overdue> overdue{};
    std::optional<std::uint64_t> latency_ms_p50{}, latency_ms_p95{};
    std::optional<std::uint64_t> no_progress_age_ms{};
    Integrity integrity{};
};

/// Which revisions of a task stay when older ones are removed: those that any of the rules keeps, and all after them.
///
/// Shape: `last` or `since` is there; the head always stays.
struct TrimInput {
    TaskAddress task{};
    Actor actor{};
    std::optional<std::uint64_t> last{};  ///< so many of the last revisions, at least 1
    std::optional<Timestamp> since{};     ///< those that were made then or later
    std::vector<Revision> pinned{};       ///< each of these, where the log still has it
};
/// What is left of a log.
struct Trimmed {
    std::uint64_t removed = 0;  ///< how many revisions went
    Revision first{};           ///< from here on the log has every revision; before it only pinned ones
};

/// What a deletion leaves behind: never the goal itself.
struct DeletionReceipt {
    std::string task{};
    Removed removed{};
    std::string
        goal_digest{};  ///< HMAC-SHA-256 under the first secret, SHA-256 without one; of the empty text without a goal
    std::string actor{};
    Timestamp deleted_at{};
};

/// The answer to a registration of rules.
struct Registration {
    std::string profile{};
    Digest digest{};
    Reason reason{};  ///< `profile_registered`, `profile_already_registered` or `dry_run_validated`
};
enum class Registering : std::uint8_t { in_earnest, dry_run };

/// Which parts of the service are real here.
struct Capabilities {
    std::vector<std::string> session_binding_adapters{}, host_proposal_adapters{}, delta_tool_adapters{},
        enforcing_adapters{};
    std::vector<std::string> profiles{};
    std::string block_format{};
    [[nodiscard]] bool guard_enforcement() const noexcept { return !enforcing_adapters.empty(); }
};

}  // namespace taskstate::inline v0
