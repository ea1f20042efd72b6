// The release benchmark: what it finds, and what binds its report.

#include "cli/benchmark.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

#include <taskstate/base/digest.hpp>

#include <nlohmann/json.hpp>

#include <map>
#include <string>

using namespace taskstate;
using nlohmann::json;

TEST_CASE("benchmark: every case comes out as its table says", "[cli][governed:28]") {
    const std::map<std::string, std::string> expected{
        {"completed", "completed"},
        {"remaining", "remaining"},
        {"blocked", "blocked"},
        {"skipped", "skipped"},
        {"failed", "failed"},
        {"repeated-action", "same_fingerprint"},
        {"premature-finish", "completion_not_allowed"},
        {"expired", "task_context_not_eligible"},
        {"overflow", "prompt_budget_exceeded"},
        {"instruction-shaped", "contained"},
    };
    const BenchmarkReport report = run_benchmark();
    INFO(report.json);
    const json document = json::parse(report.json);

    CHECK(report.passed);
    CHECK(document.at("passed") == true);
    CHECK(document.at("passed_cases") == 10);
    CHECK(document.at("dataset").at("case_count") == 10);
    REQUIRE(document.at("case_results").size() == expected.size());
    for (const json& one : document.at("case_results")) {
        INFO(one.dump());
        CHECK(one.at("actual") == expected.at(one.at("case")));
        CHECK(one.at("passed") == true);
    }
}

TEST_CASE("benchmark: the report is the same in every run, and its digest binds the rest of it", "[cli][governed:28]") {
    const std::string report = run_benchmark().json;
    CHECK(run_benchmark().json == report);

    json rest = json::parse(report);
    const std::string digest = rest.at("report_sha256");
    rest.erase("report_sha256");
    CHECK(format_digest(sha256(rest.dump())) == digest);
    rest["passed_cases"] = 9;
    CHECK(format_digest(sha256(rest.dump())) != digest);
}

TEST_CASE("benchmark: the command prints the report", "[cli][governed:28]") {
    const test::Run run = test::run("taskstate", "benchmark");
    CHECK(run.exit == 0);
    CHECK(run.output == run_benchmark().json + "\n");
}
