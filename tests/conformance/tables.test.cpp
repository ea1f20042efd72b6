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
        const bool of_service = !call->arguments && call->arguments.error().reason == Reason::unknown_call;
        of_service ? run_on_service(line, number) : run_on_task(line, number, call->task);
    }

 private:
    void run_on_task(const std::string& line, std::size_t number, const std::string& task) {
        const Seen before = look(task);
        const auto json = answer(line, number);
        const Seen after = look(task);
        const std::string outcome = json.value("outcome", "");
        if (!json.at("ok").get<bool>() || outcome == "no_change") CHECK(after == before);
        if (outcome != "accepted" || replaces_state(line)) return;
        CHECK(after.state.at("revision") == before.state.at("revision").get<int>() + 1);
        CHECK(after.generation.at("generation") == before.generation.at("generation").get<int>() + 1);
    }
    /// The log is looked at, which expires nothing: a call adds one revision where it says so, and otherwise none but
    /// the one of an expiry.
    void run_on_service(const std::string& line, std::size_t number) {
        const auto before = log_of(line);
        const auto json = answer(line, number);
        const auto after = log_of(line);
        if (!after.is_array() || !before.is_array()) return;
        const bool committed =
            json.value("outcome", "") == "accepted" && !json.contains("replayed") && !json.contains("shadow");
        const bool expired = !after.empty() && after.back().at("lifecycle") == "expired";
        if (after.size() != before.size() + (committed ? 1 : 0) && !forgets(line)) CHECK(expired);
        const auto integrity = ask({{"call", "verify"}, {"scope", nlohmann::json::parse(line).at("scope")}});
        CHECK(integrity.value("valid", true));
    }

    nlohmann::json answer(const std::string& line, std::size_t number) {
        const Answer answer = replay_.answer(line, number);
        INFO("answer: " << answer.json);
        CHECK(answer.as_expected);
        return nlohmann::json::parse(answer.json);
    }
    static std::string name_of(const std::string& line) { return nlohmann::json::parse(line).at("call"); }
    /// Whether the call makes a whole state instead of the next revision.
    static bool replaces_state(const std::string& line) {
        const auto name = name_of(line);
        return name == "create" || name == "open" || name == "restore" || name == "clear";
    }
    static bool forgets(const std::string& line) { return name_of(line) == "forget" || name_of(line) == "trim"; }
    nlohmann::json ask(const nlohmann::json& call) {
        return nlohmann::json::parse(replay_.answer(call.dump(), 0).json);
    }
    Seen look(const std::string& task) {
        return {ask({{"call", "snapshot"}, {"task", task}}), ask({{"call", "generation"}, {"task", task}})};
    }
    /// The revisions of the task that the line is about; null where it is about none, or its scope is off.
    nlohmann::json log_of(const std::string& line) {
        const auto call = nlohmann::json::parse(line);
        if (!call.contains("task") || !call.contains("scope")) return nullptr;
        return ask({{"call", "timeline"}, {"task", call["task"]}, {"scope", call["scope"]}})
            .value("revisions", nlohmann::json());
    }

    Replay replay_;
};

}  // namespace

TEST_CASE("tables: every call is answered as its line expects, and a call that fails changes nothing",
          "[conformance]") {
    REQUIRE(tables().size() == 16);
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
