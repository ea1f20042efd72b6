// Which rule of the specification has how many tests, and which hazard.

#include "support/catch.hpp"

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// A line of the list, and why it needs no test where it does not apply.
struct Rule {
    std::string name;
    std::string_view not_applicable{};
};

std::vector<Rule> numbered(std::string_view letter, int last) {
    std::vector<Rule> rules;
    for (int i = 1; i <= last; ++i) rules.push_back({std::string(letter) + std::to_string(i)});
    return rules;
}

std::map<std::string, std::string_view, std::less<>> not_applicable{
    {"A1", "n/a: a library has no feature flag: who never calls create renders nothing"},
    {"A2", "n/a: there is no registry of plugins"},
    {"Z4", "n/a: there is no agent that could be busy; host commands with an old revision stand in"},
};

std::vector<Rule> specified() {
    std::vector<Rule> rules;
    const std::pair<std::string_view, int> groups[] = {{"A", 6}, {"N", 13}, {"D", 9}, {"R", 9}, {"X", 11},
                                                       {"L", 7}, {"C", 5},  {"P", 6}, {"V", 9}, {"Z", 7}};
    for (const auto& [letter, last] : groups) {
        for (Rule& rule : numbered(letter, last)) {
            if (const auto found = not_applicable.find(rule.name); found != not_applicable.end()) {
                rule.not_applicable = found->second;
            }
            rules.push_back(std::move(rule));
        }
        if (letter == "X") rules.push_back({"X+"});
    }
    return rules;
}

constexpr std::string_view no_tools = "n/a: belongs to the tools that a model calls, which are not built yet";
std::vector<Rule> hazards() {
    std::vector<Rule> rules = numbered("", 26);
    const auto set = [&rules](std::size_t number, std::string_view why) { rules[number - 1].not_applicable = why; };
    set(8, no_tools);
    return rules;
}

/// The fixtures and the traps of the governed task.
std::vector<Rule> governed() {
    std::vector<Rule> rules = numbered("29.", 9);
    const auto traps = numbered("30.", 53);
    rules.insert(rules.end(), traps.begin(), traps.end());
    for (std::size_t i = 0; i < rules.size(); ++i) {
        Rule& rule = rules[i];
        if (i >= 9 + 34) rule.not_applicable = "n/a: history, which asks for nothing by itself";
        const auto is = [&rule](std::string_view number) { return rule.name == number; };
        if (is("30.16") || is("30.17") || is("30.18") || is("30.32")) {
            rule.not_applicable = "n/a: belongs to the command on tasks, which is not built yet";
        }
        if (is("30.21") || is("30.22") || is("30.23")) rule.not_applicable = no_tools;
    }
    return rules;
}

using Counts = std::map<std::string, std::size_t>;

/// How often `prefix` is followed by which name, in one text.
void count_tags(std::string_view text, std::string_view prefix, Counts& counts) {
    for (auto at = text.find(prefix); at != std::string_view::npos; at = text.find(prefix, at)) {
        at += prefix.size();
        auto end = at;
        while (end < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '+' || text[end] == '.'))
            ++end;
        ++counts[std::string(text.substr(at, end - at))];
    }
}

Counts tags(std::string_view prefix) {
    Counts counts;
    for (const auto& file : fs::recursive_directory_iterator(fs::path(TASKSTATE_SOURCE_DIR) / "tests")) {
        const auto extension = file.path().extension();
        if (extension != ".cpp" && extension != ".jsonl") continue;
        std::ifstream in(file.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        count_tags(text, std::string("[") + std::string(prefix), counts);
    }
    return counts;
}

/// Names that have neither a test nor a reason, and tags that name no rule.
std::vector<std::string> faults(const std::vector<Rule>& rules, Counts counts) {
    std::vector<std::string> found;
    for (const Rule& rule : rules) {
        if (counts[rule.name] == 0 && rule.not_applicable.empty()) found.push_back(rule.name + " has no test");
        counts.erase(rule.name);
    }
    for (const auto& [name, count] : counts) found.push_back(name + " is no rule");
    return found;
}

void print(const char* title, const std::vector<Rule>& rules, Counts counts) {
    std::printf("%s\n", title);
    for (const Rule& rule : rules) {
        std::printf("  %-5s %3zu  %.*s\n", rule.name.c_str(), counts[rule.name],
                    static_cast<int>(rule.not_applicable.size()), rule.not_applicable.data());
    }
}

}  // namespace

TEST_CASE("coverage: every line of the conformance list has a test or a reason", "[conformance]") {
    const Counts counts = tags("spec:");
    print("conformance lines and their tests", specified(), counts);
    CHECK(faults(specified(), counts) == std::vector<std::string>{});
}

TEST_CASE("coverage: every hazard that what is built can meet has a test", "[conformance]") {
    const Counts counts = tags("hazard:");
    print("hazards and their tests", hazards(), counts);
    CHECK(faults(hazards(), counts) == std::vector<std::string>{});
}

TEST_CASE("coverage: every fixture and every trap of the governed task has a test or a reason", "[conformance]") {
    Counts counts = tags("governed:");
    std::erase_if(counts,
                  [](const auto& tag) { return !tag.first.starts_with("29.") && !tag.first.starts_with("30."); });
    print("fixtures and traps of the governed task", governed(), counts);
    CHECK(faults(governed(), counts) == std::vector<std::string>{});
}

TEST_CASE("coverage: a rule without a test and a tag without a rule are faults", "[conformance]") {
    const std::vector<Rule> rules{{"Q1"}, {"Q2"}, {"Q3", "a reason"}};
    Counts counts;
    count_tags("[q:Q1][q:Q9] q:Q2", "[q:", counts);
    CHECK(faults(rules, counts) == std::vector<std::string>{"Q2 has no test", "Q9 is no rule"});
}
