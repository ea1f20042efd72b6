// The command as a user runs it: exit codes, help, and what goes where.

#include "support/program.hpp"
#include "support/catch.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

/// A file that is gone with the test.
class TemporaryFile {
 public:
    explicit TemporaryFile(const std::string& content) {
        char name[] = "/tmp/taskstate-cli-XXXXXX";
        const int file = mkstemp(name);
        REQUIRE(file >= 0);
        close(file);
        path_ = name;
        std::ofstream(path_, std::ios::binary) << content;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

 private:
    std::string path_;
};

const std::string create = R"({"call":"create","id":"t","scope":{"owner":"u","workspace":"w"}})";

}  // namespace

TEST_CASE("program: replay reads a file or the standard input and prints one line per call", "[cli]") {
    const TemporaryFile file(create + "\n\n   \r\n" + R"({"call":"revision"})" + "\r\n" + R"({"call":"generation"})");
    const std::string answers =
        "{\"ok\":true,\"outcome\":\"accepted\",\"revision\":0}\n{\"ok\":true,\"revision\":0}\n{\"ok\":true,"
        "\"generation\":0}\n";
    for (const std::string& arguments : {"replay " + file.path(), "replay < " + file.path()}) {
        const test::Run run = test::run("taskstate", arguments);
        CHECK(run.output == answers);
        CHECK(run.exit == 0);
    }
}

TEST_CASE("program: refused and malformed lines are answered, named by their number, and end nothing", "[cli]") {
    const TemporaryFile file("nonsense\n\n" + create +
                             "\n{\"call\":\"snapshot\",\"task\":\"x\"}\n{\"call\":\"revision\"}\n");
    const test::Run run = test::run("taskstate", "replay " + file.path());
    CHECK(run.output.find("\"reason\":\"not_json\",\"line\":1}") != std::string::npos);
    CHECK(run.output.ends_with("{\"ok\":true,\"revision\":0}\n"));
    CHECK(run.exit == 0);
}

TEST_CASE("program: an answer that is not the expected one is named and gives exit code 1", "[cli]") {
    const TemporaryFile good(R"({"call":"revision","expect":{"ok":false}})");
    CHECK(test::run("taskstate", "replay " + good.path()).exit == 0);
    const TemporaryFile bad(create + "\n" + R"({"call":"revision","expect":{"revision":1}})" + "\n" +
                            R"({"call":"revision"})");
    const test::Run run = test::run("taskstate", "replay " + bad.path());
    CHECK(run.output.find("taskstate: line 2: ") != std::string::npos);
    CHECK(run.output.find("{\"ok\":true,\"revision\":0}\n") != std::string::npos);
    CHECK(run.exit == 1);
}

TEST_CASE("program: wrong usage and unreadable input give exit code 2", "[cli]") {
    for (const char* arguments :
         {"", "replay --nonsense", "explode", "replay /nonexistent/file", "replay /tmp", "render",
          "render /nonexistent/file", "render /tmp", "render x --bytes-max many", "render x --bytes-max=-1",
          "render x --bytes-max 0x10", "render x --tokens-max 99999999999999999999999", "replay a b"}) {
        INFO(arguments);
        CHECK(test::run("taskstate", arguments).exit == 2);
    }
}

TEST_CASE("program: output that cannot be written gives exit code 1", "[cli]") {
    const TemporaryFile file(create);
    CHECK(test::run("taskstate", "replay " + file.path() + " > /dev/full").exit == 1);
}

TEST_CASE("program: version and help are answers, not errors", "[cli]") {
    const test::Run version = test::run("taskstate", "--version");
    CHECK(version.output.starts_with("taskstate 0."));
    CHECK(version.exit == 0);
    for (const char* arguments : {"--help", "replay --help", "render --help", "benchmark --help"}) {
        const test::Run help = test::run("taskstate", arguments);
        CHECK(help.output.size() > 200);
        CHECK(help.exit == 0);
    }
}

TEST_CASE("program: a line longer than a line may be is answered, and the next one read", "[cli][hazard:17]") {
    const TemporaryFile file(std::string(17 * 1024 * 1024, 'x') + "\n" + create + "\n");
    const test::Run run = test::run("taskstate", "replay " + file.path());
    CHECK(run.output ==
          "{\"ok\":false,\"code\":\"capacity\",\"reason\":\"input_bytes_exceeded\",\"limit\":16777216,\"actual\":"
          "17825792,\"line\":1}\n"
          "{\"ok\":true,\"outcome\":\"accepted\",\"revision\":0}\n");
    CHECK(run.exit == 0);
}

TEST_CASE("program: render prints the block, or says why not and gives exit code 1", "[cli]") {
    const TemporaryFile saved(
        R"({"created_at":"2026-01-01T00:00:00.000Z","format":"taskstate.snapshot/1","id":"t","last_progress_at":"2026-01-01T00:00:00.000Z","lifecycle":"open","profile":"notebook-v1","revision":3,"scope":{"owner":"u","workspace":"w"},"updated_at":"2026-01-01T00:00:00.000Z"})");
    const test::Run block = test::run("taskstate", "render " + saved.path());
    CHECK(block.output.starts_with("<task-state task=\"t\" key=\""));
    CHECK(block.output.find("\nstatus lifecycle=open revision=3\n") != std::string::npos);
    CHECK(block.exit == 0);

    const test::Run small = test::run("taskstate", "render " + saved.path() + " --bytes-max 20");
    CHECK(small.output.starts_with("taskstate: capacity/prompt_budget_exceeded: "));
    CHECK(small.exit == 1);
    CHECK(test::run("taskstate", "render " + saved.path() + " --tokens-max 1").exit == 1);

    const TemporaryFile broken("{}");
    const test::Run refused = test::run("taskstate", "render " + broken.path());
    CHECK(refused.output.starts_with("taskstate: invalid/missing_field: "));
    CHECK(refused.exit == 1);
}
