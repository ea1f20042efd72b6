#pragma once
// JSON text to and from the library's values.

#include <taskstate/base/text.hpp>
#include <taskstate/model/input.hpp>
#include <taskstate/model/snapshot.hpp>
#include <taskstate/prompt/block.hpp>
#include <taskstate/task/task_state.hpp>

#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// `taskstate.snapshot/1` in canonical form (RFC 8785).
[[nodiscard]] std::string encode(const Snapshot& snapshot);
/// `taskstate.delta/1` in canonical form, with its format.
[[nodiscard]] std::string encode(const HostDelta& delta);

/// A snapshot as it stands in `json`; admission and validation come with `TaskState::restore`.
///
/// Bounds: at most `limits.snapshot_bytes_max` bytes and depth 32, checked before anything is parsed.
/// Errors: the shape reasons of docs/errors.md with a JSON pointer; `newer_format`; `snapshot_bytes_exceeded`; `invalid_utf8`.
[[nodiscard]] Result<SnapshotInput> decode_snapshot(std::string_view json, const Limits& limits = {},
                                                    TextPolicy policy = TextPolicy::refuse);

/// A delta; `format` may be absent.  Bounds by `limits.input_bytes_max`; errors as `decode_snapshot`, and `input_bytes_exceeded`.
[[nodiscard]] Result<HostDelta> decode_delta(std::string_view json, const Limits& limits = {},
                                             TextPolicy policy = TextPolicy::refuse);

/// Item content: one JSON object, in canonical form.
///
/// Bounds: at most 16 KiB of canonical bytes, depth at most 8.
/// Errors: `bad_content`, and the shape reasons.
[[nodiscard]] Result<Content> parse_content(std::string_view json);

/// Which provider's request body `verify_request` reads.
enum class RequestKind : std::uint8_t { openai_chat, anthropic_messages };

/// `TaskState::verify_dispatch` over the JSON body of the final request.
///
/// Errors: `request_unreadable` for a body that is not such a request; otherwise those of `verify_dispatch`.
[[nodiscard]] Result<void> verify_request(const TaskState& task, const Block& block, RequestKind kind, std::string_view body,
                                          const DispatchRules& rules = {});

}  // namespace taskstate::inline v0
