#pragma once
// Stores by name, as a person gives them to the command.

#include <taskstate/store/store.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// The forms of URL that this build opens, with commas between them.
[[nodiscard]] std::string store_forms();

/// The store that a URL names: `memory:`, `file:FOLDER`, `sqlite:FILE`, `sqlite:FILE?synchronous=normal`, or
/// `postgresql://…` as libpq reads it.  Paths are taken as they stand; a `?` ends one.
///
/// Errors: `options_invalid` at `/scheme`, `/path` or `/parameter`; `not_built` for a store that this build leaves out,
///         with what to build; those of the store.  The message says what there is, and quotes nothing of the URL,
///         which may hold a password.
/// Thread-safety: pure.
/// Source: docs/stores.md, "Stores by name".
[[nodiscard]] Result<std::shared_ptr<Store>> open_store(std::string_view url);

}  // namespace taskstate::inline v0
