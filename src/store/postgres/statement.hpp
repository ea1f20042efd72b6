#pragma once
// Statements of PostgreSQL with their parameters.

#include <taskstate/store/records.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace taskstate::inline v0 {

/// A list of texts, some of which may be absent.
using PostgresTexts = std::vector<std::optional<std::string>>;

/// 32 bytes in place of several names, which no other names have, of whatever length and content.
struct PostgresKey {
    std::string bytes{};
};
[[nodiscard]] PostgresKey key_of(const Scope& scope);
[[nodiscard]] PostgresKey key_of(const SessionIdentity& identity);

/// One parameter as libpq sends it; no bytes for NULL.
///
/// Shape: texts and keys as they are; numbers, times and truths, which are made here, as text.
/// Thread-safety: value.
struct PostgresValue {
    std::optional<std::string> bytes{};
    bool binary = false;

    PostgresValue(std::string_view text) : bytes(text), binary(true) {}
    PostgresValue(const std::string& text) : PostgresValue(std::string_view(text)) {}
    PostgresValue(PostgresKey key) : bytes(std::move(key.bytes)), binary(true) {}
    PostgresValue(const PostgresTexts& texts);
    PostgresValue(std::same_as<bool> auto truth) : bytes(truth ? "t" : "f") {}
    PostgresValue(Timestamp time) : bytes(format_time(time)) {}
    /// Bounds: PostgreSQL's numbers end at 2^63-1, and so does what goes beyond.
    template <std::unsigned_integral N>
        requires(!std::same_as<N, bool>)
    PostgresValue(N number) : bytes(std::to_string(std::min<std::uint64_t>(number, number_max))) {}
    template <class E>
        requires std::is_enum_v<E>
    PostgresValue(E value) : PostgresValue(word(value)) {}
    template <class T>
    PostgresValue(const std::optional<T>& value) {
        if (value) *this = PostgresValue(*value);
    }

 private:
    static constexpr std::uint64_t number_max = 0x7fff'ffff'ffff'ffff;
};

/// Thread-safety: value.
struct PostgresStatement {
    std::string sql{};
    std::vector<PostgresValue> values{};
};

}  // namespace taskstate::inline v0
