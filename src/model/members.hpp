#pragma once
// Members of canonical objects: what is absent, empty or not set is not written.

#include <taskstate/base/json_writer.hpp>
#include <taskstate/base/time.hpp>
#include <taskstate/base/word.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace taskstate::inline v0 {

inline void value(JsonWriter& json, std::string_view text) { json.string(text); }
inline void value(JsonWriter& json, std::uint64_t number) { json.integer(static_cast<std::int64_t>(number)); }
template <std::same_as<bool> Truth>
void value(JsonWriter& json, Truth truth) {
    json.boolean(truth);
}
inline void value(JsonWriter& json, Timestamp time) {
    const TimeText text = time_text(time);
    json.string({text.data(), text.size()});
}
template <class E>
    requires std::is_enum_v<E>
void value(JsonWriter& json, E word_value) {
    json.string(word(word_value));
}
template <class T>
    requires requires(JsonWriter& json, const T& object) { write(json, object); }
void value(JsonWriter& json, const T& object) {
    write(json, object);
}

template <class T>
void field(JsonWriter& json, std::string_view name, const T& content) {
    json.key(name);
    value(json, content);
}
template <class T>
void field(JsonWriter& json, std::string_view name, const std::optional<T>& content) {
    if (content) field(json, name, *content);
}
template <class T>
void field(JsonWriter& json, std::string_view name, const std::vector<T>& list) {
    if (list.empty()) return;
    json.key(name);
    json.open_array();
    for (const T& element : list) value(json, element);
    json.close_array();
}
inline void flag(JsonWriter& json, std::string_view name, bool set) {
    if (!set) return;
    json.key(name);
    json.boolean(true);
}
inline void content_field(JsonWriter& json, std::string_view canonical) {
    if (canonical.empty()) return;
    json.key("content");
    json.raw(canonical);
}
inline void part(JsonWriter& json, std::string_view name, std::string_view text) {
    if (!text.empty()) field(json, name, text);
}
inline void counter(JsonWriter& json, std::string_view name, std::uint64_t next) {
    if (next > 0) field(json, name, next);
}

}  // namespace taskstate::inline v0
