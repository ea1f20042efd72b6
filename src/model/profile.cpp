#include <taskstate/model/profile.hpp>

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

using enum ItemStatus;

constexpr StatusGraph usual_graph{
    StatusSet(ready, running, blocked, completed, skipped, failed),  // pending
    StatusSet(running, blocked, completed, skipped, failed),         // ready
    StatusSet(completed, blocked, failed, ready),                    // running
    StatusSet(ready, skipped, failed, pending),                      // blocked
    StatusSet(),                                                     // completed
    StatusSet(ready, skipped),                                       // failed
    StatusSet(),                                                     // skipped
};
constexpr StatusSet any_status(pending, ready, running, blocked, completed, failed, skipped);
/// Whoever keeps such a list may move everything everywhere.
constexpr StatusGraph free_graph{any_status, any_status, any_status, any_status, any_status, any_status, any_status};

/// The protected notebook: shown whole or not at all.
Profile notebook() { return {.id = "notebook-v1", .block = {.drop_order = {}}}; }

/// The governed task: six phases, constraints that gate completion, and a block that gives way in four steps.
Profile general() {
    return {.id = "general-v1",
            .notes = {.constraints_gate = true},
            .items = {.completion_needs_evidence = true},
            .phases = {.phases = {"plan", "collect", "validate", "execute", "verify", "complete"},
                       .edges = {{"plan", "collect"},
                                 {"plan", "execute"},
                                 {"collect", "collect"},
                                 {"collect", "validate"},
                                 {"validate", "collect"},
                                 {"validate", "execute"},
                                 {"execute", "execute"},
                                 {"execute", "verify"},
                                 {"verify", "execute"},
                                 {"verify", "complete"}},
                       .extension = {"plan", "collect"}},
            .block = {.drop_order = {Drop::completed_sources, Drop::sources_to_inspect, Drop::item_content,
                                     Drop::settled_items}},
            .binding_lifetime_ms = std::uint64_t{12} * 60 * 60 * 1000};
}

/// What two small tool sets share: a list of items that move freely, and no block without one.
Profile list_of_items(std::string id) {
    return {.id = std::move(id),
            .items = {.next = free_graph},
            .block = {.hidden_when_empty = true, .drop_order = {Drop::item_content, Drop::settled_items}}};
}
/// The ledger: at most 200 items; nobody is asked why.
Profile ledger() {
    Profile profile = list_of_items("ledger-v1");
    profile.items.reasoned = StatusSet();
    profile.limits.items_max = 200;
    return profile;
}
/// The checklist: what will not be done says why.
Profile checklist() {
    Profile profile = list_of_items("checklist-v1");
    profile.items.reasoned = StatusSet(skipped);
    return profile;
}

}  // namespace

const StatusGraph& usual_status_graph() noexcept { return usual_graph; }

std::vector<Drop> library_drop_order() {
    std::vector<Drop> order;
    order.reserve(Words<Drop>::list.size());
    for (std::size_t i = 0; i < Words<Drop>::list.size(); ++i) order.push_back(static_cast<Drop>(i));
    return order;
}

bool Profile::permits(OperationKind kind) const noexcept {
    return !permitted || std::find(permitted->begin(), permitted->end(), kind) != permitted->end();
}

std::span<const Profile> built_in_profiles() noexcept {
    static const std::array profiles{notebook(), general(), ledger(), checklist()};
    return profiles;
}

const Profile* find_profile(std::string_view id) noexcept {
    const auto profiles = built_in_profiles();
    const auto found = std::find_if(profiles.begin(), profiles.end(), [id](const Profile& p) { return p.id == id; });
    return found == profiles.end() ? nullptr : &*found;
}

}  // namespace taskstate::inline v0
