#pragma once
// One line of `taskstate replay`: a call of `TaskService` as JSON.

#include <taskstate/service/requests.hpp>
#include <taskstate/store/store.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace taskstate::inline v0 {

/// The calls, each with the arguments of its request at the top of the line; `task` and `scope` are the address.
///
/// Thread-safety: value.
/// Source: docs/replay.md.
struct EnableCall {
    Scope scope{};
    ScopeMode mode = ScopeMode::enabled;
};
struct StartCall {
    StartInput request{};
};
struct SubmitCall {
    ProposalInput request{};
};
struct CorrectCall {
    ProposalInput request{};
};
struct LifecycleCall {
    LifecycleInput request{};
};
struct ReadCall {
    TaskAddress task{};
};
struct ListCall {
    ListInput request{};
};
struct PrepareCall {
    PrepareInput request{};  ///< but for the prompt
    std::optional<std::uint64_t> bytes_max{}, tokens_max{};
    std::vector<std::string> spellings{};
};
struct ConfirmExposureCall {
    Scope scope{};
    std::string delivery{};
};
struct BindCall {
    BindInput request{};
};
struct UnbindCall {
    UnbindInput request{};
};
struct ResolveCall {
    ResolveInput request{};
};
struct ObserveCall {
    ObservationInput request{};
};
struct ProposeDeltaCall {
    HostProposalInput request{};
};
struct RequestLifecycleCall {
    HostLifecycleInput request{};
};
struct ProvenanceCall {
    ProvenanceInput request{};
};
struct TimelineCall {
    TimelineInput request{};
};
struct HealthCall {
    Scope scope{};
};
struct VerifyCall {
    Scope scope{};
};
struct ForgetCall {
    TaskAddress task{};
    Actor actor{};
};
struct TrimCall {
    TrimInput request{};
};
struct RegisterProfileCall {
    Profile profile{};
    Actor actor{};
    Registering how{};  ///< `dry_run` in the line
};
struct ExpireDueCall {
    std::uint64_t limit = 200;
};

using ServiceCall = std::variant<EnableCall, StartCall, SubmitCall, CorrectCall, LifecycleCall, ReadCall, ListCall,
                                 PrepareCall, ConfirmExposureCall, BindCall, UnbindCall, ResolveCall, ObserveCall,
                                 ProposeDeltaCall, RequestLifecycleCall, ProvenanceCall, TimelineCall, HealthCall,
                                 VerifyCall, ForgetCall, TrimCall, RegisterProfileCall, ExpireDueCall>;

/// Reads one line that `decode_call` knows no call for.
///
/// Shape: `expect` may stand beside the arguments.  Parts of a session's identity that are absent are empty: the
///        service says what is required.
/// Bounds and errors: as `decode_call`, in one result.
/// Thread-safety: pure.
[[nodiscard]] Result<ServiceCall> decode_service_call(std::string_view line);

}  // namespace taskstate::inline v0
