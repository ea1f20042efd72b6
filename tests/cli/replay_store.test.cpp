// Replays whose tasks are kept, so that the next one goes on.

#include "cli/replay.hpp"
#include "cli/stored.hpp"
#include "store/temporary_folder.hpp"
#include "support/program.hpp"

#include <string>
#include <vector>

using namespace taskstate;

namespace {

const std::string create = R"({"call":"create","id":"delivery-42","scope":{"owner":"host-user","workspace":"depot"}})";
const std::string head = R"({"call":"revision"})";

std::string add(int expected, const std::string& id) {
    return R"({"call":"update","expected":)" + std::to_string(expected) + R"(,"delta":{"notes":[{"id":")" + id +
           R"(","category":"decision","text":"It was decided.","source":{"label":"User"}}]}})";
}

/// The answers of a session of its own.
std::vector<std::string> answers(const std::string& url, const std::vector<std::string>& lines) {
    Replay session(test::opened(url));
    std::vector<std::string> told;
    for (const std::string& line : lines) told.push_back(session.answer(line, told.size() + 1).json);
    return told;
}

std::string accepted(int revision) {
    return R"({"ok":true,"outcome":"accepted","revision":)" + std::to_string(revision) + "}";
}

const std::string of_scope = R"("scope":{"owner":"host-user","workspace":"depot"})";
const std::vector<std::string> governed{
    R"({"call":"enable",)" + of_scope + "}",
    R"({"call":"start","task":"ship",)" + of_scope +
        R"(,"key":"start-1","actor":{"role":"operator","name":"olga"},"goal":"Ship","items":[{"id":"pack","title":"Pack"}]})",
    R"({"call":"submit","task":"ship",)" + of_scope +
        R"(,"key":"step-1","actor":{"role":"agent","name":"runner"},"base":1,"operations":[{"op":"set_phase","phase":"execute"}]})",
    R"({"call":"verify",)" + of_scope + "}",
};

}  // namespace

TEST_CASE("replay: with a store, create opens what it has, and the same lines go on", "[cli]") {
    const test::TemporaryFolder folder;
    for (const std::string& url : test::durable_urls(folder.path())) {
        INFO(url);
        CHECK(answers(url, {create, head, add(0, "a"), add(1, "b")}) ==
              std::vector<std::string>{accepted(0), R"({"ok":true,"revision":0})", accepted(1), accepted(2)});
        const auto again = answers(url, {create, add(0, "a"), add(2, "c"), R"({"call":"clear"})"});
        CHECK(again[0] == accepted(2));
        CHECK(again[1] == R"({"ok":false,"code":"conflict","reason":"stale_base_revision","limit":2,"actual":0})");
        CHECK(again[2] == accepted(3));
        CHECK(again[3] == R"({"ok":false,"code":"unsupported","reason":"journalled"})");
    }
}

TEST_CASE("replay: with a store, a second handle on a task loses by a conflict", "[cli][spec:A5]") {
    const test::TemporaryFolder folder;
    for (const std::string& url : test::durable_urls(folder.path())) {
        const std::string second = create.substr(0, create.size() - 1) + R"(,"task":"b"})";
        const std::string late = add(0, "b").substr(0, add(0, "b").size() - 1) + R"(,"task":"b"})";
        const auto told = answers(url, {create, second, add(0, "a"), late});
        CHECK(told[2] == accepted(1));
        CHECK(told[3] ==
              R"({"ok":false,"code":"conflict","reason":"concurrent_successor_committed","limit":1,"actual":0})");
    }
}

