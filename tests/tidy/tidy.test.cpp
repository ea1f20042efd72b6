// The house keeps its own rules, and each rule is shown to catch a breach.

#include "support/catch.hpp"
#include "tidy/rules.hpp"

namespace {

using tidy::Breaches;
using tidy::File;
using tidy::Tree;

struct Rule {
    const char* name = nullptr;
    Breaches (*check)(const Tree&) = nullptr;
};

const Rule rules[] = {
    {"floors", tidy::floors},
    {"banned includes", tidy::banned_includes},
    {"foreign includes", tidy::foreign_includes},
    {"banned names", tidy::banned_names},
    {"unlisted files", tidy::unlisted_files},
    {"unused presets", tidy::unused_presets},
    {"long files", tidy::long_files},
    {"umbrella", tidy::umbrella},
    {"machine paths", tidy::machine_paths},
    {"sources for a host without CMake", tidy::spines},
    {"code in documents", tidy::uncut_code},
    {"performance page", tidy::stale_performance_page},
    {"silenced lints", tidy::silent_nolint},
};

}  // namespace

TEST_CASE("tidy: the tree breaks no rule", "[tidy]") {
    const Tree tree = tidy::read_tree(TASKSTATE_SOURCE_DIR);
    REQUIRE(tree.size() > 50);
    for (const Rule& rule : rules) {
        CAPTURE(rule.name);
        const Breaches breaches = rule.check(tree);
        for (const std::string& breach : breaches) FAIL_CHECK(breach);
        CHECK(breaches.empty());
    }
}

TEST_CASE("tidy: a room may not include a higher floor or a neighbour", "[tidy]") {
    const Tree tree{
        {"include/taskstate/engine/apply.hpp", {"#pragma once", "#include <taskstate/prompt/block.hpp>"}},
        {"include/taskstate/engine/changes.hpp", {"#include <taskstate/model/input.hpp>", "#include <string>"}},
        {"src/resume/plan.cpp",
         {"#include \"tools/ledger.hpp\"", "#include \"resume/plan.hpp\"", "#include \"plan.hpp\""}},
        {"src/attic/old.cpp", {"#include <string>"}},
        {"src/task/task_state.cpp", {"#include <taskstate/taskstate.hpp>"}},
    };
    CHECK(tidy::floors(tree) ==
          Breaches{
              "include/taskstate/engine/apply.hpp:2: engine may not include taskstate/prompt/block.hpp",
              "src/resume/plan.cpp:1: resume may not include tools/ledger.hpp",
              "src/attic/old.cpp:1: the room 'attic' has no floor",
              "src/task/task_state.cpp:1: the umbrella is for hosts, not for rooms",
          });
}

TEST_CASE("tidy: costly headers stay out of public core headers, impure ones out of pure rooms", "[tidy]") {
    const Tree tree{
        {"include/taskstate/task/task_state.hpp", {"#include <functional>", "#include <memory>"}},
        {"include/taskstate/store/file.hpp", {"#include <functional>"}},
        {"src/task/task_state.cpp", {"#include <mutex>", "#include <algorithm>"}},
        {"src/engine/apply.cpp", {"#include <algorithm>", "#include <random>"}},
    };
    CHECK(tidy::banned_includes(tree) == Breaches{
                                             "include/taskstate/task/task_state.hpp:1: <functional> is banned in task",
                                             "src/engine/apply.cpp:2: <random> is banned in engine",
                                         });
}

TEST_CASE("tidy: a foreign library is known to its own rooms only", "[tidy]") {
    const Tree tree{
        {"include/taskstate/codec/encode.hpp", {"#include <nlohmann/json.hpp>"}},
        {"include/taskstate/adapt/nlohmann.hpp", {"#include <nlohmann/json.hpp>"}},
        {"src/codec/encode.cpp", {"#include <nlohmann/json.hpp>"}},
        {"src/store/snapshot_file.cpp", {"#include <nlohmann/json.hpp>", "#include <sys/file.h>"}},
        {"tests/task/task_state.test.cpp", {"#include <catch2/catch.hpp>"}},
    };
    CHECK(tidy::foreign_includes(tree) ==
          Breaches{
              "include/taskstate/codec/encode.hpp:1: a foreign header in a public one",
              "src/store/snapshot_file.cpp:1: store may not know nlohmann/json.hpp",
              "tests/task/task_state.test.cpp:1: Catch2 is included through tests/support/catch.hpp",
          });
}

