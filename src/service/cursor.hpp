#pragma once
// Where the next page of a list begins, as a text that a caller hands back.

#include <taskstate/store/store.hpp>

#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// Shape: milliseconds of the creation, a dot and the id of the last task that was looked at.
[[nodiscard]] std::string format_cursor(const HeadQuery::Place& place);

/// Errors: `bad_id` for what `format_cursor` does not write.
[[nodiscard]] Result<HeadQuery::Place> parse_cursor(std::string_view text);

}  // namespace taskstate::inline v0
