#pragma once
// What a block shows of a snapshot: everything, or what a budget leaves of it.

#include <taskstate/prompt/block.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

struct Sums {
    std::uint64_t bytes = 0, tokens = 0;
    void add(const Sums& other) {
        bytes += other.bytes;
        tokens += other.tokens;
    }
    void subtract(const Sums& other) {
        bytes -= other.bytes;
        tokens -= other.tokens;
    }
};

/// What is left out.
struct Plan {
    std::array<bool, Words<Drop>::list.size()> dropped{};
    std::array<std::vector<bool>, Words<EntryKind>::list.size()> gone{};  ///< by kind and index; empty: none

    [[nodiscard]] bool drops(Drop drop) const { return dropped[static_cast<std::size_t>(drop)]; }
    [[nodiscard]] bool shows(EntryKind kind, std::size_t index) const {
        const std::vector<bool>& list = gone[static_cast<std::size_t>(kind)];
        return list.empty() || !list[index];
    }
    /// Drop names in library order.
    [[nodiscard]] std::vector<std::string_view> omitted() const;
};

/// How the tokens of a block are counted, and in which spelling it is written.
class Scale {
 public:
    explicit Scale(const PromptOptions& options) : counter_(options.counter.get()) {
        if (options.spellings) spellings_ = options.spellings->list();
    }
    [[nodiscard]] Spellings spellings() const { return spellings_; }
    /// Whether the entries' own numbers hold, so that no line has to be written to be measured.
    [[nodiscard]] bool by_numbers() const { return counter_ == nullptr && spellings_.empty(); }
    /// Bytes and tokens of whole lines.
    [[nodiscard]] Sums of(std::string_view lines) const;

 private:
    TokenCounter* counter_ = nullptr;
    Spellings spellings_{};
};

[[nodiscard]] bool fits(const Sums& sums, const PromptOptions& options);

/// Leaves out as little as the budget asks for, in this order.
///
/// `sums` are those of the whole block and become those of what is left; nothing is rendered, what a drop takes away is
/// subtracted.  `whole` is the whole block where the entries' numbers do not hold, else empty.
/// Errors: `prompt_budget_exceeded` when the mandatory records do not fit.
[[nodiscard]] Result<Plan> plan_block(const Snapshot& snapshot, const PromptOptions& options,
                                      std::span<const Drop> order, const BlockText& whole, Sums& sums);

}  // namespace taskstate::inline v0
