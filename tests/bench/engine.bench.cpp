// W5–W7: changes to a task, and changes that are refused.

#include "bench/fixture.hpp"
#include "bench/floors.hpp"
#include "bench/measure.hpp"

#include <algorithm>
#include <string>

namespace taskstate::bench {
namespace {

enum class Asked { nothing, digest };

void resolve(TaskState& task, const std::string& id, Asked asked) {
    const auto done = task.update({.resolve = {id}}, task.revision());
    if (!done) bug("the bench cannot resolve");
    if (asked == Asked::digest) benchmark::DoNotOptimize(done->snapshot.state_digest());
}

void update(benchmark::State& state, std::size_t n, Asked asked) {
    const SnapshotInput saved = saved_task(n, Flavour::ascii);
    const std::vector<std::string> ids = resolvable(saved);
    TaskState task = open_task(saved);
    const auto start_over = [&] {
        benchmark::DoNotOptimize(task.restore(saved));
        if (asked == Asked::digest) benchmark::DoNotOptimize(task.snapshot()->state_digest());
    };
    start_over();
    const Memory memory = memory_of([&] { resolve(task, ids.front(), asked); });
    time_batches(state, ids.size(), start_over, [&](std::size_t i) { resolve(task, ids[i], asked); });
    state.counters["allocations"] = static_cast<double>(memory.allocations);
}

void plain_update(benchmark::State& state, std::size_t n, PlainState::Digests digests) {
    const SnapshotInput saved = saved_task(n, Flavour::ascii);
    const std::vector<std::string> ids = resolvable(saved);
    PlainState head(saved, digests);
    std::size_t next = 0;
    for (auto _ : state) {
        head = head.with_toggled(ids[next]);
        benchmark::DoNotOptimize(head.digest());
        if (++next == ids.size()) next = 0;
    }
}

void copy_of_entry(benchmark::State& state) {
    const SnapshotInput saved = saved_task(100, Flavour::ascii);
    std::vector<PlainEntry> entries;
    for (const SavedNote& note : saved.notes) entries.push_back(plain_entry(note));
    std::size_t next = 0;
    for (auto _ : state) {
        PlainEntry copy = entries[next];
        copy.resolved = !copy.resolved;
        benchmark::DoNotOptimize(copy);
        if (++next == entries.size()) next = 0;
    }
}

/// What keeping each revision costs beside the revision before it.
void retained(benchmark::State& state, std::size_t n) {
    const SnapshotInput saved = saved_task(n, Flavour::ascii);
    const std::vector<std::string> ids = resolvable(saved);
    const PlainEntry entry = plain_entry(saved.notes.front());
    const std::size_t half = ids.size() / 2;
    for (auto _ : state) {
        TaskState task = open_task(saved);
        std::vector<Snapshot> revisions;
        revisions.reserve(ids.size());
        const auto keep = [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                resolve(task, ids[i], Asked::nothing);
                revisions.push_back(*task.snapshot());
            }
        };
        keep(0, half);  // what the task itself remembers is full by then
        const Memory memory = memory_of([&] { keep(half, ids.size()); });
        state.counters["revision_bytes"] =
            static_cast<double>(memory.kept_bytes) / static_cast<double>(ids.size() - half);
    }
    std::unique_ptr<PlainEntry> copy;
    state.counters["entry_bytes"] =
        static_cast<double>(memory_of([&] { copy = std::make_unique<PlainEntry>(entry); }).kept_bytes);
}

// W6.

void transaction(benchmark::State& state) {
    const SnapshotInput saved = saved_task_with_actions(100, 5, Flavour::ascii);
    const std::vector<std::string> ids = resolvable(saved);
    HostDelta delta{.resolve = {ids.begin(), ids.begin() + 5}};
    for (std::size_t i = 0; i < 10; ++i) delta.notes.push_back(further_note(i));
    for (const SavedAction& action : saved.actions) {
        delta.confirm_actions.push_back({.execution = action.outcome.execution,
                                         .status = Confirmed::completed,
                                         .source = {.label = "Status page"}});
    }
    TaskState task = open_task(saved);
    time_batches(
        state, 1, [&] { benchmark::DoNotOptimize(task.restore(saved)); },
        [&](std::size_t) {
            if (!task.update(delta, task.revision())) bug("the bench cannot commit");
        });
}

/// The same twenty, each by itself.
void single_updates(benchmark::State& state) {
    const SnapshotInput saved = saved_task_with_actions(100, 5, Flavour::ascii);
    const std::vector<std::string> ids = resolvable(saved);
    std::vector<HostDelta> deltas;
    for (std::size_t i = 0; i < 10; ++i) deltas.push_back({.notes = {further_note(i)}});
    for (std::size_t i = 0; i < 5; ++i) deltas.push_back({.resolve = {ids[i]}});
    for (const SavedAction& action : saved.actions) {
        deltas.push_back({.confirm_actions = {{.execution = action.outcome.execution,
                                               .status = Confirmed::completed,
                                               .source = {.label = "Status page"}}}});
    }
    TaskState task = open_task(saved);
    time_batches(
        state, 1, [&] { benchmark::DoNotOptimize(task.restore(saved)); },
        [&](std::size_t) {
            for (const HostDelta& delta : deltas) {
                if (!task.update(delta, task.revision())) bug("the bench cannot commit");
            }
        });
}

// W7.

void add_notes(benchmark::State& state) {
    const SnapshotInput saved = saved_task(100, Flavour::ascii);
    std::vector<HostDelta> deltas;
    for (std::size_t i = 0; i < 20; ++i) deltas.push_back({.notes = {further_note(i)}});
    TaskState task = open_task(saved);
    time_batches(
        state, deltas.size(), [&] { benchmark::DoNotOptimize(task.restore(saved)); },
        [&](std::size_t i) {
            if (!task.update(deltas[i], task.revision())) bug("the bench cannot add");
        });
}

struct Refusal {
    const char* name = nullptr;
    Reason reason{};
    HostDelta delta{};
    Limits limits = wide_limits();
    std::uint64_t behind = 0;
};

std::vector<Refusal> refusals() {
    const SnapshotInput saved = saved_task(100, Flavour::ascii);
    const HostDelta addition{.notes = {further_note(0)}}, resolution{.resolve = {resolvable(saved).front()}};
    const auto resolved = std::ranges::find_if(saved.notes, [](const SavedNote& note) { return note.resolved; });
    TaskState task = open_task(saved);
    const Snapshot grown = task.update(addition, task.revision())->snapshot;

    std::vector<Refusal> list{
        {"stale", Reason::stale_base_revision, resolution, wide_limits(), 1},
        {"unknown", Reason::unknown_note, {.resolve = {"nowhere"}}},
        {"inactive", Reason::note_not_active, {.resolve = {resolved->note.id}}},
        {"entries", Reason::entries_exceeded, addition},
        {"tokens", Reason::tokens_exceeded, addition},
        {"bytes", Reason::snapshot_bytes_exceeded, addition},
    };
    list[3].limits.entries_max = saved.notes.size();
    list[4].limits.tokens_max = grown.state().notes.tokens() - 1;
    list[5].limits.snapshot_bytes_max = snapshot_bytes(grown.state()) - 1;
    return list;
}

void refused(benchmark::State& state, const Refusal& refusal) {
    TaskState task = open_task(saved_task(100, Flavour::ascii), refusal.limits);
    const Snapshot head = *task.snapshot();
    const Revision base{head.revision().number - refusal.behind};
    if (const auto done = task.update(refusal.delta, base); done || done.error().reason != refusal.reason) {
        return state.SkipWithError("not refused as it should be");
    }
    time_calls(state, [&] { benchmark::DoNotOptimize(task.update(refusal.delta, base)); });
    const Memory memory = memory_of([&] { benchmark::DoNotOptimize(task.update(refusal.delta, base)); });
    state.counters["kept_bytes"] = static_cast<double>(memory.kept_bytes);
    state.counters["heads_moved"] = task.snapshot()->same_object(head) ? 0 : 1;
}

[[maybe_unused]] const bool registered = [] {
    for (const std::size_t n : {10, 100, 1'000, 10'000}) {
        const std::string size = std::to_string(n);
        const auto add = [&](const std::string& start, auto run) {
            return benchmark::RegisterBenchmark((start + "/" + size).c_str(), run);
        };
        add("task/update", [n](benchmark::State& state) { update(state, n, Asked::nothing); })->UseManualTime();
        add("task/update_digest", [n](benchmark::State& state) { update(state, n, Asked::digest); })->UseManualTime();
        add("floor/update", [n](benchmark::State& state) { plain_update(state, n, PlainState::Digests::none); });
        add("floor/update_digest", [n](benchmark::State& state) { plain_update(state, n, PlainState::Digests::kept); });
    }
    benchmark::RegisterBenchmark("floor/entry_copy", copy_of_entry);
    for (const std::size_t n : {100, 1'000}) {
        benchmark::RegisterBenchmark(("task/retained/" + std::to_string(n)).c_str(), [n](benchmark::State& state) {
            retained(state, n);
        })->Iterations(1);
    }
    benchmark::RegisterBenchmark("task/transaction", transaction)->UseManualTime();
    benchmark::RegisterBenchmark("task/single_updates", single_updates)->UseManualTime();
    benchmark::RegisterBenchmark("task/add", add_notes)->UseManualTime();
    for (const Refusal& refusal : refusals()) {
        benchmark::RegisterBenchmark((std::string("task/refused/") + refusal.name).c_str(),
                                     [refusal](benchmark::State& state) { refused(state, refusal); });
    }
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
