#include <taskstate/engine/apply.hpp>
#include <taskstate/engine/changes.hpp>
#include <taskstate/task/task_state.hpp>

#include "base/locked.hpp"
#include "prompt/renderer.hpp"

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

/// What an observer of the lock sees at one moment.
struct Head {
    Snapshot snapshot{};  // none once destroyed
    Generation generation{};

    [[nodiscard]] bool destroyed() const noexcept { return snapshot.same_object({}); }
};

/// What the commits of the recent revisions touched.
class History {
 public:
    void add(Revision reached, Touched touched) {
        Step step{reached, std::move(touched)};
        if (steps_.size() < steps_max) return steps_.push_back(std::move(step));
        steps_[oldest_] = std::move(step);
        oldest_ = (oldest_ + 1) % steps_max;
    }

    /// The commits after `from`, oldest first; nothing when they are not all remembered.
    [[nodiscard]] std::optional<std::vector<Touched>> since(Revision from, Revision head) const {
        std::vector<Touched> found;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const Step& step = steps_[(oldest_ + i) % steps_.size()];
            if (step.reached > from) found.push_back(step.touched);
        }
        if (from > head || found.size() != head.number - from.number) return std::nullopt;
        return found;
    }

 private:
    static constexpr std::size_t steps_max = 32;
    struct Step {
        Revision reached{};
        Touched touched{};
    };
    std::vector<Step> steps_{};
    std::size_t oldest_ = 0;
};

/// Whether the block of the last call is the answer to this one.
bool answers(const KeptBlock& kept, const PromptOptions& asked, const Head& head) {
    const PromptOptions& options = kept.options;
    return kept.block.generation() == head.generation && options.bytes_max == asked.bytes_max &&
           options.tokens_max == asked.tokens_max && options.counter == asked.counter &&
           options.spellings == asked.spellings;
}

/// What only a task has that is worked on; most of many tasks are not.
struct Recent {
    History history{};
    std::shared_ptr<const KeptBlock> block{};  ///< of the last call: the answer, or the lines of the next one
};

/// Everything that the lock guards; reached only through `Locked`.
struct Guarded {
    Head head{};
    std::unique_ptr<Recent> recent{};

    /// Another head, of which nothing before is true any more.
    void begin(Snapshot snapshot) {
        head.snapshot = std::move(snapshot);
        ++head.generation.number;
        recent.reset();
    }
    /// The next head after a commit.
    void advance(const Snapshot& snapshot, Touched touched) {
        head.snapshot = snapshot;
        ++head.generation.number;
        worked_on().history.add(snapshot.revision(), std::move(touched));
    }
    Recent& worked_on() {
        if (!recent) recent = std::make_unique<Recent>();
        return *recent;
    }
};

/// Whom a host may ask to be asked or told.
struct Listeners {
    std::shared_ptr<OwnerSource> owner{};
    std::shared_ptr<Journal> journal{};
    std::shared_ptr<CommitObserver> observer{};

    /// None at all for the many tasks that need none.
    static std::unique_ptr<const Listeners> of(const TaskOptions& options) {
        if (!options.owner && !options.journal && !options.observer) return nullptr;
        return std::make_unique<const Listeners>(Listeners{options.owner, options.journal, options.observer});
    }
};

/// Revision 0.
Snapshot empty_task(Identity identity, const Profile& profile, std::optional<LinkTarget> link, Timestamp created) {
    identity.created_at = created;
    State state{.identity = std::make_shared<const Identity>(std::move(identity)),
                .updated_at = created,
                .last_progress_at = created};
    if (!profile.phases.phases.empty()) state.phase = profile.phases.phases.front();
    if (link) state.link = SavedLink{*std::move(link), std::nullopt};
    return Snapshot(std::move(state));
}

std::optional<LinkTarget> target_of(const std::optional<SavedLink>& link) {
    return link ? std::optional<LinkTarget>(link->target) : std::nullopt;
}

/// Whether `saved` is of the task that `seen` is a state of.
Result<void> check_identity(const SnapshotInput& saved, const Snapshot& seen) {
    if (saved.id != seen.id()) return fail(Reason::task_mismatch, "/id");
    if (saved.scope != seen.scope()) return fail(Reason::scope_mismatch, "/scope");
    if (saved.association != seen.association()) return fail(Reason::association_mismatch, "/association");
    if (saved.profile != seen.profile()) return fail(Reason::profile_version_differs, "/profile");
    if (target_of(saved.link) != target_of(seen.link())) return fail(Reason::link_mismatch, "/link");
    return {};
}

