#pragma once
// What holds of every task, every refusal and every line of input, whatever was given.

#include "fuzz/require.hpp"
#include "support/block_breach.hpp"

#include <taskstate/codec/json.hpp>
#include <taskstate/task/task_state.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::fuzz {

/// A clock that stands.
class StandingClock : public Clock {
 public:
    Timestamp now() override { return {1'767'225'600'000}; }
};

/// Limits that nothing small reaches.
inline constexpr Limits wide{.entries_max = 100'000,
                             .items_max = 100'000,
                             .sources_max = 100'000,
                             .tokens_max = 100'000'000,
                             .snapshot_bytes_max = 100'000'000,
                             .input_bytes_max = 100'000'000};

/// Options of a task that `saved` can be restored into.
inline TaskOptions options_of(const SnapshotInput& saved, TextPolicy policy = TextPolicy::refuse) {
    return {.id = saved.id,
            .scope = saved.scope,
            .association = saved.association,
            .goal = saved.goal,
            .profile = saved.profile,
            .limits = wide,
            .link = saved.link ? std::optional(saved.link->target) : std::nullopt,
            .text = policy,
            .clock = std::make_shared<StandingClock>()};
}

/// Nothing in `text` can be taken for a control.
inline void check_harmless(std::string_view text) {
    const auto control = [](char c) { return (c >= '\0' && c < ' ' && c != '\n') || c == '\x7F'; };
    require(std::none_of(text.begin(), text.end(), control), "no control character is left in an output");
    require(clean_text(text, TextPolicy::refuse).has_value(), "an output is text as it may be stored");
    for (const std::string_view spelling : test::forbidden_spellings) {
        require(text.find(spelling) == std::string_view::npos, "no control spelling is left in an output");
    }
}

/// A refusal has a reason, a JSON pointer and a harmless message of one line.
inline void check_refusal(const Error& error) {
    require(!word(error.reason).empty() && !word(error.code()).empty(), "a refusal has a reason of the closed table");
    require(error.path.empty() || error.path.front() == '/', "the path of a refusal is a JSON pointer");
    for (std::size_t i = 0; i < error.path.size(); ++i) {
        if (error.path[i] != '~') continue;
        const char next = i + 1 < error.path.size() ? error.path[i + 1] : '\0';
        require(next == '0' || next == '1', "the path of a refusal is a JSON pointer");
    }
    require(!error.message.empty() && error.message.find('\n') == std::string::npos, "a message is one line");
    check_harmless(error.message);
}

/// Each line of `lines` ends with a line feed, reads as a record and is harmless.
inline void check_records(std::string_view lines) {
    check_harmless(lines);
    require(lines.empty() || lines.ends_with('\n'), "each record ends its line");
    if (lines.empty()) return;
    for (const std::string_view line : test::lines_of(lines.substr(0, lines.size() - 1))) {
        require(test::read_record(line).has_value(), "each line is a record");
    }
}

/// The state is read back from its canonical form as the same state, and its block says what it is.
inline void check_task(const TaskState& task) {
    const auto head = task.snapshot();
    require(head.has_value(), "a task has a head");
    const std::string text = encode(*head);
    require(snapshot_bytes(head->state()) == text.size(), "the size of a snapshot is that of its canonical form");
    const auto saved = decode_snapshot(text, wide);
    require(saved.has_value(), "what is encoded can be decoded");
    require(*saved == to_input(*head), "decoding what was encoded gives what was saved");
    const auto again = TaskState::open(options_of(*saved), *saved);
    require(again.has_value(), "what is saved can be restored");
    const auto restored = again->snapshot();
    require(restored && encode(*restored) == text, "encoding what was restored gives the same bytes");
    require(restored->state_digest() == head->state_digest(), "a restored state has the same digest");
    require(*restored == *head, "a restored state is equal");

    const auto block = task.prompt();
    require(block.has_value(), "without a budget every state has its block");
    const std::string breach = test::block_breach(*head, *block);
    require(breach.empty(), breach.c_str());
    const auto other = again->prompt();
    require(other && other->text() == block->text(), "equal states give equal blocks");
}

/// What holds after any call on a task whose head was `before`.
inline void check_step(const TaskState& task, const Snapshot& before, const Result<Commit>& done) {
    const auto head = task.snapshot();
    require(head.has_value(), "a task has a head");
    if (!done) {
        check_refusal(done.error());
        require(head->same_object(before), "a refusal changes nothing");
        return;
    }
    require(head->same_object(done->snapshot), "a commit gives the head");
    if (done->outcome == Outcome::no_change) {
        require(head->same_object(before), "no change keeps the head");
        return;
    }
    require(done->outcome == Outcome::accepted, "a commit is accepted or no change");
    require(head->revision().number == before.revision().number + 1, "an accepted call moves the revision by one");
    check_records(render_changes(before, *head));
    check_task(task);
}

/// The first lines of `bytes`.
inline std::vector<std::string_view> first_lines(std::string_view bytes, std::size_t count_max) {
    auto lines = test::lines_of(bytes);
    if (lines.size() > count_max) lines.resize(count_max);
    return lines;
}

}  // namespace taskstate::fuzz
