// Tokens of a block and what of it a provider's cache keeps, beside the same state as JSON.

#include "bench/economy.hpp"
#include "bench/fixture.hpp"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>
#include <taskstate/base/text.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace taskstate::bench {
namespace {

using Json = nlohmann::json;

void count(benchmark::State& state, const std::vector<Economy>& list) {
    for (auto _ : state) {
    }
    const auto mean = [&](const std::string& name, Forms (Economy::*forms)() const, double Forms::* form) {
        double sum = 0;
        for (const Economy& economy : list) sum += (economy.*forms)().*form;
        state.counters[name] = sum / static_cast<double>(list.size());
    };
    mean("tokens_block", &Economy::tokens, &Forms::block);
    mean("tokens_compact", &Economy::tokens, &Forms::compact);
    mean("tokens_indented", &Economy::tokens, &Forms::indented);
    mean("kept_block", &Economy::kept, &Forms::block);
    mean("kept_compact", &Economy::kept, &Forms::compact);
    mean("kept_indented", &Economy::kept, &Forms::indented);
}

/// Plays a recorded conversation as its host would: a call is started before it is made, its answer settles it, and an
/// answered call is confirmed, so that the receipts stay.  Each answer of the model stands for one prompt.
Economy play(const Json& messages) {
    TaskState task = *TaskState::create(
        {.id = "conversation", .scope = {.owner = "host-user", .workspace = "recordings"}, .limits = wide_limits()});
    Economy economy;
    std::vector<std::pair<std::string, ActionOutcome>> open;
    const auto change = [&](const HostDelta& delta) {
        if (!task.update(delta, task.revision())) bug("the recording cannot be played");
    };
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const Json& message = messages[i];
        const auto role = message.at("role").get<std::string>();
        if (role == "assistant") {
            economy.see(*task.snapshot());
            HostDelta delta;
            for (const Json& call : message.value("tool_calls", Json::array())) {
                const auto number = std::to_string(delta.record_actions.size());
                delta.record_actions.push_back({.execution = "m" + std::to_string(i) + "-c" + number,
                                                .tool = call.at("function").at("name").get<std::string>(),
                                                .status = ActionStatus::started,
                                                .completion = Completion::unknown});
                open.emplace_back(call.at("id").get<std::string>(), delta.record_actions.back());
            }
            if (!delta.record_actions.empty()) change(delta);
        } else if (role == "tool") {
            const auto id = message.at("tool_call_id").get<std::string>();
            const auto call = std::ranges::find_if(open, [&](const auto& one) { return one.first == id; });
            if (call == open.end()) bug("the recording answers a call that nobody made");
            ActionOutcome outcome = call->second;
            open.erase(call);
            outcome.status = ActionStatus::succeeded;
            outcome.completion = Completion::settled;
            change({.record_actions = {outcome},
                    .confirm_actions = {{.execution = outcome.execution,
                                         .status = Confirmed::completed,
                                         .source = {.label = "The tool answered"}}}});
        }
    }
    economy.see(*task.snapshot());
    return economy;
}

std::vector<Economy> recordings() {
    const std::filesystem::path folder = TASKSTATE_SOURCE_DIR "/../shared/data/trajectories";
    std::vector<Economy> list;
    if (!std::filesystem::is_directory(folder)) return list;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        std::ifstream file(entry.path());
        list.push_back(play(Json::parse(file)));
    }
    return list;
}

[[maybe_unused]] const bool registered = [] {
    const auto add = [](const char* name, const std::vector<Economy>& list) {
        benchmark::RegisterBenchmark(name, [list](benchmark::State& state) { count(state, list); })->Iterations(1);
    };
    add("economy/confirm", {random_events(Event::confirm, 200)});
    add("economy/settle", {random_events(Event::settle, 10)});
    add("economy/resolve", {random_events(Event::resolve, 40)});
    Economy long_notes;
    long_notes.see(*open_task(saved_task(100, Flavour::ascii)).snapshot());
    add("economy/long", {long_notes});
    if (const auto list = recordings(); !list.empty()) add("economy/recorded", list);
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
