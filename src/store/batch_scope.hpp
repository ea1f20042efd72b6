#pragma once
// Whose rows a batch writes.

#include <taskstate/store/store.hpp>

namespace taskstate::inline v0 {

/// The scope of a write; nullptr for one that concerns none.
[[nodiscard]] const Scope* scope_of(const Write& write) noexcept;

/// Errors: `options_invalid` for a batch whose writes concern several scopes.
[[nodiscard]] Result<void> check_one_scope(std::span<const Write> batch);

}  // namespace taskstate::inline v0
