#pragma once
// Closed vocabularies: an enum and the words that spell it on the wire.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace taskstate::inline v0 {

/// The words of `E`, in the order of its enumerators; specialised beside each enum as `static constexpr std::array
/// list`.
template <class E>
struct Words;

/// The wire spelling of `value`; empty for a number that is no value, which admission refuses.
template <class E>
    requires requires { Words<E>::list; }
[[nodiscard]] constexpr std::string_view word(E value) noexcept {
    const auto index = static_cast<std::size_t>(value);
    return index < Words<E>::list.size() ? Words<E>::list[index] : std::string_view();
}

/// The value that `text` spells, byte for byte; nothing for a foreign word.
template <class E>
[[nodiscard]] constexpr std::optional<E> from_word(std::string_view text) noexcept {
    for (std::size_t i = 0; i < Words<E>::list.size(); ++i) {
        if (Words<E>::list[i] == text) return static_cast<E>(i);
    }
    return std::nullopt;
}

}  // namespace taskstate::inline v0
