#pragma once
// The tasks and inputs that tests start from.

#include "support/catch.hpp"

#include <taskstate/engine/transaction.hpp>
#include <taskstate/task/task_state.hpp>

#include <memory>
#include <string>
#include <utility>

namespace taskstate::test {

/// A clock that stands until it is told otherwise.
class FixedClock : public Clock {
 public:
    explicit FixedClock(Timestamp now = {1'767'225'600'000}) : now_(now) {}
    Timestamp now() override { return now_; }
    void advance(std::int64_t ms) { now_.ms += ms; }

 private:
    Timestamp now_;
};

inline TaskOptions options() {
    return {.id = "delivery-42",
            .scope = {.tenant = "tenant-a", .owner = "host-user", .workspace = "deliveries"},
            .clock = std::make_shared<FixedClock>()};
}

inline TaskState open_task(const TaskOptions& chosen = options()) {
    auto task = TaskState::create(chosen);
    REQUIRE(task.has_value());
    return *std::move(task);
}

inline NoteInput note(std::string id, Category category = Category::constraint,
                      std::string text = "Spend at most 50 EUR.") {
    return {.id = std::move(id),
            .category = category,
            .text = std::move(text),
            .source = {.label = "User", .turn = "turn-1"}};
}
inline NoteInput constraint(std::string id) { return note(std::move(id)); }

inline ActionOutcome started(std::string execution) {
    return {.execution = std::move(execution),
            .tool = "submit",
            .status = ActionStatus::started,
            .completion = Completion::unknown,
            .started_at = Timestamp{1'767'225'600'000}};
}
inline ActionOutcome succeeded(std::string execution) {
    ActionOutcome outcome = started(std::move(execution));
    outcome.status = ActionStatus::succeeded;
    outcome.completion = Completion::settled;
    outcome.ended_at = Timestamp{1'767'225'601'250};
    return outcome;
}

inline ConfirmAction confirmed(std::string execution, Confirmed status = Confirmed::completed) {
    return {.execution = std::move(execution), .status = status, .source = {.label = "Remote status page"}};
}

/// Sends `delta` on the current revision and expects it to be accepted.
inline Snapshot accept(TaskState& task, const HostDelta& delta) {
    const auto done = task.update(delta, task.revision());
    if (!done) FAIL(word(done.error().reason) << " at " << done.error().path);
    REQUIRE(done->outcome == Outcome::accepted);
    return done->snapshot;
}

inline Rules notebook_rules() {
    const Profile& profile = *find_profile("notebook-v1");
    return {.profile = &profile, .limits = profile.limits, .text = TextPolicy::refuse};
}

/// The snapshot that `saved` describes, admitted but not validated.
inline Snapshot admitted(const SnapshotInput& saved) {
    auto state = admit(saved, notebook_rules());
    if (!state) FAIL(word(state.error().reason) << " at " << state.error().path);
    return Snapshot(*std::move(state));
}

}  // namespace taskstate::test
