#pragma once
// What a state costs in a prompt, as a block and as JSON: tokens, and how much of a provider's cache survives a change.

#include <taskstate/model/snapshot.hpp>

#include <cstddef>
#include <string>

namespace taskstate::bench {

/// One figure for each form that a host might show.
struct Forms {
    double block = 0, compact = 0, indented = 0;
};

/// The means over the states that one task went through.
class Economy {
 public:
    /// The next state that a prompt would show.
    void see(const Snapshot& state);

    /// Units: tokens of one prompt, by the built-in estimate.
    [[nodiscard]] Forms tokens() const;
    /// The share of the text before that the text after a change begins with.
    [[nodiscard]] Forms kept() const;

 private:
    struct Texts {
        std::string block{}, compact{}, indented{};
    };
    Texts last_{};
    Forms tokens_{}, kept_{};
    std::size_t states_ = 0;
};

/// What happens to one entry, drawn at random, in each of the rounds.
enum class Event {
    confirm,  ///< the host says that an action stands elsewhere now
    settle,   ///< the outcome of a started action arrives
    resolve,  ///< a note is resolved
    move,     ///< an item comes to stand elsewhere
};

/// The task of `short_notes` over so many random events; with 50 items beside its entries where they move.
[[nodiscard]] Economy random_events(Event event, std::size_t rounds);

}  // namespace taskstate::bench
