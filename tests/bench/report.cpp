// Turns the JSON of several runs of the bench into one table of ratios beside the goals, and that table into a page.
//   bench_report table GOALS BENCH_JSON RUN...    prints the table and writes it as JSON
//   bench_report page BENCH_JSON PAGE             writes docs/performance.md from that JSON
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Json = nlohmann::ordered_json;
using std::string;

constexpr double control_least = 0.95, control_most = 1.05;

[[noreturn]] void stop(const string& why) {
    std::fprintf(stderr, "bench_report: %s\n", why.c_str());
    std::exit(1);
}

// Google Benchmark writes NaN for the scatter of what is always 0; JSON has no word for that.
Json read_json(const string& path) {
    std::ifstream file(path);
    if (!file) stop("cannot open " + path);
    string text{std::istreambuf_iterator<char>(file), {}};
    for (auto found = text.find(": NaN"); found != string::npos; found = text.find(": NaN", found)) {
        text.replace(found, 5, ": null");
    }
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) stop(path + " is not JSON");
    return json;
}

// The name as the goals spell it: without what Google Benchmark adds about the way of measuring.
string plain_name(string name) {
    for (const std::string_view added : {"/manual_time", "/real_time", "/iterations:1", "/repeats:1"}) {
        if (const auto found = name.find(added); found != string::npos) name.erase(found, added.size());
    }
    if (name.ends_with("/threads:1")) name.resize(name.rfind('/'));
    return name;
}

// What one process measured: the median of each workload's time and counters.
class Run {
 public:
    explicit Run(const Json& json) {
        for (const Json& row : json.at("benchmarks")) {
            if (row.value("error_occurred", false)) stop(row.at("name").get<string>() + " cannot run");
            if (row.value("aggregate_name", "median") != "median") continue;
            const string name = row.at("run_name").get<string>();
            // Threads that wait for each other spend real time only; else processor time is the steadier one.
            const bool real = name.ends_with("/manual_time") || name.find("/real_time") != string::npos;
            auto& fields = rows_[plain_name(name)];
            for (const auto& [key, value] : row.items()) {
                if (value.is_number()) fields[key] = value.get<double>();
            }
            fields["time"] = fields[real ? "real_time" : "cpu_time"];
        }
    }

    // `workload`, which means its time, or `workload:counter`.
    std::optional<double> value(const string& expression, const string& per) const {
        const auto colon = expression.find(':', expression.rfind('/'));
        const bool counter = colon != string::npos && !expression.substr(0, colon).ends_with("threads");
        const auto row = rows_.find(counter ? expression.substr(0, colon) : expression);
        if (row == rows_.end()) return std::nullopt;
        const auto field = row->second.find(counter ? expression.substr(colon + 1) : "time");
        if (field == row->second.end()) stop(expression + " is not counted");
        return per.empty() ? field->second : field->second / row->second.at(per);
    }

    // The ratio of the two equal workloads; nothing where this run has none of them.
    std::optional<double> control() const {
        constexpr std::pair<const char*, const char*> pairs[] = {
            {"control/a", "control/b"}, {"store/sqlite/full:raw_p50", "store/sqlite/full:again_p50"}};
        for (const auto& [first, second] : pairs) {
            const auto a = value(first, ""), b = value(second, "");
            if (a && b) return *a / *b;
        }
        return std::nullopt;
    }
    bool is_void() const {
        const auto ratio = control();
        return ratio && (*ratio < control_least || *ratio > control_most);
    }

 private:
    std::map<string, std::map<string, double>> rows_;
};

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::vector<double> measured(const Json& goal, const std::vector<Run>& runs) {
    const string per = goal.value("per", "");
    std::vector<double> values;
    for (const Run& run : runs) {
        auto value = run.value(goal.at("value"), per);
        if (!value) continue;
        if (goal.contains("over")) {
            const auto floor = run.value(goal.at("over"), per);
            if (!floor)
                stop(goal.at("over").get<string>() + " was not measured beside " + goal.at("value").get<string>());
            *value /= *floor * goal.value("times", 1.0);
        }
        values.push_back(*value);
    }
    return values;
}

Json row_of(const Json& goal, const std::vector<Run>& runs) {
    const std::vector<double> values = measured(goal, runs);
    Json row = goal;
    if (values.empty()) {
        if (!goal.value("optional", false)) stop(goal.at("value").get<string>() + " was not measured");
        return row;
    }
    row["median"] = median(values);
    row["lowest"] = *std::ranges::min_element(values);
    row["highest"] = *std::ranges::max_element(values);
    if (goal.contains("most")) row["met"] = row["median"] <= goal["most"];
    if (goal.contains("least")) row["met"] = row["median"] >= goal["least"];
    return row;
}

