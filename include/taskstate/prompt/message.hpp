#pragma once
// The final request, as far as the block is concerned.

#include <cstddef>
#include <string>
#include <vector>

namespace taskstate::inline v0 {

/// One message of a request: who speaks, and its text parts in order.
///
/// Thread-safety: value.
struct Message {
    std::string role{};
    std::vector<std::string> parts{};
    friend bool operator==(const Message&, const Message&) = default;
};

/// Where a block may stand in a request.
struct DispatchRules {
    bool user_role_allowed = false;   ///< beside `system` and `developer`
    bool old_blocks_allowed = false;  ///< whether another block with this key may be quoted
};

}  // namespace taskstate::inline v0
