// What docs/guide.md explains, as one program that runs: each function is one section.
#include <taskstate/taskstate.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace {

using namespace taskstate;

void check(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "guide: %s\n", what);
    std::exit(1);
}

// The host's own call to the outside; what it returns is what was observed.
ActionOutcome submit(ActionOutcome action) {
    action.status = ActionStatus::succeeded;
    action.completion = Completion::settled;
    return action;
}

// A task and the file that keeps it.
struct KeptTask {
    TaskState task;
    SnapshotFile file;
    std::optional<Revision> on_disk;  // nothing: there is no file yet

    Result<void> save() {
        const Result<Snapshot> now = task.snapshot();
        if (!now) return now.error();
        auto saved = file.save(*now, on_disk);
        if (saved) on_disk = now->revision();
        return saved;
    }
};

Result<KeptTask> start_or_continue(const TaskOptions& options, const std::string& path) {
    SnapshotFile file(path);
    const auto saved = file.load();
    if (!saved) return saved.error();
    auto task = *saved ? TaskState::open(options, **saved) : TaskState::create(options);
    if (!task) return task.error();
    const auto on_disk = *saved ? std::optional((*saved)->revision) : std::nullopt;
    return KeptTask{*std::move(task), std::move(file), on_disk};
}

// Record that it is about to happen, save, act, record what was observed, save.
Result<void> act(KeptTask& kept, ActionOutcome action) {
    action.status = ActionStatus::started;
    action.completion = Completion::unknown;
    const Result<Commit> started = kept.task.record_action(action, kept.task.revision());
    if (!started) return started.error();  // nothing has happened yet: do not act
    if (auto saved = kept.save(); !saved) return saved;

    const ActionOutcome seen = submit(action);

    const Result<Commit> settled = kept.task.record_action(seen, kept.task.revision());
    if (!settled) return settled.error();  // it has happened: record the same outcome again, never act again
    return kept.save();
}

void adopt_and_reject(TaskState& task) {
    const NoteInput suggested[] = {
        {.id = "s1", .category = Category::decision, .text = "Use the tram.", .source = {.label = "Model"}},
        {.id = "s2", .category = Category::decision, .text = "Use the train.", .source = {.label = "Model"}}};
    check(task.propose(suggested, task.revision()).has_value(), "propose");

    const NoteInput adopted{.id = "transport",
                            .category = Category::decision,
                            .text = "Use the train.",
                            .supersedes = "s2",
                            .source = {.label = "User agreed", .turn = "turn-9"}};
    check(task.update({.notes = {adopted}, .resolve = {"s1"}}, task.revision()).has_value(), "adopt one, reject one");
}

void confirm_and_prune(TaskState& task) {
    const HostDelta close{.confirm_actions = {{.execution = "m4-c0",
                                               .status = Confirmed::completed,
                                               .source = {.label = "Delivery note 4711", .turn = "turn-12"}}},
                          .prune = {.actions = {"m4-c0"}}};
    check(task.update(close, task.revision()).has_value(), "close");
}

// Another writer was first.  The change goes on top only if it is about something else.
Result<Commit> update_on_top(TaskState& task, const HostDelta& delta, Revision seen) {
    Result<Commit> result = task.update(delta, seen);
    if (result || result.error().code() != Errc::conflict) return result;
    const Result<HostDelta> still_good = task.rebase(delta, seen);
    if (!still_good) return still_good.error();  // read again and decide again
    return task.update(*still_good, task.revision());
}

void two_writers(TaskState& task) {
    const Revision seen = task.revision();
    const NoteInput question{
        .id = "gift", .category = Category::question, .text = "Is it a gift?", .source = {.label = "Model"}};
    check(task.update({.notes = {question}}, seen).has_value(), "the first writer");
    check(update_on_top(task, {.resolve = {"transport"}}, seen).has_value(), "the second writer");
    check(!update_on_top(task, {.resolve = {"gift"}}, seen), "what the first writer touched");
}

Result<Block> within(const TaskState& task, std::size_t tokens_left) {
    const auto spellings = ControlSpellings::parse(control_spellings(ModelFamily::chatml));
    if (!spellings) return spellings.error();
    return task.prompt({.tokens_max = tokens_left, .spellings = *spellings});
}

void keep_within_budget(const TaskState& task) {
    check(within(task, 1'000).has_value(), "a large budget");
    const Result<Block> withheld = within(task, 10);
    check(!withheld && withheld.error().reason == Reason::prompt_budget_exceeded, "a small budget");
    std::printf("withheld: %llu tokens allowed, %llu needed\n",
                static_cast<unsigned long long>(*withheld.error().limit),
                static_cast<unsigned long long>(*withheld.error().actual));
}

void type_commands(TaskState& task) {
    const std::string revision = std::to_string(task.revision().number);
    const auto added = run_command(task, "add " + revision + " constraint fragile Handle with care.");
    check(added.has_value(), "a host command");
    const auto stale = run_command(task, "resolve " + revision + " fragile");
    check(!stale && stale.error().code() == Errc::conflict, "a command on an old revision");
}

// What the memory system shows of a task to a principal.
LinkedTask read_memory(const std::string&) { return {.type = "task", .state = "in_progress"}; }

void mirror_memory_task() {
    auto task = *TaskState::create({.id = "t",
                                    .scope = {.owner = "ana", .workspace = "w"},
                                    .link = LinkTarget{.kind = LinkKind::memory, .id = "memory-17"}});
    Result<Refresh> ticket = task.begin_refresh("ana", task.revision());
    check(ticket.has_value(), "begin");
    const LinkedTask seen = read_memory(ticket->link_id());  // slow; the task is not locked meanwhile
    check(task.commit_refresh(*std::move(ticket), seen).has_value(), "commit, unless the task changed meanwhile");
}

}  // namespace

int main() {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("taskstate-guide-" + std::to_string(getpid()));
    const std::string path = (folder / "order-42.json").string();
    const TaskOptions options{.id = "order-42", .scope = {.owner = "ana", .workspace = "orders"}};
    auto kept = start_or_continue(options, path);
    check(kept.has_value(), "start");
    TaskState& task = kept->task;

    const NoteInput budget{.id = "budget",
                           .category = Category::constraint,
                           .text = "Spend at most 50 EUR.",
                           .source = {.label = "User", .turn = "turn-1"}};
    check(task.update({.notes = {budget}}, Revision{0}).has_value(), "the first note");
    check(act(*kept, {.execution = "m4-c0", .tool = "submit_order"}).has_value(), "act");
    const auto continued = start_or_continue(options, path);
    check(continued && continued->task.revision() == task.revision(), "continue");

    adopt_and_reject(task);
    confirm_and_prune(task);
    two_writers(task);
    keep_within_budget(task);
    type_commands(task);
    mirror_memory_task();
    std::filesystem::remove_all(folder);

    const Block block = *task.prompt();
    std::puts(block.text().c_str());
}
