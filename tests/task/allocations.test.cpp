// What calls allocate and what stays allocated: counted, not timed.

#include "bench/memory.hpp"
#include "support/builders.hpp"

#include <taskstate/model/entry_list.hpp>

#include <cstdint>

namespace taskstate {
namespace {

HostDelta many_notes(std::size_t count) {
    HostDelta delta;
    const std::string text(300, 'x');
    for (std::size_t i = 0; i < count; ++i) {
        delta.notes.push_back(test::note("note-" + std::to_string(10'000 + i), Category::decision, text));
    }
    return delta;
}

TaskState task_of(std::size_t count) {
    TaskOptions options = test::options();
    options.limits = Limits{.entries_max = 10'000,
                            .tokens_max = 1'000'000,
                            .snapshot_bytes_max = 10'000'000,
                            .input_bytes_max = 10'000'000};
    TaskState task = test::open_task(options);
    test::accept(task, many_notes(count));
    return task;
}

/// The chunk, the handles of the others, and what holds them.
constexpr std::size_t list_parts = 3;

}  // namespace

TEST_CASE("allocations: a change of one entry allocates as often in a list of 1,000 as in one of 100", "[model]") {
    for (const std::size_t count : {100U, 1'000U}) {
        const TaskState task = task_of(count);
        const Snapshot head = *task.snapshot();
        EntryList list = head.state().notes;
        const Shared<const Entry> changed = list[50].resolved();
        CHECK(bench::memory_of([&] { list.replace(50, changed); }).allocations == list_parts);
        CHECK(bench::memory_of([&] { (void)list.find("note-10070"); }).allocations == 0);
    }
}

TEST_CASE("allocations: a revision that is kept costs little more than the entry that changed", "[task]") {
    const auto entry_bytes = static_cast<std::int64_t>(sizeof(NoteInput) + 301 + 16);  // as a struct of strings
    for (const auto& [count, most] : {std::pair{100, 2.5}, std::pair{1'000, 3.5}}) {
        TaskState task = task_of(static_cast<std::size_t>(count));
        for (int i = 0; i < 40; ++i) test::accept(task, {.resolve = {"note-" + std::to_string(10'000 + i)}});
        const Snapshot kept = *task.snapshot();
        const bench::Memory added = bench::memory_of([&] { test::accept(task, {.resolve = {"note-10050"}}); });
        CHECK(static_cast<double>(added.kept_bytes) <= most * static_cast<double>(entry_bytes));
        CHECK(kept.notes().find("note-10050")->active());
    }
}

TEST_CASE("allocations: a refusal leaves nothing allocated and the very same head", "[task]") {
    TaskState task = task_of(100);
    const Snapshot head = *task.snapshot();
    const Revision current = head.revision();
    const auto refused = [&](const HostDelta& delta, Revision base) {
        bool accepted = true;
        CHECK(bench::memory_of([&] { accepted = task.update(delta, base).has_value(); }).kept_bytes == 0);
        CHECK_FALSE(accepted);
        CHECK(task.snapshot()->same_object(head));
    };
    refused({.resolve = {"note-10050"}}, {0});
    refused({.resolve = {"nowhere"}}, current);
    refused({.notes = {test::note("new")}, .resolve = {"new", "nowhere"}}, current);
    refused({.notes = {test::note("note-10050")}}, current);
}

TEST_CASE("allocations: reading the head and the block of a task that nobody changed allocates nothing", "[task]") {
    const TaskState task = task_of(100);
    (void)*task.prompt();
    CHECK(bench::memory_of([&] { (void)*task.snapshot(); }).allocations == 0);
    CHECK(bench::memory_of([&] { (void)*task.prompt(); }).allocations == 0);
    CHECK(bench::memory_of([&] { (void)task.revision(); }).allocations == 0);
}

}  // namespace taskstate
