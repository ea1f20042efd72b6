#pragma once
// The way of every step of a task that exists: replay, expiry, judgement, commit.

#include "service/core.hpp"

#include <functional>

namespace taskstate::inline v0 {

/// What is written down of a step, whatever becomes of it.
struct StepRequest {
    StepKind kind{};
    TaskAddress task{};
    std::string key{};  ///< as it is stored
    Digest payload{};   ///< of everything that was sent under the key
    Actor actor{};
    Revision base{};
    Assurance assurance{};  ///< what the actor vouches for
    std::string method{};   ///< of the revision that it may lead to
    OptText interpreter{}, reason{}, action_fingerprint{};
    std::vector<EvidenceInput> evidence{};
};

/// Judges the step on the state that it meets; may complete the request with what only that state tells.
using StepJudge = std::function<Decision(StepRequest& request, const SeenTask& seen, Timestamp now)>;

/// Keys that begin so belong to the host boundary: `host:`, the adapter, `:` and its own key.
inline constexpr std::string_view host_key_prefix = "host:";
/// Whether a caller who is no adapter may use the key.  Errors: those of a Ref; `bad_id` for a key of the boundary.
[[nodiscard]] Result<void> check_own_key(const std::string& key);

/// What was decided of `request`, which `found` is the task of: an earlier decision under the key, or a new one.
///
/// A step that another one overtakes becomes a conflict, and is recorded as one.  In shadow nothing is committed but
/// the decision, which takes no key.
/// Errors: `idempotency_key_reused` for another request under the key; those of the store.
/// Source: docs/service.md, "A step".
[[nodiscard]] Result<StepResult> take_step(TaskService::Core& core, ScopeMode mode, Found found, StepRequest request,
                                           const StepJudge& judge);

/// The decision under the key, told again.  Errors: `idempotency_key_reused` where it was about something else.
[[nodiscard]] Result<StepResult> replay(DecisionRecord decision, StepKind kind, const Digest& payload);

}  // namespace taskstate::inline v0
