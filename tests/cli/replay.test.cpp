// The session behind `taskstate replay`: what its answers look like, and lines that are no calls.

#include "cli/replay.hpp"
#include "support/catch.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace taskstate;

namespace {

const std::string create = R"({"call":"create","id":"t","scope":{"owner":"u","workspace":"w"}})";
const std::string add_note =
    R"({"call":"update","expected":0,"delta":{"notes":[{"id":"a","category":"constraint","text":"Text.","source":{"label":"s"}}]}})";

/// The answer to the last of `lines`, in a session of their own.
std::string last_answer(const std::vector<std::string>& lines) {
    Replay replay;
    std::string answer;
    for (std::size_t i = 0; i < lines.size(); ++i) answer = replay.answer(lines[i], i + 1).json;
    return answer;
}

}  // namespace

TEST_CASE("replay: the four lines of the format's description are answered as it says", "[cli]") {
    Replay replay;
    CHECK(
        replay
            .answer(
                R"({"call":"create","id":"delivery-42","scope":{"owner":"host-user","workspace":"deliveries","tenant":"tenant-a"}})",
                1)
            .json == R"({"ok":true,"outcome":"accepted","revision":0})");
    CHECK(
        replay
            .answer(
                R"({"call":"update","expected":0,"delta":{"notes":[{"id":"budget","category":"constraint","text":"Spend at most 50 EUR.","source":{"label":"Confirmed user instruction","turn":"turn-1"}}]}})",
                2)
            .json == R"({"ok":true,"outcome":"accepted","revision":1})");
    CHECK(
        replay
            .answer(
                R"({"call":"record_action","expected":1,"action":{"execution":"exec-7","call":"call-1","tool":"submit_delivery","status":"succeeded","completion":"settled","started_at":"2026-11-30T10:00:00.000Z","ended_at":"2026-11-30T10:00:01.250Z"}})",
                3)
            .json == R"({"ok":true,"outcome":"accepted","revision":2})");
    const std::string block = replay.answer(R"({"call":"prompt","bytes_max":4000})", 4).json;
    CHECK(block.starts_with(R"({"ok":true,"text":"<task-state task=\"delivery-42\" key=\")"));
    CHECK(block.ends_with(R"(,"omitted":[]})"));
    CHECK(replay.answer(R"({"call":"update","expected":0,"delta":{}})", 5).json ==
          R"({"ok":false,"code":"conflict","reason":"stale_base_revision","limit":2,"actual":0})");
}

TEST_CASE("replay: each answer has its members in the order of the description", "[cli]") {
    CHECK(last_answer({create, add_note, R"({"call":"record","kind":"note","id":"a"})"}) ==
          R"({"ok":true,"text":"constraint a \"Text.\" source=\"s\"\n"})");
    CHECK(
        last_answer({create, add_note, R"({"call":"changes","since":0})"}) ==
        R"({"ok":true,"text":"changed since=0\nconstraint a \"Text.\" source=\"s\"\nstatus lifecycle=open revision=1\n"})");
    CHECK(last_answer({create, add_note, R"({"call":"rebase","delta":{"resolve":["a"]},"from":1})"}) ==
          R"({"ok":true,"delta":{"format":"taskstate.delta/1","resolve":["a"]}})");
    CHECK(last_answer({create, R"({"call":"advance_clock","ms":61001})"}) ==
          R"({"ok":true,"now":"2026-01-01T00:01:01.001Z"})");
    CHECK(last_answer({create, R"({"call":"generation"})"}) == R"({"ok":true,"generation":0})");
    CHECK(last_answer({create, R"({"call":"attach","messages":[{"role":"user","content":"Hi"}]})"})
              .starts_with(R"({"ok":true,"messages":[{"role":"system","parts":["<task-state )"));
    CHECK(last_answer({create, R"({"call":"verify_request","kind":"openai_chat","body":{"messages":[]}})"}) ==
          R"({"ok":false,"code":"invalid","reason":"block_missing"})");
}

