// What a profile may say, and what tells two profiles apart.

#include "support/catch.hpp"
#include "support/generate_proposal.hpp"

#include <taskstate/model/wire.hpp>

#include <string>

using namespace taskstate;

namespace {

Profile sound() {
    return {.id = "team-v1",
            .phases = {.phases = {"plan", "work", "done"},
                       .edges = {{"plan", "work"}, {"work", "plan"}, {"work", "done"}},
                       .extension = {"plan"}}};
}

struct Refusal {
    Reason reason{};
    std::string path{};
    friend bool operator==(const Refusal&, const Refusal&) = default;
};
std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
    return out << word(refusal.reason) << " at " << refusal.path;
}

template <class Change>
Refusal refusal_after(const Change& change) {
    Profile profile = sound();
    change(profile);
    const auto checked = check_profile(profile);
    REQUIRE_FALSE(checked.has_value());
    return {checked.error().reason, checked.error().path};
}

}  // namespace

TEST_CASE("profile: what comes with the library makes sense", "[model][governed:12.2]") {
    for (const Profile& profile : built_in_profiles()) {
        INFO(profile.id);
        CHECK(check_profile(profile).has_value());
    }
    CHECK(check_profile(sound()).has_value());
    CHECK(rc::check("so does whatever is well formed", [] { RC_ASSERT(check_profile(*test::any_profile())); }));
}

TEST_CASE("profile: phases that no way leads through are refused", "[model][governed:12.6]") {
    using enum Reason;
    CHECK(refusal_after([](Profile& p) { p.phases.phases[1] = "plan"; }) == Refusal{invalid_profile, "/phases/1"});
    CHECK(refusal_after([](Profile& p) { p.phases.phases[2] = "-"; }) == Refusal{bad_id, "/phases/2"});
    CHECK(refusal_after([](Profile& p) { p.phases.edges[1].to = "gone"; }) ==
          Refusal{invalid_profile, "/phase_transitions/1/to"});
    CHECK(refusal_after([](Profile& p) { p.phases.edges[2].from = "gone"; }) ==
          Refusal{invalid_profile, "/phase_transitions/2/from"});
    CHECK(refusal_after([](Profile& p) { p.phases.edges[2] = p.phases.edges[0]; }) ==
          Refusal{invalid_profile, "/phase_transitions/2"});
    CHECK(refusal_after([](Profile& p) { p.phases.extension.emplace_back("gone"); }) ==
          Refusal{invalid_profile, "/extension_phases/1"});
    CHECK(refusal_after([](Profile& p) { p.phases.extension.emplace_back("plan"); }) ==
          Refusal{invalid_profile, "/extension_phases/1"});
    CHECK(refusal_after([](Profile& p) { p.phases.edges.clear(); }) == Refusal{no_transitions, "/phase_transitions"});
    CHECK(refusal_after([](Profile& p) { p.phases = {.phases = {"only"}}; }) ==
          Refusal{no_transitions, "/phase_transitions"});
    CHECK(refusal_after([](Profile& p) { p.phases.edges.pop_back(); }) == Refusal{unreachable_phases, "/phases/2"});
    CHECK(refusal_after([](Profile& p) { p.phases.phases.clear(); }) ==
          Refusal{invalid_profile, "/phase_transitions/0/from"});
    Profile without = sound();
    without.phases = {};
    CHECK(check_profile(without).has_value());
}

TEST_CASE("profile: an empty list of operations permits nothing, so it is refused", "[model][governed:30.15]") {
    using enum Reason;
    CHECK(refusal_after([](Profile& p) { p.permitted.emplace(); }) ==
          Refusal{invalid_profile, "/permitted_operations"});
    CHECK(refusal_after([](Profile& p) {
              p.permitted = {OperationKind::prune, OperationKind::set_phase, OperationKind::prune};
          }) == Refusal{invalid_profile, "/permitted_operations/2"});
    CHECK(refusal_after([](Profile& p) { p.permitted = {static_cast<OperationKind>(99)}; }) ==
          Refusal{unknown_word, "/permitted_operations/0"});
    Profile one = sound();
    one.permitted = {OperationKind::set_phase};
    CHECK(check_profile(one).has_value());
    CHECK(one.permits(OperationKind::set_phase));
    CHECK_FALSE(one.permits(OperationKind::add_item));
    CHECK(sound().permits(OperationKind::add_item));
}

TEST_CASE("profile: names drop fields of the closed list, each once; none at all drops nothing",
          "[model][governed:14.8]") {
    using enum Reason;
    CHECK(refusal_after([](Profile& p) { p.block.drop_order.push_back(Drop::proposals); }) ==
          Refusal{invalid_profile, "/block/drop_order/12"});
    CHECK(refusal_after([](Profile& p) { p.block.drop_order = {static_cast<Drop>(99)}; }) ==
          Refusal{unknown_word, "/block/drop_order/0"});
    Profile nothing = sound();
    nothing.block.drop_order.clear();
    CHECK(check_profile(nothing).has_value());
    CHECK(sound().block.drop_order.size() == Words<Drop>::list.size());
}

