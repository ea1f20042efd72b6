#pragma once
// Host commands: a line that a person types becomes one call of a task.

#include <taskstate/task/task_state.hpp>

#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// What a command did, and what to print.
///
/// Shape: `text` is safe for a terminal: stored text stands in it only as the block writes it.
/// Thread-safety: value.
struct CommandResult {
    Outcome outcome{};  ///< `accepted`, or `no_change`: also for the view
    Revision revision{};
    std::string text{};
};

/// Runs one line of a trusted person's terminal.  Text that a model made must never get here.
///
/// Shape:  a verb and its words; the empty line and `show` print the block.
///
///             add REVISION CATEGORY ID TEXT...
///             correct REVISION OLD_ID NEW_ID TEXT...
///             resolve REVISION NOTE
///             prune REVISION NOTE
///             resolve-prune REVISION NOTE
///             prune-action REVISION EXECUTION
///             confirm-prune REVISION EXECUTION STATUS PROOF...
///             show
///
///         Only the space separates words.  A quote, single or double, at the start of a word groups up to the next one
///         like it; a backslash takes the next character as it is.  The last words are joined by one space.  The verb
///         may be written in any case.  `correct` keeps the category; `confirm-prune` wants a terminal status, and its
///         proof becomes the label of the source, which goes with the action.  Other notes say "host command".
/// Errors: usage, with the line of grammar in the message: `unknown_call` for the verb; `missing_field`,
///         `out_of_range`, `not_an_integer`, `unknown_word` with the word's path (`/revision`, `/old_id`);
///         `unknown_field` with `/extra`; `missing_field` with `/quote` for a quote that nothing closes.
///         Otherwise those of the call, with its paths; a capacity failure names the commands that make room,
///         a conflict the current revision and `show`.
/// Thread-safety: as `TaskState`.
/// Source: docs/guide.md, "Host commands".
[[nodiscard]] Result<CommandResult> run_command(TaskState& task, std::string_view line);

}  // namespace taskstate::inline v0