string number(double value) {
    char text[32];
    const int digits = std::abs(value) >= 100 ? 0 : std::abs(value) >= 10 ? 1 : std::abs(value) >= 1 ? 2 : 3;
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

string median_of(const Json& row) { return row.contains("median") ? number(row["median"]) : "–"; }

string span_of(const Json& row) {
    return row.contains("median") ? number(row["lowest"]) + ".." + number(row["highest"]) : "–";
}

string bound_of(const Json& row) {
    const string unit = row.contains("unit") ? " " + row["unit"].get<string>() : "";
    if (row.contains("most")) return "≤ " + number(row["most"]) + unit;
    if (row.contains("least")) return "≥ " + number(row["least"]) + unit;
    return "–";
}

string verdict_of(const Json& row) {
    if (!row.contains("median")) return "not measured here";
    if (!row.contains("met")) return "–";
    return row["met"].get<bool>() ? "met" : "MISSED";
}

int write_table(const string& goals, const string& out, const std::vector<string>& paths) {
    std::vector<Run> all, valid;
    Json controls = Json::array();
    for (const string& path : paths) {
        const Run run(read_json(path));
        if (const auto ratio = run.control()) controls.push_back(*ratio);
        all.push_back(run);
        if (!run.is_void()) valid.push_back(run);
    }
    Json bench{{"format", "taskstate.bench/1"}, {"controls", controls}, {"void", all.size() - valid.size()}};
    std::size_t missed = 0;
    std::printf("%-4s %-5s %-78s %9s  %-19s %-10s %s\n", "goal", "load", "ratio", "median", "lowest..highest", "bound",
                "verdict");
    for (const Json& goal : read_json(goals)) {
        Json row = row_of(goal, measured(goal, valid).empty() ? all : valid);
        std::printf("%-4s %-5s %-78s %9s  %-19s %-12s %s\n", row["goal"].get<string>().c_str(),
                    row["workload"].get<string>().c_str(), row["text"].get<string>().c_str(), median_of(row).c_str(),
                    span_of(row).c_str(), bound_of(row).c_str(), verdict_of(row).c_str());
        missed += row.contains("met") && !row["met"].get<bool>();
        bench["rows"].push_back(std::move(row));
    }
    std::printf("\nControl, the same workload twice in each run:");
    for (const Json& ratio : controls) std::printf(" %s", number(ratio).c_str());
    std::printf("; void and left out: %zu of %zu.  Goals missed: %zu.\n", all.size() - valid.size(), controls.size(),
                missed);
    std::ofstream(out) << bench.dump(2) << '\n';
    return 0;
}

// Bare times do not belong into documents: they say something about one machine only.
string shown(const Json& row, const string& text) { return row.value("unit", "") == "ns" ? "*a time*" : text; }

int write_page(const string& bench_path, const string& page_path) {
    const Json bench = read_json(bench_path);
    std::ofstream page(page_path);
    page
        << "# Performance\n\n"
           "Made by `scripts/bench --page` from what `scripts/bench` measured; not written by hand.\n\n"
           "Every figure is a ratio of two things that ran in turns in one process, beside an idle second thread: the\n"
           "library, and the least that a program written by hand would have to do. `S` is SHA-256 of the same bytes.\n"
           "What waits for a disk is timed operation by operation, on one file system; `p50` and `p95` are of those.\n"
           "Each process gives the median of its repetitions; the table shows the median of five processes and their\n"
           "lowest and highest. A process in which the same workload, measured twice, differs by more than 5 % is "
           "void.\n"
           "Measured on 2 virtual cores of a server CPU, g++ 12, `-O2`, no `-march`. Where a goal is a time, the page\n"
           "says only whether it is met; the terminal shows it.\n\n"
           "| goal | workload | what | median | lowest..highest | goal is | |\n|---|---|---|---|---|---|---|\n";
    for (const Json& row : bench.at("rows")) {
        page << "| " << row.at("goal").get<string>() << " | " << row.at("workload").get<string>() << " | "
             << row.at("text").get<string>() << " | " << shown(row, median_of(row)) << " | " << shown(row, span_of(row))
             << " | " << shown(row, bound_of(row)) << " | " << verdict_of(row) << " |\n";
    }
    page << "\nThe same workload twice, in each process:";
    for (const Json& ratio : bench.at("controls")) page << ' ' << number(ratio);
    page << ". Void: " << bench.at("void").get<std::size_t>() << " of " << bench.at("controls").size() << ".\n";
    return page ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<string> words(argv + 1, argv + argc);
    if (words.size() >= 4 && words[0] == "table") {
        return write_table(words[1], words[2], {words.begin() + 3, words.end()});
    }
    if (words.size() == 3 && words[0] == "page") return write_page(words[1], words[2]);
    std::fprintf(stderr, "usage: bench_report table GOALS BENCH_JSON RUN... | page BENCH_JSON PAGE\n");
    return 2;
}
