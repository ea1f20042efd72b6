#include <taskstate/engine/history.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace taskstate::inline v0 {
namespace {

/// Takes out what is gone: the ordinals ascend, and each leads to an entry of that id.
bool take_gone(EntryList& list, EntryKind kind, std::span<const EntryChange> changes) {
    std::vector<std::size_t> gone;
    for (const EntryChange& change : changes) {
        if (change.kind != kind || change.entry.get() != nullptr) continue;
        const bool ascends = gone.empty() || gone.back() < change.ordinal;
        if (!ascends || change.ordinal >= list.size() || list[change.ordinal].id() != change.id) return false;
        gone.push_back(change.ordinal);
    }
    list.erase(gone);
    return true;
}

/// Puts an entry where its predecessor of the same id stands, or a new one at the end.
bool put(EntryList& list, const EntryChange& change) {
    const std::size_t place = list.find(change.id).value_or(list.size());
    if (place != change.ordinal || change.entry->kind() != change.kind || change.entry->id() != change.id) return false;
    if (place == list.size()) {
        list.push_back(change.entry);
    } else {
        list.replace(place, change.entry);
    }
    return true;
}

/// Collects what differs, each kind by itself.
class Differences {
 public:
    Differences(const Snapshot& before, const Snapshot& after, Assurance assurance)
        : before_(before.state()), after_(after.state()), assurance_(assurance) {
        if (before.revision() > Revision{}) base_ = before.revision();
    }

    void see_fields() {
        if (before_.phase != after_.phase) add(TargetKind::field, "phase", base_of(before_.phase));
        if (before_.schema_locked != after_.schema_locked) add(TargetKind::field, "schema_locked", std::nullopt);
        if (before_.link != after_.link) add(TargetKind::field, "link", base_of(before_.link));
    }
    void see(const EntryChange& change) {
        if (change.entry.get() == nullptr) return;
        const EntryList& entries = list_of(before_, change.kind);
        const auto place = entries.find(change.id);
        if (change.kind != EntryKind::item) return add(target_of(change.kind), change.id, base_of(place));
        see_item(place ? std::optional(entries[*place].item()) : std::nullopt, change.entry->item());
    }
    void see_lifecycle() {
        if (before_.lifecycle != after_.lifecycle) add(TargetKind::lifecycle, word(after_.lifecycle), base_);
    }

    /// All of them, kind after kind.
    [[nodiscard]] std::vector<Lineage> take() {
        std::vector<Lineage> all;
        for (auto& list : found_) std::move(list.begin(), list.end(), std::back_inserter(all));
        return all;
    }

 private:
    static TargetKind target_of(EntryKind kind) {
        constexpr std::array targets{TargetKind::note, TargetKind::item, TargetKind::source, TargetKind::action};
        return targets[static_cast<std::size_t>(kind)];
    }

    /// What came with a new status belongs to the status; the rest is the item's own.
    void see_item(std::optional<Item> old, const Item& item) {
        const auto base = base_of(old);
        const std::optional<Item> asserted_before = old;
        if (!old || old->status != item.status) {
            add(TargetKind::status, item.id, base);
            list(TargetKind::status).back().assurance = vouched(old, item);
        }
        if (old && old->status != item.status) {
            old->status = item.status;
            old->reason = item.reason;
            old->assurance = item.assurance;
            old->evidence = item.evidence;
        }
        if (old == item) return;
        add(TargetKind::item, item.id, base);
        list(TargetKind::item).back().assurance = vouched(asserted_before, item);
    }

    /// What stands behind a change of an item: the class that the change brought, never one that the item had already.
    [[nodiscard]] Assurance vouched(const std::optional<Item>& old, const Item& item) const {
        const bool raised = !old || item.assurance > old->assurance;
        return raised ? std::max(assurance_, item.assurance) : assurance_;
    }

    /// The revision that held what `replaced` stands for, if there was anything.
    template <class T>
    [[nodiscard]] std::optional<Revision> base_of(const std::optional<T>& replaced) const {
        return replaced ? base_ : std::nullopt;
    }
    [[nodiscard]] std::vector<Lineage>& list(TargetKind kind) { return found_[static_cast<std::size_t>(kind)]; }
    void add(TargetKind kind, std::string_view id, std::optional<Revision> supersedes) {
        list(kind).push_back({kind, std::string(id), supersedes, assurance_});
    }

    const State &before_, &after_;
    Assurance assurance_;
    std::optional<Revision> base_{};  // nothing of revision 0 was ever given
    std::array<std::vector<Lineage>, Words<TargetKind>::list.size()> found_{};
};

}  // namespace

Frame frame_of(const State& state) {
    return {.revision = state.revision,
            .lifecycle = state.lifecycle,
            .phase = state.phase,
            .schema_locked = state.schema_locked,
            .link = state.link,
            .next_ids = state.next_ids,
            .updated_at = state.updated_at,
            .last_progress_at = state.last_progress_at};
}

Result<State> replay(State before, const Frame& frame, std::span<const EntryChange> changes) {
    State state = std::move(before);
    if (frame.revision.number != state.revision.number + 1) return fail(Reason::revision_gap);
    EntryList* const lists[] = {&state.notes, &state.items, &state.sources, &state.actions};
    for (std::size_t kind = 0; kind < std::size(lists); ++kind) {
        if (!take_gone(*lists[kind], static_cast<EntryKind>(kind), changes)) return fail(Reason::unreadable_record);
    }
    for (const EntryChange& change : changes) {
        if (change.entry.get() == nullptr) continue;
        if (!put(*lists[static_cast<std::size_t>(change.kind)], change)) return fail(Reason::unreadable_record);
    }
    state.revision = frame.revision;
    state.lifecycle = frame.lifecycle;
    state.phase = frame.phase;
    state.schema_locked = frame.schema_locked;
    state.link = frame.link;
    state.next_ids = frame.next_ids;
    state.updated_at = frame.updated_at;
    state.last_progress_at = frame.last_progress_at;
    return state;
}

std::vector<Lineage> lineage(const Snapshot& before, const Snapshot& after, Assurance assurance) {
    Differences differences(before, after, assurance);
    differences.see_fields();
    for (const EntryChange& change : changes(before, after)) differences.see(change);
    differences.see_lifecycle();
    return differences.take();
}

}  // namespace taskstate::inline v0