TEST_CASE("replay: with a store, a saved state cannot take the place of the stored one", "[cli]") {
    const std::string open =
        R"({"call":"open","id":"t","scope":{"owner":"u","workspace":"w"},"snapshot":{"format":"taskstate.snapshot/1"}})";
    CHECK(answers("memory:", {open})[0].find("missing_field") != std::string::npos);
    Replay plain;
    const std::string saved = [&] {
        CHECK(plain.answer(create, 1).as_expected);
        const std::string told = plain.answer(R"({"call":"snapshot"})", 2).json;
        const auto place = told.find(R"("snapshot":)");
        return told.substr(place, told.size() - place - 1);
    }();
    const std::string sound = R"({"call":"open",)" + create.substr(17, create.size() - 18) + "," + saved + "}";
    CHECK(Replay().answer(sound, 1).json == accepted(0));
    CHECK(answers("memory:", {sound})[0] == R"({"ok":false,"code":"unsupported","reason":"journalled"})");
}

TEST_CASE("replay: with a store, governed calls find their decisions again", "[cli]") {
    const test::TemporaryFolder folder;
    for (const std::string& url : test::durable_urls(folder.path())) {
        INFO(url);
        const auto first = answers(url, governed);
        CHECK(first[2].find(R"("outcome":"accepted")") != std::string::npos);
        const auto again = answers(url, governed);
        CHECK(again[1].find(R"("replayed":true)") != std::string::npos);
        CHECK(again[2].find(R"("replayed":true)") != std::string::npos);
        CHECK(again[3] == first[3]);
        CHECK(first[3].find(R"("valid":true)") != std::string::npos);
    }
}

TEST_CASE("program: replay --store keeps tasks from one run to the next", "[cli]") {
    const test::TemporaryFolder folder;
    test::put_bytes(folder / "first", create + "\n" + add(0, "a") + "\n");
    test::put_bytes(folder / "second", create + "\n" + add(1, "b") + "\n");
    for (const std::string& url : test::durable_urls(folder.path())) {
        const std::string option = "replay --store '" + url + "' ";
        CHECK(test::run("taskstate", option + (folder / "first")).output == accepted(0) + "\n" + accepted(1) + "\n");
        CHECK(test::run("taskstate", option + (folder / "second")).output == accepted(1) + "\n" + accepted(2) + "\n");
    }
}

TEST_CASE("program: a store that cannot be opened is wrong usage, and nothing is read", "[cli]") {
    const test::TemporaryFolder folder;
    test::put_bytes(folder / "lines", create + "\n");
    for (const char* url : {"", "nonsense", "file:", "sqlite:/nonexistent/folder/tasks.db"}) {
        INFO(url);
        const test::Run run = test::run("taskstate", "replay --store '" + std::string(url) + "' " + (folder / "lines"));
        CHECK(run.exit == 2);
        CHECK(run.output.starts_with("taskstate: the store cannot be opened: "));
        CHECK(run.output.find("\"ok\"") == std::string::npos);
    }
}

TEST_CASE("program: copy moves tasks from one store to another, once, and says how many", "[cli]") {
    const test::TemporaryFolder folder;
    test::put_bytes(folder / "lines", create + "\n" + add(0, "a") + "\n" + add(1, "b") + "\n");
    test::put_bytes(folder / "next", create + "\n");
    for (const std::string& url : test::durable_urls(folder.path())) {
        REQUIRE(test::run("taskstate", "replay --store '" + url + "' " + (folder / "lines")).exit == 0);
        const std::string copied = url + "2";
        const test::Run first = test::run("taskstate", "copy '" + url + "' '" + copied + "'");
        CHECK(first.output ==
              R"({"ok":true,"scopes":1,"tasks":1,"revisions":2,"decisions":0,"deliveries":0,"bindings":0,"modes":0,)"
              R"("profiles":0,"checked":1})"
              "\n");
        CHECK(first.exit == 0);
        CHECK(test::run("taskstate", "copy '" + url + "' '" + copied + "'").output.find(R"("tasks":0)") !=
              std::string::npos);
        CHECK(test::run("taskstate", "replay --store '" + copied + "' " + (folder / "next")).output ==
              accepted(2) + "\n");
    }
    CHECK(test::run("taskstate", "copy memory: nonsense").exit == 2);
    CHECK(test::run("taskstate", "copy memory:").exit == 2);
}
