#pragma once
// What differs between the faces of the engine, as data.

#include <taskstate/model/input.hpp>

#include <span>
#include <string_view>

namespace taskstate::inline v0 {

/// What a note is unless it says otherwise.
struct NoteRules {
    bool gates_completion = false;
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
    BlockRules block{};
    Limits limits{};
};

/// A built-in profile; nullptr for a name that is none.
[[nodiscard]] const Profile* find_profile(std::string_view id) noexcept;

}  // namespace taskstate::inline v0
