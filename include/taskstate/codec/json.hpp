#pragma once
// JSON text to and from the library's values.

#include <taskstate/base/text.hpp>
#include <taskstate/engine/proposal.hpp>
#include <taskstate/model/input.hpp>
#include <taskstate/model/profile.hpp>
#include <taskstate/model/snapshot.hpp>
#include <taskstate/prompt/block.hpp>
#include <taskstate/task/task_state.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// `taskstate.snapshot/1` in canonical form (RFC 8785).
[[nodiscard]] std::string encode(const Snapshot& snapshot);
/// `taskstate.delta/1` in canonical form, with its format.
[[nodiscard]] std::string encode(const HostDelta& delta);
/// `taskstate.proposal/1` in canonical form, with its format.
[[nodiscard]] std::string encode(const ProposalInput& proposal);
/// `taskstate.profile/1` in canonical form: what has its default is absent.
[[nodiscard]] std::string encode(const Profile& profile);

/// A snapshot as it stands in `json`; admission and validation come with `TaskState::restore`.
///
/// Under `TextPolicy::replace` each lone surrogate escape and each maximal ill-formed subpart becomes one U+FFFD.
/// Bounds: at most `limits.snapshot_bytes_max` bytes of text, white space included, and depth 32, checked before
///         anything is built.
/// Errors: the shape reasons of docs/errors.md with a JSON pointer; `newer_format`; `snapshot_bytes_exceeded`;
///         `invalid_utf8`; `bad_time`; `bad_content`; `blank` for an empty part of a scope.
/// Thread-safety: pure.
[[nodiscard]] Result<SnapshotInput> decode_snapshot(std::string_view json, const Limits& limits = {},
                                                    TextPolicy policy = TextPolicy::refuse);

/// A delta; `format` may be absent, and `error` of an outcome is dropped.
///
/// Bounds by `limits.input_bytes_max`; errors as `decode_snapshot`, but `input_bytes_exceeded`.
/// Thread-safety: pure.
[[nodiscard]] Result<HostDelta> decode_delta(std::string_view json, const Limits& limits = {},
                                             TextPolicy policy = TextPolicy::refuse);

/// A proposal; `format` may be absent.  Who is allowed what is judged where it is submitted.
///
/// Bounds by `limits.input_bytes_max`; errors as `decode_snapshot`, but `input_bytes_exceeded`; `unknown_word` for an
/// operation that there is not.
/// Thread-safety: pure.
[[nodiscard]] Result<ProposalInput> decode_proposal(std::string_view json, const Limits& limits = {},
                                                    TextPolicy policy = TextPolicy::refuse);

/// A profile as it stands in `json`; `format` may be absent.  Whether it makes sense is for `check_profile` to say.
///
/// Bounds: 262,144 bytes.
/// Errors: as `decode_delta`; `blank` for an empty description; `invalid_profile` for a status that stands twice in a
///         set.
/// Thread-safety: pure.
[[nodiscard]] Result<Profile> decode_profile(std::string_view json);

/// Item content: one JSON object, in canonical form.
///
/// Bounds: at most 16 KiB of canonical bytes, depth at most 8.
/// Errors: `bad_content` for too many bytes; `too_deep`; `out_of_range` for a number beyond every double or an
///         integer beyond 2^53 − 1; the other shape reasons; what `clean_text` refuses, in keys and strings.
/// Thread-safety: pure.
[[nodiscard]] Result<Content> parse_content(std::string_view json);

/// Which provider's request body `verify_request` reads.
enum class RequestKind : std::uint8_t { openai_chat, anthropic_messages };
template <>
struct Words<RequestKind> {
    static constexpr std::array<std::string_view, 2> list{"openai_chat", "anthropic_messages"};
};

/// `TaskState::verify_dispatch` over the JSON body of the final request.
///
/// Shape: texts are those of `messages[].content`, and of an `anthropic_messages` body also `system`, in that role.  No
///        other string of a message is a place for the block: tool results, arguments of tool calls, documents.  What
///        else stands in the body is not read.
/// Errors: `request_unreadable` for a body that is not such a request; otherwise those of `verify_dispatch`, with the
///         pointer of the text inside the body.
/// Bounds: linear in the body; depth 128.
/// Thread-safety: shared.
[[nodiscard]] Result<void> verify_request(const TaskState& task, const Block& block, RequestKind kind,
                                          std::string_view body, const DispatchRules& rules = {});

}  // namespace taskstate::inline v0
