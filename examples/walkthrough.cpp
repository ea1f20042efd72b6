// One task through a correction, a crash in the middle of an external act, a thrown-away conversation and two restarts.
//
// The program runs itself as three processes, one after the other.  They share a folder with three things in it: the
// task, a log that stands for the courier's own system, and the block that the model saw last.  The first process is
// killed while its submission is under way.  Nothing here uses a model.
//
// The task is kept in a snapshot file, or in a store: --store file, --store sqlite, or --store postgres, whose database
// TASKSTATE_POSTGRES_URL names.  What the model sees is the same.
#ifdef TASKSTATE_POSTGRES
#include <taskstate/store/postgres_store.hpp>
#endif
#ifdef TASKSTATE_SQLITE
#include <taskstate/store/sqlite_store.hpp>
#endif
#include <taskstate/taskstate.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace taskstate;

[[noreturn]] void stop(const std::string& why) {
    std::fprintf(stderr, "walkthrough: %s\n", why.c_str());
    std::exit(1);
}

void check(bool holds, const std::string& promise) {
    if (!holds) stop("broken promise: " + promise);
}

void done(const Result<void>& result, const std::string& step) {
    if (!result) stop(step + ": " + result.error().message);
}

template <class T>
T need(Result<T> result, const std::string& step) {
    if (!result) stop(step + ": " + result.error().message);
    return *std::move(result);
}

// Flushed at once, because a killed process prints nothing more.
void say(std::string_view text) {
    std::printf("%.*s\n", static_cast<int>(text.size()), text.data());
    std::fflush(stdout);
}

void write_file(const std::string& path, std::string_view text, std::ios::openmode mode) {
    std::ofstream file(path, mode | std::ios::binary);
    file << text << std::flush;
    if (!file) stop("cannot write a temporary file");
}

