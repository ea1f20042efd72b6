// Which conversation drives which task: recorded by people, looked up by calls, never guessed.

#include "service/core.hpp"
#include "service/delivery.hpp"
#include "service/resolution.hpp"

#include <taskstate/engine/governance.hpp>

#include "engine/field_checks.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace taskstate::inline v0 {
namespace {

/// Whether somebody who is known may say which conversation drives a task: who may steer a task by himself.
Result<void> check_binder(const Actor& actor, OptText& reason, TextPolicy policy) {
    FieldChecks fields(policy);
    fields.actor(actor);
    fields.text("/reason", reason, reason_max);
    if (auto& wrong = fields.error()) return *std::move(wrong);
    auto may = check_capability(actor.role, Capability::change_lifecycle);
    return may ? may : under("/actor/role", std::move(may).error());
}

std::optional<Timestamp> end_of(Timestamp begin, const Profile& profile) {
    if (!profile.binding_lifetime_ms) return std::nullopt;
    const auto left = static_cast<std::uint64_t>(timestamp_max.ms - begin.ms);
    return Timestamp{begin.ms + static_cast<std::int64_t>(std::min(*profile.binding_lifetime_ms, left))};
}

}  // namespace

Result<Binding> TaskService::bind(const BindInput& request) {
    const Scope& scope = request.task.scope;
    const auto mode = core_->check_mode(scope);
    if (!mode) return mode.error();
    OptText reason = request.reason;
    if (auto may = check_binder(request.actor, reason, core_->options().text); !may) return std::move(may).error();
    if (auto addressed = check_identity(request.identity); !addressed) return std::move(addressed).error();
    const auto task = core_->current(request.task, *mode);
    if (!task) return task.error();
    const Timestamp now = core_->now();
    if (!is_eligible(task->head, now)) return fail(Reason::task_not_eligible);

    Binding binding{.id = core_->make_id("binding"),
                    .scope = scope,
                    .identity = request.identity,
                    .task = request.task.id,
                    .actor = request.actor,
                    .reason = std::move(reason),
                    .registered_at = now,
                    .expires_at = end_of(now, *task->profile)};
    const std::array<Write, 1> batch{AddBinding{binding}};
    if (auto kept = core_->store().commit(batch); !kept) return std::move(kept).error();
    return binding;
}

Result<void> TaskService::unbind(const UnbindInput& request) {
    if (const auto mode = core_->check_mode(request.scope); !mode) return mode.error();
    OptText reason = request.reason;
    if (auto may = check_binder(request.actor, reason, core_->options().text); !may) return may;
    const std::array<Write, 1> batch{RevokeBinding{.scope = request.scope,
                                                   .id = request.binding,
                                                   .at = core_->now(),
                                                   .by = request.actor.name,
                                                   .because = std::move(reason)}};
    return core_->store().commit(batch);
}

Result<Resolution> TaskService::resolve(const ResolveInput& request) {
    if (const auto mode = core_->check_mode(request.scope); !mode) return mode.error();
    return resolve_session(core_->store(), request, core_->now());
}

Result<std::vector<Binding>> TaskService::bindings(const BindingQuery& query) {
    if (const auto mode = core_->check_mode(query.scope); !mode) return mode.error();
    return core_->store().bindings(query);
}

}  // namespace taskstate::inline v0
