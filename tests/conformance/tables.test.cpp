// Runs the tables of this folder: each line is a call with the answer that the rules ask for.
// A line `# [spec:N2] sentence` begins a case on a session of its own; the tags are counted by the coverage test.

#include "cli/replay.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace taskstate;

namespace {

const std::filesystem::path folder = std::filesystem::path(TASKSTATE_SOURCE_DIR) / "tests" / "conformance";

std::vector<std::filesystem::path> tables() {
    std::vector<std::filesystem::path> found;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (file.path().extension() == ".jsonl") found.push_back(file.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

bool is_case_header(const std::string& line) { return line.starts_with("# ["); }

/// What a caller can see of one task: its state, and the generation that every change moves.
struct Seen {
    nlohmann::json state, generation;
    friend bool operator==(const Seen&, const Seen&) = default;
};

/// One case of a table on a session of its own.
class Case {
 public:
    /// Makes the call of one line, and checks what holds of every call beside what the line expects.
    void run(const std::string& line, std::size_t number) {
        const auto call = decode_call(line);
        REQUIRE(call);        // a line that is no call cannot say what it expects: such are tested with the command
        CHECK(call->expect);  // a line that expects nothing judges nothing
        const Seen before = look(call->task);
        const Answer answer = replay_.answer(line, number);
        INFO("answer: " << answer.json);
        CHECK(answer.as_expected);
        const auto json = nlohmann::json::parse(answer.json);
        const Seen after = look(call->task);
        const std::string outcome = json.value("outcome", "");
        if (!json.at("ok").get<bool>() || outcome == "no_change") CHECK(after == before);
        if (outcome != "accepted" || replaces_state(line)) return;
        CHECK(after.state.at("revision") == before.state.at("revision").get<int>() + 1);
        CHECK(after.generation.at("generation") == before.generation.at("generation").get<int>() + 1);
    }

 private:
    /// Whether the call makes a whole state instead of the next revision.
    static bool replaces_state(const std::string& line) {
        const auto name = nlohmann::json::parse(line).at("call").get<std::string>();
        return name == "create" || name == "open" || name == "restore" || name == "clear";
    }
    nlohmann::json ask(const std::string& name, const std::string& task) {
        return nlohmann::json::parse(replay_.answer(nlohmann::json{{"call", name}, {"task", task}}.dump(), 0).json);
    }
    Seen look(const std::string& task) { return {ask("snapshot", task), ask("generation", task)}; }

    Replay replay_;
};

}  // namespace

TEST_CASE("tables: every call is answered as its line expects, and a call that fails changes nothing",
          "[conformance]") {
    REQUIRE(tables().size() == 11);
    for (const auto& path : tables()) {
        std::ifstream file(path);
        std::optional<Case> current;
        std::string line, sentence;
        for (std::size_t number = 1; std::getline(file, line); ++number) {
            INFO(path.filename().string() << ":" << number << ": " << sentence);
            if (is_case_header(line)) {
                current.emplace();
                sentence = line;
            } else if (!line.empty() && !line.starts_with("#")) {
                REQUIRE(current);
                current->run(line, number);
            }
        }
    }
}

TEST_CASE("tables: a line whose answer is another one is found", "[conformance]") {
    Replay replay;
    CHECK(replay.answer(R"({"call":"revision","expect":{"ok":false,"code":"unavailable"}})", 1).as_expected);
    CHECK_FALSE(replay.answer(R"({"call":"revision","expect":{"ok":true}})", 1).as_expected);
    CHECK_FALSE(replay.answer(R"({"call":"revision","expect":{"ok":false,"limit":1}})", 1).as_expected);
}