std::string read_file(const std::string& path) {
    const std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// A clock that stands still, so that two runs print the same bytes.
class FixedClock : public Clock {
 public:
    explicit FixedClock(std::string_view time) : now_(need(parse_time(time), "clock")) {}
    Timestamp now() override { return now_; }

 private:
    Timestamp now_;
};

// The courier's system: every accepted submission is one line of its log.
class Courier {
 public:
    explicit Courier(std::string log) : log_(std::move(log)) {}

    void submit(std::string_view execution) const { write_file(log_, std::string(execution) + "\n", std::ios::app); }
    bool knows(std::string_view execution) const {
        return ("\n" + read_file(log_)).find("\n" + std::string(execution) + "\n") != std::string::npos;
    }
    std::size_t submissions() const {
        std::size_t count = 0;
        for (const char c : read_file(log_)) count += c == '\n';
        return count;
    }

 private:
    std::string log_;
};

// The store of that name; nothing for any other.
std::shared_ptr<Store> open_store(std::string_view name, const std::string& folder) {
    if (name == "file") return need(open_files({.path = folder + "/tasks"}), "open the store");
#ifdef TASKSTATE_SQLITE
    if (name == "sqlite") return need(open_sqlite({.path = folder + "/tasks.db"}), "open the store");
#endif
#ifdef TASKSTATE_POSTGRES
    const char* const url = std::getenv("TASKSTATE_POSTGRES_URL");
    if (name == "postgres" && url != nullptr) {
        return need(open_postgres({.url = url, .schema = "taskstate_walkthrough"}), "open the store");
    }
#endif
    return nullptr;
}

// Where the task is between two processes.  A store has each commit before the task shows it; a snapshot file has what
// the host saves.
class Keeper {
 public:
    Keeper(const std::string& folder, const std::string& store)
        : file_(folder + "/task/delivery-42.json"), store_(open_store(store, folder)) {}

    TaskState open(const TaskOptions& options) {
        if (store_) return need(open_task(store_, options), "open");
        const auto saved = need(file_.load(), "load");
        if (!saved) return need(TaskState::create(options), "create");
        on_disk_ = saved->revision;
        return need(TaskState::open(options, *saved), "open");
    }
    void save(const TaskState& task) {
        if (store_) return;
        done(file_.save(need(task.snapshot(), "snapshot"), on_disk_), "save");
        on_disk_ = task.revision();
    }

 private:
    SnapshotFile file_;
    std::optional<Revision> on_disk_{};
    std::shared_ptr<Store> store_;
};

// What the three processes share.
struct Desk {
    std::string folder;
    std::string store;  // "": a snapshot file

    Keeper keeper() const { return Keeper(folder, store); }
    Courier courier() const { return Courier(folder + "/courier.log"); }
    void keep_block(const Block& block) const { write_file(folder + "/block", block.text(), std::ios::trunc); }
    std::string kept_block() const { return read_file(folder + "/block"); }
};

// Each process makes its own configuration; none of it but the identity of the task is read from the file.
TaskOptions options(std::string_view now) {
    return {.id = "delivery-42",
            .scope = {.tenant = "tenant-a", .owner = "host-user", .workspace = "deliveries"},
            .clock = std::make_shared<FixedClock>(now)};
}

Block show(const TaskState& task, std::string_view what) {
    Block block = need(task.prompt(), "prompt");
    say(what);
    say("");
    say(block.text());
    say("");
    return block;
}

void expect_revision(const TaskState& task, std::uint64_t number) {
    check(task.revision() == Revision{number}, "each effective step adds one revision");
}

void expect_unconfirmed_proposal(const Snapshot& snapshot) {
    const auto proposal = snapshot.notes().find("cheaper");
    check(proposal && proposal->standing == Standing::proposal && proposal->active(), "the proposal is unconfirmed");
}

void expect_linked_history(const Snapshot& snapshot) {
    const auto old = snapshot.notes().find("budget");
    check(old && !old->active() && old->superseded_by == "budget-correction", "the old constraint names its successor");
}

void add_objective_and_constraint(TaskState& task) {
    const HostDelta delta{.notes = {{.id = "deliver",
                                     .category = Category::objective,
                                     .text = "Deliver order 42 to the customer this week.",
                                     .source = {.label = "Confirmed user instruction", .turn = "turn-1"}},
                                    {.id = "budget",
                                     .category = Category::constraint,
                                     .text = "Spend at most 50 EUR.",
                                     .source = {.label = "Confirmed user instruction", .turn = "turn-1"}}}};
    need(task.update(delta, Revision{0}), "first notes");
}

void correct_constraint(TaskState& task) {
    const NoteInput correction{.id = "budget-correction",
                               .category = Category::constraint,
                               .text = "Spend at most 40 EUR.",
                               .supersedes = "budget",
                               .source = {.label = "User correction", .turn = "turn-2"}};
    need(task.update({.notes = {correction}}, task.revision()), "correction");
}

void keep_proposal(TaskState& task) {
    const NoteInput cheaper{.id = "cheaper",
                            .category = Category::decision,
                            .text = "Use the cheaper courier, who delivers on Saturdays.",
                            .source = {.label = "Model suggestion", .turn = "turn-3"}};
    need(task.propose({&cheaper, 1}, task.revision()), "proposal");
}

ActionOutcome submission() {
    return {.execution = "exec-7",
            .call = "call-1",
            .tool = "submit_delivery",
            .status = ActionStatus::started,
            .completion = Completion::unknown,
            .started_at = need(parse_time("2026-11-30T10:00:00.000Z"), "time")};
}

void first_process(const Desk& desk) {
    say("== First process: the task begins\n");
    Keeper keeper = desk.keeper();
    TaskState task = keeper.open(options("2026-11-30T10:00:00.000Z"));

    add_objective_and_constraint(task);
    show(task,
         "1. The host writes down the objective and a constraint. The model sees one record per line, between two\n"
         "   fences that no text inside can imitate; each line ends with where the statement comes from.");
    expect_revision(task, 1);

    correct_constraint(task);
    show(task,
         "2. The user corrects the constraint. Both ends of the correction stay visible, so the model knows that\n"
         "   50 EUR was said and no longer holds.");
    expect_revision(task, 2);
    expect_linked_history(need(task.snapshot(), "snapshot"));

    keep_proposal(task);
    show(task,
         "3. The model suggested something. The host keeps it as a proposal; the first word of its line tells the\n"
         "   model that nobody has confirmed it.");
    expect_revision(task, 3);
    keeper.save(task);

    const ActionOutcome started = submission();
    need(task.record_action(started, task.revision()), "record started");
    keeper.save(task);
    desk.keep_block(show(
        task,
        "4. Before it submits the delivery the host records that it is about to, and saves. `started unknown` says:\n"
        "   this may have happened. The action is also listed as pending."));
    expect_revision(task, 4);

    desk.courier().submit(started.execution);
    say("5. The delivery is submitted, and the process is killed before it can record the outcome.\n");
    std::raise(SIGKILL);
}

// A conversation as it stood when it was thrown away, the host's system prompt first.
std::vector<Message> conversation(const TaskState& task) {
    return {{.role = "system", .parts = {"You arrange deliveries.", need(task.preamble(), "preamble")}},
            {.role = "user", .parts = {"Deliver order 42 this week. Spend at most 50 EUR."}},
            {.role = "user", .parts = {"No, at most 40 EUR."}},
            {.role = "assistant", .parts = {"The cheaper courier delivers on Saturdays. I submit the delivery."}},
            {.role = "user", .parts = {"Where does it stand?"}}};
}

void throw_conversation_away(const TaskState& task, const Block& block) {
    std::vector<Message> request = attach(block, conversation(task));
    done(task.verify_dispatch(block, request), "verify the long request");

    request.erase(request.begin() + 1, request.end() - 1);
    const Block again = need(task.prompt(), "prompt");
    check(again.text() == block.text(), "the block does not depend on the conversation");
    request = attach(again, request);
    done(task.verify_dispatch(again, request), "verify the short request");

    request.front().parts.pop_back();
    const auto forgotten = task.verify_dispatch(again, request);
    check(!forgotten && forgotten.error().reason == Reason::block_missing, "a request without the block is refused");
    say("8. All messages but the system prompt and the last question are thrown away. The block is made from the "
        "task,\n"
        "   not from the conversation: it is byte for byte the same. The request with the block passes the check "
        "before\n"
        "   dispatch; the same request without it is refused.\n");
}

void second_process(const Desk& desk) {
    say("== Second process: after the crash\n");
    Keeper keeper = desk.keeper();
    TaskOptions own = options("2026-11-30T10:05:00.000Z");
    own.limits = Limits{.entries_max = 50};
    TaskState task = keeper.open(own);
    expect_revision(task, 4);

    const Block restored = need(task.prompt(), "prompt");
    check(restored.text() == desk.kept_block(), "the restored block equals the one before the crash");
    const Snapshot snapshot = need(task.snapshot(), "snapshot");
    const auto found = snapshot.actions().find("exec-7");
    check(found && found->status == ActionStatus::started, "the started action is there");
    say("6. A new process restores the task under its own configuration. The block is byte for byte the one of step "
        "4:\n"
        "   the model still sees `exec-7 started unknown`. So nobody submits again; the host asks the courier, who has "
        "it.\n");

    check(desk.courier().knows("exec-7"), "the courier knows the submission");
    ActionOutcome outcome = submission();
    outcome.status = ActionStatus::succeeded;
    outcome.completion = Completion::settled;
    outcome.ended_at = need(parse_time("2026-11-30T10:05:00.000Z"), "time");
    need(task.record_action(outcome, task.revision()), "record the outcome");
    expect_revision(task, 5);
    const ConfirmAction waiting{.execution = "exec-7",
                                .status = Confirmed::waiting_external,
                                .source = {.label = "Courier accepted the order; delivery is outstanding"}};
    need(task.confirm_action(waiting, task.revision()), "confirm waiting");
    expect_revision(task, 6);
    keeper.save(task);

    const Block block =
        show(task,
             "7. The receipt now says `succeeded settled`: the call ended well. That is not the delivery,\n"
             "   so the host confirms only `waiting_external`, and the action stays pending.");
    desk.keep_block(block);
    throw_conversation_away(task, block);
    expect_unconfirmed_proposal(need(task.snapshot(), "snapshot"));
}

void third_process(const Desk& desk) {
    say("== Third process: some days later\n");
    Keeper keeper = desk.keeper();
    TaskState task = keeper.open(options("2026-12-04T16:00:00.000Z"));
    const Block restored = need(task.prompt(), "prompt");
    check(restored.text() == desk.kept_block(), "the restored block equals the saved one");
    expect_unconfirmed_proposal(need(task.snapshot(), "snapshot"));
    expect_linked_history(need(task.snapshot(), "snapshot"));

    check(desk.courier().knows("exec-7"), "the courier knows the submission");
    const ConfirmAction completed{.execution = "exec-7",
                                  .status = Confirmed::completed,
                                  .source = {.label = "Courier: handed over on 4 December"}};
    need(task.confirm_action(completed, task.revision()), "confirm completed");
    expect_revision(task, 7);
    show(task,
         "9. The restored block is the saved one, byte for byte. The courier reports the delivery, and the host "
         "confirms\n"
         "   `completed`; nothing is pending any more.");

    const HostDelta finish{.resolve = {"deliver"}, .prune = {.notes = {"budget"}, .actions = {"exec-7"}}};
    need(task.update(finish, task.revision()), "resolve and prune");
    expect_revision(task, 8);
    keeper.save(task);
    show(
        task,
        "10. One last step resolves the objective and prunes what is settled: the old constraint and the receipt. The\n"
        "    correction still names what it replaced, and the proposal is still nothing but a proposal.");
    expect_unconfirmed_proposal(need(task.snapshot(), "snapshot"));
}

// A folder of this run, removed with everything in it.
class TemporaryFolder {
 public:
    TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "taskstate-walkthrough-XXXXXX").string()) {
        if (mkdtemp(path_.data()) == nullptr) stop("cannot make a temporary folder");
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    const std::string& path() const { return path_; }

 private:
    std::string path_;
};

