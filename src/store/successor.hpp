#pragma once
// What a store is told of an accepted step.

#include <taskstate/store/store.hpp>

#include <optional>
#include <string>

namespace taskstate::inline v0 {

/// From one state to the next, and who brought it about.
struct Succession {
    const TaskHead& head;  ///< the row of `before`
    const Snapshot& before;
    const Snapshot& after;
    bool progressed = false;
    Origin origin{};
    std::optional<Lineage> whole{};  ///< of the step itself: the transition, or the task that begins
    Assurance values{};              ///< how strongly the values that it gave are vouched for
};

/// A task before anything of it, from which its log begins: at revision 0, or at the one before a base.
[[nodiscard]] Snapshot nothing_of(const Identity& identity, Revision before = {});

/// The lineage of a decision's transition.
[[nodiscard]] Lineage transition_of(std::string decision, const Snapshot& before, Assurance assurance);

/// The row after it: a pause begins or ends, and the task may be due at another time.
[[nodiscard]] TaskHead next_head(const Succession& step);

/// The revision that it adds to the log, with the lineage of every value that it gave and of the step itself.
[[nodiscard]] RevisionRecord next_revision(const Succession& step);

}  // namespace taskstate::inline v0
