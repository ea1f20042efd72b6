#pragma once
// The renderer, for those who keep blocks or count its work.

#include <taskstate/prompt/block.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// A block and how it was asked for.
struct KeptBlock {
    PromptOptions options{};
    Block block;
};

/// Writes the block of `snapshot` into `out`, whose old content is forgotten and whose room is used again.
///
/// Lines that stand in `before` already, a block of an earlier state under the same key, are copied from there; the
/// text is the same without it.
/// Errors, bounds: those of `render`.
[[nodiscard]] Result<void> render_text(BlockText& out, const Snapshot& snapshot, const Profile& profile,
                                       std::string_view key, const PromptOptions& options,
                                       const KeptBlock* before = nullptr);

/// `render`, with the block before.
[[nodiscard]] Result<Block> render(const Snapshot& snapshot, const Profile& profile, std::string_view key,
                                   const PromptOptions& options, Generation generation,
                                   std::vector<std::string> retired_keys, const KeptBlock* before);

}  // namespace taskstate::inline v0
