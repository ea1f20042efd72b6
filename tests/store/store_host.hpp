#pragma once
// A host of a durable store, for tests with several processes.

#include "store/processes.hpp"
#include "store/stored_task.hpp"
#include "support/catch.hpp"

#include <taskstate/service/task_service.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace taskstate::test {

inline const TaskAddress hosted_task{stored_scope, "delivery-42"};

/// A host with its own service, which changes one task step by step.
class StoreHost {
 public:
    explicit StoreHost(std::shared_ptr<Store> store)
        : store_(std::move(store)), service_(*TaskService::open({.store = store_})) {}

    [[nodiscard]] bool begin() {
        return service_.set_mode(stored_scope, ScopeMode::enabled) &&
               service_.start({.task = hosted_task,
                               .key = "start",
                               .actor = host,
                               .items = {{.title = "Weigh the parcel", .id = "weigh"}}});
    }
    [[nodiscard]] Revision revision() { return (*store_->find(hosted_task, std::nullopt))->head.frame.revision; }
    /// The item gets another title on top of `base`: the new revision, or none where somebody was quicker.
    std::optional<Revision> change(Revision base, const std::string& key) {
        const SetItemTitle title{.id = "weigh", .title = "Weigh the parcel " + key};
        const auto done = service_.submit({.task = hosted_task,
                                           .actor = host,
                                           .key = key,
                                           .base = base,
                                           .operations = {{title, Assurance::host_reported}},
                                           .assurance = Assurance::host_reported});
        if (done && done->decision.outcome == Outcome::accepted) return done->decision.result;
        const Reason why = done ? done->decision.reason : done.error().reason;
        const bool overtaken = why == Reason::stale_base_revision || why == Reason::concurrent_successor_committed;
        if (!overtaken) broken_ = true;
        return std::nullopt;
    }
    [[nodiscard]] bool broken() const { return broken_; }

    /// A log without a gap, each revision with its decision, and everything as it is told to be.
    void check(Revision last) {
        const auto revisions = *store_->revisions(hosted_task, {}, 10'000);
        REQUIRE(revisions.size() == last.number);
        CHECK(revisions.back().frame.revision == last);
        const auto decisions = *store_->decisions(hosted_task, 0, 10'000);
        CHECK(static_cast<std::uint64_t>(std::count_if(decisions.begin(), decisions.end(), [](const auto& decision) {
                  return decision.outcome == Outcome::accepted;
              })) == last.number);
        const auto integrity = service_.verify(stored_scope);
        REQUIRE(integrity.has_value());
        CHECK(integrity->valid);
        CHECK(integrity->checked_tasks == 1);
    }

 private:
    static inline const Actor host{.role = Role::operator_, .name = "olga"};
    std::shared_ptr<Store> store_;
    TaskService service_;
    bool broken_ = false;
};

/// Starts a process whose host, made by `open`, changes the task again and again, and kills it after that time: the last
/// revision that was acknowledged.
template <class Open>
Revision change_until_killed(const Open& open, const std::string& name, std::chrono::microseconds after) {
    const Channel<Revision> told;
    const pid_t writer = start([&] {
        StoreHost host = open();
        for (Revision at = host.revision();;) {
            const auto next = host.change(at, name + '-' + std::to_string(at.number));
            if (!next) return 1;
            told.give(at = *next);
        }
        return 0;
    });
    Revision acknowledged = told.take();
    std::this_thread::sleep_for(after);
    ::kill(writer, SIGKILL);
    CHECK(exit_code(writer) == -1);
    while (told.waits()) acknowledged = told.take();
    return acknowledged;
}

}  // namespace taskstate::test
