#include <filesystem>
#include <string>

#include "support/catch.hpp"
#include "support/program.hpp"

namespace {

std::size_t temporary_entries() {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
        count += entry.path().filename().string().starts_with("taskstate-walkthrough-");
    }
    return count;
}

}  // namespace

TEST_CASE("walkthrough: a crash between act and record still leaves one submission", "[examples][spec:Z7][hazard:26]") {
    const test::Run run = test::run("walkthrough");

    INFO(run.output);
    CHECK(run.exit == 0);
    CHECK(run.output.find("Submissions that the courier counted: 1\n") != std::string::npos);
    CHECK(run.output.find("action exec-7 started unknown") != std::string::npos);
    CHECK(run.output.find("action exec-7 succeeded settled") != std::string::npos);
}

TEST_CASE("walkthrough: two runs print the same bytes", "[examples][spec:Z7][hazard:22]") {
    CHECK(test::run("walkthrough").output == test::run("walkthrough").output);
}

TEST_CASE("walkthrough: it leaves no temporary file behind", "[examples]") {
    const std::size_t before = temporary_entries();
    REQUIRE(test::run("walkthrough").exit == 0);
    CHECK(temporary_entries() == before);
}

TEST_CASE("walkthrough: with a store of files in place of the snapshot file the model sees the same bytes",
          "[examples]") {
    const test::Run run = test::run("walkthrough", "--store file");
    CHECK(run.exit == 0);
    CHECK(run.output == test::run("walkthrough").output);
}

TEST_CASE("walkthrough: an unknown argument or store is a usage error", "[examples]") {
    for (const char* arguments : {"x", "--store", "--store nowhere"}) {
        INFO(arguments);
        CHECK(test::run("walkthrough", arguments).exit == 2);
    }
}
