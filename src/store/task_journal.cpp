#include <taskstate/store/task_journal.hpp>

#include "engine/earlier_state.hpp"
#include "engine/field_checks.hpp"
#include "store/stored_state.hpp"
#include "store/successor.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace taskstate::inline v0 {
namespace {

// No caller of a service may start a task under a key of a host.
constexpr std::string_view start_key_prefix = "host:task:";

Error overtaken(Revision stored, Revision base) {
    return fail(Reason::concurrent_successor_committed, "", {stored.number, base.number});
}

/// The revision that the store has of a task now; 0 for none.
Result<Revision> stored_revision(Store& store, const TaskAddress& task) {
    auto found = store.find(task, std::nullopt);
    if (!found) return std::move(found).error();
    return *found ? (*found)->head.frame.revision : Revision{};
}

/// Adds the revision to the log.  In doubt it is sent once more, and then looked for: either it is there, or it never
/// will be.
///
/// Errors: `commit_in_doubt` where neither is known; `concurrent_successor_committed`.
Result<void> add_revision(Store& store, const Succession& step) {
    const TaskHead head = next_head(step);
    const RevisionRecord record = next_revision(step);
    const Revision base = step.before.revision();
    const std::array<Write, 1> batch{base == Revision{} ? Write(StartTask{head, record})
                                                        : Write(AdvanceTask{head, record})};
    auto done = store.commit(batch);
    const bool doubtful = !done && done.error().reason == Reason::commit_in_doubt;
    if (doubtful) done = store.commit(batch);
    if (done || done.error().reason == Reason::commit_in_doubt) return done;

    const Error refused = std::move(done).error();
    const bool taken = refused.reason == Reason::already_exists || refused.code() == Errc::conflict;
    if (!doubtful && !taken) return refused;
    if (doubtful) {
        const auto kept = store.revisions(head.address(), base, 1);
        if (kept && !kept->empty() && kept->front() == record) return {};
        if (!kept || !taken) return fail(Reason::commit_in_doubt);
    }
    const auto stored = stored_revision(store, head.address());
    return overtaken(stored.value_or(Revision{}), base);
}

/// Keeps the steps of one task in a store.
///
/// Thread-safety: shared.
class StoreJournal : public Journal {
 public:
    StoreJournal(std::shared_ptr<Store> store, JournalOptions options)
        : store_(std::move(store)), options_(std::move(options)) {}

    Result<void> commit(const Change& change) override {
        const auto head = row_of(change.before);
        if (!head) return head.error();
        const bool first = change.before.revision() == Revision{};
        Succession step{.head = *head,
                        .before = change.before,
                        .after = change.after,
                        .progressed = change.progressed,
                        .origin = {.actor = options_.actor,
                                   .method = first ? "task_start" : "typed_delta",
                                   .assurance = Assurance::host_reported,
                                   .reason = change.reason},
                        .values = Assurance::host_reported};
        if (first) step.whole = Lineage{.kind = TargetKind::task, .id = change.after.id(), .assurance = step.values};
        return add_revision(*store_, step);
    }

 private:
    /// The row of the state that a change is made from.  It is asked for each time: a task that was deleted and begun
    /// anew has the same revisions again, with other states.
    [[nodiscard]] Result<TaskHead> row_of(const Snapshot& before) const {
        if (before.revision() == Revision{}) return first_row(before);
        auto found = store_->find({before.scope(), before.id()}, std::nullopt);
        if (!found) return std::move(found).error();
        if (!*found) return fail(Reason::task_not_eligible);
        TaskHead& row = (*found)->head;
        if (row.state_digest != before.state_digest()) return overtaken(row.frame.revision, before.revision());
        return std::move(row);
    }
    /// What a task is before its first revision.
    [[nodiscard]] Result<TaskHead> first_row(const Snapshot& nothing) const {
        const auto profile = profile_of(*store_, nothing.profile());
        if (!profile) return profile.error();
        return TaskHead{.identity = *nothing.state().identity,
                        .expiry = (*profile)->expiry,
                        .clock = options_.clock_name,
                        .start_key = std::string(start_key_prefix) + nothing.id(),
                        .start_digest = nothing.state_digest()};
    }

    std::shared_ptr<Store> store_;
    JournalOptions options_;
};

/// A task as the store has it, known to be sound.
struct KeptTask {
    StoredTask stored{};
    Snapshot state{};
    std::shared_ptr<const Profile> profile{};
};
Result<std::optional<KeptTask>> load_task(Store& store, const TaskAddress& task) {
    auto stored = store.load(task);
    if (!stored) return std::move(stored).error();
    if (!*stored) return std::optional<KeptTask>();
    auto profile = profile_of(store, (*stored)->head.identity.profile);
    if (!profile) return std::move(profile).error();
    auto state = state_of(**stored, **profile);
    if (!state) return std::move(state).error();
    return std::optional(KeptTask{**std::move(stored), *std::move(state), *std::move(profile)});
}

/// What a return makes of the task.
Result<Decision> decide_return(Store& store, const KeptTask& task, const ReturnInput& request) {
    const auto earlier = state_at(store, task.stored.head, request.source);
    if (!earlier) {
        const bool unknown = earlier.error().reason == Reason::out_of_range;
        return unknown ? under("/source", earlier.error()) : earlier.error();
    }
    const Rules rules{.profile = task.profile.get(), .limits = request.limits.value_or(task.profile->limits)};
    const Timestamp now = (request.clock ? request.clock : system_clock())->now();
    return return_to_earlier(task.state, *earlier, request.base, rules, std::clamp(now, Timestamp{}, timestamp_max));
}

}  // namespace

Result<TaskState> open_task(std::shared_ptr<Store> store, TaskOptions options, const JournalOptions& journal) {
    if (!store) return fail(Reason::options_invalid, "/store");
    if (options.journal) return fail(Reason::options_invalid, "/journal");
    FieldChecks fields(options.text);
    fields.actor(journal.actor);
    if (fields.error()) return *std::move(fields.error());
    const auto sound = TaskState::create(options);  // before the store is asked for what they name
    if (!sound) return sound.error();

    auto kept = load_task(*store, {options.scope, options.id});
    if (!kept) return std::move(kept).error();
    options.journal = std::make_shared<StoreJournal>(std::move(store), journal);
    return *kept ? TaskState::open(options, (*kept)->stored.snapshot) : TaskState::create(options);
}

Result<Commit> return_to(Store& store, const ReturnInput& request) {
    FieldChecks fields(TextPolicy::refuse);
    OptText reason = request.reason;
    fields.actor(request.actor);
    fields.text("/reason", reason, reason_max);
    if (fields.error()) return *std::move(fields.error());

    const auto task = load_task(store, request.task);
    if (!task) return task.error();
    if (!*task) return fail(Reason::task_not_eligible);
    auto decision = decide_return(store, **task, request);
    if (!decision) return std::move(decision).error();
    if (decision->outcome == Outcome::rejected || decision->outcome == Outcome::conflict) {
        return std::move(decision->error);
    }
    if (decision->outcome == Outcome::accepted) {
        const Succession step{.head = (*task)->stored.head,
                              .before = (*task)->state,
                              .after = decision->snapshot,
                              .origin = {.actor = request.actor,
                                         .method = "returned_to_revision_" + std::to_string(request.source.number),
                                         .assurance = Assurance::host_reported,
                                         .reason = std::move(reason)},
                              .values = Assurance::host_reported};
        if (auto added = add_revision(store, step); !added) return std::move(added).error();
    }
    return Commit{.outcome = decision->outcome, .snapshot = std::move(decision->snapshot)};
}

}  // namespace taskstate::inline v0
