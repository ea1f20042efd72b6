#pragma once
// For hosts that hold nlohmann::json themselves: the values of the codec from and to their own version of it.

#include <taskstate/base/json_writer.hpp>
#include <taskstate/codec/json.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <string>

namespace taskstate::inline v0 {

/// The text of a host's tree, for the strict reader.
///
/// Shape: what JSON text cannot say (a number that is not finite, a discarded value) is spelled so that the reader
///        refuses it there; strings are passed on as they are, well formed or not.
/// Bounds: what lies deeper than the reader looks is left out; never throws for the value's sake, unlike `dump`.
/// Thread-safety: pure.
inline void write_tree(JsonWriter& out, const nlohmann::json& tree, std::size_t depth = 0) {
    constexpr std::size_t beyond_every_reader = 64;
    const bool too_deep = depth == beyond_every_reader;
    if (tree.is_object()) {
        out.open_object();
        for (auto member = tree.begin(); member != tree.end() && !too_deep; ++member) {
            out.key(member.key());
            write_tree(out, *member, depth + 1);
        }
        out.close_object();
    } else if (tree.is_array()) {
        out.open_array();
        for (auto element = tree.begin(); element != tree.end() && !too_deep; ++element)
            write_tree(out, *element, depth + 1);
        out.close_array();
    } else if (tree.is_string()) {
        out.string(tree.get_ref<const std::string&>());
    } else if (tree.is_binary() || tree.is_discarded() ||
               (tree.is_number_float() && !std::isfinite(tree.get<double>()))) {
        out.raw("NaN");
    } else {
        out.raw(tree.dump());
    }
}

/// `encode`, as a tree.
[[nodiscard]] inline nlohmann::json to_json(const Snapshot& snapshot) {
    return nlohmann::json::parse(encode(snapshot));
}

/// `decode_delta`, from a tree.
[[nodiscard]] inline Result<HostDelta> delta_from(const nlohmann::json& tree, const Limits& limits = {},
                                                  TextPolicy policy = TextPolicy::refuse) {
    std::string text;
    JsonWriter out(text);
    write_tree(out, tree);
    return decode_delta(text, limits, policy);
}

/// `decode_snapshot`, from a tree.
[[nodiscard]] inline Result<SnapshotInput> snapshot_from(const nlohmann::json& tree, const Limits& limits = {},
                                                         TextPolicy policy = TextPolicy::refuse) {
    std::string text;
    JsonWriter out(text);
    write_tree(out, tree);
    return decode_snapshot(text, limits, policy);
}

}  // namespace taskstate::inline v0