/// No task fits into nothing.
Result<void> check_limits(const Limits& limits) {
    const std::string_view zero = zero_limit(limits);
    if (zero.empty()) return {};
    return fail(Reason::options_invalid, "/limits/" + std::string(zero), {1, 0});
}

Error stale(Revision current, Revision sent) {
    return fail(Reason::stale_base_revision, "", {current.number, sent.number});
}

}  // namespace

// Everything that never changes within a task, but for its state, is either here or in the head's identity.
class TaskState::Core {
 public:
    Core(const TaskOptions& options, const Identity& identity, const Rules& rules)
        : rules_(rules),
          key_(block_key(identity, options.secrets)),
          retired_keys_(v0::retired_keys(identity, options.secrets)),
          clock_(options.clock ? options.clock : system_clock()),
          listeners_(Listeners::of(options)),
          guarded_({.head = {.snapshot = empty_task(identity, *rules.profile, options.link, now())}}) {}

    static Result<std::unique_ptr<Core>> make(const TaskOptions& options);

    [[nodiscard]] Head head() const {
        return guarded_.use([](const Guarded& data) { return data.head; });
    }
    /// The head, for a caller who may see it.
    [[nodiscard]] Result<Head> open_head() const {
        Head seen = head();
        if (auto mine = check_caller(seen.snapshot); !mine) return std::move(mine).error();
        return seen;
    }
    [[nodiscard]] Result<Snapshot> open_snapshot() const {
        Snapshot seen = guarded_.use([](const Guarded& data) { return data.head.snapshot; });
        if (auto mine = check_caller(seen); !mine) return std::move(mine).error();
        return seen;
    }

    Result<Commit> commit(const Result<Head>& seen, Result<Transaction> transaction);
    [[nodiscard]] Result<Block> prompt(const PromptOptions& options) const;
    [[nodiscard]] Result<HostDelta> rebase(const HostDelta& delta, Revision from) const;
    /// Takes a saved state for the whole one, as the journal of a task has it or the host.
    Result<Snapshot> begin(const SnapshotInput& saved);
    Result<Snapshot> restore(const SnapshotInput& saved);
    Result<void> clear();
    void destroy() noexcept;

    [[nodiscard]] const Rules& rules() const noexcept { return rules_; }
    [[nodiscard]] const std::string& key() const noexcept { return key_; }

 private:
    /// The host's time, within what the wire can hold.
    [[nodiscard]] Timestamp now() const { return std::clamp(clock_->now(), Timestamp{}, timestamp_max); }
    [[nodiscard]] bool journalled() const noexcept { return listeners_ && listeners_->journal; }
    [[nodiscard]] Result<void> check_owner(const Snapshot& seen) const;
    /// Whether there is anything left to see, and the caller may see it.
    [[nodiscard]] Result<void> check_caller(const Snapshot& seen) const {
        if (seen.same_object({})) return fail(Reason::task_destroyed);
        return check_owner(seen);
    }
    Result<void> replace(Snapshot snapshot);

    const Rules rules_;
    const std::string key_;
    const std::vector<std::string> retired_keys_;
    const std::shared_ptr<Clock> clock_;
    const std::unique_ptr<const Listeners> listeners_;
    mutable Locked<Guarded> guarded_;
};

Result<std::unique_ptr<TaskState::Core>> TaskState::Core::make(const TaskOptions& options) {
    const Profile* profile = find_profile(options.profile);
    if (profile == nullptr) return fail(Reason::unknown_profile, "/profile");
    auto identity = admit(Identity{options.id, options.profile, options.scope, options.association, options.goal, {}},
                          options.text);
    if (!identity) return std::move(identity).error();
    if (options.link) {
        if (auto link = admit(*options.link); !link) return std::move(link).error();
    }
    const Rules rules{.profile = profile, .limits = options.limits.value_or(profile->limits), .text = options.text};
    if (auto bounded = check_limits(rules.limits); !bounded) return std::move(bounded).error();
    return std::make_unique<Core>(options, *identity, rules);
}

Result<void> TaskState::Core::check_owner(const Snapshot& seen) const {
    if (!listeners_ || !listeners_->owner) return {};
    const OptText current = listeners_->owner->current_owner();
    if (!current || *current == seen.scope().owner) return {};
    return fail(Reason::owner_mismatch);
}

