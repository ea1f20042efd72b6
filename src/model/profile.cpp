#include <taskstate/model/profile.hpp>

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

using enum ItemStatus;

/// What is settled never opens again; what failed or was blocked goes back to the queue first.
constexpr ItemRules usual_items{.next = {
                                    StatusSet(ready, running, blocked, completed, skipped, failed),  // pending
                                    StatusSet(running, blocked, completed, skipped, failed),         // ready
                                    StatusSet(completed, blocked, failed, ready),                    // running
                                    StatusSet(ready, skipped, failed, pending),                      // blocked
                                    StatusSet(),                                                     // completed
                                    StatusSet(ready, skipped),                                       // failed
                                    StatusSet(),                                                     // skipped
                                }};

constexpr std::array<std::string_view, 6> general_phases{"plan",    "collect", "validate",
                                                         "execute", "verify",  "complete"};
constexpr std::array<PhaseRules::Edge, 10> general_edges{{{"plan", "collect"},
                                                          {"plan", "execute"},
                                                          {"collect", "collect"},
                                                          {"collect", "validate"},
                                                          {"validate", "collect"},
                                                          {"validate", "execute"},
                                                          {"execute", "execute"},
                                                          {"execute", "verify"},
                                                          {"verify", "execute"},
                                                          {"verify", "complete"}}};
constexpr std::array<std::string_view, 2> general_extension{"plan", "collect"};
constexpr std::array<std::string_view, 4> general_drops{"completed_sources", "sources_to_inspect", "item_content",
                                                        "settled_items"};

constexpr std::array profiles{
    // The protected notebook: shown whole or not at all.
    Profile{.id = "notebook-v1", .notes = {}, .items = usual_items, .phases = {}, .block = {}, .limits = {}},
    // The governed task: six phases, constraints that gate completion, and a block that gives way in four steps.
    Profile{.id = "general-v1",
            .notes = {.constraints_gate = true},
            .items = usual_items,
            .phases = {.phases = general_phases, .edges = general_edges, .extension = general_extension},
            .block = {.drop_order = general_drops},
            .limits = {}},
};

}  // namespace

const Profile* find_profile(std::string_view id) noexcept {
    const auto* found = std::find_if(profiles.begin(), profiles.end(), [id](const Profile& p) { return p.id == id; });
    return found == profiles.end() ? nullptr : found;
}

}  // namespace taskstate::inline v0
