#include <taskstate/engine/changes.hpp>

#include <algorithm>
#include <string_view>

namespace taskstate::inline v0 {
namespace {

/// Later lists are the earlier ones without what was erased, with changed entries in place and new ones at the end,
/// so one walk over both finds everything.
void compare(EntryKind kind, const EntryList& before, const EntryList& after, std::vector<EntryChange>& found) {
    std::vector<EntryChange> put;
    std::size_t i = 0, j = 0;
    while (i < before.size() || j < after.size()) {
        const std::size_t chunk = i / EntryList::chunk_size;
        if (i == j && i % EntryList::chunk_size == 0 && before.shares_chunk(after, chunk)) {
            i = j = std::min({i + EntryList::chunk_size, before.size(), after.size()});
        } else if (i == before.size()) {
            put.push_back({kind, std::string(after[j].id()), j, after.handle(j)});
            ++j;
        } else if (j < after.size() && before.handle(i) == after.handle(j)) {
            ++i;
            ++j;
        } else if (j == after.size() || before[i].id() != after[j].id()) {
            found.push_back({kind, std::string(before[i].id()), i, {}});
            ++i;
        } else {
            if (!(before[i] == after[j])) put.push_back({kind, std::string(after[j].id()), j, after.handle(j)});
            ++i;
            ++j;
        }
    }
    std::move(put.begin(), put.end(), std::back_inserter(found));
}

bool contains(const std::vector<std::string>& ids, std::string_view id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// Asks of each name in a delta whether it was touched, and keeps the first that was.
class Finder {
 public:
    explicit Finder(const Touched& touched) : touched_(touched) {}

    void note(const std::string& id, std::string path) { see(contains(touched_.notes, id), std::move(path)); }
    void item(const std::string& id, std::string path) { see(contains(touched_.items, id), std::move(path)); }
    void source(const std::string& id, std::string path) { see(contains(touched_.sources, id), std::move(path)); }
    void action(const std::string& id, std::string path) { see(contains(touched_.actions, id), std::move(path)); }
    void notes(const std::vector<std::string>& ids, const std::string& path) {
        for (std::size_t i = 0; i < ids.size(); ++i) note(ids[i], path + "/" + std::to_string(i));
    }
    void items(const std::vector<std::string>& ids, const std::string& path) {
        for (std::size_t i = 0; i < ids.size(); ++i) item(ids[i], path + "/" + std::to_string(i));
    }
    void sources(const std::vector<std::string>& ids, const std::string& path) {
        for (std::size_t i = 0; i < ids.size(); ++i) source(ids[i], path + "/" + std::to_string(i));
    }
    void actions(const std::vector<std::string>& ids, const std::string& path) {
        for (std::size_t i = 0; i < ids.size(); ++i) action(ids[i], path + "/" + std::to_string(i));
    }
    void part(bool was_touched, std::string path) { see(was_touched, std::move(path)); }

    [[nodiscard]] const std::optional<std::string>& first() const noexcept { return first_; }

 private:
    void see(bool was_touched, std::string path) {
        if (was_touched && !first_) first_ = std::move(path);
    }

    const Touched& touched_;
    std::optional<std::string> first_{};
};

void find_plan(Finder& finder, const HostDelta& delta, const Touched& touched) {
    if (!delta.add_items.empty()) finder.part(touched.schema, "/add_items");
    for (std::size_t i = 0; i < delta.add_items.size(); ++i) {
        const ItemInput& item = delta.add_items[i];
        const std::string path = "/add_items/" + std::to_string(i);
        if (item.id) finder.item(*item.id, path + "/id");
        finder.items(item.depends_on, path + "/depends_on");
        finder.notes(item.because, path + "/because");
    }
    for (std::size_t i = 0; i < delta.items.size(); ++i) {
        finder.item(delta.items[i].id, "/items/" + std::to_string(i) + "/id");
    }
    if (delta.phase) finder.part(touched.phase, "/phase");
    finder.sources(delta.inspected, "/inspected");
    if (delta.lock_schema) finder.part(touched.schema, "/lock_schema");
}

}  // namespace

std::vector<EntryChange> changes(const Snapshot& before, const Snapshot& after) {
    std::vector<EntryChange> found;
    const State& a = before.state();
    const State& b = after.state();
    compare(EntryKind::note, a.notes, b.notes, found);
    compare(EntryKind::item, a.items, b.items, found);
    compare(EntryKind::source, a.sources, b.sources, found);
    compare(EntryKind::action, a.actions, b.actions, found);
    return found;
}

Touched touched(const Snapshot& before, const Snapshot& after) {
    Touched result{.phase = before.phase() != after.phase(),
                   .schema = before.schema_locked() != after.schema_locked(),
                   .link = before.link() != after.link()};
    std::vector<std::string>* const ids[] = {&result.notes, &result.items, &result.sources, &result.actions};
    for (EntryChange& change : changes(before, after)) {
        ids[static_cast<std::size_t>(change.kind)]->push_back(std::move(change.id));
    }
    return result;
}

Result<void> check_untouched(const HostDelta& delta, const Touched& touched) {
    Finder finder(touched);
    finder.sources(delta.add_sources, "/add_sources");
    for (std::size_t i = 0; i < delta.notes.size(); ++i) {
        const NoteInput& note = delta.notes[i];
        const std::string path = "/notes/" + std::to_string(i);
        finder.note(note.id, path + "/id");
        if (note.supersedes) finder.note(*note.supersedes, path + "/supersedes");
        finder.notes(note.conflicts_with, path + "/conflicts_with");
    }
    finder.notes(delta.resolve, "/resolve");
    find_plan(finder, delta, touched);
    for (std::size_t i = 0; i < delta.record_actions.size(); ++i) {
        finder.action(delta.record_actions[i].execution, "/record_actions/" + std::to_string(i) + "/execution");
    }
    for (std::size_t i = 0; i < delta.confirm_actions.size(); ++i) {
        finder.action(delta.confirm_actions[i].execution, "/confirm_actions/" + std::to_string(i) + "/execution");
    }
    finder.notes(delta.prune.notes, "/prune/notes");
    finder.actions(delta.prune.actions, "/prune/actions");
    if (delta.link) finder.part(touched.link, "/link");
    if (finder.first()) return fail(Reason::rebase_touches_changes, *finder.first());
    return {};
}

}  // namespace taskstate::inline v0
