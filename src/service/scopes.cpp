#include "service/core.hpp"

#include "engine/field_checks.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace taskstate::inline v0 {
namespace {

Result<void> check_scope(const Scope& scope) {
    FieldChecks fields(TextPolicy::refuse);
    fields.inside("/scope", [&] { fields.scope(scope); });
    return fields.error() ? Result<void>(*std::move(fields.error())) : Result<void>();
}

}  // namespace

Result<void> TaskService::set_mode(const Scope& scope, ScopeMode mode) {
    if (auto sound = check_scope(scope); !sound) return sound;
    if (word(mode).empty()) return fail(Reason::unknown_word, "/mode");
    return core_->store().commit(std::array<Write, 1>{SetScopeMode{scope, mode}});
}

Result<ScopeMode> TaskService::mode(const Scope& scope) {
    if (auto sound = check_scope(scope); !sound) return std::move(sound).error();
    return core_->store().mode(scope);
}

namespace {

/// Expires one due task, where its scope is enabled; true if it is expired now.
Result<bool> expire_one(TaskService::Core& core, const TaskHead& head) {
    const auto mode = core.check_mode(head.identity.scope);
    if (!mode) return mode.error().reason == Reason::task_state_disabled ? Result<bool>(false) : mode.error();
    const auto after = core.evaluate(head, *mode);
    if (!after) return after.error();
    return after->frame.lifecycle == Lifecycle::expired && after->frame.revision > head.frame.revision;
}

}  // namespace

Result<std::vector<TaskAddress>> TaskService::expire_due(std::size_t limit) {
    const Timestamp now = core_->now();
    limit = std::clamp<std::size_t>(limit, 1, 1'000);
    std::vector<TaskAddress> expired, passed_over;
    std::optional<Error> failure;
    while (expired.size() < limit) {
        // What is passed over stays due, so the next look has to reach beyond it.
        const std::size_t wanted = passed_over.size() + limit - expired.size();
        const auto heads = core_->store().due(now, wanted);
        if (!heads) return heads.error();
        bool moved = false;
        for (const TaskHead& head : *heads) {
            if (std::find(passed_over.begin(), passed_over.end(), head.address()) != passed_over.end()) continue;
            moved = true;
            const auto done = expire_one(*core_, head);
            if (!done && !failure) failure = done.error();
            if (done && *done) {
                expired.push_back(head.address());
            } else {
                passed_over.push_back(head.address());
            }
        }
        if (!moved) break;
    }
    if (expired.empty() && failure) return *std::move(failure);
    return expired;
}

}  // namespace taskstate::inline v0
