#pragma once
// Signals that something is off.  They inform; only an adapter that is registered can enforce one.

#include <taskstate/model/profile.hpp>
#include <taskstate/model/snapshot.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

enum class GuardKind : std::uint8_t { no_progress, dependency_unsatisfied, out_of_scope, completion_not_allowed };
template <>
struct Words<GuardKind> {
    static constexpr std::array<std::string_view, 4> list{"no_progress", "dependency_unsatisfied", "out_of_scope",
                                                          "completion_not_allowed"};
};

/// One signal.
///
/// Shape: `message` is a sentence that quotes no stored text; `blocking` holds ids as `OpenGates` names them.
struct Guard {
    GuardKind kind{};
    Revision revision{};
    std::string message{};
    std::vector<std::string> blocking{};
    std::uint64_t repeated = 0;  ///< how often the action was seen since the last progress
    friend bool operator==(const Guard&, const Guard&) = default;
};

/// What makes two actions the same: name, target and arguments; `sha256:` and 64 hex digits.
///
/// `arguments` is JSON content, in whatever order its keys were; none is `{}`.
/// Thread-safety: pure.
/// Source: docs/guards.md.
[[nodiscard]] std::string action_fingerprint(std::string_view action, const OptText& target, const Content& arguments);

/// Items that wait for others: pending or ready, with a dependency that is not settled.
[[nodiscard]] std::optional<Guard> dependency_guard(const Snapshot& snapshot);
/// What stands between the task and its completion.
[[nodiscard]] std::optional<Guard> completion_guard(const Snapshot& snapshot, const Profile& profile);
/// An action that was seen `repeated` times since the last progress, by the profile's threshold.
[[nodiscard]] std::optional<Guard> no_progress_guard(const Snapshot& snapshot, const Profile& profile,
                                                     std::uint64_t repeated);
/// The step names something of another scope.
[[nodiscard]] Guard out_of_scope_guard();

}  // namespace taskstate::inline v0