Result<Commit> TaskState::Core::commit(const Result<Head>& seen, Result<Transaction> transaction) {
    if (!seen) return seen.error();
    if (!transaction) return std::move(transaction).error();
    const Snapshot& before = seen->snapshot;
    Decision decision = apply(before, *transaction, rules_, now());
    if (decision.outcome == Outcome::rejected || decision.outcome == Outcome::conflict)
        return std::move(decision.error);
    Commit done{
        .outcome = decision.outcome, .snapshot = std::move(decision.snapshot), .replaced = transaction->replaced()};
    if (done.outcome == Outcome::no_change) return done;

    if (auto mine = check_owner(before); !mine) return std::move(mine).error();
    if (journalled()) {
        auto kept = listeners_->journal->commit({.before = before,
                                                 .after = done.snapshot,
                                                 .reason = transaction->reason(),
                                                 .progressed = decision.progressed});
        if (!kept) return std::move(kept).error();
    }
    Touched changed = touched(before, done.snapshot);
    auto swapped = guarded_.use([&](Guarded& data) -> Result<void> {
        if (data.head.destroyed()) return fail(Reason::task_destroyed);
        if (data.head.generation != seen->generation) return stale(data.head.snapshot.revision(), before.revision());
        data.advance(done.snapshot, std::move(changed));
        return {};
    });
    if (!swapped) return std::move(swapped).error();
    if (listeners_ && listeners_->observer) listeners_->observer->committed(done);
    return done;
}

Result<Block> TaskState::Core::prompt(const PromptOptions& options) const {
    const auto seen = open_head();
    if (!seen) return seen.error();
    const auto kept = guarded_.use([](const Guarded& data) { return data.recent ? data.recent->block : nullptr; });
    if (kept && answers(*kept, options, *seen)) return kept->block;
    auto block = render(seen->snapshot, *rules_.profile, key_, options, seen->generation, retired_keys_, kept.get());
    if (!block) return block;
    auto keep = std::make_shared<const KeptBlock>(KeptBlock{options, *block});
    guarded_.use([&](Guarded& data) {
        if (data.head.generation == seen->generation) data.worked_on().block = std::move(keep);
    });
    return block;
}

Result<HostDelta> TaskState::Core::rebase(const HostDelta& delta, Revision from) const {
    const auto seen = open_head();
    if (!seen) return seen.error();
    const Revision current = seen->snapshot.revision();
    const auto steps = guarded_.use([&](const Guarded& data) {
        return data.recent ? data.recent->history.since(from, current) : History().since(from, current);
    });
    if (!steps) return stale(current, from);
    for (const Touched& step : *steps) {
        if (auto free = check_untouched(delta, step); !free) return std::move(free).error();
    }
    return delta;
}

Result<Snapshot> TaskState::Core::restore(const SnapshotInput& saved) {
    if (auto seen = open_snapshot(); !seen) return seen;
    if (journalled()) return fail(Reason::journalled);
    return begin(saved);
}

Result<Snapshot> TaskState::Core::begin(const SnapshotInput& saved) {
    const auto seen = open_snapshot();
    if (!seen) return seen.error();
    if (auto mine = check_identity(saved, *seen); !mine) return std::move(mine).error();
    auto state = admit(saved, rules_);
    if (!state) return std::move(state).error();
    if (auto holds = validate(*state, rules_); !holds) return std::move(holds).error();
    Snapshot snapshot(*std::move(state));
    if (auto replaced = replace(snapshot); !replaced) return std::move(replaced).error();
    return snapshot;
}

Result<void> TaskState::Core::clear() {
    const auto seen = open_snapshot();
    if (!seen) return seen.error();
    if (journalled()) return fail(Reason::journalled);
    return replace(empty_task(*seen->state().identity, *rules_.profile, target_of(seen->link()), now()));
}

Result<void> TaskState::Core::replace(Snapshot snapshot) {
    return guarded_.use([&](Guarded& data) -> Result<void> {
        if (data.head.destroyed()) return fail(Reason::task_destroyed);
        data.begin(std::move(snapshot));
        return {};
    });
}

void TaskState::Core::destroy() noexcept {
    guarded_.use([](Guarded& data) {
        if (!data.head.destroyed()) data.begin(Snapshot());
    });
}

TaskState::TaskState(std::unique_ptr<Core> core) : core_(std::move(core)) {}
TaskState::TaskState(TaskState&&) noexcept = default;
TaskState& TaskState::operator=(TaskState&&) noexcept = default;
TaskState::~TaskState() = default;

Result<TaskState> TaskState::create(const TaskOptions& options) {
    auto core = Core::make(options);
    if (!core) return std::move(core).error();
    TaskState task(*std::move(core));
    if (auto mine = task.core_->open_head(); !mine) return std::move(mine).error();
    return task;
}