TEST_CASE("profile: a number is at least 1 and at most what the wire can say", "[model][governed:12.1]") {
    using enum Reason;
    CHECK(refusal_after([](Profile& p) { p.repeats_max = 0; }) == Refusal{invalid_profile, "/repeats_max"});
    CHECK(refusal_after([](Profile& p) { p.expiry.absolute_age_ms = 0; }) ==
          Refusal{invalid_profile, "/expiry/absolute_age_ms"});
    CHECK(refusal_after([](Profile& p) { p.expiry.no_progress_ms = 0; }) ==
          Refusal{invalid_profile, "/expiry/no_progress_ms"});
    CHECK(refusal_after([](Profile& p) { p.binding_lifetime_ms = integer_max + 1; }) ==
          Refusal{invalid_profile, "/binding_lifetime_ms"});
}

TEST_CASE("profile: its texts are admitted as others are", "[model][governed:12.1]") {
    using enum Reason;
    CHECK(refusal_after([](Profile& p) { p.id = ""; }) == Refusal{blank, "/id"});
    CHECK(refusal_after([](Profile& p) { p.id = "a b"; }) == Refusal{bad_id, "/id"});
    CHECK(refusal_after([](Profile& p) { p.description = " "; }) == Refusal{blank, "/description"});
    CHECK(refusal_after([](Profile& p) { p.description = "for the team\n"; }) == Refusal{outer_space, "/description"});
    CHECK(refusal_after([](Profile& p) { p.description.assign(2'001, 'x'); }) == Refusal{too_long, "/description"});
    CHECK(refusal_after([](Profile& p) { p.items.required_kinds = {"step", "step"}; }) ==
          Refusal{invalid_profile, "/items/required_kinds/1"});
    CHECK(refusal_after([](Profile& p) { p.items.required_kinds = {std::string(101, 'k')}; }) ==
          Refusal{too_long, "/items/required_kinds/0"});
}

TEST_CASE("profile digest: moves with every rule, but not with the limits", "[model][governed:12.3][governed:30.30]") {
    const Digest before = profile_digest(sound());
    const auto moves = [&](const auto& change) {
        Profile profile = sound();
        change(profile);
        return profile_digest(profile) != before;
    };
    CHECK(moves([](Profile& p) { p.id = "team-v2"; }));
    CHECK(moves([](Profile& p) { p.description = "d"; }));
    CHECK(moves([](Profile& p) { p.notes.constraints_gate = true; }));
    CHECK(moves([](Profile& p) { p.items.next[0] = StatusSet(); }));
    CHECK(moves([](Profile& p) { p.items.reasoned = StatusSet(); }));
    CHECK(moves([](Profile& p) { p.items.completion_needs_evidence = true; }));
    CHECK(moves([](Profile& p) { p.items.correction_reopens = true; }));
    CHECK(moves([](Profile& p) { p.items.required_kinds = {"k"}; }));
    CHECK(moves([](Profile& p) { p.phases.phases[2] = "end"; }));
    CHECK(moves([](Profile& p) { p.phases.edges.pop_back(); }));
    CHECK(moves([](Profile& p) { p.phases.extension.clear(); }));
    CHECK(moves([](Profile& p) { p.block.hidden_when_empty = true; }));
    CHECK(moves([](Profile& p) { p.block.drop_order.clear(); }));
    CHECK(moves([](Profile& p) { p.permitted = {OperationKind::prune}; }));
    CHECK(moves([](Profile& p) { p.repeats_max = 4; }));
    CHECK(moves([](Profile& p) { p.expiry.absolute_age_ms = 1; }));
    CHECK(moves([](Profile& p) { p.expiry.no_progress_ms = 1; }));
    CHECK(moves([](Profile& p) { p.binding_lifetime_ms = 1; }));
    CHECK_FALSE(moves([](Profile& p) { p.limits.items_max = 1; }));
}

// A version never changes: whoever changes a rule of one of these gives it another name.
TEST_CASE("profile digest: the built-in versions are what they were", "[model][governed:12.3][governed:30.30]") {
    const auto digest = [](std::string_view id) { return format_digest(profile_digest(*find_profile(id))); };
    CHECK(digest("notebook-v1") == "sha256:342e87d645c69a1d92c78706e0802507e9cce04ff63da13fdd8d8e8b4aeca1e7");
    CHECK(digest("general-v1") == "sha256:efc42a8229ce52b6c4923b17f81dbbbe9af9bde8938177cd3cc2465b772786a1");
    CHECK(digest("ledger-v1") == "sha256:0d2d8f0f6e71a49b26c0a2b94f01cec2f01cb3299c5a51aeb0569676748ab946");
    CHECK(digest("checklist-v1") == "sha256:efb544f52d8d8568e712232c1082a276111d90124ebe4ee8d487d1b45f60807b");
}
