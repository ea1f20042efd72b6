#pragma once
// What is told of revisions that are no longer there.

#include <taskstate/store/store.hpp>

namespace taskstate::inline v0 {

/// A sentence, where older revisions of a task were removed.
[[nodiscard]] Result<OptText> retention_words(Store& store, const TaskAddress& task);

}  // namespace taskstate::inline v0
