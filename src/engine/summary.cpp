#include <taskstate/engine/summary.hpp>

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

/// The ids of settled items, in order.
std::vector<std::string_view> settled_ids(const EntryList& items) {
    std::vector<std::string_view> ids;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].past()) ids.push_back(items[i].id());
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

}  // namespace

NextWork next_work(const State& state) {
    const std::vector<std::string_view> settled = settled_ids(state.items);
    const auto is_met = [&settled](std::string_view id) {
        return std::binary_search(settled.begin(), settled.end(), id);
    };
    NextWork next;
    for (const Item& item : Entries<Item, &Entry::item>(state.items)) {
        if (item.status != ItemStatus::pending && item.status != ItemStatus::ready) continue;
        const bool ready = std::all_of(item.depends_on.begin(), item.depends_on.end(), is_met);
        (ready ? next.ready : next.waiting).push_back(item.id);
    }
    return next;
}

Summary summarize(const Snapshot& snapshot, const Profile& profile) {
    const NextWork next = next_work(snapshot.state());
    const OpenGates open = open_gates(snapshot.state(), profile);
    Summary summary{.total = snapshot.items().size(),
                    .ready = {next.ready.begin(), next.ready.end()},
                    .open_constraints = {open.constraints.begin(), open.constraints.end()},
                    .completion_allowed = open.allowed(),
                    .completion_blockers = open.names()};
    auto waiting = next.waiting.begin();
    for (const Item& item : snapshot.items()) {
        summary.completed += item.status == ItemStatus::completed;
        summary.skipped += item.status == ItemStatus::skipped;
        summary.failed += item.status == ItemStatus::failed;
        if (!is_settled(item.status)) summary.remaining.emplace_back(item.id);
        const bool waits = waiting != next.waiting.end() && *waiting == item.id;
        if (waits) ++waiting;
        if (waits || item.status == ItemStatus::blocked) summary.blocked.emplace_back(item.id);
    }
    return summary;
}

}  // namespace taskstate::inline v0
