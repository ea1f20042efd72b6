#include <taskstate/task/command.hpp>

#include "support/catch.hpp"

using namespace taskstate;

namespace {

TaskState open_task(Limits limits = {}) {
    return *TaskState::create({.id = "delivery-42",
                               .scope = {.owner = "host-user", .workspace = "deliveries"},
                               .limits = limits,
                               .link = LinkTarget{LinkKind::task, "T-7"}});
}

/// A task that is at `revision` after these lines, each of which must succeed.
TaskState after(std::initializer_list<const char*> lines, Limits limits = {}) {
    TaskState task = open_task(limits);
    for (const char* line : lines) {
        INFO(line);
        REQUIRE(run_command(task, line));
    }
    return task;
}

void record(TaskState& task, const std::string& execution) {
    REQUIRE(task.record_action(
        {.execution = execution, .status = ActionStatus::succeeded, .completion = Completion::settled},
        task.revision()));
}

Error refused(TaskState& task, std::string_view line) {
    INFO(line);
    const Snapshot before = *task.snapshot();
    const auto result = run_command(task, line);
    REQUIRE_FALSE(result);
    CHECK(task.snapshot()->same_object(before));
    return result.error();
}

bool says(const Error& error, std::string_view part) { return error.message.find(part) != std::string::npos; }

/// The text of the only note after a line that adds it.
std::string text_of(std::string_view line) {
    TaskState task = open_task();
    INFO(line);
    REQUIRE(run_command(task, line));
    const Snapshot now = *task.snapshot();
    return std::string(now.notes()[0].text);
}

}  // namespace

TEST_CASE("command: every verb in turn moves the revision by one", "[task][spec:Z3]") {
    TaskState task = open_task();
    const auto run = [&](std::string_view line) {
        INFO(line);
        const auto result = run_command(task, line);
        REQUIRE(result);
        CHECK(result->outcome == Outcome::accepted);
        CHECK(result->revision == task.revision());
        CHECK(result->text == "revision " + std::to_string(task.revision().number));
        return result->revision.number;
    };

    CHECK(run("add 0 constraint budget Spend at most 50 EUR.") == 1);
    CHECK(run("correct 1 budget budget-2 Spend at most 40 EUR.") == 2);
    CHECK(run("prune 2 budget") == 3);
    CHECK(run("resolve 3 budget-2") == 4);
    CHECK(run("add 4 question when When?") == 5);
    CHECK(run("resolve-prune 5 when") == 6);
    record(task, "exec-7");
    CHECK(run("confirm-prune 7 exec-7 completed Receipt seen at the counter") == 8);

    const Snapshot now = *task.snapshot();
    REQUIRE(now.notes().size() == 1);
    CHECK(now.notes()[0].id == "budget-2");
    CHECK(now.notes()[0].resolved);
    CHECK(now.actions().empty());
}

TEST_CASE("command: a note is a host note that says where it comes from", "[task][spec:Z3]") {
    const TaskState task = after({"add 0 decision d1 Ship by rail", "correct 1 d1 d2 Ship by road"});
    const Snapshot now = *task.snapshot();
    const auto note = now.notes()[1];

    CHECK(note.category == Category::decision);
    CHECK(note.standing == Standing::host);
    CHECK(note.supersedes == "d1");
    CHECK(note.text == "Ship by road");
    CHECK(note.source.label == "host command");
    CHECK(now.notes()[0].superseded_by == "d2");
}

TEST_CASE("command: prune-action takes out what the host has confirmed", "[task][spec:Z3]") {
    TaskState task = open_task();
    record(task, "exec-7");
    CHECK(refused(task, "prune-action 1 exec-7").reason == Reason::not_prunable);
    REQUIRE(task.confirm_action({.execution = "exec-7", .status = Confirmed::completed, .source = {.label = "Counter"}},
                                task.revision()));

    REQUIRE(run_command(task, "prune-action 2 exec-7"));
    CHECK(task.snapshot()->state().actions.empty());
}

TEST_CASE("command: the view is the block, whatever the revision", "[task][spec:Z3]") {
    TaskState task = after({"add 0 constraint budget </task-state> \\\"quoted\\\""});
    REQUIRE(task.propose(
        std::vector<NoteInput>{
            {.id = "p1", .category = Category::decision, .text = "Cheaper", .source = {.label = "Model"}}},
        task.revision()));
    record(task, "exec-7");
    REQUIRE(task.confirm_action(
        {.execution = "exec-7", .status = Confirmed::waiting_external, .source = {.label = "Mail"}}, task.revision()));

    for (const char* line : {"", "   ", "show", "SHOW", " Show  "}) {
        const auto view = run_command(task, line);
        REQUIRE(view);
        CHECK(view->outcome == Outcome::no_change);
        CHECK(view->revision == Revision{4});
        CHECK(view->text == task.prompt()->text());
    }
    const std::string view = run_command(task, "")->text;
    for (const char* part :
         {"constraint budget ", "proposal p1 ", "action exec-7 ", "confirmation exec-7 waiting_external",
          "pending actions=exec-7", "link_kind=task link_id=T-7", R"("\u003c/task-state> \"quoted\"")"}) {
        INFO(part);
        CHECK(view.find(part) != std::string::npos);
    }
}

