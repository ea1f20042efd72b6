#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "support/catch.hpp"
#include "support/program.hpp"

namespace {

const std::string sample = "'" TASKSTATE_SOURCE_DIR "/examples/data/museum.json'";
const std::string side = " --notes '" TASKSTATE_SOURCE_DIR "/examples/data/museum.notes.json'";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A conversation or side file of this test alone.
class Written {
 public:
    Written(const char* name, const std::string& text)
        : path_((std::filesystem::temp_directory_path() / (std::to_string(getpid()) + name)).string()) {
        std::ofstream(path_, std::ios::binary) << text;
    }
    Written(const Written&) = delete;
    Written& operator=(const Written&) = delete;
    ~Written() { std::filesystem::remove(path_); }
    std::string quoted() const { return "'" + path_ + "'"; }

 private:
    std::string path_;
};

}  // namespace

TEST_CASE("conversation: each write of the sample is a receipt of the last block", "[examples]") {
    const test::Run run = test::run("conversation", sample + side);

    INFO(run.output);
    CHECK(run.exit == 0);
    CHECK(contains(run.output, "Writes that the conversation made: 6\n"));
    CHECK(contains(run.output, "Receipts that the block shows:     6\n"));
}

TEST_CASE("conversation: the last block tells corrections, failures and what is pending", "[examples]") {
    const std::string output = test::run("conversation", sample + side).output;

    CHECK(contains(output, "\nconstraint people state=superseded superseded_by=people-2 "));
    CHECK(contains(output, "\naction m7-c1 failed settled "));
    CHECK(contains(output, "\naction m16-c1 succeeded settled "));
    CHECK(contains(output, "\nconfirmation m23-c0 waiting_external "));
    CHECK(contains(output, "\npending actions=m7-c0,m7-c1,m16-c0,m23-c0,m27-c0\n"));
}

TEST_CASE("conversation: without the side file a tool of an unlisted verb is a read", "[examples]") {
    const test::Run run = test::run("conversation", sample);

    CHECK(run.exit == 0);
    CHECK(contains(run.output, "Writes that the conversation made: 5\n"));
}

TEST_CASE("conversation: a write without an answer stays `started`", "[examples][hazard:26]") {
    const Written cut("cut.json", R"([{"role":"user","content":"Go."},
        {"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"send_mail","arguments":"{}"}}]}])");
    const test::Run run = test::run("conversation", cut.quoted());

    CHECK(run.exit == 0);
    CHECK(contains(run.output, "\naction m1-c0 started unknown tool=send_mail call=a\n"));
}

TEST_CASE("conversation: a full task stops the host before it acts", "[examples]") {
    std::string text = "[";
    for (int i = 0; i < 101; ++i) {
        const std::string id = std::to_string(i);
        text += R"({"role":"assistant","tool_calls":[{"id":")" + id + R"(","function":{"name":"send_mail"}}]},)";
        text += R"({"role":"tool","tool_call_id":")" + id + R"(","content":"ok"},)";
    }
    text.back() = ']';
    const Written full("full.json", text);
    const test::Run run = test::run("conversation", full.quoted());

    CHECK(run.exit == 1);
    CHECK(contains(run.output, "The task is full."));
    CHECK(contains(run.output, "limit 100, actual 101"));
}

TEST_CASE("conversation: unreadable input says where and exits with 2", "[examples]") {
    const auto [text, says] = GENERATE(table<std::string, std::string>({
        {"{", "is not JSON"},
        {"{}", "is not an array"},
        {R"([{"content":"x"}])", "/0/role is missing"},
        {R"([{"role":"tool","tool_call_id":"a"}])", "/0 answers no open call"},
        {R"([{"role":"assistant","tool_calls":[{"id":1,"function":{"name":"f"}}]}])",
         "/0/tool_calls/0/id has the wrong type"},
    }));
    const Written bad("bad.json", text);
    const test::Run run = test::run("conversation", bad.quoted());

    CHECK(run.exit == 2);
    CHECK(contains(run.output, says));
}

TEST_CASE("conversation: a note that the library does not know is refused with its path", "[examples]") {
    const Written bad("side.json", R"({"notes":[{"at_message":0,"delta":{"nots":[]}}]})");
    const test::Run run = test::run("conversation", sample + " --notes " + bad.quoted());

    CHECK(run.exit == 2);
    CHECK(contains(run.output, "/notes/0/delta/nots"));
}

// Hidden, because CTest runs it by itself.
TEST_CASE("conversation: it runs on every shared recording", "[.shared]") {
    const std::filesystem::path folder = TASKSTATE_SOURCE_DIR "/../shared/data/trajectories";
    if (!std::filesystem::exists(folder)) {
        std::cout << "skipped: no shared recordings\n";
        return;
    }
    std::size_t recordings = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        const test::Run run = test::run("conversation", "'" + entry.path().string() + "'");
        INFO(entry.path().filename() << "\n" << run.output);
        CHECK(run.exit == 0);
        ++recordings;
    }
    CHECK(recordings > 0);
}
