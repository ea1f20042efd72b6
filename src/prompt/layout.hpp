#pragma once
// Where the lines of entries stand in the text of a block.

#include <taskstate/prompt/block.hpp>

#include <cstddef>

namespace taskstate::inline v0 {

/// The places of a state's lines in `BlockText::lines`: the definition of each note, item and action, then what of an
/// item or action stands in a second line.  One that is not shown has no bytes.
class Layout {
 public:
    explicit Layout(const State& state)
        : notes_(state.notes.size()), items_(state.items.size()), actions_(state.actions.size()) {}

    [[nodiscard]] std::size_t size() const { return notes_ + 2 * (items_ + actions_); }
    [[nodiscard]] std::size_t first(EntryKind kind, std::size_t index) const {
        return kind == EntryKind::note ? index : kind == EntryKind::item ? notes_ + index : notes_ + items_ + index;
    }
    /// Of an item or action.
    [[nodiscard]] std::size_t second(EntryKind kind, std::size_t index) const {
        return first(kind, index) + items_ + actions_;
    }

 private:
    std::size_t notes_ = 0, items_ = 0, actions_ = 0;
};

}  // namespace taskstate::inline v0