TEST_CASE("replay: the clock moves only when told, and not past the last time that there is", "[cli]") {
    CHECK(last_answer({create, R"({"call":"advance_clock","ms":253402300799999})"}) ==
          R"({"ok":false,"code":"invalid","reason":"out_of_range","path":"/ms"})");
    CHECK(
        last_answer({create, add_note, R"({"call":"snapshot"})"}).find(R"("updated_at":"2026-01-01T00:00:00.000Z")") !=
        std::string::npos);
    CHECK(last_answer({create, R"({"call":"advance_clock","ms":1000})", add_note, R"({"call":"snapshot"})"})
              .find(R"("updated_at":"2026-01-01T00:00:01.000Z")") != std::string::npos);
}

TEST_CASE("replay: a line that is no call is answered with its reason and number, and the next one goes on",
          "[cli][spec:C4][hazard:16][hazard:17][hazard:18][hazard:19]") {
    const std::string deep = R"({"call":"record_action","expected":0,"action":{"error":)" + std::string(100'000, '[');
    const std::pair<std::string, std::string> lines[] = {
        {"{", "not_json"},
        {"nonsense", "not_json"},
        {R"({"call":"revision"} x)", "trailing_data"},
        {R"({"call":"update","expected":NaN,"delta":{}})", "not_json"},
        {R"({"call":"update","expected":-Infinity,"delta":{}})", "not_json"},
        {R"({"call":"update","expected":01,"delta":{}})", "not_json"},
        {R"({"call":"update","expected":0x10,"delta":{}})", "not_json"},
        {R"({"call":"update","expected":0,"expected":0,"delta":{}})", "duplicate_key"},
        {R"({"call":"update","expected":0,"delta":{"notes":[{"id":"a","id":"a"}]}})", "duplicate_key"},
        {R"({"call":"update","expected":0,"delta":{"reason":"x\ud83dy"}})", "invalid_utf8"},
        {R"({"call":"update","expected":0,"delta":{"reason":"x\udc00\ud800y"}})", "invalid_utf8"},
        {"{\"call\":\"update\",\"expected\":0,\"delta\":{\"reason\":\"\xED\xA0\x80\"}}", "invalid_utf8"},
        {"{\"call\":\"update\",\"expected\":0,\"delta\":{\"reason\":\"\xE2\x82\"}}", "invalid_utf8"},
        {deep, "too_deep"},
        {"[]", "wrong_type"},
        {"7", "wrong_type"},
        {R"({"task":"t"})", "missing_field"},
        {R"({"call":"explode"})", "unknown_call"},
        {R"({"call":"revision","task":7})", "wrong_type"},
    };
    Replay replay;
    (void)replay.answer(create, 1);
    std::size_t number = 1;
    for (const auto& [line, reason] : lines) {
        INFO(line.substr(0, 100));
        const std::string answer = replay.answer(line, ++number).json;
        CHECK(answer.starts_with(R"({"ok":false,"code":"invalid","reason":")" + reason + "\""));
        CHECK(answer.ends_with(",\"line\":" + std::to_string(number) + "}"));
        CHECK(answer.size() < 300);
        CHECK(replay.answer(R"({"call":"revision"})", ++number).json == R"({"ok":true,"revision":0})");
    }
}

TEST_CASE("replay: depth 32 is read, depth 33 is not", "[cli][spec:C4]") {
    const auto line = [](std::size_t depth) {  // the call and its action are two levels
        return R"({"call":"record_action","expected":0,"action":{"execution":"e","status":"failed","completion":"settled","error":)" +
               std::string(depth - 2, '[') + std::string(depth - 2, ']') + "}}";
    };
    CHECK(last_answer({create, line(32)}) == R"({"ok":true,"outcome":"accepted","revision":1})");
    CHECK(last_answer({create, line(33)}).starts_with(R"({"ok":false,"code":"invalid","reason":"too_deep")"));
}

TEST_CASE("replay: ill-formed text is repaired for a task that replaces it, and for no other", "[cli][hazard:16]") {
    const std::string replacing =
        R"({"call":"create","id":"t","scope":{"owner":"u","workspace":"w"},"text":"replace","task":"r"})";
    const auto propose = [](const std::string& task, const std::string& text) {
        return R"({"call":"propose","task":")" + task +
               R"(","expected":0,"notes":[{"id":"a","category":"constraint","text":")" + text +
               R"(","source":{"label":"s"}}]})";
    };
    const std::string record = R"({"call":"record","task":"r","kind":"note","id":"a"})";
    for (const std::string text : {"x\\ud800y", "x\xEDy", "x\xFFy"}) {
        INFO(text);
        CHECK(last_answer({create, replacing, propose("r", text), record}).find("\"x\\\\") == std::string::npos);
        CHECK(last_answer({create, replacing, propose("r", text), record}).find("x\uFFFDy") != std::string::npos);
        CHECK(last_answer({create, replacing, propose("", text)}).find("invalid_utf8") != std::string::npos);
    }
}

