#pragma once
// What lies between two states, entry by entry.

#include <taskstate/base/result.hpp>
#include <taskstate/model/snapshot.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace taskstate::inline v0 {

/// One entry that was put or erased.
///
/// Shape: `entry` is empty where the entry is gone; `ordinal` is its place in the admission order of its kind, in the
///        later state when put, in the earlier one when erased.
struct EntryChange {
    EntryKind kind{};
    std::string id{};
    std::size_t ordinal = 0;
    Shared<const Entry> entry{};

    /// Whether both say the same, be it by the same entry or by an equal one.
    friend bool operator==(const EntryChange& a, const EntryChange& b) noexcept {
        if (a.kind != b.kind || a.id != b.id || a.ordinal != b.ordinal) return false;
        return a.entry == b.entry || (a.entry.get() != nullptr && b.entry.get() != nullptr && *a.entry == *b.entry);
    }
};

/// What turns the lists of `before` into those of `after`: erase first, then put in order.
///
/// Bounds: shared chunks are skipped, so it costs what changed.
/// Thread-safety: pure.
[[nodiscard]] std::vector<EntryChange> changes(const Snapshot& before, const Snapshot& after);

/// The ids that one commit touched.
struct Touched {
    std::vector<std::string> notes{}, items{}, sources{}, actions{};
    bool phase = false, schema = false, link = false;
};
[[nodiscard]] Touched touched(const Snapshot& before, const Snapshot& after);

/// Whether `delta` names nothing that `touched` holds.
///
/// Errors: `rebase_touches_changes` with the path of the first such name.
/// Thread-safety: pure.
[[nodiscard]] Result<void> check_untouched(const HostDelta& delta, const Touched& touched);

}  // namespace taskstate::inline v0
