#include "cli/copy.hpp"

#include "cli/answer.hpp"
#include "cli/task_copy.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t heads_at_once = 100;

/// One store on its way into another.
class StoreCopy {
 public:
    StoreCopy(Store& from, Store& to) : from_(from), to_(to) {}

    Result<Copied> run() {
        if (auto done = copy_profiles(); !done) return std::move(done).error();
        const auto scopes = from_.scopes();
        if (!scopes) return scopes.error();
        for (const Scope& scope : *scopes) {
            if (auto done = copy_scope(scope); !done) return std::move(done).error();
        }
        return copied_;
    }

 private:
    Result<void> copy_profiles() {
        const auto profiles = from_.profiles();
        if (!profiles) return profiles.error();
        for (const Profile& profile : *profiles) {
            const auto there = to_.profile(profile.id);
            if (!there) return there.error();
            if (!*there) ++copied_.profiles;
            if (auto done = commit(AddProfile{profile}); !done) return done;
        }
        return {};
    }

    Result<void> copy_scope(const Scope& scope) {
        const Copied before = copied_;
        if (auto done = copy_tasks(scope); !done) return done;
        if (auto done = copy_bindings(scope); !done) return done;
        if (auto done = copy_mode(scope); !done) return done;
        Copied now = copied_;
        now.checked = before.checked;
        if (now != before) ++copied_.scopes;
        return {};
    }

    Result<void> copy_tasks(const Scope& scope) {
        HeadQuery query{.scope = scope, .limit = heads_at_once};
        for (;;) {
            const auto heads = from_.list(query);
            if (!heads) return heads.error();
            for (const TaskHead& head : *heads) {
                const auto stored = from_.load(head.address());
                if (!stored) return stored.error();
                if (!*stored) continue;  // gone meanwhile
                TaskCopy task(from_, to_, **stored);
                if (auto done = task.write(copied_); !done) return done;
                if (auto same = task.check(); !same) return same;
                ++copied_.checked;
            }
            if (heads->size() < heads_at_once) return {};
            query.after = HeadQuery::Place{heads->back().identity.created_at, heads->back().identity.id};
        }
    }

    /// In the order in which they were added, each ended before the next one of its session begins.
    Result<void> copy_bindings(const Scope& scope) {
        const BindingQuery all{.scope = scope, .revoked_too = true};
        const auto ours = from_.bindings(all), theirs = to_.bindings(all);
        if (!ours) return ours.error();
        if (!theirs) return theirs.error();
        for (const Binding& binding : *ours) {
            const auto there = std::find_if(theirs->begin(), theirs->end(),
                                            [&](const Binding& known) { return known.id == binding.id; });
            if (there == theirs->end()) {
                AddBinding begun{binding};
                begun.binding.revoked_at.reset();
                begun.binding.revoked_by.reset();
                begun.binding.revoked_because.reset();
                if (auto done = commit(std::move(begun)); !done) return done;
                ++copied_.bindings;
            }
            const bool ends = binding.revoked_at && (there == theirs->end() || !there->revoked_at);
            if (!ends) continue;
            const RevokeBinding end{.scope = scope,
                                    .id = binding.id,
                                    .at = *binding.revoked_at,
                                    .by = binding.revoked_by.value_or(""),
                                    .because = binding.revoked_because};
            if (auto done = commit(end); !done) return done;
        }
        return {};
    }

    /// At last, so that nobody works on what has only half arrived.
    Result<void> copy_mode(const Scope& scope) {
        const auto ours = from_.mode(scope), theirs = to_.mode(scope);
        if (!ours) return ours.error();
        if (!theirs) return theirs.error();
        if (*theirs != ScopeMode::disabled || *ours == ScopeMode::disabled) return {};
        ++copied_.modes;
        return commit(SetScopeMode{scope, *ours});
    }

    Result<void> commit(Write write) { return to_.commit(std::array<Write, 1>{std::move(write)}); }

    Store &from_, &to_;
    Copied copied_{};
};

}  // namespace

Result<Copied> copy_store(Store& from, Store& to) { return StoreCopy(from, to).run(); }

std::string copy_answer(const Result<Copied>& copied) {
    if (!copied) return refusal(copied.error());
    return success([&](JsonWriter& json) {
        member(json, "scopes", copied->scopes);
        member(json, "tasks", copied->tasks);
        member(json, "revisions", copied->revisions);
        member(json, "decisions", copied->decisions);
        member(json, "deliveries", copied->deliveries);
        member(json, "bindings", copied->bindings);
        member(json, "modes", copied->modes);
        member(json, "profiles", copied->profiles);
        member(json, "checked", copied->checked);
    });
}

}  // namespace taskstate::inline v0
