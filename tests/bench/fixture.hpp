#pragma once
// The task and the titles that every workload is measured on; the same on every machine.

#include <taskstate/model/input.hpp>
#include <taskstate/task/task_state.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace taskstate::bench {

enum class Flavour { ascii, utf8, dirty };

[[nodiscard]] const char* name_of(Flavour flavour);

/// `F(n, flavour)`: a task of `n` notes, as saved.
///
/// Shape:  categories take turns; every 4th note is resolved, every 6th a proposal; text of 220–400 code points, a
///         label of 24–48; three notes share a turn.  Of notes n with n mod 9 = 8 those of the host supersede note n − 5, the
///         nearest one of their category, where that is an active note of the host; a superseded note is not resolved.
///         `dirty` text holds what admission refuses: open it under `TextPolicy::replace`.
/// Bounds: beyond the default limits from some 80 notes on.
[[nodiscard]] SnapshotInput saved_task(std::size_t n, Flavour flavour);

/// Its first `n` notes and, instead of the last `actions` of them, as many finished actions.
[[nodiscard]] SnapshotInput saved_task_with_actions(std::size_t n, std::size_t actions, Flavour flavour);

/// A task of 100 entries within the default limits: 90 notes no longer than titles are, and 10 actions.
[[nodiscard]] SnapshotInput short_notes();

/// `T(n, flavour)`: titles of 50–110 code points, of the same words.
[[nodiscard]] std::vector<std::string> titles(std::size_t n, Flavour flavour);

/// Limits that no fixture reaches.
[[nodiscard]] Limits wide_limits();

/// The task that `saved` describes, opened under `limits`.
[[nodiscard]] TaskOptions options_of(const SnapshotInput& saved, const Limits& limits = wide_limits());
[[nodiscard]] TaskState open_task(const SnapshotInput& saved, const Limits& limits = wide_limits());

/// The ids of the notes that can be resolved, in an order that jumps about.
[[nodiscard]] std::vector<std::string> resolvable(const SnapshotInput& saved);

/// A note like those of the fixture that none of them has.
[[nodiscard]] NoteInput further_note(std::size_t n);

}  // namespace taskstate::bench
