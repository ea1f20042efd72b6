#include <taskstate/engine/apply.hpp>
#include <taskstate/engine/changes.hpp>
#include <taskstate/task/task_state.hpp>

#include <algorithm>
#include <deque>
#include <mutex>

namespace taskstate::inline v0 {
namespace {

/// What an observer of the lock sees at one moment.
struct Head {
    Snapshot snapshot{};
    Generation generation{};
    bool destroyed = false;
};

/// What the commits of the recent revisions touched.
class History {
 public:
    void add(Revision reached, Touched touched) {
        if (steps_.size() == steps_max) steps_.pop_front();
        steps_.push_back({reached, std::move(touched)});
    }
    void forget() { steps_.clear(); }

    /// The commits after `from`, oldest first; nothing when they are not all remembered.
    [[nodiscard]] std::optional<std::vector<Touched>> since(Revision from, Revision head) const {
        std::vector<Touched> found;
        for (const Step& step : steps_) {
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
    std::deque<Step> steps_{};
};

/// The block of the last call, for as long as nothing changed.
struct KeptBlock {
    PromptOptions options{};
    Block block;

    [[nodiscard]] bool answers(const PromptOptions& asked, const Head& head) const {
        return block.generation() == head.generation && options.bytes_max == asked.bytes_max &&
               options.tokens_max == asked.tokens_max && options.counter == asked.counter &&
               options.spellings == asked.spellings;
    }
};

/// Everything that the lock guards; reached only through `Locked`.
struct Guarded {
    Head head{};
    History history{};
    std::optional<KeptBlock> block{};
};

/// A mutex that owns its data.
class Locked {
 public:
    explicit Locked(Snapshot first) { data_.head.snapshot = std::move(first); }

    template <class Use>
    auto use(const Use& action) {
        const std::lock_guard<std::mutex> lock(mutex_);
        return action(data_);
    }

 private:
    std::mutex mutex_{};
    Guarded data_{};
};

/// No task fits into nothing.
Result<void> check_limits(const Limits& limits) {
    struct Bound {
        std::string_view name{};
        std::size_t value = 0;
    };
    for (const Bound& bound :
         {Bound{"entries_max", limits.entries_max}, Bound{"items_max", limits.items_max},
          Bound{"sources_max", limits.sources_max}, Bound{"tokens_max", limits.tokens_max},
          Bound{"snapshot_bytes_max", limits.snapshot_bytes_max}, Bound{"input_bytes_max", limits.input_bytes_max}}) {
        if (bound.value == 0) return fail(Reason::options_invalid, "/limits/" + std::string(bound.name), {1, 0});
    }
    return {};
}

Error stale(Revision current, Revision sent) {
    return fail(Reason::stale_base_revision, "", {current.number, sent.number});
}

}  // namespace

class TaskState::Core {
 public:
    Core(TaskOptions options, Identity identity, const Profile& profile)
        : options_(std::move(options)),
          identity_(std::make_shared<const Identity>(std::move(identity))),
          profile_(profile),
          rules_{.profile = &profile, .limits = options_.limits.value_or(profile.limits), .text = options_.text},
          key_(block_key(*identity_, options_.secrets)),
          guarded_(first_snapshot()) {}

    static Result<std::unique_ptr<Core>> make(const TaskOptions& options);

    [[nodiscard]] Head head() const {
        return guarded_.use([](const Guarded& data) { return data.head; });
    }
    /// The head, for a caller who may see it.
    [[nodiscard]] Result<Head> open_head() const {
        Head seen = head();
        if (seen.destroyed) return fail(Reason::task_destroyed);
        if (auto mine = check_owner(); !mine) return std::move(mine).error();
        return seen;
    }

    Result<Commit> commit(const Result<Head>& seen, Result<Transaction> transaction);
    [[nodiscard]] Result<Block> prompt(const PromptOptions& options) const;
    [[nodiscard]] Result<HostDelta> rebase(const HostDelta& delta, Revision from) const;
    Result<Snapshot> restore(const SnapshotInput& saved);
    Result<void> replace(Snapshot snapshot);
    void destroy() noexcept;

