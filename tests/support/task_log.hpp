#pragma once
// A task with its log, made by the engine alone.

#include "support/builders.hpp"

#include <taskstate/engine/changes.hpp>
#include <taskstate/engine/history.hpp>
#include <taskstate/engine/lifecycle.hpp>
#include <taskstate/store/store.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace taskstate::test {

/// Everything that a store would hold of one task of the profile `general-v1`.
class TaskLog {
 public:
    TaskLog() {
        Identity identity{.id = "delivery-42",
                          .profile = profile().id,
                          .scope = {.owner = "host-user", .workspace = "deliveries"},
                          .goal = "Ship the order",
                          .created_at = now_};
        State state{.identity = std::make_shared<const Identity>(std::move(identity)),
                    .phase = profile().phases.phases.front(),
                    .updated_at = now_,
                    .last_progress_at = now_};
        head_ = Snapshot(std::move(state));
        stored_.head = {.identity = *head_.state().identity, .expiry = {.no_progress_ms = 3'600'000}};
    }

    static const Profile& profile() { return *find_profile("general-v1"); }

    void wait(std::int64_t ms) { now_.ms += ms; }
    void update(const HostDelta& delta) {
        const Rules rules = rules_now();
        const auto transaction = admit(delta, head_.revision(), rules);
        REQUIRE(transaction.has_value());
        append(apply(head_, *transaction, rules, now_), "typed_delta");
    }
    void lifecycle(Lifecycle to) {
        const LifecycleChange change{.to = to,
                                     .base = head_.revision(),
                                     .actor = {.role = Role::operator_, .name = "olga"},
                                     .reason = "asked for"};
        append(change_lifecycle(head_, change, rules_now(), now_), "lifecycle_" + std::string(word(to)));
    }

    std::vector<RevisionRecord> records{};
    [[nodiscard]] StoredTask& stored() { return stored_; }
    [[nodiscard]] const Snapshot& head() const& { return head_; }

 private:
    static Rules rules_now() { return {.profile = &profile(), .limits = profile().limits, .text = TextPolicy::refuse}; }

    void append(Decision decision, std::string method) {
        if (decision.outcome != Outcome::accepted) FAIL(word(decision.error.reason) << " at " << decision.error.path);
        const Snapshot& after = decision.snapshot;
        records.push_back({.frame = frame_of(after.state()),
                           .state_digest = after.state_digest(),
                           .semantic_digest = after.semantic_digest(),
                           .changes = changes(head_, after),
                           .origin = {.actor = {.role = Role::operator_, .name = "olga"}, .method = std::move(method)},
                           .lineage = lineage(head_, after, Assurance::operator_confirmed),
                           .progressed = decision.progressed});
        TaskHead& head = stored_.head;
        head.pause = advance(head.pause, head_, after, decision.progressed);
        head.frame = records.back().frame;
        head.state_digest = after.state_digest();
        head.due_at.reset();
        if (!is_terminal(after.lifecycle())) {
            head.due_at = due_at(head.expiry, after.created_at(), after.last_progress_at(), head.pause);
        }
        stored_.snapshot = to_input(after);
        head_ = after;
    }

    Timestamp now_{1'767'225'600'000};
    Snapshot head_{};
    StoredTask stored_{};
};

}  // namespace taskstate::test
