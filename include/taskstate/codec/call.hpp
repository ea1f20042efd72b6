#pragma once
// One line of `taskstate replay`: a call of the host API as JSON.

#include <taskstate/codec/json.hpp>
#include <taskstate/model/input.hpp>
#include <taskstate/prompt/message.hpp>
#include <taskstate/task/task_state.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace taskstate::inline v0 {

/// The calls, each with the arguments that the line must give; names are the API's own.
///
/// Thread-safety: value.
/// Source: docs/replay.md.
struct CreateCall {
    TaskOptions options{};  ///< `id scope association? goal? profile? limits? link? text?`, at the top of the line
};
struct OpenCall {
    TaskOptions options{};
    SnapshotInput snapshot{};
};
struct UpdateCall {
    Revision expected{};
    HostDelta delta{};
};
struct ProposeCall {
    Revision expected{};
    std::vector<NoteInput> notes{};
};
struct AssumeCall {
    Revision expected{};
    std::vector<NoteInput> notes{};
};
struct RecordActionCall {
    Revision expected{};
    ActionOutcome action{};
};
struct ConfirmActionCall {
    Revision expected{};
    ConfirmAction confirmation{};
};
struct PruneCall {
    Revision expected{};
    Prune targets{};  ///< `notes? actions?`, at the top of the line
};
struct SyncLinkCall {
    Revision expected{};
    LinkStatus link{};
};
struct BeginRefreshCall {
    Revision expected{};
    std::string principal{};
};
struct CommitRefreshCall {
    LinkedTask seen{};
};
struct RebaseCall {
    HostDelta delta{};
    Revision from{};
};
struct SnapshotCall {};
struct RevisionCall {};
struct GenerationCall {};
struct PromptCall {
    std::optional<std::uint64_t> bytes_max{}, tokens_max{};
    std::vector<std::string> spellings{};
};
struct PreambleCall {};
/// A message of the line has `role` and either `parts` (texts) or `content` (one text).
struct AttachCall {
    std::vector<Message> messages{};
};
/// Verifies the last block that `prompt` gave for this task.
struct VerifyDispatchCall {
    std::vector<Message> messages{};
    DispatchRules rules{};  ///< `user_role_allowed? old_blocks_allowed?`, at the top of the line
};
struct VerifyRequestCall {
    RequestKind kind{};
    std::string body{};  ///< `body` as JSON text: a string is taken as the text itself, any other value is written out
    DispatchRules rules{};
};
struct RestoreCall {
    SnapshotInput snapshot{};
};
struct ClearCall {};
struct DestroyCall {};
struct AdvanceClockCall {
    std::uint64_t ms = 0;
};
/// What a reader of revision `since` must learn.
struct ChangesCall {
    Revision since{};
};
/// The record lines of one entry.
struct RecordCall {
    EntryKind kind{};
    std::string id{};
};
/// A host command as a person types it.
struct CommandCall {
    std::string line{};
};
/// Who is signed in from now on; `null` in the line = nobody is set.
struct SetOwnerCall {
    OptText owner{};
};

using CallArguments = std::variant<CreateCall, OpenCall, UpdateCall, ProposeCall, AssumeCall, RecordActionCall,
                                   ConfirmActionCall, PruneCall, SyncLinkCall, BeginRefreshCall, CommitRefreshCall,
                                   RebaseCall, SnapshotCall, RevisionCall, GenerationCall, PromptCall, PreambleCall,
                                   AttachCall, VerifyDispatchCall, VerifyRequestCall, RestoreCall, ClearCall,
                                   DestroyCall, AdvanceClockCall, ChangesCall, RecordCall, CommandCall, SetOwnerCall>;

/// One line, read.
///
/// Shape: `arguments` holds why the call is refused when its name or its arguments are wrong; what the line expects is
///        known even then.
/// Thread-safety: value.
struct Call {
    std::string task{};  ///< the handle; "" where the line names none
    OptText expect{};    ///< a JSON object in canonical form
    Result<CallArguments> arguments;
};

/// The most bytes that one line may have.
inline constexpr std::size_t call_bytes_max = 16 * 1024 * 1024;

/// Reads one line.
///
/// Bounds: `call_bytes_max` bytes, depth 32; what a task allows is judged by the call itself.
/// Errors: of the result: the line is no JSON object, or its `task` or `expect` has the wrong type; of `arguments`:
///         `unknown_call` at `/call`, and the shape reasons with a JSON pointer into the line.
/// Thread-safety: pure.
[[nodiscard]] Result<Call> decode_call(std::string_view line, TextPolicy policy = TextPolicy::refuse);

/// Whether every key of `expect` stands in `answer` with an equal value.  Both are JSON objects.
///
/// Shape: values are compared, not spellings; an object or array inside must be equal as a whole.
/// Errors: as `decode_call` for text that is no JSON object.
/// Thread-safety: pure.
[[nodiscard]] Result<bool> matches(std::string_view answer, std::string_view expect);

}  // namespace taskstate::inline v0
