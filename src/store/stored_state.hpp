#pragma once
// States out of what a store holds of a task: the one of now, and those of its log.

#include <taskstate/store/store.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <string_view>

namespace taskstate::inline v0 {

inline constexpr std::size_t unbounded_size = std::numeric_limits<std::size_t>::max();
/// What was committed under other bounds stays readable.
inline constexpr Limits unbounded{.entries_max = unbounded_size,
                                  .items_max = unbounded_size,
                                  .sources_max = unbounded_size,
                                  .tokens_max = unbounded_size,
                                  .snapshot_bytes_max = unbounded_size,
                                  .input_bytes_max = unbounded_size};

/// A built-in profile, or one from the store.  Errors: `unknown_profile`.
[[nodiscard]] Result<std::shared_ptr<const Profile>> profile_of(Store& store, std::string_view id);

/// The state that was loaded, admitted and validated; its size is no matter, as bounds may have been lowered since.
///
/// Errors: `integrity_check_failed`, also where it is not the state that the head has the digest of.
[[nodiscard]] Result<Snapshot> state_of(const StoredTask& stored, const Profile& profile);

/// The state of a task at a revision that its log holds, rebuilt from there.
///
/// Errors: `out_of_range` for a revision that the log does not hold; `revision_gap`, `unreadable_record`,
///         `digest_mismatch` for a log that does not lead there.
/// Bounds: linear in the log up to there.
[[nodiscard]] Result<Snapshot> state_at(Store& store, const TaskHead& head, Revision revision);

}  // namespace taskstate::inline v0