TEST_CASE("replay: what was mended in a delta is counted, before it was read and after", "[cli][hazard:16]") {
    const std::string replacing =
        R"({"call":"create","id":"t","scope":{"owner":"u","workspace":"w"},"text":"replace"})";
    const std::string update = R"({"call":"update","expected":0,"delta":{"notes":[{"id":"a","category":"constraint",)"
                               R"("text":"x\ud800y","source":{"label":"s\u0007"}}]}})";
    CHECK(last_answer({replacing, update}) == R"({"ok":true,"outcome":"accepted","revision":1,"replaced":2})");
}

TEST_CASE("replay: an answer never repeats what was given", "[cli][hazard:17]") {
    const std::string bad = "</task-state>" + std::string(1'000, 'x');
    for (const std::string& line : {R"({"call":")" + bad + "\"}", R"({"call":"revision",")" + bad + R"(":1})",
                                    R"({"call":"revision","task":")" + bad + "\"}",
                                    R"({"call":"prune","expected":0,"notes":[")" + bad + "\"]}"}) {
        const std::string answer = last_answer({create, line});
        INFO(answer);
        CHECK(answer.find("\"ok\":false") != std::string::npos);
        CHECK(answer.size() < 300);
    }
}

TEST_CASE("replay: tasks are apart by handle, and a handle without a task says so", "[cli]") {
    CHECK(last_answer({create, R"({"call":"revision","task":"x"})"}) ==
          R"({"ok":false,"code":"unavailable","reason":"task_not_eligible","path":"/task"})");
    CHECK(last_answer({create, create}) == R"({"ok":false,"code":"invalid","reason":"already_exists","path":"/task"})");
}

TEST_CASE("replay: what changed is known for the last 32 revisions", "[cli]") {
    Replay replay;
    (void)replay.answer(create, 1);
    for (int i = 0; i < 33; ++i) {
        const std::string n = std::to_string(i);
        CHECK(replay
                  .answer(R"({"call":"update","expected":)" + n + R"(,"delta":{"notes":[{"id":"n)" + n +
                              R"(","category":"constraint","text":"x","source":{"label":"s"}}]}})",
                          1)
                  .json.find("accepted") != std::string::npos);
    }
    CHECK(replay.answer(R"({"call":"changes","since":1})", 1).json ==
          R"({"ok":false,"code":"conflict","reason":"stale_base_revision","limit":33,"actual":1})");
    CHECK(replay.answer(R"({"call":"changes","since":2})", 1)
              .json.starts_with(R"({"ok":true,"text":"changed since=2\n)"));
}

TEST_CASE("replay: a line beyond the bound is answered with both numbers", "[cli][hazard:17]") {
    Replay replay;
    CHECK(
        replay.answer_oversized(call_bytes_max + 1, 3).json ==
        R"({"ok":false,"code":"capacity","reason":"input_bytes_exceeded","limit":16777216,"actual":16777217,"line":3})");
}
