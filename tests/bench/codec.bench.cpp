// W10–W12: JSON, good and bad, beside what a program would write with nlohmann_json and by hand.

#include "bench/fixture.hpp"
#include "bench/floors.hpp"
#include "bench/measure.hpp"

#include <nlohmann/json.hpp>
#include <taskstate/codec/json.hpp>

#include <algorithm>
#include <string>

namespace taskstate::bench {
namespace {

using Json = nlohmann::json;

/// A task as loaded, and as JSON.
struct Subject {
    Subject(std::size_t n, Flavour flavour)
        : task(open_task(saved_task(n, flavour))), saved(to_input(*task.snapshot())), json(encode(*task.snapshot())) {
        std::string by_hand;
        append_json_floor(by_hand, saved);
        if (by_hand != json) bug("the floor writes something else than the library");
    }
    TaskState task;
    SnapshotInput saved;
    std::string json;
};

void encoding(benchmark::State& state, std::size_t n, Flavour flavour) {
    const Subject subject(n, flavour);
    const Snapshot snapshot = *subject.task.snapshot();
    time_calls(state, [&] { benchmark::DoNotOptimize(encode(snapshot)); });
    count_bytes(state, subject.json.size());
}

void appending(benchmark::State& state, std::size_t n, Flavour flavour) {
    const Subject subject(n, flavour);
    time_calls(state, [&] {
        std::string out;
        append_json_floor(out, subject.saved);
        benchmark::DoNotOptimize(out);
    });
}

/// What a commit would cost that encodes and hashes the whole state.
void appending_and_hashing(benchmark::State& state) {
    const Subject subject(100, Flavour::ascii);
    std::string out;
    time_calls(state, [&] {
        out.clear();
        append_json_floor(out, subject.saved);
        benchmark::DoNotOptimize(sha256_floor(out));
    });
}

Json json_of(const SavedNote& saved) {
    Json json{{"authority", word(saved.standing)},
              {"category", word(saved.note.category)},
              {"id", saved.note.id},
              {"source", {{"label", saved.note.source.label}, {"turn", *saved.note.source.turn}}},
              {"text", saved.note.text}};
    if (saved.resolved) json["resolved"] = true;
    if (saved.superseded_by) json["superseded_by"] = *saved.superseded_by;
    if (saved.note.supersedes) json["supersedes"] = *saved.note.supersedes;
    return json;
}

void building_and_dumping(benchmark::State& state, std::size_t n, Flavour flavour) {
    const Subject subject(n, flavour);
    const auto run = [&] {
        Json notes = Json::array();
        for (const SavedNote& note : subject.saved.notes) notes.push_back(json_of(note));
        const Json whole{
            {"created_at", format_time(subject.saved.created_at)},
            {"format", "taskstate.snapshot/1"},
            {"goal", *subject.saved.goal},
            {"id", subject.saved.id},
            {"last_progress_at", format_time(subject.saved.last_progress_at)},
            {"lifecycle", word(subject.saved.lifecycle)},
            {"notes", std::move(notes)},
            {"profile", subject.saved.profile},
            {"revision", subject.saved.revision.number},
            {"scope", {{"owner", subject.saved.scope.owner}, {"workspace", subject.saved.scope.workspace}}},
            {"updated_at", format_time(subject.saved.updated_at)}};
        return whole.dump();
    };
    if (run() != subject.json) return state.SkipWithError("nlohmann writes something else than the library");
    time_calls(state, [&] { benchmark::DoNotOptimize(run()); });
}

/// From text to a head: decoded, admitted, validated, packed.
void decoding(benchmark::State& state, std::size_t n, Flavour flavour) {
    Subject subject(n, flavour);
    time_calls(state, [&] {
        auto saved = decode_snapshot(subject.json, wide_limits());
        benchmark::DoNotOptimize(subject.task.restore(*saved));
    });
    count_bytes(state, subject.json.size());
}

SavedNote note_of(const Json& json) {
    SavedNote saved{.note = {.id = json.at("id").get<std::string>(),
                             .text = json.at("text").get<std::string>(),
                             .source = {.label = json.at("source").at("label").get<std::string>(),
                                        .turn = json.at("source").at("turn").get<std::string>()}}};
    if (const auto category = from_word<Category>(json.at("category").get_ref<const std::string&>())) {
        saved.note.category = *category;
    }
    if (const auto standing = from_word<Standing>(json.at("authority").get_ref<const std::string&>())) {
        saved.standing = *standing;
    }
    saved.resolved = json.value("resolved", false);
    if (const auto found = json.find("superseded_by"); found != json.end()) saved.superseded_by = *found;
    if (const auto found = json.find("supersedes"); found != json.end()) saved.note.supersedes = *found;
    return saved;
}

void parsing_and_mapping(benchmark::State& state, std::size_t n, Flavour flavour) {
    const Subject subject(n, flavour);
    time_calls(state, [&] {
        const Json json = Json::parse(subject.json);
        SnapshotInput saved{.id = json.at("id").get<std::string>(), .goal = json.at("goal").get<std::string>()};
        for (const Json& note : json.at("notes")) saved.notes.push_back(note_of(note));
        benchmark::DoNotOptimize(saved);
    });
}

// W12.

struct Bad {
    const char* name = nullptr;
    Reason reason{};
    std::vector<std::string> inputs{};
    Limits limits = wide_limits();
};

std::string with_last(const std::string& json, const std::string& member) {
    // The last entry ends where the list of notes does.
    std::string changed = json;
    return changed.insert(changed.find("}],\"profile\""), "," + member);
}

std::vector<Bad> bad_inputs() {
    const std::string json = Subject(100, Flavour::ascii).json;
    std::vector<std::string> truncated;
    for (std::size_t tenth = 1; tenth < 10; ++tenth) truncated.push_back(json.substr(0, json.size() * tenth / 10));
    std::string ill_formed = json;
    ill_formed[json.find("\"}],\"profile\"") - 1] = '\xFF';
    std::vector<Bad> list{
        {"duplicate", Reason::duplicate_key, {with_last(json, R"("text":"again")")}},
        {"unknown", Reason::unknown_field, {with_last(json, R"("tint":"red")")}},
        {"truncated", Reason::not_json, std::move(truncated)},
        {"deep", Reason::too_deep, {std::string(10'000, '[') + std::string(10'000, ']')}},
        {"over_cap", Reason::snapshot_bytes_exceeded, {json}},
        {"ill_formed", Reason::invalid_utf8, {ill_formed}},
    };
    list[4].limits.snapshot_bytes_max = json.size() - 1;
    return list;
}

void decoding_bad(benchmark::State& state, const Bad& bad) {
    std::size_t bytes = 0;
    const auto run = [&] {
        for (const std::string& input : bad.inputs) benchmark::DoNotOptimize(decode_snapshot(input, bad.limits));
    };
    double peak_share = 0;
    for (const std::string& input : bad.inputs) {
        bytes += input.size();
        const auto decoded = decode_snapshot(input, bad.limits);
        if (decoded || decoded.error().reason != bad.reason) return state.SkipWithError("not refused as it should be");
        const Memory memory = memory_of([&] { benchmark::DoNotOptimize(decode_snapshot(input, bad.limits)); });
        peak_share = std::max(peak_share, static_cast<double>(memory.peak_bytes) / static_cast<double>(input.size()));
    }
    time_calls(state, run);
    count_bytes(state, bytes);
    state.counters["peak_share"] = peak_share;
}

[[maybe_unused]] const bool registered = [] {
    for (const Flavour flavour : {Flavour::ascii, Flavour::utf8}) {
        for (const std::size_t n : {100, 200, 1'000}) {
            const std::string name = std::string("/") + name_of(flavour) + "/" + std::to_string(n);
            const auto add = [&](const std::string& start, auto run) {
                benchmark::RegisterBenchmark((start + name).c_str(),
                                             [=](benchmark::State& state) { run(state, n, flavour); });
            };
            add("codec/decode", decoding);
            if (n == 200) continue;
            add("codec/encode", encoding);
            add("floor/append", appending);
            add("floor/nlohmann_dump", building_and_dumping);
            add("floor/nlohmann_parse", parsing_and_mapping);
        }
    }
    for (const Bad& bad : bad_inputs()) {
        benchmark::RegisterBenchmark((std::string("codec/bad/") + bad.name).c_str(),
                                     [bad](benchmark::State& state) { decoding_bad(state, bad); });
    }
    benchmark::RegisterBenchmark("floor/append_sha256", appending_and_hashing);
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
