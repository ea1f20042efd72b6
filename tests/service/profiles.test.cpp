// Rules that are made known to a service.

#include "support/steps.hpp"

using namespace taskstate;
using test::check_refused;
using test::decided;
using test::Desk;

namespace {

Profile own_rules(std::string id = "own-v1") {
    Profile profile = *find_profile("general-v1");
    profile.id = std::move(id);
    return profile;
}

}  // namespace

TEST_CASE("register_profile: once for ever, the same again is nothing, other rules need another id",
          "[service][governed:12.3][governed:12.6]") {
    Desk desk;
    const auto enter = [&desk](const Profile& profile, Registering how = Registering::in_earnest) {
        return desk.service.register_profile(profile, test::admin_ada, how);
    };
    const auto dry = enter(own_rules(), Registering::dry_run);
    REQUIRE(dry.has_value());
    CHECK(dry->reason == Reason::dry_run_validated);
    CHECK(desk.store->profiles()->empty());

    const auto first = enter(own_rules());
    REQUIRE(first.has_value());
    CHECK(first->reason == Reason::profile_registered);
    CHECK(first->digest == profile_digest(own_rules()));
    CHECK(enter(own_rules())->reason == Reason::profile_already_registered);
    CHECK(enter(own_rules(), Registering::dry_run)->reason == Reason::profile_already_registered);

    Profile other = own_rules();
    other.repeats_max = 9;
    check_refused(enter(other), Reason::profile_version_differs);
    check_refused(enter(other, Registering::dry_run), Reason::profile_version_differs);
    CHECK(*desk.store->profile("own-v1") == own_rules());

    CHECK(enter(*find_profile("general-v1"))->reason == Reason::profile_already_registered);
    other.id = "general-v1";
    check_refused(enter(other), Reason::profile_version_differs);
}

TEST_CASE("register_profile: rules without what came later are still the same rules", "[service][governed:30.30]") {
    Desk desk;
    Profile before_lifetimes = own_rules();
    before_lifetimes.binding_lifetime_ms.reset();
    REQUIRE(desk.service.register_profile(before_lifetimes, test::admin_ada, Registering::in_earnest).has_value());
    Desk later(desk.store);
    CHECK(later.service.register_profile(before_lifetimes, test::admin_ada, Registering::in_earnest)->reason ==
          Reason::profile_already_registered);
}

TEST_CASE("register_profile: a refusal speaks of the rules that were sent", "[service][governed:30.31]") {
    Desk desk;
    Profile broken = own_rules("broken-v1");
    broken.phases.edges = {};
    const auto refused = desk.service.register_profile(broken, test::admin_ada, Registering::dry_run);
    check_refused(refused, Reason::no_transitions);
    CHECK(refused.error().message.find("general-v1") == std::string::npos);
    broken = own_rules("broken-v1");
    broken.repeats_max = 0;
    check_refused(desk.service.register_profile(broken, test::admin_ada, Registering::in_earnest),
                  Reason::invalid_profile);
    CHECK(desk.store->profiles()->empty());
}

TEST_CASE("register_profile: only with the capability", "[service][governed:5.8]") {
    Desk desk;
    for (std::size_t i = 0; i < Words<Role>::list.size(); ++i) {
        const auto role = static_cast<Role>(i);
        CAPTURE(word(role));
        const auto done =
            desk.service.register_profile(own_rules(), {.role = role, .name = "somebody"}, Registering::dry_run);
        CHECK(done.has_value() == (role == Role::authority || role == Role::administrator));
        if (!done) CHECK(done.error().reason == Reason::capability_denied);
    }
}

TEST_CASE("set_mode: every scope is off until it is switched on, each by itself", "[service][governed:1.2]") {
    auto service = *TaskService::open({.store = memory_store()});
    CHECK(service.mode(test::home).value() == ScopeMode::disabled);
    check_refused(service.start(test::start_input()), Reason::task_state_disabled);
    REQUIRE(service.set_mode(test::home, ScopeMode::shadow).has_value());
    CHECK(service.mode(test::home).value() == ScopeMode::shadow);
    CHECK(service.mode(test::abroad).value() == ScopeMode::disabled);
    REQUIRE(service.set_mode(test::home, ScopeMode::enabled).has_value());
    CHECK(decided(service.start(test::start_input())).outcome == Outcome::accepted);
    REQUIRE(service.set_mode(test::home, ScopeMode::disabled).has_value());
    check_refused(service.read({test::home, "delivery-42"}), Reason::task_state_disabled);
    REQUIRE(service.set_mode(test::home, ScopeMode::enabled).has_value());
    CHECK(service.read({test::home, "delivery-42"}).has_value());  // nothing was lost
    check_refused(service.set_mode({.owner = "", .workspace = "w"}, ScopeMode::enabled), Reason::blank);
    check_refused(TaskService::open({}), Reason::options_invalid);
}
