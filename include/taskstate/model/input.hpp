#pragma once
// What a host hands in: plain aggregates of strings with defaults, for designated initialisers.

#include <taskstate/base/time.hpp>
#include <taskstate/model/words.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace taskstate::inline v0 {

/// Absent, or a text; "" is refused as blank.
using OptText = std::optional<std::string>;

/// Position of one state in a task's history.
///
/// Shape: 0 is "nothing yet"; every effective commit adds exactly 1, without gaps.
/// Thread-safety: value.
/// Source: docs/format.md, "Revision".
struct Revision {
    std::uint64_t number = 0;
    friend constexpr auto operator<=>(const Revision&, const Revision&) = default;
};

/// The largest integer of the wire, 2^53 − 1.
inline constexpr std::uint64_t integer_max = 9'007'199'254'740'991;

/// Whose task it is.  Equal only if all four parts are equal; owner and workspace are required.
///
/// Shape: each part is a Ref; "" = not given.
struct Scope {
    std::string tenant{}, owner{}, agent{}, workspace{};
    friend bool operator==(const Scope&, const Scope&) = default;
};

/// Which task: an id means something only inside its scope.
struct TaskAddress {
    Scope scope{};
    std::string id{};  ///< Id
    friend bool operator==(const TaskAddress&, const TaskAddress&) = default;
};

/// Who does something.  The role decides what he may; the name says who it was.
struct Actor {
    Role role = Role::delegate;  ///< who may do nothing, until somebody says otherwise
    std::string name{};          ///< Ref
    friend bool operator==(const Actor&, const Actor&) = default;
};

/// A pointer at something stored elsewhere; it proves nothing by itself and is never followed.
struct EvidenceInput {
    EvidenceKind kind{};
    std::string id{};                           ///< Ref
    OptText digest{};                           ///< `sha256:` and 64 hex digits
    std::optional<Scope> scope{};               ///< owner must be the task's
    std::optional<std::uint64_t> size_bytes{};  ///< at most 2^53 − 1
    std::optional<Acknowledged> status{};
    friend bool operator==(const EvidenceInput&, const EvidenceInput&) = default;
};

/// Where a statement comes from.
struct SourceInput {
    std::string label{};  ///< Text, at most 512 code points
    OptText turn{};       ///< Ref
    std::optional<EvidenceInput> evidence{};
    friend bool operator==(const SourceInput&, const SourceInput&) = default;
};

struct NoteInput {
    std::string id{};  ///< Id, unique among retained notes
    Category category{};
    std::string text{};    ///< Text, at most 8,000 code points
    OptText supersedes{};  ///< an active note of the same category; host notes only
    std::vector<std::string> conflicts_with{};
    SourceInput source{};
    std::optional<bool> gates_completion{};  ///< absent: as the profile says
    friend bool operator==(const NoteInput&, const NoteInput&) = default;
};

/// What the host observed of one execution.
struct ActionOutcome {
    std::string execution{};        ///< Id made by the host, unique among retained actions
    OptText call{}, run{}, tool{};  ///< Refs; with `started_at` the identity that never changes
    ActionStatus status{};
    Completion completion{};
    Cancellation cancellation = Cancellation::none;
    std::optional<Timestamp> started_at{}, ended_at{};
    std::optional<EvidenceInput> evidence{};
    friend bool operator==(const ActionOutcome&, const ActionOutcome&) = default;
};

/// The host's workflow status of an execution, apart from what was observed.
struct ConfirmAction {
    std::string execution{};
    Confirmed status{};
    SourceInput source{};
    friend bool operator==(const ConfirmAction&, const ConfirmAction&) = default;
};

struct Prune {
    std::vector<std::string> notes{}, actions{};
    friend bool operator==(const Prune&, const Prune&) = default;
};

struct LinkStatus {
    std::string id{}, status{};
    friend bool operator==(const LinkStatus&, const LinkStatus&) = default;
};

/// Item content: one JSON object in canonical form, checked where it was read; none unless `parse_content` of the codec
/// made it.
///
/// Bounds: at most 16 KiB, depth at most 8.
/// Thread-safety: value.
class Content {
 public:
    Content() = default;
    /// The object's text; empty = none.
    [[nodiscard]] const std::string& canonical() const noexcept { return canonical_; }
    friend bool operator==(const Content&, const Content&) = default;

 private:
    friend struct TrustedContent;
    explicit Content(std::string canonical) : canonical_(std::move(canonical)) {}

    std::string canonical_{};
};

inline constexpr std::size_t item_kind_max = 100;  ///< code points

/// A plan item to be added.
struct ItemInput {
    std::string title{};                      ///< Title, at most 2,000 code points
    OptText id{};                             ///< Id, unique among items; absent: the engine makes `t1`, `t2`, …
    OptText ref{};                            ///< Id: names the item for the rest of the batch, in place of its id
    OptText kind{};                           ///< Ref, at most 100 code points; absent = step
    ItemStatus status = ItemStatus::pending;  ///< pending or ready
    bool required = false;                    ///< whether the task cannot be completed before it is settled
    std::vector<std::string> depends_on{};    ///< ids of items, at most 500
    std::vector<std::string> because{};       ///< ids of the notes that it rests on, at most 16
    Content content{};
    friend bool operator==(const ItemInput&, const ItemInput&) = default;
};

