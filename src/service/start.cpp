#include "service/evidence.hpp"
#include "service/payload.hpp"
#include "service/step.hpp"
#include "store/successor.hpp"

#include "engine/field_checks.hpp"

#include <taskstate/engine/governance.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>

namespace taskstate::inline v0 {

using Core = TaskService::Core;

namespace {

constexpr std::size_t constraints_max = 100, constraint_text_max = 2'000;

/// What the state does not hold, or holds in another form.
Result<void> check_fields(const StartInput& request, const Rules& rules) {
    FieldChecks fields(rules.text);
    if (auto own = check_own_key(request.key); !own) return own;
    fields.actor(request.actor);
    fields.id("/continues", request.continues);
    fields.bound("/constraints", request.constraints.size(), constraints_max);
    for (std::size_t i = 0; i < request.constraints.size(); ++i) {
        std::string text = request.constraints[i];
        fields.text(at("constraints", i), text, constraint_text_max);
    }
    fields.bound("/evidence", request.evidence.size(), evidence_max);
    for (std::size_t i = 0; i < request.evidence.size(); ++i) fields.evidence(at("evidence", i), request.evidence[i]);
    for (std::size_t i = 0; i < request.items.size(); ++i) {
        const ItemStatus status = request.items[i].status;
        const bool open = status == ItemStatus::pending || status == ItemStatus::ready;
        fields.require(open, at("items", i) + "/status", Reason::illegal_status_transition);
        fields.id(at("items", i) + "/ref", request.items[i].ref);
    }
    if (fields.error()) return *std::move(fields.error());
    return {};
}

/// Ids of the items: their own, or `t1`, `t2`, … as the engine makes them.
std::vector<std::string> item_ids(const std::vector<ItemInput>& items, std::uint64_t& next) {
    std::set<std::string_view> taken;
    for (const ItemInput& item : items) {
        if (item.id) taken.insert(*item.id);
        if (item.ref) taken.insert(*item.ref);
    }
    std::vector<std::string> ids;
    for (const ItemInput& item : items) {
        if (item.id) {
            ids.push_back(*item.id);
            continue;
        }
        next = std::max<std::uint64_t>(next, 1);
        while (taken.contains("t" + std::to_string(next))) ++next;
        ids.push_back("t" + std::to_string(next++));
    }
    return ids;
}

/// The items of a start, which may depend on each other in any order.
Result<std::vector<SavedItem>> items_of(const std::vector<ItemInput>& items, NextIds& next) {
    const std::vector<std::string> ids = item_ids(items, next.item);
    std::map<std::string, std::string, std::less<>> named;  // ids by the references of this list
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].ref) continue;
        const bool taken = std::find(ids.begin(), ids.end(), *items[i].ref) != ids.end();
        if (taken || !named.emplace(*items[i].ref, ids[i]).second) {
            return fail(Reason::duplicate_reference, at("items", i) + "/ref");
        }
    }
    std::vector<SavedItem> saved;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const ItemInput& item = items[i];
        SavedItem made{.id = ids[i],
                       .title = item.title,
                       .status = item.status,
                       .assurance = Assurance::asserted,
                       .kind = item.kind,
                       .required = item.required,
                       .depends_on = item.depends_on,
                       .because = item.because,
                       .content = item.content};
        for (std::string& id : made.depends_on) {
            if (const auto found = named.find(id); found != named.end()) id = found->second;
        }
        saved.push_back(std::move(made));
    }
    return saved;
}

/// The texts of a start as notes of the host; their source is whoever started the task.
std::vector<SavedNote> constraints_of(const StartInput& request, const Profile& profile, NextIds& next) {
    std::vector<SavedNote> notes;
    for (const std::string& text : request.constraints) {
        next.constraint = notes.size() + 2;
        notes.push_back({.note = {.id = "constraint-" + std::to_string(notes.size() + 1),
                                  .category = Category::constraint,
                                  .text = text,
                                  .source = {.label = request.actor.name},
                                  .gates_completion = profile.notes.constraints_gate},
                         .standing = Standing::host});
    }
    return notes;
}

/// Where something of the state stood in the request.
Error in_request(Error error) {
    if (error.path.starts_with("/notes")) error.path.replace(0, 6, "/constraints");
    if (error.path == "/id") error.path = "/task";
    return error;
}

/// Items rest on notes that are there.
Result<void> check_grounds(const Snapshot& first) {
    const auto items = first.items();
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Item item = items[i];
        for (std::size_t k = 0; k < item.because.size(); ++k) {
            if (!first.notes().find(item.because[k])) {
                return fail(Reason::unknown_note, at("items", i) + at("because", k));
            }
        }
    }
    return {};
}