TEST_CASE("tidy: a file or folder needs a noun", "[tidy]") {
    const Tree tree{{"src/base/util.hpp", {}}, {"src/impl/text.cpp", {}}, {"src/base/utility_bill.cpp", {}}};
    CHECK(tidy::banned_names(tree).size() == 2);
}

TEST_CASE("tidy: a source, header, test or example outside the build is found", "[tidy]") {
    const Tree tree{
        {"src/CMakeLists.txt", {"taskstate_component(", "    core SOURCES base/text.cpp HEADERS base/text.hpp)"}},
        {"tests/CMakeLists.txt", {"taskstate_test(base SOURCES base/text.test.cpp)"}},
        {"tests/bench/CMakeLists.txt", {"taskstate_program(bench SOURCES text.bench.cpp)"}},
        {"examples/CMakeLists.txt", {"taskstate_program(a SOURCES a.cpp)"}},
        {"src/base/text.cpp", {}},
        {"src/base/new_text.cpp", {}},
        {"include/taskstate/base/text.hpp", {}},
        {"include/taskstate/base/xt.hpp", {}},
        {"tests/base/text.test.cpp", {}},
        {"tests/base/lost.test.cpp", {}},
        {"tests/bench/text.bench.cpp", {}},
        {"tests/bench/lost.bench.cpp", {}},
        {"examples/b.cpp", {}},
    };
    CHECK(tidy::unlisted_files(tree) == Breaches{
                                            "src/base/new_text.cpp:1: not in src/CMakeLists.txt",
                                            "include/taskstate/base/xt.hpp:1: not in src/CMakeLists.txt",
                                            "tests/base/lost.test.cpp:1: not in tests/CMakeLists.txt",
                                            "tests/bench/lost.bench.cpp:1: not in tests/bench/CMakeLists.txt",
                                            "examples/b.cpp:1: not in examples/CMakeLists.txt",
                                        });
}

TEST_CASE("tidy: a host of the package test that nothing builds is found", "[tidy]") {
    const Tree tree{
        {"tests/package/run", {"g++ \"$from/host.cpp\""}},
        {"tests/package/host.cpp", {}},
        {"tests/package/lost_host.cpp", {}},
    };
    CHECK(tidy::unlisted_files(tree) == Breaches{"tests/package/lost_host.cpp:1: nothing in tests/package builds it"});
}

TEST_CASE("tidy: a source that a host without CMake would miss is found", "[tidy]") {
    const Tree tree{
        {"src/CMakeLists.txt",
         {"taskstate_component(", "    core", "    SOURCES", "        base/a.cpp", "        base/b.cpp", "    HEADERS",
          ")", "taskstate_component(taskstate SOURCES codec/c.cpp HEADERS codec/c.hpp)"}},
        {"src/embed_core.cpp", {"#include \"base/b.cpp\"", "#include \"codec/c.cpp\""}},
        {"src/embed_codec.cpp", {"#include \"codec/c.cpp\""}},
    };
    CHECK(tidy::spines(tree) == Breaches{
                                    "src/embed_core.cpp:1: base/a.cpp is missing of core",
                                    "src/embed_core.cpp:1: codec/c.cpp is not of core",
                                });
    CHECK(tidy::unlisted_files(tree).size() == 0);
}

TEST_CASE("tidy: a preset that nobody runs is found", "[tidy]") {
    const Tree tree{
        {"CMakePresets.json",
         {R"({"configurePresets": [{"name": "strict", "hidden": true}, {"name": "san"}, {"name": "gcc"}]})"}},
        {".ci/run", {"preset asan", "preset gcc # not san", "# nor san"}},
    };
    CHECK(tidy::unused_presets(tree) == Breaches{"CMakePresets.json:1: nobody runs the preset 'san'"});
}

