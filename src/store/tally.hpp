#pragma once
// What the rows of a scope add up to.

#include "store/rows.hpp"

namespace taskstate::inline v0 {

/// Bounds: linear in the rows of the scope.
[[nodiscard]] Tally tally(const ScopeRows& scope);

}  // namespace taskstate::inline v0
