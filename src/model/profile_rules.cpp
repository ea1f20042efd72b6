// Whether a profile makes sense.

#include <taskstate/base/text.hpp>
#include <taskstate/model/profile.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t description_max = 2'000;

std::string pointer(std::string_view list, std::size_t index) {
    return '/' + std::string(list) + '/' + std::to_string(index);
}

/// Checks every element of a list, and that none stands there twice.
template <class T, class Check>
Result<void> check_list(std::string_view name, const std::vector<T>& list, const Check& check) {
    std::set<T> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (Result<void> sound = check(list[i]); !sound) return under(pointer(name, i), std::move(sound).error());
        if (!seen.insert(list[i]).second) return fail(Reason::invalid_profile, pointer(name, i));
    }
    return {};
}

template <class E>
Result<void> check_words(std::string_view name, const std::vector<E>& list) {
    return check_list(name, list, [](E value) -> Result<void> {
        if (word(value).empty()) return fail(Reason::unknown_word);
        return {};
    });
}

Result<void> check_description(const std::string& description) {
    if (description.empty()) return {};
    const auto admitted = admit_text(description, description_max, TextPolicy::refuse);
    if (!admitted) return under("/description", admitted.error());
    if (admitted->text != description) return fail(Reason::outer_space, "/description");
    return {};
}

Result<void> check_number(std::string_view path, const std::optional<std::uint64_t>& number) {
    if (!number || (*number > 0 && *number <= integer_max)) return {};
    return fail(Reason::invalid_profile, std::string(path), {integer_max, *number});
}

/// By name of a phase: where it stands in the list.
using Places = std::map<std::string_view, std::size_t>;

Result<void> check_edges(const std::vector<PhaseRules::Edge>& edges, const Places& places) {
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const std::string at = pointer("phase_transitions", i);
        if (!places.contains(edges[i].from)) return fail(Reason::invalid_profile, at + "/from");
        if (!places.contains(edges[i].to)) return fail(Reason::invalid_profile, at + "/to");
        if (!seen.emplace(edges[i].from, edges[i].to).second) return fail(Reason::invalid_profile, at);
    }
    return {};
}

/// Whether a way leads from the first phase to every other one.
Result<void> check_ways(const PhaseRules& rules, const Places& places) {
    std::vector<std::vector<std::size_t>> next(rules.phases.size());
    for (const PhaseRules::Edge& edge : rules.edges) next[places.at(edge.from)].push_back(places.at(edge.to));
    std::vector<bool> reached(rules.phases.size());
    std::vector<std::size_t> open{0};
    reached[0] = true;
    while (!open.empty()) {
        const std::size_t from = open.back();
        open.pop_back();
        for (const std::size_t to : next[from]) {
            if (!reached[to]) open.push_back(to);
            reached[to] = true;
        }
    }
    const auto missed = std::find(reached.begin(), reached.end(), false);
    if (missed == reached.end()) return {};
    return fail(Reason::unreachable_phases, pointer("phases", static_cast<std::size_t>(missed - reached.begin())));
}

Result<void> check_phases(const PhaseRules& rules) {
    if (auto sound = check_list("phases", rules.phases, check_id); !sound) return sound;
    Places places;
    for (std::size_t i = 0; i < rules.phases.size(); ++i) places.emplace(rules.phases[i], i);
    if (auto sound = check_edges(rules.edges, places); !sound) return sound;
    auto known = check_list("extension_phases", rules.extension, [&](const std::string& phase) -> Result<void> {
        if (!places.contains(phase)) return fail(Reason::invalid_profile);
        return {};
    });
    if (!known || rules.phases.empty()) return known;
    if (rules.edges.empty()) return fail(Reason::no_transitions, "/phase_transitions");
    return check_ways(rules, places);
}

}  // namespace

Result<void> check_profile(const Profile& profile) {
    if (auto sound = check_id(profile.id); !sound) return under("/id", std::move(sound).error());
    if (auto sound = check_description(profile.description); !sound) return sound;
    if (auto sound = check_phases(profile.phases); !sound) return sound;
    auto kinds = check_list("items/required_kinds", profile.items.required_kinds,
                            [](const std::string& kind) { return check_ref(kind, item_kind_max); });
    if (!kinds) return kinds;
    if (auto sound = check_words("block/drop_order", profile.block.drop_order); !sound) return sound;
    if (profile.permitted) {
        if (profile.permitted->empty()) return fail(Reason::invalid_profile, "/permitted_operations");
        if (auto sound = check_words("permitted_operations", *profile.permitted); !sound) return sound;
    }
    if (auto sound = check_number("/repeats_max", profile.repeats_max); !sound) return sound;
    if (auto sound = check_number("/expiry/absolute_age_ms", profile.expiry.absolute_age_ms); !sound) return sound;
    if (auto sound = check_number("/expiry/no_progress_ms", profile.expiry.no_progress_ms); !sound) return sound;
    if (auto sound = check_number("/binding_lifetime_ms", profile.binding_lifetime_ms); !sound) return sound;
    const std::string_view zero = zero_limit(profile.limits);
    if (zero.empty()) return {};
    return fail(Reason::invalid_profile, "/limits/" + std::string(zero), {1, 0});
}

std::string_view zero_limit(const Limits& limits) noexcept {
    struct Bound {
        std::string_view name{};
        std::size_t value = 0;
    };
    for (const Bound& bound :
         {Bound{"entries_max", limits.entries_max}, Bound{"items_max", limits.items_max},
          Bound{"sources_max", limits.sources_max}, Bound{"tokens_max", limits.tokens_max},
          Bound{"snapshot_bytes_max", limits.snapshot_bytes_max}, Bound{"input_bytes_max", limits.input_bytes_max}}) {
        if (bound.value == 0) return bound.name;
    }
    return {};
}

}  // namespace taskstate::inline v0