    [[nodiscard]] Snapshot first_snapshot() const {
        const Timestamp created = now();
        Identity identity = *identity_;
        identity.created_at = created;
        State state{.identity = std::make_shared<const Identity>(std::move(identity)),
                    .updated_at = created,
                    .last_progress_at = created};
        if (options_.link) state.link = SavedLink{*options_.link, std::nullopt};
        return Snapshot(std::move(state));
    }
    [[nodiscard]] const Rules& rules() const noexcept { return rules_; }
    [[nodiscard]] const std::string& key() const noexcept { return key_; }
    [[nodiscard]] bool journalled() const noexcept { return options_.journal != nullptr; }

 private:
    /// The keys that the other secrets would sign with.
    [[nodiscard]] std::vector<std::string> retired_keys() const {
        std::vector<std::string> keys;
        for (std::span<const Secret> rest(options_.secrets); rest.size() > 1;) {
            rest = rest.subspan(1);
            keys.push_back(block_key(*identity_, rest));
        }
        return keys;
    }
    /// The host's time, within what the wire can hold.
    [[nodiscard]] Timestamp now() const { return std::clamp(options_.clock->now(), Timestamp{}, timestamp_max); }
    [[nodiscard]] Result<void> check_owner() const {
        if (!options_.owner) return {};
        const OptText current = options_.owner->current_owner();
        if (!current || *current == identity_->scope.owner) return {};
        return fail(Reason::owner_mismatch);
    }
    [[nodiscard]] Result<void> check_identity(const SnapshotInput& saved) const;

