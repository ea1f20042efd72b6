// What a model may be shown, what of it was recorded, and what became of it.

#include "service/delivery.hpp"

#include "service/core.hpp"
#include "service/oversight.hpp"
#include "service/resolution.hpp"

#include <taskstate/model/wire.hpp>

#include <array>
#include <utility>

namespace taskstate::inline v0 {
namespace {

/// What a preparation came to, before anybody is told.
struct Preparation {
    std::optional<TaskHead> head{};  ///< of the task that it was about, where the scope has one
    std::optional<Block> block{};
    Error refusal{};  ///< where there is no block
};

/// Whether the error is about the task and the call, and not about the store.
bool is_refusal(const Error& error) { return error.code() == Errc::unavailable || error.code() == Errc::capacity; }

/// What there is to refuse: recorded under the task that was named, if the scope has one.
Result<Preparation> refuse(const TaskService::Core& core, const PrepareInput& request, Error refusal) {
    Preparation prepared{.refusal = std::move(refusal)};
    if (!request.task) return prepared;
    auto found = core.find({request.scope, *request.task});
    if (found) prepared.head = std::move(found->head);
    return prepared;
}

/// The whole evaluation, the same in shadow as in earnest.
Result<Preparation> evaluate(TaskService::Core& core, const PrepareInput& request, ScopeMode mode) {
    if (mode == ScopeMode::disabled) return refuse(core, request, fail(Reason::task_state_disabled));
    const ResolveInput asked{request.scope, request.task, request.identity, request.session_started_at};
    const auto resolved = resolve_session(core.store(), asked, core.now());
    if (!resolved) {
        if (!is_refusal(resolved.error())) return resolved.error();
        return refuse(core, request, resolved.error());
    }
    auto seen = core.current({request.scope, resolved->task}, mode);
    Preparation prepared{.refusal = fail(Reason::task_context_not_eligible)};
    if (!seen && seen.error().reason == Reason::task_not_eligible) return prepared;
    if (!seen) return std::move(seen).error();
    prepared.head = std::move(seen->head);
    if (!is_eligible(*prepared.head, core.now())) return prepared;
    const auto& secrets = core.options().secrets;
    const Identity& identity = prepared.head->identity;
    auto block = render(seen->snapshot, *seen->profile, block_key(identity, secrets), request.prompt, {},
                        retired_keys(identity, secrets));
    if (block) {
        prepared.block = *std::move(block);
    } else {
        prepared.refusal = std::move(block).error();
    }
    return prepared;
}

DeliveryRecord record_of(const TaskService::Core& core, const Preparation& prepared) {
    return {.id = core.make_id("delivery"), .revision = prepared.head->frame.revision, .prepared_at = core.now()};
}

/// Keeps on record that nothing was given, if it can: that it cannot changes nothing for the caller.
void record_refusal(TaskService::Core& core, const Preparation& prepared, Reason withheld) {
    if (!prepared.head) return;
    DeliveryRecord record = record_of(core, prepared);
    record.withheld = withheld;
    const std::array<Write, 1> batch{AddDelivery{prepared.head->address(), std::move(record)}};
    (void)core.store().commit(batch);
}

/// What a caller learns of a refusal: its reason, and of a budget by how much it was missed.
ContextPackage withhold(const Error& refusal) {
    ContextPackage package{.withheld = refusal.reason};
    package.limit = refusal.limit;
    package.actual = refusal.actual;
    return package;
}

/// Nothing is given that is not on record.
Result<ContextPackage> deliver(TaskService::Core& core, const PrepareInput& request, const Preparation& prepared) {
    const Block& block = *prepared.block;
    DeliveryRecord record = record_of(core, prepared);
    record.revision = block.snapshot().revision();
    record.block_digest = block.sha256();
    record.block_bytes = block.bytes();
    record.omitted.assign(block.omitted().begin(), block.omitted().end());
    const std::array<Write, 1> batch{AddDelivery{prepared.head->address(), record}};
    if (auto kept = core.store().commit(batch); !kept) {
        if (kept.error().reason == Reason::task_not_eligible) return withhold(fail(Reason::task_context_not_eligible));
        return std::move(kept).error();
    }
    return ContextPackage{.block = block,
                          .preamble = render_preamble(block.key()),
                          .delivery = std::move(record.id),
                          .cache_key = context_key(block.snapshot(), block.key(), request.prompt),
                          .revision = block.snapshot().revision()};
}

}  // namespace

bool is_eligible(const TaskHead& head, Timestamp now) {
    return head.frame.lifecycle == Lifecycle::open && !overdue(head, now);
}

std::string context_key(const Snapshot& snapshot, std::string_view block_key, const PromptOptions& options) {
    std::string named;
    JsonWriter json(named);
    const auto budget = [&](std::string_view name, const std::optional<std::size_t>& bound) {
        if (!bound) return;
        json.key(name);
        json.string(std::to_string(*bound));
    };
    json.open_object();
    json.key("block");
    json.string(block_format);
    budget("bytes_max", options.bytes_max);
    if (options.counter) {
        json.key("counter");
        json.string(options.counter->name());
    }
    json.key("key");
    json.string(block_key);
    json.key("profile");
    json.string(snapshot.profile());
    json.key("revision");
    json.integer(static_cast<std::int64_t>(snapshot.revision().number));
    json.key("scope");
    write(json, view(snapshot.scope()));
    if (options.spellings) {
        json.key("spellings");
        json.open_array();
        for (const auto& spelling : options.spellings->list()) json.string(spelling);
        json.close_array();
    }
    json.key("task");
    json.string(snapshot.id());
    budget("tokens_max", options.tokens_max);
    json.close_object();
    return format_digest(sha256(named));
}

Result<ContextPackage> TaskService::prepare(const PrepareInput& request) {
    const auto mode = core_->store().mode(request.scope);
    if (!mode) return mode.error();
    const auto prepared = evaluate(*core_, request, *mode);
    if (!prepared) return prepared.error();
    if (prepared->block && *mode == ScopeMode::enabled) return deliver(*core_, request, *prepared);

    const Reason why = prepared->block ? Reason::task_state_shadow_mode : prepared->refusal.reason;
    record_refusal(*core_, *prepared, why);
    if (*mode == ScopeMode::shadow) return withhold(fail(Reason::task_state_shadow_mode));
    ContextPackage package = withhold(prepared->refusal);
    if (why == Reason::prompt_budget_exceeded) package.revision = prepared->head->frame.revision;
    return package;
}

Result<bool> TaskService::confirm_exposure(const Scope& scope, std::string_view delivery) {
    return core_->store().expose(scope, delivery, core_->now());
}

}  // namespace taskstate::inline v0
