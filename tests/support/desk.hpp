#pragma once
// A service over a memory store, with the clock, the ids and the people that a test needs.

#include "support/builders.hpp"

#include <taskstate/service/task_service.hpp>
#include <taskstate/store/memory_store.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taskstate::test {

inline const Scope home{.owner = "host-user", .workspace = "deliveries"};
inline const Scope abroad{.owner = "host-user", .workspace = "returns"};
inline const Actor operator_olga{.role = Role::operator_, .name = "olga"};
inline const Actor admin_ada{.role = Role::administrator, .name = "ada"};
inline const Actor agent_runner{.role = Role::agent, .name = "runner-1"};

inline constexpr std::int64_t minute_ms = 60'000, hour_ms = 60 * minute_ms;

/// `prefix-1`, `prefix-2`, …
class CountingIds : public IdSource {
 public:
    std::string make(std::string_view prefix) override { return std::string(prefix) + '-' + std::to_string(++made_); }

 private:
    std::atomic<std::uint64_t> made_{0};
};

inline ItemInput item(std::string id, std::vector<std::string> depends_on = {}) {
    return {.title = "Item " + id, .id = std::move(id), .required = true, .depends_on = std::move(depends_on)};
}

/// One service whose scopes `home` and `abroad` are enabled.
struct Desk {
    std::shared_ptr<FixedClock> clock = std::make_shared<FixedClock>();
    std::shared_ptr<Store> store{};
    TaskService service;

    explicit Desk(std::shared_ptr<Store> over = memory_store(), std::vector<Secret> secrets = {})
        : store(std::move(over)),
          service(*TaskService::open({.store = store,
                                      .clock = clock,
                                      .ids = std::make_shared<CountingIds>(),
                                      .secrets = std::move(secrets)})) {
        for (const Scope& scope : {home, abroad}) REQUIRE(service.set_mode(scope, ScopeMode::enabled).has_value());
    }

    /// A task with a goal, a gating constraint and two items, `review` and `deploy` that waits for it.
    Revision start(const std::string& id, const Scope& scope = home, const std::string& profile = "general-v1") {
        return accept(service.start({.task = {scope, id},
                                     .key = "start:" + id,
                                     .actor = operator_olga,
                                     .profile = profile,
                                     .goal = "Ship the order",
                                     .constraints = {"Stay small"},
                                     .items = {item("review"), item("deploy", {"review"})}}));
    }
    /// One operation by somebody, on the current revision.
    StepResult propose(const std::string& id, Operation operation, const Actor& actor = agent_runner,
                       const Scope& scope = home) {
        const std::string key = "key-" + std::to_string(++keys_);
        const auto done = service.submit({.task = {scope, id},
                                          .actor = actor,
                                          .key = key,
                                          .base = revision(id, scope),
                                          .operations = {{std::move(operation), Assurance::host_reported}},
                                          .assurance = Assurance::host_reported});
        if (!done) FAIL(word(done.error().reason) << " at " << done.error().path);
        return *done;
    }
    StepResult to(const std::string& id, Lifecycle lifecycle, const Scope& scope = home) {
        const auto done = service.lifecycle({.task = {scope, id},
                                             .key = "key-" + std::to_string(++keys_),
                                             .actor = admin_ada,
                                             .to = lifecycle,
                                             .base = revision(id, scope),
                                             .reason = "asked for",
                                             .over_open_gates = lifecycle == Lifecycle::completed});
        if (!done) FAIL(word(done.error().reason) << " at " << done.error().path);
        return *done;
    }
    /// A paused task and one of each end, each called so; `late`, whose time is over; and `foreign`, which is abroad.
    void start_unusable(const std::string& late);
    /// As the store has it now: nobody is expired by this look.
    Revision revision(const std::string& id, const Scope& scope = home) {
        const auto found = store->find({scope, id}, std::nullopt);
        REQUIRE((found.has_value() && found->has_value()));
        return (**found).head.frame.revision;
    }
    Lifecycle lifecycle(const std::string& id, const Scope& scope = home) {
        const auto found = store->find({scope, id}, std::nullopt);
        REQUIRE((found.has_value() && found->has_value()));
        return (**found).head.frame.lifecycle;
    }
    Binding bind(const std::string& id, const SessionIdentity& identity) {
        const auto bound = service.bind({.task = {home, id}, .identity = identity, .actor = operator_olga});
        if (!bound) FAIL(word(bound.error().reason) << " at " << bound.error().path);
        return *bound;
    }

    static Revision accept(const Result<StepResult>& done) {
        if (!done) FAIL(word(done.error().reason) << " at " << done.error().path);
        REQUIRE(done->decision.outcome == Outcome::accepted);
        return *done->decision.result;
    }

 private:
    std::uint64_t keys_ = 0;
};

inline Operation set_status(std::string id, ItemStatus status, OptText reason = std::nullopt) {
    return SetItemStatus{.id = std::move(id), .status = status, .reason = std::move(reason)};
}

/// A general profile with an expiry rule or another lifetime of bindings, known to the service.
inline std::string add_profile(Desk& desk, std::string id, ExpiryRule expiry,
                               std::optional<std::uint64_t> binding_lifetime_ms = std::nullopt) {
    Profile profile = *find_profile("general-v1");
    profile.id = std::move(id);
    profile.expiry = expiry;
    profile.binding_lifetime_ms = binding_lifetime_ms;
    REQUIRE(desk.service.register_profile(profile, admin_ada, Registering::in_earnest).has_value());
    return profile.id;
}

inline void Desk::start_unusable(const std::string& late) {
    for (const char* id : {"paused", "completed", "cancelled"}) start(id);
    to("paused", Lifecycle::paused);
    to("completed", Lifecycle::completed);
    to("cancelled", Lifecycle::cancelled);
    start(late, home, add_profile(*this, "hasty-v1", {.absolute_age_ms = 1000}));
    start("foreign", abroad);
    clock->advance(1000);
}

template <class T>
void check_refused(const Result<T>& answer, Reason reason) {
    REQUIRE_FALSE(answer.has_value());
    CHECK(word(answer.error().reason) == word(reason));
}

}  // namespace taskstate::test
