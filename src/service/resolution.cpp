#include "service/resolution.hpp"

#include <taskstate/base/text.hpp>

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

/// Whether the binding still says anything about the session as it is now.
bool holds_good(const Binding& binding, const ResolveInput& asked, Timestamp now) {
    const bool older = asked.session_started_at && binding.registered_at < *asked.session_started_at;
    return binding.active() && !binding.lapsed(now) && !older;
}

/// The task that was named, without what surrounds it; a blank name names none.
OptText named_task(const OptText& task) {
    if (!task) return std::nullopt;
    auto name = admit_text(*task, task->size(), TextPolicy::refuse);
    if (name) return std::move(name->text);
    return name.error().reason == Reason::blank ? std::nullopt : task;
}

}  // namespace

Result<void> check_identity(const SessionIdentity& identity) {
    struct Part {
        std::string_view path{};
        const std::string& text;
    };
    for (const Part& part : {Part{"/identity/host", identity.host}, Part{"/identity/session", identity.session},
                             Part{"/identity/epoch", identity.epoch}}) {
        if (part.text.empty()) return fail(Reason::session_identity_required, std::string(part.path));
        if (auto sound = check_ref(part.text); !sound) return under(part.path, std::move(sound).error());
    }
    return {};
}

Result<Resolution> resolve_session(const ResolveInput& asked, std::span<const Binding> bindings, Timestamp now) {
    const auto bound = std::find_if(bindings.begin(), bindings.end(), [&](const Binding& binding) {
        return binding.identity == asked.identity && holds_good(binding, asked, now);
    });
    const bool is_bound = bound != bindings.end();
    if (const OptText named = named_task(asked.task)) {
        if (is_bound && bound->task != *named) return fail(Reason::task_binding_conflict, "/task");
        return Resolution{
            .task = *named, .by = ResolvedBy::explicit_id, .binding = is_bound ? OptText(bound->id) : std::nullopt};
    }
    if (is_bound) return Resolution{.task = bound->task, .by = ResolvedBy::binding, .binding = bound->id};
    const bool was_bound = std::any_of(bindings.begin(), bindings.end(), [](const Binding& b) { return b.active(); });
    return fail(was_bound ? Reason::task_binding_stale_session : Reason::task_context_selection_required);
}

Result<Resolution> resolve_session(Store& store, const ResolveInput& asked, Timestamp now) {
    if (!asked.identity || !check_identity(*asked.identity)) return resolve_session(asked, {}, now);
    auto bindings =
        store.bindings({.scope = asked.scope, .host = asked.identity->host, .session = asked.identity->session});
    if (!bindings) return std::move(bindings).error();
    return resolve_session(asked, *bindings, now);
}

}  // namespace taskstate::inline v0
