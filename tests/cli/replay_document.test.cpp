#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

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
