#pragma once
// The names of the files in a folder of a scope.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

inline constexpr std::string_view lock_name = "lock", state_name = "state", staged_name = "state.tmp";

/// `journal-<10 digits>`
[[nodiscard]] std::string journal_name(std::uint64_t number);
/// The number of a journal; 0 for any other name.
[[nodiscard]] std::uint64_t journal_number(std::string_view name);

/// `<name>.bad-<n>`, which keeps a file as it was found damaged.
[[nodiscard]] std::string bad_name(std::string_view name, std::uint64_t n);
/// The `n` of such a name; 0 for any other.
[[nodiscard]] std::uint64_t bad_number(std::string_view name);

}  // namespace taskstate::inline v0