Result<Snapshot> first_snapshot(const StartInput& request, const Rules& rules, Timestamp now) {
    SnapshotInput first{.id = request.task.id,
                        .profile = request.profile,
                        .scope = request.task.scope,
                        .association = request.association,
                        .revision = {1},
                        .goal = request.goal,
                        .created_at = now,
                        .updated_at = now,
                        .last_progress_at = now};
    if (!rules.profile->phases.phases.empty()) first.phase = rules.profile->phases.phases.front();
    first.notes = constraints_of(request, *rules.profile, first.next_ids);
    for (const std::string& source : request.sources) first.sources.push_back({.id = source});
    auto items = items_of(request.items, first.next_ids);
    if (!items) return std::move(items).error();
    first.items = *std::move(items);
    auto state = admit(first, rules);
    if (!state) return in_request(std::move(state).error());
    if (auto holds = validate(*state, rules); !holds) return in_request(std::move(holds).error());
    Snapshot snapshot(*std::move(state));
    if (auto grounded = check_grounds(snapshot); !grounded) return std::move(grounded).error();
    return snapshot;
}

DecisionRecord decision_of(const StartInput& request, const Snapshot& first) {
    DecisionRecord decision{.kind = StepKind::start,
                            .key = request.key,
                            .payload_digest = payload_digest(request),
                            .outcome = Outcome::accepted,
                            .reason = Reason::lifecycle_change_accepted,
                            .result = first.revision(),
                            .decided_at = first.created_at(),
                            .actor = request.actor,
                            .assurance = Assurance::operator_confirmed,
                            .evidence = request.evidence};
    if (auto waits = dependency_guard(first)) decision.guards.push_back(*std::move(waits));
    return decision;
}

/// The row and the revision that a task begins with.
StartTask beginning(const StartInput& request, const Snapshot& first, const Profile& profile, std::string clock) {
    const TaskHead bare{.identity = *first.state().identity,
                        .continues = request.continues,
                        .expiry = profile.expiry,
                        .clock = std::move(clock),
                        .start_key = request.key,
                        .start_digest = payload_digest(request)};
    const Snapshot nothing = nothing_of(*first.state().identity);
    const Succession step{
        .head = bare,
        .before = nothing,
        .after = first,
        .origin = {.actor = request.actor,
                   .method = "task_start",
                   .assurance = Assurance::operator_confirmed,
                   .evidence = request.evidence},
        .whole = Lineage{.kind = TargetKind::task, .id = first.id(), .assurance = Assurance::operator_confirmed},
        .values = Assurance::asserted};
    return {.head = next_head(step), .revision = next_revision(step)};
}

/// The task that was started under the key, if this is the request that started it.
Result<StepResult> started_before(const Core& core, const TaskHead& head, const Digest& payload) {
    if (head.start_digest != payload) return fail(Reason::idempotency_key_reused, "/key");
    auto found = core.find(head.address(), head.start_key);
    if (!found) return std::move(found).error();
    if (!found->decision) return fail(Reason::integrity_check_failed);
    return replay(*std::move(found->decision), StepKind::start, payload);
}

/// Whether the actor may start this task at all, on such grounds.
Result<void> check_start(const Core& core, const StartInput& request) {
    if (auto may = check_capability(request.actor.role, Capability::change_lifecycle); !may) {
        return under("/actor/role", std::move(may).error());
    }
    const Scope& scope = request.task.scope;
    return check_evidence(core.options().evidence.get(), scope, request.evidence);
}

}  // namespace

Result<StepResult> TaskService::start(const StartInput& request) {
    const auto mode = core_->check_mode(request.task.scope);
    if (!mode) return mode.error();
    const auto profile = core_->profile(request.profile);
    if (!profile) return profile.error();
    const Rules rules = core_->rules(**profile);
    if (auto sound = check_fields(request, rules); !sound) return std::move(sound).error();
    const Timestamp now = core_->now();
    const auto first = first_snapshot(request, rules, now);
    if (!first) return first.error();

    // The id is looked for before the key: whoever takes the id in between under this very key is found by it.
    const auto taken = core_->store().find(request.task, std::nullopt);
    if (!taken) return taken.error();
    const auto started = core_->store().find_started(request.task.scope, request.key);
    if (!started) return started.error();
    if (*started) return started_before(*core_, **started, payload_digest(request));
    if (auto may = check_start(*core_, request); !may) return std::move(may).error();
    if (*taken) return fail(Reason::already_exists, "/task");
    DecisionRecord decision = decision_of(request, *first);
    decision.id = core_->make_id("decision");
    decision.duration_ms = static_cast<std::uint64_t>(std::max<std::int64_t>(0, core_->now().ms - now.ms));
    if (*mode == ScopeMode::shadow) {
        decision.key.reset();
        decision.shadow = true;
        return StepResult{.decision = std::move(decision)};
    }
    const StartTask begin = beginning(request, *first, **profile, core_->options().clock_name);
    const auto committed = core_->store().commit(std::array<Write, 2>{begin, AddDecision{request.task, decision}});
    if (committed) {
        core_->keep({begin.head, *first, *profile});
        return StepResult{.decision = std::move(decision)};
    }
    if (committed.error().reason != Reason::already_exists) return committed.error();
    const auto winner = core_->store().find_started(request.task.scope, request.key);
    if (!winner) return winner.error();
    if (*winner) return started_before(*core_, **winner, payload_digest(request));
    return fail(Reason::already_exists, "/task");
}

}  // namespace taskstate::inline v0
