#pragma once
// Requests on their way into a step: from whom they may come, and as what they are recorded.

#include "service/step.hpp"

namespace taskstate::inline v0 {

/// How a request came in.
struct Channel {
    StepKind kind{};
    Intake intake{};
    std::string key{};  ///< as it is stored
    Digest payload{};
};

/// The task of a request, if there is one, and the rules to admit the request by: the task's, or the usual ones, so
/// that what is wrong with a request is told whether its task is there or not.
struct Addressee {
    std::optional<Found> found{};
    std::shared_ptr<const Profile> profile{};
};
[[nodiscard]] Result<Addressee> find_addressee(const TaskService::Core& core, const TaskAddress& task,
                                               const std::string& key);
/// Of a request whose task does not matter yet; bounds are for the task to set.
[[nodiscard]] Rules usual_rules(const TaskService::Core& core);

/// Admits a proposal and takes it as a step.
///
/// Errors: those of `admit`; `task_not_eligible`; those of `take_step`.
[[nodiscard]] Result<StepResult> take_proposal(TaskService::Core& core, ScopeMode mode, const ProposalInput& proposal,
                                               const Channel& channel);

/// The same of a change of lifecycle, which is admitted already.
[[nodiscard]] Result<StepResult> take_lifecycle(TaskService::Core& core, ScopeMode mode, const LifecycleInput& change,
                                                const Channel& channel);
/// Errors: text, id and shape reasons.
[[nodiscard]] Result<LifecycleInput> admit(const LifecycleInput& change, TextPolicy policy);

}  // namespace taskstate::inline v0