Result<TaskState> TaskState::open(const TaskOptions& options, const SnapshotInput& saved) {
    auto task = create(options);
    if (!task) return task;
    if (auto restored = task->core_->begin(saved); !restored) return std::move(restored).error();
    return task;
}

Result<Commit> TaskState::update(const HostDelta& delta, Revision expected) {
    const auto head = core_->open_head();
    return core_->commit(head, admit(delta, expected, core_->rules()));
}

Result<Commit> TaskState::propose(std::span<const NoteInput> notes, Revision expected) {
    const auto head = core_->open_head();
    return core_->commit(head, admit(notes, Standing::proposal, expected, core_->rules()));
}

Result<Commit> TaskState::assume(std::span<const NoteInput> notes, Revision expected) {
    const auto head = core_->open_head();
    return core_->commit(head, admit(notes, Standing::assumption, expected, core_->rules()));
}

Result<Commit> TaskState::record_action(const ActionOutcome& outcome, Revision expected) {
    const auto head = core_->open_head();
    return core_->commit(head, admit(outcome, expected, core_->rules()));
}

Result<Commit> TaskState::confirm_action(const ConfirmAction& confirmation, Revision expected) {
    const auto head = core_->open_head();
    return core_->commit(head, admit(confirmation, expected, core_->rules()));
}

Result<Commit> TaskState::prune(const Prune& targets, Revision expected) {
    const auto head = core_->open_head();
    return core_->commit(head, admit(targets, expected, core_->rules()));
}

Result<Commit> TaskState::sync_link(const LinkStatus& seen, Revision expected) {
    const auto head = core_->open_head();
    return core_->commit(head, admit(seen, LinkReporter::host, expected, core_->rules()));
}

Result<Refresh> TaskState::begin_refresh(std::string_view principal, Revision expected) const {
    const auto head = core_->open_head();
    if (!head) return head.error();
    const auto& link = head->snapshot.link();
    if (!link) return fail(Reason::no_link);
    if (link->target.kind != LinkKind::memory) return fail(Reason::wrong_link_kind);
    if (principal != head->snapshot.scope().owner) return fail(Reason::principal_mismatch, "/principal");
    if (expected != head->snapshot.revision()) return stale(head->snapshot.revision(), expected);
    return Refresh(link->target.id, expected, head->generation);
}

Result<Commit> TaskState::commit_refresh(Refresh refresh, const LinkedTask& seen) {
    const auto head = core_->open_head();
    if (!head) return head.error();
    if (head->generation != refresh.generation()) {
        return fail(Reason::generation_moved, "", {head->generation.number, refresh.generation().number});
    }
    if (seen.type != "task" || !seen.state || !check_ref(*seen.state)) return fail(Reason::linked_task_unusable);
    const LinkStatus status{.id = refresh.link_id(), .status = *seen.state};
    return core_->commit(head, admit(status, LinkReporter::refresh, refresh.base(), core_->rules()));
}

Result<HostDelta> TaskState::rebase(const HostDelta& delta, Revision from) const { return core_->rebase(delta, from); }

Result<Snapshot> TaskState::snapshot() const { return core_->open_snapshot(); }

Revision TaskState::revision() const noexcept {
    const Head head = core_->head();
    return head.destroyed() ? Revision{} : head.snapshot.revision();
}

Generation TaskState::generation() const noexcept { return core_->head().generation; }

Result<Block> TaskState::prompt(const PromptOptions& options) const { return core_->prompt(options); }

Result<std::string> TaskState::preamble() const {
    if (auto head = core_->open_head(); !head) return std::move(head).error();
    return render_preamble(core_->key());
}

Result<void> TaskState::verify_dispatch(const Block& block, std::span<const Message> messages,
                                        const DispatchRules& rules) const {
    const auto head = core_->open_head();
    if (!head) return head.error();
    if (block.key() != core_->key()) return fail(Reason::task_mismatch);
    if (!block.snapshot().same_object(head->snapshot)) {
        return fail(Reason::block_stale, "", {head->snapshot.revision().number, block.snapshot().revision().number});
    }
    return verify_placement(block, messages, rules);
}

Result<Snapshot> TaskState::restore(const SnapshotInput& saved) { return core_->restore(saved); }

Result<void> TaskState::clear() { return core_->clear(); }

void TaskState::destroy() noexcept { core_->destroy(); }

}  // namespace taskstate::inline v0
