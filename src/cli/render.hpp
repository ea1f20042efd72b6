#pragma once
// The block of a saved snapshot.

#include <taskstate/prompt/block.hpp>

#include <cstddef>
#include <string_view>

namespace taskstate::inline v0 {

/// The most bytes of a document that `render` reads; what a task may hold is for its host to say.
inline constexpr std::size_t document_bytes_max = 64 * 1024 * 1024;

/// The block of the snapshot in `document`, a `taskstate.snapshot/1` or a `taskstate.file/1`.
///
/// The state is admitted and validated as `TaskState::open` does it; the key is the one of a host without a secret.
/// Errors: those of decoding, opening and rendering.
[[nodiscard]] Result<Block> render_document(std::string_view document, const PromptOptions& options);

}  // namespace taskstate::inline v0
