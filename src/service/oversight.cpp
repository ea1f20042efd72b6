#include "service/oversight.hpp"

#include "service/core.hpp"
#include "service/integrity.hpp"

#include <algorithm>
#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t page_size = 200;

/// Calls `see(head)` for every task of a scope, page by page, until it fails.
template <class See>
Result<void> each_head(Store& store, const Scope& scope, const See& see) {
    HeadQuery query{.scope = scope, .limit = page_size};
    for (;;) {
        const auto heads = store.list(query);
        if (!heads) return heads.error();
        for (const TaskHead& head : *heads) {
            if (auto seen = see(head); !seen) return seen;
        }
        if (heads->size() < page_size) return {};
        query.after = HeadQuery::Place{heads->back().identity.created_at, heads->back().identity.id};
    }
}

/// Leads `check` along the log up to the revision that it ends at; the first revision behind that, if there is one.
Result<std::optional<Revision>> follow_log(Store& store, const TaskHead& head, LogCheck& check) {
    for (Revision after{};;) {
        const auto page = store.revisions(head.address(), after, page_size);
        if (!page) return page.error();
        for (const RevisionRecord& record : *page) {
            after = record.frame.revision;
            if (after > head.frame.revision) return std::optional(after);
            check.follow(record);
            if (check.broken()) return std::optional<Revision>();
        }
        if (page->size() < page_size) return std::optional<Revision>();
    }
}

/// What does not hold of one task.
Result<std::optional<Problem>> check_task(const TaskService::Core& core, const TaskAddress& task) {
    using Found = std::optional<Problem>;
    Store& store = core.store();
    const auto stored = store.load(task);
    if (!stored) return stored.error();
    if (!*stored) return Found();  // gone meanwhile
    const TaskHead& head = (*stored)->head;
    const auto profile = core.profile(head.identity.profile);
    if (!profile) return profile.error();
    LogCheck check(**stored, **profile);
    const auto behind = follow_log(store, head, check);
    if (!behind) return behind.error();
    Found problem = check.finish();
    if (!problem && !*behind) return problem;

    // Others may have moved on or deleted the task since it was loaded: what they did is no problem.
    const auto now = store.find(task, std::nullopt);
    if (!now) return now.error();
    if (!*now) return Found();
    if (!problem && (*now)->head.frame.revision < **behind) problem = Problem{task.id, Reason::revision_gap, *behind};
    return problem;
}

}  // namespace

std::optional<std::uint64_t> percentile(std::vector<std::uint64_t> values, std::uint64_t percent) {
    if (values.empty()) return std::nullopt;
    std::sort(values.begin(), values.end());
    const std::uint64_t hundredths = percent * (values.size() - 1);
    std::uint64_t index = hundredths / 100;
    const std::uint64_t rest = hundredths % 100;
    if (rest > 50 || (rest == 50 && index % 2 == 1)) ++index;
    return values[index];
}

ExpiryStatus expiry_status(const TaskHead& head, Timestamp now) {
    ExpiryStatus status =
        expiry_status(head.expiry, head.identity.created_at, head.frame.last_progress_at, head.pause, now);
    if (is_terminal(head.frame.lifecycle)) status.due.reset();
    return status;
}

std::optional<Overdue> overdue(const TaskHead& head, Timestamp now) {
    const ExpiryStatus status = expiry_status(head, now);
    if (!status.due) return std::nullopt;
    return Overdue{head.identity.id, *status.due, status.absolute_age_ms, status.no_progress_age_ms};
}

RevisionRecord content_free(RevisionRecord record) {
    record.changes.clear();
    record.lineage.clear();
    record.frame.link.reset();
    record.origin.reason.reset();
    record.origin.interpreter.reset();
    record.origin.evidence.clear();
    return record;
}

DecisionRecord content_free(DecisionRecord decision) {
    decision.key.reset();
    decision.evidence.clear();
    return decision;
}

Result<Integrity> TaskService::verify(const Scope& scope) {
    if (const auto mode = core_->check_mode(scope); !mode) return mode.error();
    Integrity integrity;
    auto checked = each_head(core_->store(), scope, [&](const TaskHead& head) -> Result<void> {
        auto problem = check_task(*core_, head.address());
        if (!problem) {
            const Error& error = problem.error();
            if (error.code() != Errc::corrupt && error.reason != Reason::unknown_profile) return error;
            problem = std::optional(Problem{head.identity.id, error.reason, std::nullopt});
        }
        ++integrity.checked_tasks;
        if (*problem) integrity.problems.push_back(**std::move(problem));
        return {};
    });
    if (!checked) return std::move(checked).error();
    integrity.valid = integrity.problems.empty();
    return integrity;
}

Result<Health> TaskService::health(const Scope& scope) {
    if (const auto mode = core_->check_mode(scope); !mode) return mode.error();
    auto tally = core_->store().tally(scope);
    if (!tally) return std::move(tally).error();
    auto integrity = verify(scope);
    if (!integrity) return std::move(integrity).error();
    const Timestamp now = core_->now();
    Health health{.observed_at = now,
                  .latency_ms_p50 = percentile(tally->durations_ms, 50),
                  .latency_ms_p95 = percentile(tally->durations_ms, 95),
                  .integrity = *std::move(integrity)};
    if (tally->last_progress_at) {
        health.no_progress_age_ms =
            static_cast<std::uint64_t>(std::max<std::int64_t>(0, now.ms - tally->last_progress_at->ms));
    }
    health.tally = *std::move(tally);
    auto seen = each_head(core_->store(), scope, [&](const TaskHead& head) -> Result<void> {
        if (auto late = overdue(head, now)) health.overdue.push_back(*std::move(late));
        return {};
    });
    if (!seen) return std::move(seen).error();
    return health;
}

}  // namespace taskstate::inline v0
