#include "service/core.hpp"

#include "service/oversight.hpp"
#include "store/successor.hpp"

#include <taskstate/engine/lifecycle.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace taskstate::inline v0 {
namespace {

constexpr std::string_view evaluator_name = "taskstate-expiry";

ServiceOptions with_defaults(ServiceOptions options) {
    if (!options.clock) options.clock = system_clock();
    if (!options.ids) options.ids = random_ids();
    return options;
}

/// What the evaluator writes down of its own accord.
struct Expiry {
    Origin origin{};
    DecisionRecord decision{};
};
Expiry expiry_of(const TaskHead& head, const Snapshot& after, Reason reason, Timestamp now) {
    const Actor evaluator{.role = Role::evaluator, .name = std::string(evaluator_name)};
    const std::string cause(word(reason));
    const std::vector<EvidenceInput> evidence{{.kind = EvidenceKind::policy_rule, .id = cause}};
    return {.origin = {.actor = evaluator,
                       .method = "lifecycle_expired",
                       .assurance = Assurance::rule_extracted,
                       .evidence = evidence,
                       .reason = cause},
            .decision = {.kind = StepKind::expiry,
                         .outcome = Outcome::accepted,
                         .reason = reason,
                         .base = head.frame.revision,
                         .result = after.revision(),
                         .decided_at = now,
                         .actor = evaluator,
                         .assurance = Assurance::rule_extracted,
                         .evidence = evidence}};
}

}  // namespace

TaskService::Core::Core(const ServiceOptions& options)
    : options_(with_defaults(options)), cache_(options.cache_tasks_max) {}

Timestamp TaskService::Core::now() const { return std::clamp(options_.clock->now(), Timestamp{}, timestamp_max); }

Result<ScopeMode> TaskService::Core::check_mode(const Scope& scope) const {
    auto mode = store().mode(scope);
    if (mode && *mode == ScopeMode::disabled) return fail(Reason::task_state_disabled);
    return mode;
}

Result<std::shared_ptr<const Profile>> TaskService::Core::profile(std::string_view id) const {
    return profile_of(store(), id);
}

Rules TaskService::Core::rules(const Profile& profile) const {
    return {.profile = &profile, .limits = options_.limits.value_or(profile.limits), .text = options_.text};
}

Result<Found> TaskService::Core::find(const TaskAddress& task, const OptText& key) const {
    auto found = store().find(task, key);
    if (!found) return std::move(found).error();
    if (!*found) return fail(Reason::task_not_eligible);
    return **std::move(found);
}

Result<SeenTask> TaskService::Core::see(const TaskHead& head) {
    if (auto kept = cache_.find(head.address(), head.frame.revision, head.state_digest)) {
        return SeenTask{head, std::move(kept->snapshot), std::move(kept->profile)};
    }
    auto seen = load(head.address());
    if (seen) keep(*seen);
    return seen;
}

Result<SeenTask> TaskService::Core::load(const TaskAddress& task) const {
    auto stored = store().load(task);
    if (!stored) return std::move(stored).error();
    if (!*stored) return fail(Reason::task_not_eligible);
    TaskHead& head = (*stored)->head;
    auto known = profile(head.identity.profile);
    if (!known) return std::move(known).error();
    auto snapshot = state_of(**stored, **known);
    if (!snapshot) return std::move(snapshot).error();
    return SeenTask{std::move(head), *std::move(snapshot), *std::move(known)};
}

Result<TaskHead> TaskService::Core::evaluate(TaskHead head, ScopeMode mode) {
    if (mode != ScopeMode::enabled) return head;
    for (;;) {
        const Timestamp at = now();
        const auto reason = expiry_status(head, at).due;
        if (!reason) return head;
        auto expired = expire(head, *reason, at);
        if (expired || expired.error().reason != Reason::concurrent_successor_committed) return expired;
        auto found = find(head.address());
        if (!found) return std::move(found).error();
        if (found->head.frame.revision == head.frame.revision) return expired;  // not lost to anybody
        head = std::move(found->head);
    }
}

Result<TaskHead> TaskService::Core::expire(const TaskHead& head, Reason reason, Timestamp now) {
    auto seen = see(head);
    if (!seen) return std::move(seen).error();
    if (seen->head.frame.revision != head.frame.revision) return fail(Reason::concurrent_successor_committed);
    Decision decision = v0::expire(seen->snapshot, now);
    if (decision.outcome != Outcome::accepted) return std::move(decision.error);
    Expiry expiry = expiry_of(head, decision.snapshot, reason, now);
    expiry.decision.id = make_id("decision");
    const Succession step{.head = seen->head,
                          .before = seen->snapshot,
                          .after = decision.snapshot,
                          .origin = std::move(expiry.origin),
                          .whole = transition_of(expiry.decision.id, seen->snapshot, Assurance::rule_extracted),
                          .values = Assurance::rule_extracted};
    const AdvanceTask advanced{.head = next_head(step), .revision = next_revision(step)};
    const std::array<Write, 2> batch{advanced, AddDecision{head.address(), std::move(expiry.decision)}};
    if (auto committed = store().commit(batch); !committed) return std::move(committed).error();
    keep({advanced.head, decision.snapshot, seen->profile});
    return advanced.head;
}

Result<SeenTask> TaskService::Core::current(const TaskAddress& task, ScopeMode mode) {
    auto found = find(task);
    if (!found) return std::move(found).error();
    auto head = evaluate(std::move(found->head), mode);
    if (!head) return std::move(head).error();
    return see(*head);
}

TaskService::TaskService(std::unique_ptr<Core> core) : core_(std::move(core)) {}
TaskService::TaskService(TaskService&&) noexcept = default;
TaskService& TaskService::operator=(TaskService&&) noexcept = default;
TaskService::~TaskService() = default;

Result<TaskService> TaskService::open(const ServiceOptions& options) {
    if (!options.store) return fail(Reason::options_invalid, "/store");
    return TaskService(std::make_unique<Core>(options));
}

}  // namespace taskstate::inline v0
