// What a reader sees of tasks, and of how they came to be what they are.

#include "service/core.hpp"
#include "service/cursor.hpp"
#include "service/oversight.hpp"
#include "service/provenance.hpp"
#include "service/retention.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t list_max = 500, timeline_max = 1000, rows_at_once = 500;

Result<void> check_limit(std::size_t limit, std::size_t most) {
    if (limit >= 1 && limit <= most) return {};
    return fail(Reason::out_of_range, "/limit", {most, limit});
}

bool includes(const std::vector<Lifecycle>& wanted, Lifecycle lifecycle) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), lifecycle) != wanted.end();
}

/// What may turn out to be what is wanted once it is looked at: a task that is still open may be due.
std::vector<Lifecycle> candidates(std::vector<Lifecycle> wanted) {
    if (!wanted.empty() && includes(wanted, Lifecycle::expired)) {
        wanted.insert(wanted.end(), {Lifecycle::open, Lifecycle::paused});
    }
    return wanted;
}

/// Deliveries of the task that `wanted` takes.
template <class Wanted>
Result<std::vector<DeliveryRecord>> deliveries_of(Store& store, const TaskAddress& task, const Wanted& wanted) {
    std::vector<DeliveryRecord> taken;
    for (std::uint64_t after = 0;;) {
        auto page = store.deliveries(task, after, rows_at_once);
        if (!page) return page;
        for (DeliveryRecord& delivery : *page) {
            after = delivery.sequence;
            if (wanted(delivery)) taken.push_back(std::move(delivery));
        }
        if (page->size() < rows_at_once) return taken;
    }
}

/// Of a delivery: what made the revision that it showed.
Result<Provenance> provenance_of_delivery(Store& store, const TaskAddress& task, std::string_view id) {
    Provenance told;
    auto shown = deliveries_of(store, task, [&](const DeliveryRecord& delivery) { return delivery.id == id; });
    if (!shown) return std::move(shown).error();
    if (shown->empty()) return told;
    auto records = store.revisions(task, Revision{shown->front().revision.number - 1}, 1);
    if (!records) return std::move(records).error();
    if (!records->empty() && records->front().frame.revision != shown->front().revision) records->clear();
    told.history = history_of(*records, {});
    told.deliveries = *std::move(shown);
    return told;
}

/// Of any other target: what gave it a value, and who was shown that.
Result<Provenance> provenance_of_value(Store& store, const ProvenanceInput& asked) {
    Provenance told;
    auto records = store.lineage(asked.task, asked.kind, asked.id);
    if (!records) return std::move(records).error();
    told.history = history_of(*records, {asked.kind, asked.id});
    std::set<Revision> revisions;
    for (const ProvenanceEntry& entry : told.history) revisions.insert(entry.revision);
    auto shown = deliveries_of(store, asked.task,
                               [&](const DeliveryRecord& delivery) { return revisions.contains(delivery.revision); });
    if (!shown) return std::move(shown).error();
    told.deliveries = *std::move(shown);
    return told;
}

}  // namespace

Result<TaskView> TaskService::read(const TaskAddress& task) {
    const auto mode = core_->check_mode(task.scope);
    if (!mode) return mode.error();
    auto seen = core_->current(task, *mode);
    if (!seen) return std::move(seen).error();
    TaskHead& head = seen->head;
    const ExpiryStatus expiry = expiry_status(head, core_->now());
    return TaskView{.snapshot = seen->snapshot,
                    .terminal_reason = std::move(head.terminal_reason),
                    .continues = std::move(head.continues),
                    .expiry = expiry,
                    .clock = std::move(head.clock),
                    .summary = summarize(seen->snapshot, *seen->profile)};
}

Result<ListPage> TaskService::list(const ListInput& request) {
    const auto mode = core_->check_mode(request.scope);
    if (!mode) return mode.error();
    if (auto sound = check_limit(request.limit, list_max); !sound) return std::move(sound).error();
    HeadQuery query{.scope = request.scope, .lifecycles = candidates(request.lifecycles)};
    if (request.cursor) {
        auto place = parse_cursor(*request.cursor);
        if (!place) return under("/cursor", std::move(place).error());
        query.after = *std::move(place);
    }

    ListPage page;
    for (bool more = true; more && page.tasks.size() < request.limit;) {
        query.limit = request.limit - page.tasks.size() + 1;
        auto heads = core_->store().list(query);
        if (!heads) return std::move(heads).error();
        more = heads->size() == query.limit;
        if (more) heads->pop_back();  // it only says that there is more
        for (TaskHead& head : *heads) {
            query.after = HeadQuery::Place{head.identity.created_at, head.identity.id};
            auto current = core_->evaluate(std::move(head), *mode);
            if (!current && current.error().reason == Reason::task_not_eligible) continue;  // gone meanwhile
            if (!current) return std::move(current).error();
            if (includes(request.lifecycles, current->frame.lifecycle)) page.tasks.push_back(*std::move(current));
        }
        if (more && page.tasks.size() == request.limit) page.cursor = format_cursor(*query.after);
    }
    return page;
}

Result<Provenance> TaskService::provenance(const ProvenanceInput& request) {
    if (const auto mode = core_->check_mode(request.task.scope); !mode) return mode.error();
    const auto found = core_->find(request.task);
    if (!found && found.error().reason == Reason::task_not_eligible) return Provenance{};
    if (!found) return found.error();
    Store& store = core_->store();
    auto told = request.kind == TargetKind::delivery ? provenance_of_delivery(store, request.task, request.id)
                                                     : provenance_of_value(store, request);
    if (!told) return told;
    auto words = retention_words(store, request.task);
    if (!words) return std::move(words).error();
    told->retention = *std::move(words);
    told->found = !told->history.empty();
    told->current = found->head.frame.revision;
    return told;
}

Result<Timeline> TaskService::timeline(const TimelineInput& request) {
    if (const auto mode = core_->check_mode(request.task.scope); !mode) return mode.error();
    if (auto sound = check_limit(request.limit, timeline_max); !sound) return std::move(sound).error();
    Store& store = core_->store();
    auto revisions = store.revisions(request.task, Revision{request.after}, request.limit);
    if (!revisions) return std::move(revisions).error();
    auto decisions = store.decisions(request.task, request.after, request.limit);
    if (!decisions) return std::move(decisions).error();
    auto deliveries = store.deliveries(request.task, request.after, request.limit);
    if (!deliveries) return std::move(deliveries).error();
    // A log with gaps gives no more than the numbers that the next call goes on after.
    std::erase_if(*revisions, [&](const RevisionRecord& record) {
        return record.frame.revision.number - request.after > request.limit;
    });
    auto words = retention_words(store, request.task);
    if (!words) return std::move(words).error();
    for (RevisionRecord& revision : *revisions) revision = content_free(std::move(revision));
    for (DecisionRecord& decision : *decisions) decision = content_free(std::move(decision));
    return Timeline{*std::move(revisions), *std::move(decisions), *std::move(deliveries), *std::move(words)};
}

}  // namespace taskstate::inline v0
