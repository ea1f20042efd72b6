#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <variant>

#include "cli/replay.hpp"
#include "support/catch.hpp"
#include "support/document.hpp"
#include "support/program.hpp"

TEST_CASE("replay.md: the answers are those of the command", "[cli]") {
    const std::string document = test::read_source("docs/replay.md");
    const std::filesystem::path lines =
        std::filesystem::temp_directory_path() / (std::to_string(getpid()) + "replay.jsonl");
    std::ofstream(lines, std::ios::binary) << test::block_after(document, "<!-- replay -->");

    const test::Run run = test::run("taskstate", "replay '" + lines.string() + "'");
    std::filesystem::remove(lines);

    CHECK(run.exit == 0);
    CHECK(run.output == test::block_after(document, "<!-- answers -->"));
}

TEST_CASE("replay.md: every call has its row, and every row is a call", "[cli]") {
    using namespace taskstate;
    std::istringstream document(test::read_source("docs/replay.md"));
    std::set<std::string> named;
    bool here = false;
    for (std::string line; std::getline(document, line);) {
        if (line.starts_with("| call |")) here = true;
        if (!line.starts_with("|")) here = false;
        if (!here || !line.starts_with("| `")) continue;
        const std::string cell = line.substr(0, line.find(" |", 2));
        for (auto open = cell.find('`'); open != std::string::npos;
             open = cell.find('`', cell.find('`', open + 1) + 1)) {
            named.insert(cell.substr(open + 1, cell.find('`', open + 1) - open - 1));
        }
    }
    CHECK(named.size() == std::variant_size_v<CallArguments> + std::variant_size_v<ServiceCall>);
    Replay session;
    for (const std::string& name : named) {
        INFO(name);
        CHECK(session.answer(R"({"call":")" + name + "\"}", 1).json.find("unknown_call") == std::string::npos);
    }
}
