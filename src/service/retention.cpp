// Old revisions of a task, removed so that what is left still leads to its head.

#include "service/retention.hpp"
#include "service/core.hpp"
#include "service/integrity.hpp"

#include <taskstate/engine/governance.hpp>

#include "engine/field_checks.hpp"
#include "store/successor.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t trimmed_at_once = 200;

Result<void> check_trim(const TrimInput& request, TextPolicy policy) {
    FieldChecks fields(policy);
    fields.actor(request.actor);
    fields.require(request.last || request.since, "/last", Reason::missing_field);
    fields.require(request.last.value_or(1) > 0, "/last", Reason::out_of_range);
    if (auto& wrong = fields.error()) return *std::move(wrong);
    if (auto may = check_capability(request.actor.role, Capability::delete_state); !may) {
        return under("/actor/role", std::move(may).error());
    }
    return {};
}

/// Calls `see(record)` for each revision of the log up to the head, until it says that this is enough.
Result<void> each_revision(Store& store, const TaskHead& head,
                           const std::function<Result<bool>(RevisionRecord&)>& see) {
    for (Revision after{}; after < head.frame.revision;) {
        auto page = store.revisions(head.address(), after, trimmed_at_once);
        if (!page) return std::move(page).error();
        for (RevisionRecord& record : *page) {
            after = record.frame.revision;
            const auto more = see(record);
            if (!more) return more.error();
            if (!*more) return {};
        }
        if (page->size() < trimmed_at_once) return {};
    }
    return {};
}

/// The first revision that a rule keeps; the head, where none keeps an earlier one.
Result<Revision> first_kept(Store& store, const TaskHead& head, const TrimInput& request) {
    const std::uint64_t last = head.frame.revision.number;
    Revision first{last};
    if (request.last) first.number = last > *request.last ? last - *request.last + 1 : 1;
    auto done = each_revision(store, head, [&](const RevisionRecord& record) -> Result<bool> {
        const Revision revision = record.frame.revision;
        const bool kept = revision >= first || (request.since && record.frame.updated_at >= *request.since);
        if (kept) first = revision;
        return !kept;
    });
    if (!done) return std::move(done).error();
    return first;
}

/// The record of a revision as one that needs none before it.
RevisionRecord as_base(RevisionRecord record, const LogState& log) {
    const Snapshot& state = log.snapshot();
    record.changes = changes(nothing_of(*state.state().identity, {state.revision().number - 1}), state);
    record.base = LogBase{log.pause()};
    return record;
}

/// What goes, and what takes its place.
struct Trimming {
    TrimLog write{};
    std::uint64_t removed = 0;
};
Result<Trimming> plan_trimming(Store& store, const TaskHead& head, const TrimInput& request, Revision first) {
    Trimming plan{.write = {.task = head.address(), .first = first}};
    LogState log(head.identity);
    auto done = each_revision(store, head, [&](RevisionRecord& record) -> Result<bool> {
        if (auto followed = log.follow(record); !followed) return std::move(followed).error();
        const Revision revision = record.frame.revision;
        const auto& pins = request.pinned;
        if (revision == first || std::find(pins.begin(), pins.end(), revision) != pins.end())
            plan.write.kept.push_back(as_base(std::move(record), log));
        else
            ++plan.removed;
        return revision < first;
    });
    if (!done) return std::move(done).error();
    return plan;
}

}  // namespace

Result<OptText> retention_words(Store& store, const TaskAddress& task) {
    const auto first = store.revisions(task, {}, 1);
    if (!first) return first.error();
    if (first->empty() || !first->front().base) return OptText();
    return OptText("Older revisions were removed by retention: what they gave and who gave it is no longer known.");
}

Result<Trimmed> TaskService::trim(const TrimInput& request) {
    if (auto sound = check_trim(request, core_->options().text); !sound) return std::move(sound).error();
    Store& store = core_->store();
    for (;;) {
        const auto found = core_->find(request.task);
        if (!found) return found.error();
        const TaskHead& head = found->head;
        for (std::size_t i = 0; i < request.pinned.size(); ++i) {
            if (request.pinned[i] <= head.frame.revision) continue;
            return fail(Reason::out_of_range, at("pinned", i), {head.frame.revision.number, request.pinned[i].number});
        }
        const auto first = first_kept(store, head, request);
        if (!first) return first.error();
        auto plan = plan_trimming(store, head, request, *first);
        if (!plan) return std::move(plan).error();
        const Trimmed trimmed{.removed = plan->removed, .first = *first};
        if (trimmed.removed == 0) return trimmed;
        const std::array<Write, 1> batch{std::move(plan->write)};
        auto done = store.commit(batch);
        if (done) return trimmed;
        // Somebody else removed more meanwhile: what is left to do is seen anew.
        if (done.error().reason != Reason::revision_gap) return std::move(done).error();
    }
}

}  // namespace taskstate::inline v0
