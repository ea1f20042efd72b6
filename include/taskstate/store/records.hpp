#pragma once
// What a store keeps of tasks: values, without any rule.

#include <taskstate/engine/decision.hpp>
#include <taskstate/engine/expiry.hpp>
#include <taskstate/engine/guards.hpp>
#include <taskstate/engine/history.hpp>
#include <taskstate/engine/transaction.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace taskstate::inline v0 {

/// Whether a scope takes part: not at all, judged and recorded only, or in earnest.
enum class ScopeMode : std::uint8_t { disabled, shadow, enabled };
template <>
struct Words<ScopeMode> {
    static constexpr std::array<std::string_view, 3> list{"disabled", "shadow", "enabled"};
};

/// The small row of a task that moves with each commit.
///
/// Source: docs/format.md, "Rows of a store".
struct TaskHead {
    Identity identity{};
    Frame frame{};
    Digest state_digest{};
    OptText terminal_reason{};  ///< why it ended: the reason given, or the word of the expiry
    OptText continues{};        ///< id of the task of the same scope that this one goes on with
    ExpiryRule expiry{};        ///< the profile's when the task started
    std::string clock{};        ///< name of the clock that the task's times come from
    PauseRecord pause{};
    std::optional<Timestamp> due_at{};  ///< when the task expires if nothing happens; none once terminal
    std::string start_key{};            ///< idempotency key of its start, unique in its scope
    Digest start_digest{};              ///< of the request that started it

    [[nodiscard]] TaskAddress address() const { return {identity.scope, identity.id}; }
    friend bool operator==(const TaskHead&, const TaskHead&) = default;
};

/// Who brought a revision about, and on what grounds.
struct Origin {
    Actor actor{};
    std::string method{};  ///< `task_start`, `typed_delta`, `operator_correction`, `lifecycle_<word>`
    Assurance assurance{};
    OptText interpreter{};
    std::vector<EvidenceInput> evidence{};
    OptText reason{};
    friend bool operator==(const Origin&, const Origin&) = default;
};

/// Where a log begins anew, as revisions before it were removed.
struct LogBase {
    PauseRecord pause{};  ///< at that revision
    friend bool operator==(const LogBase&, const LogBase&) = default;
};

/// One revision of the log: what was put and erased, never the whole state.  Its parent is the revision before it.
///
/// Shape: with a `base`, `changes` put every entry of the state, and the parent may be gone.
struct RevisionRecord {
    Frame frame{};
    Digest state_digest{}, semantic_digest{};
    std::vector<EntryChange> changes{};
    Origin origin{};
    std::vector<Lineage> lineage{};
    bool progressed = false;
    std::optional<LogBase> base{};
    friend bool operator==(const RevisionRecord&, const RevisionRecord&) = default;
};

/// What kind of step was judged.
enum class StepKind : std::uint8_t { start, proposal, correction, host_proposal, observation, lifecycle, expiry };
template <>
struct Words<StepKind> {
    static constexpr std::array<std::string_view, 7> list{"start",       "proposal",  "correction", "host_proposal",
                                                          "observation", "lifecycle", "expiry"};
};

/// One judged step.  Every step has one, whatever its outcome; it is never changed.
///
/// Shape: `sequence` counts from 1 within the task and is given by the store, 0 in the answer to a step; `result` is
///        the head after it where it was accepted or nothing changed.
struct DecisionRecord {
    std::uint64_t sequence = 0;
    std::string id{};
    StepKind kind{};
    OptText key{};            ///< idempotency key, unique within the task; none for a shadow step
    Digest payload_digest{};  ///< of what was sent under the key
    Outcome outcome{};
    Reason reason{};
    std::string path{};  ///< into the request, where it was refused
    std::optional<std::uint64_t> limit{}, actual{};
    Revision base{};
    std::optional<Revision> result{};
    Timestamp decided_at{};
    Actor actor{};
    Assurance assurance{};
    std::vector<EvidenceInput> evidence{};
    std::vector<Guard> guards{};
    OptText action_fingerprint{};
    bool shadow = false;  ///< judged in shadow: nothing was committed
    std::uint64_t duration_ms = 0;
    friend bool operator==(const DecisionRecord&, const DecisionRecord&) = default;
};

/// One block that was prepared, or withheld from a task that exists.  Only `exposed_at` ever changes, once.
struct DeliveryRecord {
    std::uint64_t sequence = 0;
    std::string id{};
    Revision revision{};
    std::optional<Reason> withheld{};  ///< why nothing was given; none for an injected block
    Digest block_digest{};             ///< of the exact bytes; zero where withheld
    std::uint64_t block_bytes = 0;
    std::vector<std::string> omitted{};
    Timestamp prepared_at{};
    std::optional<Timestamp> exposed_at{};  ///< when the host confirmed that the model saw it
    friend bool operator==(const DeliveryRecord&, const DeliveryRecord&) = default;
};

/// Which conversation of a host this is.  An address, not an authority.
///
/// Shape: three Refs; `epoch` is the host's value that changes when the session is reset.
struct SessionIdentity {
    std::string host{}, session{}, epoch{};
    friend bool operator==(const SessionIdentity&, const SessionIdentity&) = default;
};

/// A conversation and the task that it drives.  Kept when it is revoked.
struct Binding {
    std::string id{};
    Scope scope{};
    SessionIdentity identity{};
    std::string task{};
    Actor actor{};
    OptText reason{};
    Timestamp registered_at{};
    std::optional<Timestamp> expires_at{};
    std::optional<Timestamp> revoked_at{};
    OptText revoked_by{}, revoked_because{};

    [[nodiscard]] bool active() const noexcept { return !revoked_at; }
    /// Whether its lifetime is over.
    [[nodiscard]] bool lapsed(Timestamp now) const noexcept { return expires_at && *expires_at <= now; }
    friend bool operator==(const Binding&, const Binding&) = default;
};

/// How many rows of each kind a deletion took.
struct Removed {
    std::uint64_t deliveries = 0, decisions = 0, lineage = 0, bindings = 0, revisions = 0, entries = 0, heads = 0;
    friend bool operator==(const Removed&, const Removed&) = default;
};

/// How often a reason was given.
struct ReasonCount {
    Reason reason{};
    std::uint64_t count = 0;
    friend bool operator==(const ReasonCount&, const ReasonCount&) = default;
};

/// What the rows of a scope add up to; holds no text that anybody wrote.
///
/// Shape: counts by the enumerators of their lists; `reasons`, of decisions and of withheld deliveries, in the order of
///        the enumerators, without those that are 0.  Shadow decisions are counted as such and nowhere else.
struct Tally {
    std::array<std::uint64_t, Words<Lifecycle>::list.size()> lifecycles{};
    std::array<std::uint64_t, Words<Outcome>::list.size()> outcomes{};
    std::array<std::uint64_t, Words<GuardKind>::list.size()> guards{};
    std::vector<ReasonCount> reasons{};
    std::uint64_t shadow_decisions = 0;
    std::uint64_t prepared = 0, exposed = 0, withheld = 0;
    std::uint64_t bindings_active = 0, bindings_revoked = 0;
    std::vector<std::uint64_t> durations_ms{};  ///< of the last 1,000 decisions, in the order of their times
    std::optional<Timestamp> last_progress_at{};
    friend bool operator==(const Tally&, const Tally&) = default;
};

}  // namespace taskstate::inline v0
