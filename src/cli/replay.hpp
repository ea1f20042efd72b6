#pragma once
// Calls of the host API, one JSON line each, and their answers.

#include "cli/service_replay.hpp"

#include <taskstate/codec/call.hpp>
#include <taskstate/task/task_state.hpp>

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// The answer to one line: a JSON object, and whether it is what the line expects.
struct Answer {
    std::string json{};
    bool as_expected = true;  ///< true where the line expects nothing
};

/// A session of calls on tasks that it holds by handle, and on one service.
///
/// With a store, `create` opens what the store has, every commit is made there first, and the service is over it;
/// `open`, `restore` and `clear` are `journalled`.  The clock starts at 2026-01-01T00:00:00.000Z and moves by `advance_clock` alone; nobody is signed in before
/// `set_owner`; no secret is used.  A line that is refused or malformed is answered, and the next one goes on.
/// Bounds: a line has at most `call_bytes_max` bytes; the last 32 revisions of a task are kept for `changes`.
/// Thread-safety: confined.
/// Source: docs/replay.md.
class Replay {
 public:
    explicit Replay(std::shared_ptr<Store> store = nullptr);
    ~Replay();
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    /// Makes the call.  A malformed line is answered with its reason and its number.
    [[nodiscard]] Answer answer(std::string_view line, std::size_t number);
    /// The answer to a line that is too long to be kept.
    [[nodiscard]] Answer answer_oversized(std::size_t line_bytes, std::size_t number) const;

 private:
    class SessionClock;
    class SessionOwner;
    class Dispatch;
    struct Task {
        TaskState state;
        TextPolicy text{};
        std::deque<Snapshot> history{};
        std::optional<Block> prepared{};
        std::optional<Refresh> ticket{};
    };

    [[nodiscard]] Result<Call> decode(std::string_view line) const;
    /// To a line that is no call on a task by handle.
    [[nodiscard]] std::string answer_of_service(const Call& call, std::string_view line, std::size_t number);
    [[nodiscard]] std::string perform(const std::string& handle, const CallArguments& arguments);
    // Calls that need no task of this handle, or make it; all others are made by Dispatch.
    [[nodiscard]] std::string run(const std::string& handle, const CreateCall& call);
    [[nodiscard]] std::string run(const std::string& handle, const OpenCall& call);
    [[nodiscard]] std::string run(const std::string& handle, const AdvanceClockCall& call);
    [[nodiscard]] std::string run(const std::string& handle, const SetOwnerCall& call);
    [[nodiscard]] TaskOptions equip(TaskOptions options) const;
    [[nodiscard]] std::string keep(const std::string& handle, TextPolicy text, TaskState state);

    std::shared_ptr<SessionClock> clock_;
    std::shared_ptr<SessionOwner> owner_;
    std::shared_ptr<Store> store_;  // none: tasks are kept nowhere
    std::map<std::string, Task, std::less<>> tasks_;
    ServiceReplay services_;
};

}  // namespace taskstate::inline v0
