#pragma once
// Calls of a service, and their answers.

#include <taskstate/service/call.hpp>
#include <taskstate/service/task_service.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// What the session's clock is called in the log.
inline constexpr std::string_view session_clock_name = "fixed-utc-v1";

/// A service over a store, or over one in memory, in which every scope is off at first.
///
/// In memory ids are counted: `decision-1`, `delivery-1`, `binding-1`, …; elsewhere they may be taken.  A decision of whatever outcome is answered with it; a
/// rejection or a conflict is no success.
/// Thread-safety: confined.
/// Source: docs/replay.md, "Services".
class ServiceReplay {
 public:
    ServiceReplay(std::shared_ptr<Clock> clock, const std::shared_ptr<Store>& store);

    [[nodiscard]] std::string answer(const ServiceCall& call);

 private:
    class Dispatch;
    TaskService service_;
};

}  // namespace taskstate::inline v0