TEST_CASE("tidy: files that are too long are found", "[tidy]") {
    const auto of_length = [](const char* path, std::size_t lines) {
        return File{path, std::vector<std::string>(lines)};
    };
    const Tree tree{of_length("src/base/a.cpp", 501), of_length("src/base/b.cpp", 500),
                    of_length("src/base/c.hpp", 401), of_length("docs/guide.md", 900)};
    CHECK(tidy::long_files(tree) == Breaches{"src/base/a.cpp:501: the file is too long: split it",
                                             "src/base/c.hpp:401: the file is too long: split it"});
}

TEST_CASE("tidy: the umbrella may only include, and includes all but adapters", "[tidy]") {
    const Tree tree{
        {"include/taskstate/taskstate.hpp",
         {"#pragma once", "// All.", "", "#include <taskstate/base/text.hpp>", "namespace taskstate {}"}},
        {"include/taskstate/base/text.hpp", {}},
        {"include/taskstate/base/time.hpp", {}},
        {"include/taskstate/adapt/nlohmann.hpp", {}},
    };
    CHECK(tidy::umbrella(tree) == Breaches{
                                      "include/taskstate/taskstate.hpp:5: the umbrella declares nothing",
                                      "include/taskstate/base/time.hpp:1: not in the umbrella",
                                  });
}

TEST_CASE("tidy: a path of somebody's machine is found", "[tidy]") {
    const std::string path = std::string("/ho") + "me/";
    const Tree tree{{"docs/guide.md", {"cd " + path + "me", "see https://example.org" + path + "page"}}};
    CHECK(tidy::machine_paths(tree) == Breaches{"docs/guide.md:1: a path of somebody's machine"});
}

TEST_CASE("tidy: code in documents must stand so in an example", "[tidy]") {
    const Tree tree{
        {"README.md",
         {"<!-- from: examples/a.cpp -->",
          "```cpp",
          "int main() {}",
          "```",
          "```cpp",
          "int x;",
          "```",
          "```bash",
          "ls",
          "```",
          "<!-- from: examples/a.cpp -->",
          "```cpp",
          "int other;",
          "```",
          "<!-- from: tests/package/run -->",
          "```sh",
          "g++ a.cpp",
          "```",
          "```cmake",
          "project(a)",
          "```",
          "<!-- from: tests/package/run -->",
          "```sh",
          "g++ b.cpp",
          "```"}},
        {"examples/a.cpp", {"// An example.", "int main() {}"}},
        {"tests/package/run", {"build() {", "    g++ a.cpp", "}"}},
    };
    CHECK(tidy::uncut_code(tree) == Breaches{
                                        "README.md:5: say before the fence where it is cut from",
                                        "README.md:12: the block does not stand so in the example it names",
                                        "README.md:19: say before the fence where it is cut from",
                                        "README.md:23: the block does not stand so in the example it names",
                                    });
}

TEST_CASE("tidy: the performance page and the goals of the bench name the same rows", "[tidy]") {
    const Tree tree{
        {"tests/bench/goals.json",
         {R"([{"goal": "G1", "workload": "W1", "text": "render"}, {"goal": "G2", "workload": "W2a", "text": "again"}])"}},
        {"docs/performance.md", {"| G1 | W1 | render | 0.3 |", "| G1 | W1 | something old | 0.4 |"}},
    };
    CHECK(tidy::stale_performance_page(tree) == Breaches{
                                                    "docs/performance.md:1: the page lacks | G2 | W2a | again |",
                                                    "docs/performance.md:1: no goal is | G1 | W1 | something old |",
                                                });
}

TEST_CASE("tidy: a silenced lint needs its check and a reason", "[tidy]") {
    const Tree tree{{"src/base/a.cpp", {"f();  // NOLINT", "f();  // NOLINT(misc-x): the table is constant"}}};
    CHECK(tidy::silent_nolint(tree) == Breaches{"src/base/a.cpp:1: write NOLINT(check): reason"});
}