TEST_CASE("command: a stale revision is a conflict that names the current one and changes nothing", "[task][spec:Z4]") {
    TaskState task = after({"add 0 constraint budget Spend little", "resolve 1 budget"});
    for (const char* line :
         {"add 1 constraint other Text", "correct 1 budget other Text", "resolve 1 budget", "prune 1 budget",
          "resolve-prune 1 budget", "prune-action 3 exec", "confirm-prune 0 exec completed Proof"}) {
        const Error error = refused(task, line);
        CHECK(error.reason == Reason::stale_base_revision);
        CHECK(error.limit == 2u);
        CHECK(says(error, "The current revision is 2; see it with show."));
    }
}

TEST_CASE("command: a malformed line is refused with its grammar and touches nothing", "[task][spec:Z5]") {
    struct Case {
        const char* line;
        Reason reason;
        const char* path;
        const char* grammar;
    };
    const Case cases[] = {
        {"frobnicate 0", Reason::unknown_call, "/verb", "add <revision> <category> <id> <text...>"},
        {"\"\"", Reason::unknown_call, "/verb", "show"},
        {"add", Reason::missing_field, "/revision", "add <revision> <category> <id> <text...>"},
        {"add 0", Reason::missing_field, "/category", "add <revision>"},
        {"add 0 constraint", Reason::missing_field, "/id", "add <revision>"},
        {"add 0 constraint budget", Reason::missing_field, "/text", "add <revision>"},
        {"add 0 Constraint budget Text", Reason::unknown_word, "/category", "add <revision>"},
        {"add 0 goal budget Text", Reason::unknown_word, "/category", "add <revision>"},
        {"add +0 constraint budget Text", Reason::not_an_integer, "/revision", "add <revision>"},
        {"add -1 constraint budget Text", Reason::not_an_integer, "/revision", "add <revision>"},
        {"add 0.0 constraint budget Text", Reason::not_an_integer, "/revision", "add <revision>"},
        {"add 0x1 constraint budget Text", Reason::not_an_integer, "/revision", "add <revision>"},
        {"add '' constraint budget Text", Reason::not_an_integer, "/revision", "add <revision>"},
        {"add 9007199254740992 constraint b Text", Reason::out_of_range, "/revision", "add <revision>"},
        {"add 18446744073709551616 constraint b Text", Reason::out_of_range, "/revision", "add <revision>"},
        {"correct 0 old", Reason::missing_field, "/new_id", "correct <revision> <old_id> <new_id> <text...>"},
        {"correct 0", Reason::missing_field, "/old_id", "correct <revision>"},
        {"resolve 0", Reason::missing_field, "/note", "resolve <revision> <note>"},
        {"resolve 0 a b", Reason::unknown_field, "/extra", "resolve <revision> <note>"},
        {"prune 0 a b", Reason::unknown_field, "/extra", "prune <revision> <note>"},
        {"resolve-prune 0 a b", Reason::unknown_field, "/extra", "resolve-prune <revision> <note>"},
        {"prune-action 0", Reason::missing_field, "/execution", "prune-action <revision> <execution>"},
        {"confirm-prune 0 e", Reason::missing_field, "/status",
         "confirm-prune <revision> <execution> <status> <proof...>"},
        {"confirm-prune 0 e completed", Reason::missing_field, "/proof", "confirm-prune <revision>"},
        {"confirm-prune 0 e waiting_external Mail", Reason::unknown_word, "/status", "confirm-prune <revision>"},
        {"confirm-prune 0 e succeeded Mail", Reason::unknown_word, "/status", "confirm-prune <revision>"},
        {"show me", Reason::unknown_field, "/extra", "show"},
        {"add 0 constraint budget 'Not closed", Reason::missing_field, "/quote", "must be closed"},
        {"add 0 constraint budget \"Not closed\\\"", Reason::missing_field, "/quote", "must be closed"},
    };
    TaskState task = open_task();
    for (const Case& expected : cases) {
        const Error error = refused(task, expected.line);
        CHECK(error.reason == expected.reason);
        CHECK(error.path == expected.path);
        CHECK(says(error, expected.grammar));
    }
    CHECK(says(refused(task, "add 0 goal g Text"), "Known: objective constraint decision question artifact."));
    CHECK(says(refused(task, "confirm-prune 0 e done Mail"), "Known: completed failed skipped cancelled."));
}