inline constexpr std::size_t item_evidence_max = 50;

/// What changes about one item; what is absent stays.
struct ItemChange {
    std::string id{};
    std::optional<ItemStatus> status{};
    OptText title{};                        ///< Title, at most 2,000 code points
    std::optional<Content> content{};       ///< takes the place of the whole content
    OptText reason{};                       ///< Text, at most 2,000 code points; absent: the reason of the delta
    std::optional<Assurance> assurance{};   ///< raises the item's, never lowers it
    std::vector<EvidenceInput> evidence{};  ///< joins what the item has, at most 50 altogether
    friend bool operator==(const ItemChange&, const ItemChange&) = default;
};

/// One change by the host.  Applied as a whole, in the order of the members, whatever order they were given in.
struct HostDelta {
    std::vector<std::string> add_sources{};  ///< Refs of what is to be inspected
    std::vector<NoteInput> notes{};
    std::vector<std::string> resolve{};
    std::vector<ItemInput> add_items{};
    std::vector<ItemChange> items{};  ///< applied in the order given
    OptText phase{};                  ///< Id of a phase of the profile
    std::vector<std::string> inspected{};
    bool lock_schema = false;  ///< from then on no item is added; there is no way back
    std::vector<ActionOutcome> record_actions{};
    std::vector<ConfirmAction> confirm_actions{};
    Prune prune{};
    std::optional<LinkStatus> link{};
    OptText reason{};          ///< Text, at most 2,000 code points
    std::size_t replaced = 0;  ///< what became U+FFFD before this was a delta; `Commit::replaced` counts on from here
    friend bool operator==(const HostDelta&, const HostDelta&) = default;
};

/// The other system's task that this one mirrors the status of.
struct LinkTarget {
    LinkKind kind{};
    std::string id{};  ///< Ref
    friend bool operator==(const LinkTarget&, const LinkTarget&) = default;
};

/// A note as saved: what was given, and what the engine made of it.
struct SavedNote {
    NoteInput note{};
    Standing standing{};
    OptText superseded_by{};
    bool resolved = false;
    friend bool operator==(const SavedNote&, const SavedNote&) = default;
};

struct SavedItem {
    std::string id{};
    std::string title{};  ///< Title, at most 2,000 code points
    ItemStatus status{};
    Assurance assurance{};
    OptText kind{};  ///< Ref, at most 100 code points; absent = step
    bool required = false;
    std::vector<std::string> depends_on{}, because{};
    Content content{};
    OptText reason{};
    std::vector<EvidenceInput> evidence{};
    friend bool operator==(const SavedItem&, const SavedItem&) = default;
};

struct SavedSource {
    std::string id{};  ///< Ref
    bool inspected = false;
    friend bool operator==(const SavedSource&, const SavedSource&) = default;
};

struct ConfirmationInput {
    Confirmed status{};
    SourceInput source{};
    friend bool operator==(const ConfirmationInput&, const ConfirmationInput&) = default;
};

struct SavedAction {
    ActionOutcome outcome{};
    std::optional<ConfirmationInput> confirmation{};
    friend bool operator==(const SavedAction&, const SavedAction&) = default;
};

struct SavedLink {
    LinkTarget target{};
    OptText status{};
    friend bool operator==(const SavedLink&, const SavedLink&) = default;
};

/// Counters of engine-made ids; 0 = none made yet, else the number the next one gets.
struct NextIds {
    std::uint64_t item = 0, constraint = 0;
    friend bool operator==(const NextIds&, const NextIds&) = default;
};

/// A whole state as saved, not yet believed: `TaskState::restore` admits and validates it.
///
/// Source: docs/format.md, "taskstate.snapshot/1".
struct SnapshotInput {
    std::string id{}, profile{};
    Scope scope{};
    OptText association{};
    Revision revision{};
    OptText goal{};
    Lifecycle lifecycle{};
    OptText phase{};
    bool schema_locked = false;
    std::vector<SavedNote> notes{};
    std::vector<SavedItem> items{};
    std::vector<SavedSource> sources{};
    std::vector<SavedAction> actions{};
    std::optional<SavedLink> link{};
    NextIds next_ids{};
    Timestamp created_at{}, updated_at{}, last_progress_at{};
    friend bool operator==(const SnapshotInput&, const SnapshotInput&) = default;
};

/// Bounds of one task, inclusive.  They belong to the host's configuration and are never saved.
struct Limits {
    std::size_t entries_max = 100;  ///< notes and actions together
    std::size_t items_max = 500;
    std::size_t sources_max = 100;
    std::size_t tokens_max = 8'000;            ///< built-in estimate of all record lines
    std::size_t snapshot_bytes_max = 262'144;  ///< canonical bytes of the snapshot
    std::size_t input_bytes_max = 262'144;     ///< canonical bytes of one input
    friend bool operator==(const Limits&, const Limits&) = default;
};

}  // namespace taskstate::inline v0
