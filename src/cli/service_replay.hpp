#pragma once
// Calls of a service, and their answers.

#include <taskstate/service/call.hpp>
#include <taskstate/service/task_service.hpp>

#include <memory>
#include <string>

namespace taskstate::inline v0 {

/// A service over a store in memory, in which every scope is off at first.
///
/// Ids are counted: `decision-1`, `delivery-1`, `binding-1`, …  A decision of whatever outcome is answered with it; a
/// rejection or a conflict is no success.
/// Thread-safety: confined.
/// Source: docs/replay.md, "Services".
class ServiceReplay {
 public:
    explicit ServiceReplay(std::shared_ptr<Clock> clock);

    [[nodiscard]] std::string answer(const ServiceCall& call);

 private:
    class Dispatch;
    TaskService service_;
};

}  // namespace taskstate::inline v0
