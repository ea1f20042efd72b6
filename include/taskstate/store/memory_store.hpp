#pragma once
// Tasks in memory, for tests and for hosts that need nothing after their process ends.

#include <taskstate/store/store.hpp>

#include <memory>

namespace taskstate::inline v0 {

/// A store that lasts as long as the object.
///
/// Bounds: a commit costs what it holds; a read copies what it gives.
[[nodiscard]] std::shared_ptr<Store> memory_store();

}  // namespace taskstate::inline v0
