#pragma once
// What a preparation may show, and how the same block is known again.

#include <taskstate/prompt/block.hpp>
#include <taskstate/store/records.hpp>

#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// Whether a task takes part in anything new: it is open, and its time is not over.
[[nodiscard]] bool is_eligible(const TaskHead& head, Timestamp now);

/// Under what a host may keep a prepared block: equal for equal bytes, whichever delivery they were for.
///
/// Shape: `sha256:` and 64 hex digits, over scope, task, revision, profile, format, the key of the first secret, both
///        budgets, the counter's name and the control spellings.
/// Thread-safety: pure.
[[nodiscard]] std::string context_key(const Snapshot& snapshot, std::string_view block_key,
                                      const PromptOptions& options);

}  // namespace taskstate::inline v0
