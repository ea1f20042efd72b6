#pragma once
// Who may do what: nine roles, what each may ask for, and how strongly its word counts.

#include <taskstate/engine/transaction.hpp>

#include <optional>

namespace taskstate::inline v0 {

/// Whether the role holds the capability.
///
/// Thread-safety: pure.
/// Source: docs/roles.md.
[[nodiscard]] bool holds(Role role, Capability capability) noexcept;

/// Errors: `capability_denied`.
[[nodiscard]] Result<void> check_capability(Role role, Capability capability);

/// The strongest assurance that the actor may claim at this intake.
[[nodiscard]] Assurance ceiling(Role role, Intake intake) noexcept;

/// Whether the actor may ask for operations of this kind at all; what an operation finds may still forbid it.
[[nodiscard]] bool permits(Role role, Intake intake, OperationKind kind) noexcept;

/// The strongest standing that a note of the actor may have; nothing where it may add none.
[[nodiscard]] std::optional<Standing> standing_of(Role role, Intake intake) noexcept;

}  // namespace taskstate::inline v0
