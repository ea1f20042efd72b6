#pragma once
// What differs between the faces of the engine, as data.

#include <taskstate/model/input.hpp>

#include <array>
#include <span>
#include <string_view>

namespace taskstate::inline v0 {

/// What a note is unless it says otherwise.
struct NoteRules {
    bool constraints_gate = false;  ///< whether a constraint of the host gates completion
};

/// A set of item statuses.
///
/// Thread-safety: value.
class StatusSet {
 public:
    template <class... Statuses>
    constexpr explicit StatusSet(Statuses... statuses) : bits_((0u | ... | bit(statuses))) {}
    [[nodiscard]] constexpr bool contains(ItemStatus status) const noexcept { return (bits_ & bit(status)) != 0; }

 private:
    static constexpr unsigned bit(ItemStatus status) noexcept { return 1u << static_cast<unsigned>(status); }
    unsigned bits_ = 0;
};

/// How items of such a task may move.
struct ItemRules {
    std::array<StatusSet, Words<ItemStatus>::list.size()> next;  ///< by status: what may follow it, besides itself
    std::span<const std::string_view> required_kinds{};          ///< each needs an item, and all of them settled
};

/// The way of such a task through its phases.
///
/// Shape: the first phase is the one of a new task, the last its end; none = the task has no phases.
struct PhaseRules {
    struct Edge {
        std::string_view from{}, to{};
    };
    std::span<const std::string_view> phases{};
    std::span<const Edge> edges{};
    std::span<const std::string_view> extension{};  ///< where items may be added; none = everywhere
};

/// How the block of such a task looks.
struct BlockRules {
    bool shown_when_empty = true;                    ///< whether a task without content renders its fence
    std::span<const std::string_view> drop_order{};  ///< what may be left out, first first; names of docs/block.md
};

/// One named set of rules.
///
/// Thread-safety: value; the built-in ones live for ever.
/// Source: docs/guide.md, "Profiles".
struct Profile {
    std::string_view id{};
    NoteRules notes{};
    ItemRules items;
    PhaseRules phases{};
    BlockRules block{};
    Limits limits{};
};

/// A built-in profile; nullptr for a name that is none.
[[nodiscard]] const Profile* find_profile(std::string_view id) noexcept;

}  // namespace taskstate::inline v0
