#pragma once
// What a caller wants done, admitted: every text in the form that is stored, every shape checked.

#include <taskstate/base/text.hpp>
#include <taskstate/engine/proposal.hpp>
#include <taskstate/model/profile.hpp>
#include <taskstate/model/snapshot.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace taskstate::inline v0 {

/// The rules that a task is judged by.
struct Rules {
    const Profile* profile = nullptr;
    Limits limits{};
    TextPolicy text = TextPolicy::refuse;
};

/// Where a transaction comes in, which decides what its actor may do there.
enum class Intake : std::uint8_t {
    submission,
    correction,  ///< by somebody who may touch what the host said, with a reason
    boundary,    ///< by an adapter of a session, which vouches for nothing
};

/// An operation, what its actor vouches for it, and where it stood in the input, for errors.
struct Step {
    Operation operation;
    std::string path{};
    std::optional<Assurance> assurance{};
};

/// Ordered operations on one base revision, all or nothing.
///
/// Shape: made only by `admit`.
/// Thread-safety: value.
/// Source: docs/transactions.md.
class Transaction {
 public:
    [[nodiscard]] Revision base() const noexcept { return base_; }
    [[nodiscard]] std::span<const Step> steps() const noexcept { return steps_; }
    [[nodiscard]] const OptText& reason() const noexcept { return reason_; }
    [[nodiscard]] const Actor& actor() const noexcept { return actor_; }
    [[nodiscard]] Intake intake() const noexcept { return intake_; }
    /// Whether what the actor says may touch what the host said: the authority itself, or a correction.
    [[nodiscard]] bool privileged() const noexcept {
        return actor_.role == Role::authority || intake_ == Intake::correction;
    }
    [[nodiscard]] Assurance assurance() const noexcept { return assurance_; }
    [[nodiscard]] std::span<const EvidenceInput> evidence() const noexcept { return evidence_; }
    /// Which task it is for; nothing where the caller holds the task itself.
    [[nodiscard]] const std::optional<TaskAddress>& task() const noexcept { return task_; }
    /// The first reference to evidence that the host does not know, as a pointer into the input.
    [[nodiscard]] const OptText& unknown_evidence() const noexcept { return unknown_evidence_; }
    void reject_evidence(std::string path) { unknown_evidence_ = std::move(path); }
    /// Code points that became U+FFFD.
    [[nodiscard]] std::size_t replaced() const noexcept { return replaced_; }

 private:
    friend class Admission;
    Transaction() = default;

    Revision base_{};
    std::vector<Step> steps_{};
    OptText reason_{};
    Actor actor_{.role = Role::authority};
    Intake intake_{};
    Assurance assurance_ = Assurance::host_reported;
    std::vector<EvidenceInput> evidence_{};
    std::optional<TaskAddress> task_{};
    OptText unknown_evidence_{};
    std::size_t replaced_ = 0;
};

/// Each admits one input of the host; paths of errors point into that input.
///
/// Errors: `input_bytes_exceeded`; text, id and receipt reasons; `duplicate_reference`; `out_of_range`;
///         `evidence_invalid`.
/// Bounds: linear in the input.
/// Thread-safety: pure.
[[nodiscard]] Result<Transaction> admit(const HostDelta& delta, Revision base, const Rules& rules);
[[nodiscard]] Result<Transaction> admit(std::span<const NoteInput> notes, Standing standing, Revision base,
                                        const Rules& rules);
[[nodiscard]] Result<Transaction> admit(const ActionOutcome& outcome, Revision base, const Rules& rules);
[[nodiscard]] Result<Transaction> admit(const ConfirmAction& confirmation, Revision base, const Rules& rules);
[[nodiscard]] Result<Transaction> admit(const Prune& targets, Revision base, const Rules& rules);
[[nodiscard]] Result<Transaction> admit(const LinkStatus& seen, LinkReporter reporter, Revision base,
                                        const Rules& rules);
/// Admits what anybody proposes; paths point into the proposal.
///
/// Errors: as above; `empty_delta` and `too_many_operations` with the bound of 50; `out_of_range` for more than 50
///         references to evidence.
[[nodiscard]] Result<Transaction> admit(const ProposalInput& proposal, Intake intake, const Rules& rules);

/// A saved state, each field admitted; whether the parts agree is for `validate` to say.
[[nodiscard]] Result<State> admit(const SnapshotInput& saved, const Rules& rules);

/// What a new task is, admitted.  Paths as in `TaskOptions`.
[[nodiscard]] Result<Identity> admit(const Identity& identity, TextPolicy policy);
[[nodiscard]] Result<LinkTarget> admit(const LinkTarget& link);

}  // namespace taskstate::inline v0