// Runs this program in another role and waits until it ends; the wait status of the system, -1 where there is none.
int run(const char* self, const char* role, const Desk& desk) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        execlp(self, self, role, desk.folder.c_str(), desk.store.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child ? status : -1;
}

bool ended_well(int status) { return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0; }

// Takes the task out of a store that others use too, also what a run left behind that was ended early.
void forget(const Desk& desk) {
    const auto store = open_store(desk.store, desk.folder);
    if (store) need(store->forget({options("2026-11-30T10:00:00.000Z").scope, "delivery-42"}), "forget");
}

int conduct(const char* self, const std::string& store) {
    const TemporaryFolder folder;
    const Desk desk{folder.path(), store};
    const auto broken = [](const char* promise) { return std::fprintf(stderr, "walkthrough: %s\n", promise), 1; };
    forget(desk);

    const int first = run(self, "first", desk);
    if (first == -1 || !WIFSIGNALED(first) || WTERMSIG(first) != SIGKILL)
        return broken("the first process was not killed");
    if (!ended_well(run(self, "second", desk))) return broken("the second process failed");
    if (!ended_well(run(self, "third", desk))) return broken("the third process failed");
    forget(desk);

    const std::size_t submissions = desk.courier().submissions();
    std::printf("Submissions that the courier counted: %zu\n", submissions);
    return submissions == 1 ? 0 : broken("the delivery was not submitted exactly once");
}

// Whether this build has a store of that name, and the environment says where.
bool is_store(std::string_view name) {
    const TemporaryFolder folder;
    return open_store(name, folder.path()) != nullptr;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view command = argc > 1 ? argv[1] : "";
    if (argc == 1) return conduct(argv[0], "");
    if (argc == 3 && command == "--store" && is_store(argv[2])) return conduct(argv[0], argv[2]);
    const Desk desk{argc == 4 ? argv[2] : "", argc == 4 ? argv[3] : ""};
    if (argc == 4 && command == "first") return first_process(desk), 0;
    if (argc == 4 && command == "second") return second_process(desk), 0;
    if (argc == 4 && command == "third") return third_process(desk), 0;
    std::fprintf(stderr, "usage: walkthrough [--store file|sqlite|postgres]\n");
    return 2;
}
