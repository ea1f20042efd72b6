#pragma once
// What is the same for two deliveries of one block.

#include <taskstate/prompt/block.hpp>

#include <span>
#include <string>

namespace taskstate::inline v0 {

/// Under what a host may keep a prepared block: equal for equal bytes, whichever delivery they were for.
///
/// Shape: `sha256:` and 64 hex digits, over scope, task, revision, profile, format, the key of the first secret, both
///        budgets, the counter's name and the control spellings.
/// Thread-safety: pure.
[[nodiscard]] std::string context_key(const Snapshot& snapshot, std::string_view block_key,
                                      const PromptOptions& options);

}  // namespace taskstate::inline v0
