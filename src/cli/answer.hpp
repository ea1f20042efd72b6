#pragma once
// Answers of `taskstate replay`: one JSON object each, with its members as a person reads them.

#include <taskstate/base/json_writer.hpp>
#include <taskstate/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

inline void member(JsonWriter& json, std::string_view key, std::string_view text) {
    json.key(key);
    json.string(text);
}
inline void member(JsonWriter& json, std::string_view key, std::uint64_t number) {
    json.key(key);
    json.integer(static_cast<std::int64_t>(number));
}

/// `{"ok":true,…}` with the members that `fill` writes.
template <class Fill>
[[nodiscard]] std::string success(const Fill& fill) {
    std::string out;
    JsonWriter json(out);
    json.open_object();
    json.key("ok");
    json.boolean(true);
    fill(json);
    json.close_object();
    return out;
}
[[nodiscard]] std::string success();

/// Why a call was refused, as members of an open object.
void write_refusal(JsonWriter& json, const Error& error);
/// `{"ok":false,"code":…,"reason":…}`, with the number of a line that was no call.
[[nodiscard]] std::string refusal(const Error& error, std::optional<std::size_t> line = std::nullopt);
/// An error of an argument, with its path leading from the call; an error of the whole stays without one.
[[nodiscard]] std::string refusal_in(std::string_view argument, Error error);

}  // namespace taskstate::inline v0
