// Every input of the committed corpora, and every one that broke a rule before, keeps the rules.

#include "fuzz/targets.hpp"
#include "support/catch.hpp"
#include "support/document.hpp"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;
using taskstate::fuzz::targets;

namespace {

const fs::path root = TASKSTATE_SOURCE_DIR "/tests/fuzz";

/// Runs the target over the files of a folder; how many there were.
std::size_t run_all(const taskstate::fuzz::Target& target, const char* folder) {
    std::size_t files = 0;
    const fs::path inputs = root / folder / target.name;
    if (!fs::exists(inputs)) return files;
    for (const auto& entry : fs::directory_iterator(inputs)) {
        const std::string path = entry.path().lexically_relative(TASKSTATE_SOURCE_DIR).generic_string();
        INFO(path);
        CHECK_NOTHROW(target.run(test::read_source(path)));
        ++files;
    }
    return files;
}

}  // namespace

TEST_CASE("fuzz: no input of the corpora breaks a rule", "[fuzz]") {
    for (const auto& target : targets) {
        CAPTURE(target.name);
        CHECK(run_all(target, "corpus") > 0);
        CHECK_NOTHROW(target.run(""));
    }
}

TEST_CASE("fuzz: no input that broke a rule before breaks it again", "[fuzz]") {
    for (const auto& target : targets) run_all(target, "crashes");
}

TEST_CASE("fuzz: every corpus belongs to a target", "[fuzz]") {
    for (const char* folder : {"corpus", "crashes"}) {
        if (!fs::exists(root / folder)) continue;
        for (const auto& entry : fs::directory_iterator(root / folder)) {
            const std::string name = entry.path().filename().string();
            CAPTURE(folder, name);
            CHECK(std::any_of(std::begin(targets), std::end(targets), [&](const auto& t) { return t.name == name; }));
        }
    }
}
