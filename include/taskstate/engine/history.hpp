#pragma once
// What a log keeps of a commit, and how a state comes out of it again.

#include <taskstate/engine/changes.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace taskstate::inline v0 {

/// All of a state that is neither its identity nor an entry.
struct Frame {
    Revision revision{};
    Lifecycle lifecycle{};
    OptText phase{};
    bool schema_locked = false;
    std::optional<SavedLink> link{};
    NextIds next_ids{};
    Timestamp updated_at{}, last_progress_at{};
    friend bool operator==(const Frame&, const Frame&) = default;
};
[[nodiscard]] Frame frame_of(const State& state);

/// `before` with the entry changes and the frame of the next revision; no rule is run.
///
/// Errors: `revision_gap` for the frame of another revision than the next one; `unreadable_record` where a change does
///         not fit the state: nothing to erase, an entry that would come to stand elsewhere than at its ordinal.
/// Bounds: linear in the changes, and in the entries behind the first that is erased.
/// Thread-safety: pure.
[[nodiscard]] Result<State> replay(State before, const Frame& frame, std::span<const EntryChange> changes);

/// What a value is that somebody asks the origin of.
enum class TargetKind : std::uint8_t {
    task,
    field,
    note,
    item,
    status,
    source,
    action,
    transition,
    lifecycle,
    delivery,
};
template <>
struct Words<TargetKind> {
    static constexpr std::array<std::string_view, 10> list{"task",   "field",  "note",       "item",      "status",
                                                           "source", "action", "transition", "lifecycle", "delivery"};
};

/// One value that a commit gave, and the revision whose value it replaced.
///
/// Shape: id of a field: `phase`, `schema_locked`, `link`; of a status: the item's; of a lifecycle: the word; of a
///        transition: the decision's.  `supersedes` is the revision before, where it had such a value.
struct Lineage {
    TargetKind kind{};
    std::string id{};
    std::optional<Revision> supersedes{};
    Assurance assurance{};
    friend bool operator==(const Lineage&, const Lineage&) = default;
};

/// Every value that differs between two states, in the order field, note, item, status, source, action, lifecycle.
///
/// Shape: a new status takes the item's reason, evidence and assurance along.  A line of an item or its status gets the
///        item's assurance where the commit raised it above `assurance`; the rest get `assurance`.  What was pruned gave
///        nothing and has no line.
/// Bounds: costs what changed.
/// Thread-safety: pure.
[[nodiscard]] std::vector<Lineage> lineage(const Snapshot& before, const Snapshot& after, Assurance assurance);

}  // namespace taskstate::inline v0