    const TaskOptions options_;
    const std::shared_ptr<const Identity> identity_;
    const Profile& profile_;
    const Rules rules_;
    const std::string key_;
    mutable Locked guarded_;
};

Result<std::unique_ptr<TaskState::Core>> TaskState::Core::make(const TaskOptions& given) {
    TaskOptions options = given;
    if (!options.clock) options.clock = system_clock();
    const Profile* profile = find_profile(options.profile);
    if (profile == nullptr) return fail(Reason::unknown_profile, "/profile");
    auto identity = admit(Identity{options.id, options.profile, options.scope, options.association, options.goal, {}},
                          options.text);
    if (!identity) return std::move(identity).error();
    if (options.link) {
        if (auto link = admit(*options.link); !link) return std::move(link).error();
    }
    if (auto bounded = check_limits(options.limits.value_or(profile->limits)); !bounded)
        return std::move(bounded).error();
    return std::make_unique<Core>(std::move(options), *std::move(identity), *profile);
}

Result<Commit> TaskState::Core::commit(const Result<Head>& seen, Result<Transaction> transaction) {
    if (!seen) return seen.error();
    if (!transaction) return std::move(transaction).error();
    const Snapshot& before = seen->snapshot;
    Decision decision = apply(before, *transaction, rules_, now());
    if (decision.outcome == Outcome::rejected || decision.outcome == Outcome::conflict)
        return std::move(decision.error);
    Commit done{.outcome = decision.outcome, .snapshot = decision.snapshot, .replaced = transaction->replaced()};
    if (decision.outcome == Outcome::no_change) return done;

    if (auto mine = check_owner(); !mine) return std::move(mine).error();
    if (options_.journal) {
        auto kept =
            options_.journal->commit({.before = before, .after = done.snapshot, .reason = transaction->reason()});
        if (!kept) return std::move(kept).error();
    }
    Touched changed = touched(before, done.snapshot);
    auto swapped = guarded_.use([&](Guarded& data) -> Result<void> {
        if (data.head.destroyed) return fail(Reason::task_destroyed);
        if (data.head.generation != seen->generation) return stale(data.head.snapshot.revision(), before.revision());
        data.head.snapshot = done.snapshot;
        ++data.head.generation.number;
        data.history.add(done.snapshot.revision(), std::move(changed));
        data.block.reset();
        return {};
    });
    if (!swapped) return std::move(swapped).error();
    if (options_.observer) options_.observer->committed(done);
    return done;
}

Result<Block> TaskState::Core::prompt(const PromptOptions& options) const {
    const auto seen = open_head();
    if (!seen) return seen.error();
    const auto kept = guarded_.use([&](const Guarded& data) { return data.block; });
    if (kept && kept->answers(options, *seen)) return kept->block;
    auto block = render(seen->snapshot, profile_, key_, options, seen->generation, retired_keys());
    if (!block) return block;
    guarded_.use([&](Guarded& data) {
        if (data.head.generation == seen->generation) data.block = KeptBlock{options, *block};
    });
    return block;
}

Result<HostDelta> TaskState::Core::rebase(const HostDelta& delta, Revision from) const {
    const auto seen = open_head();
    if (!seen) return seen.error();
    const Revision current = seen->snapshot.revision();
    const auto steps = guarded_.use([&](const Guarded& data) { return data.history.since(from, current); });
    if (!steps) return stale(current, from);
    for (const Touched& step : *steps) {
        if (auto free = check_untouched(delta, step); !free) return std::move(free).error();
    }
    return delta;
}

Result<void> TaskState::Core::check_identity(const SnapshotInput& saved) const {
    if (saved.id != identity_->id) return fail(Reason::task_mismatch, "/id");
    if (saved.scope != identity_->scope) return fail(Reason::scope_mismatch, "/scope");
    if (saved.association != identity_->association) return fail(Reason::association_mismatch, "/association");
    if (saved.profile != identity_->profile) return fail(Reason::profile_version_differs, "/profile");
    const auto target = saved.link ? std::optional<LinkTarget>(saved.link->target) : std::nullopt;
    if (target != options_.link) return fail(Reason::link_mismatch, "/link");
    return {};
}

Result<Snapshot> TaskState::Core::restore(const SnapshotInput& saved) {
    if (auto seen = open_head(); !seen) return std::move(seen).error();
    if (journalled()) return fail(Reason::journalled);
    if (auto mine = check_identity(saved); !mine) return std::move(mine).error();
    auto state = admit(saved, rules_);
    if (!state) return std::move(state).error();
    if (auto holds = validate(*state, rules_); !holds) return std::move(holds).error();
    Snapshot snapshot(*std::move(state));
    if (auto replaced = replace(snapshot); !replaced) return std::move(replaced).error();
    return snapshot;
}

Result<void> TaskState::Core::replace(Snapshot snapshot) {
    return guarded_.use([&](Guarded& data) -> Result<void> {
        if (data.head.destroyed) return fail(Reason::task_destroyed);
        data.head.snapshot = std::move(snapshot);
        ++data.head.generation.number;
        data.history.forget();
        data.block.reset();
        return {};
    });
}

void TaskState::Core::destroy() noexcept {
    guarded_.use([](Guarded& data) {
        if (data.head.destroyed) return;
        data.head.destroyed = true;
        ++data.head.generation.number;
        data.head.snapshot = Snapshot();
        data.history.forget();
        data.block.reset();
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
    if (auto restored = task->core_->restore(saved); !restored) return std::move(restored).error();
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

Result<Snapshot> TaskState::snapshot() const {
    const auto head = core_->open_head();
    if (!head) return head.error();
    return head->snapshot;
}

Revision TaskState::revision() const noexcept {
    const Head head = core_->head();
    return head.destroyed ? Revision{} : head.snapshot.revision();
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

Result<void> TaskState::clear() {
    if (auto head = core_->open_head(); !head) return std::move(head).error();
    if (core_->journalled()) return fail(Reason::journalled);
    return core_->replace(core_->first_snapshot());
}

void TaskState::destroy() noexcept { core_->destroy(); }

}  // namespace taskstate::inline v0