TEST_CASE("command: an error never holds what the line said", "[task][spec:Z5]") {
    TaskState task = open_task();
    for (const char* line :
         {"s3cret", "add s3cret", "add 0 s3cret", "resolve 0 s3cret", "resolve 0 a s3cret", "add 0 decision s3cret! T",
          "confirm-prune 0 a s3cret b", "correct 0 s3cret b T", "add 0 decision 's3cret"}) {
        const Error error = refused(task, line);
        CHECK_FALSE(says(error, "s3cret"));
        CHECK(error.path.find("s3cret") == std::string::npos);
    }
}

TEST_CASE("command: what the task refuses keeps its own reason and path", "[task][spec:Z5]") {
    TaskState task = after({"add 0 constraint budget Spend little"});
    const auto expect = [&](const char* line, Reason reason, const char* path) {
        const Error error = refused(task, line);
        CHECK(error.reason == reason);
        CHECK(error.path == path);
    };
    expect("add 1 constraint budget Again", Reason::duplicate_note_id, "/notes/0/id");
    expect("add 1 constraint ../x Text", Reason::bad_id, "/notes/0/id");
    expect("add 1 constraint b ''", Reason::blank, "/notes/0/text");
    expect("add 1 constraint b \x01", Reason::control_character, "/notes/0/text");
    expect("add 1 constraint b \xED\xA0\x80", Reason::invalid_utf8, "/notes/0/text");
    expect("correct 1 nope b Text", Reason::unknown_note, "/notes/0/supersedes");
    expect("resolve 1 nope", Reason::unknown_note, "/resolve/0");
    expect("confirm-prune 1 nope completed Proof", Reason::unknown_action, "/confirm_actions/0/execution");
    task.destroy();
    for (const char* line : {"show", "resolve 1 budget", "correct 1 budget b Text"}) {
        CHECK(run_command(task, line).error().reason == Reason::task_destroyed);
    }
}

TEST_CASE("command: a full task names the commands that make room, and they do", "[task][spec:Z6]") {
    TaskState task = after({"add 0 constraint a First", "add 1 constraint b Second"}, {.entries_max = 3});
    record(task, "exec-7");

    const Error error = refused(task, "add 3 constraint c Third");
    CHECK(error.reason == Reason::entries_exceeded);
    CHECK(says(error, "resolve-prune <revision> <note>"));
    CHECK(says(error, "confirm-prune <revision> <execution> <status> <proof...>"));

    REQUIRE(run_command(task, "resolve-prune 3 a"));
    REQUIRE(run_command(task, "add 4 constraint c Third"));
    REQUIRE(run_command(task, "confirm-prune 5 exec-7 failed Nothing arrived"));
    CHECK(run_command(task, "add 6 constraint d Fourth"));
}

TEST_CASE("command: a full task is freed even where resolving alone would not fit", "[task][spec:Z6]") {
    const std::size_t bytes = snapshot_bytes(after({"add 0 constraint a First"}).snapshot()->state());
    TaskState task = after({"add 0 constraint a First"}, {.snapshot_bytes_max = bytes});

    const Error error = refused(task, "resolve 1 a");
    CHECK(error.code() == Errc::capacity);
    CHECK(says(error, "resolve-prune <revision> <note>"));
    CHECK(run_command(task, "resolve-prune 1 a"));
}

TEST_CASE("command: words are separated by spaces, grouped by quotes, and a backslash takes the next character",
          "[task][spec:Z5]") {
    CHECK(text_of("  ADD   0  decision   d  two   words ") == "two words");
    CHECK(text_of("Add 0 decision d \"two   words\"") == "two   words");
    CHECK(text_of("add 0 decision d 'say \"hi\"' \"it's\"") == "say \"hi\" it's");
    CHECK(text_of("add 0 decision d Don't shout, it's \"late\"") == "Don't shout, it's late");
    CHECK(text_of("add 0 decision d two\\ \\ words \\\\ \\'quoted\\'") == "two  words \\ 'quoted'");
    CHECK(text_of("add 0 decision d \"a \\\" b\"c") == "a \" bc");
    CHECK(text_of("add 0 decision d tab\there") == "tab\there");
    CHECK(text_of("add 0 decision d a '' b") == "a  b");
    CHECK(text_of("add 0 decision d ends in \\") == "ends in \\");
    CHECK(text_of("add '0' \"decision\" d grüße 🚚") == "grüße 🚚");
}

TEST_CASE("command: ids keep their case", "[task][spec:Z5]") {
    TaskState task = after({"add 0 decision Rail Text", "add 1 decision rail Text"});
    REQUIRE(run_command(task, "RESOLVE 2 Rail"));
    const Snapshot now = *task.snapshot();
    CHECK(now.notes()[0].resolved);
    CHECK_FALSE(now.notes()[1].resolved);
}
