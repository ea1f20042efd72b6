#pragma once
// What a caller wants done, admitted: every text in the form that is stored, every shape checked.

#include <taskstate/base/text.hpp>
#include <taskstate/model/profile.hpp>
#include <taskstate/model/snapshot.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace taskstate::inline v0 {

/// The rules that a task is judged by.
struct Rules {
    const Profile* profile = nullptr;
    Limits limits{};
    TextPolicy text = TextPolicy::refuse;
};

struct AddNote {
    NoteInput note{};
    Standing standing{};
};
struct ResolveNote {
    std::string id{};
};
struct AddSource {
    std::string id{};
};
struct AddItem {
    ItemInput item{};
};
struct SetItemTitle {
    std::string id{}, title{};
};
struct SetItemContent {
    std::string id{};
    Content content{};
};
/// A status, what vouches for it and why; without a status only the rest.
struct SetItemStatus {
    std::string id{};
    std::optional<ItemStatus> status{};
    OptText reason{};
    std::optional<Assurance> assurance{};
    std::vector<EvidenceInput> evidence{};
};
struct SetPhase {
    std::string phase{};
};
struct MarkSourceInspected {
    std::string id{};
};
struct LockSchema {};
struct RecordAction {
    ActionOutcome outcome{};
};
/// Who looked at the linked task: the host itself, or a refresh that read the memory system.
enum class LinkReporter : std::uint8_t { host, refresh };
struct SyncLink {
    LinkStatus seen{};
    LinkReporter reporter{};
};

/// One change; closed.
using Operation = std::variant<AddSource, AddNote, ResolveNote, AddItem, SetItemTitle, SetItemContent, SetItemStatus,
                               SetPhase, MarkSourceInspected, LockSchema, RecordAction, ConfirmAction, Prune, SyncLink>;

/// An operation and where it stood in the input, for errors.
struct Step {
    Operation operation;
    std::string path{};
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
    /// Code points that became U+FFFD.
    [[nodiscard]] std::size_t replaced() const noexcept { return replaced_; }

 private:
    friend class Admission;
    Transaction() = default;

    Revision base_{};
    std::vector<Step> steps_{};
    OptText reason_{};
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

/// A saved state, each field admitted; whether the parts agree is for `validate` to say.
[[nodiscard]] Result<State> admit(const SnapshotInput& saved, const Rules& rules);

/// What a new task is, admitted.  Paths as in `TaskOptions`.
[[nodiscard]] Result<Identity> admit(const Identity& identity, TextPolicy policy);
[[nodiscard]] Result<LinkTarget> admit(const LinkTarget& link);

}  // namespace taskstate::inline v0
