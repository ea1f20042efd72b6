#pragma once
// JSON text to a bounded tree: the only door through which JSON enters the library.

#include <taskstate/base/result.hpp>
#include <taskstate/base/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// One JSON value.  Numbers keep their spelling, so that nothing is narrowed before a field says what it takes.
///
/// Shape: `key` is its name in the object around it; `text` is the string, or the number as it was written; `members`
///        belong to arrays and objects.
/// Thread-safety: value.
struct Node {
    enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

    std::string key{};
    Kind kind = Kind::null;
    bool truth = false;
    std::string text{};
    std::vector<Node> members{};
};

/// The spelling of a number that is an integer, as its sign and digits; "-0", fractions and exponents are none.
[[nodiscard]] bool is_integer(std::string_view number) noexcept;

/// A tree, and what was mended to read it.
struct Document {
    Node root{};
    std::size_t replaced = 0;  ///< how many U+FFFD stand for something else
};

/// What one document may cost.
struct JsonBounds {
    std::size_t bytes_max = 0;
    Reason too_big = Reason::input_bytes_exceeded;
    std::size_t depth_max = 32;
};

/// The tree of exactly one JSON document.
///
/// Under `TextPolicy::replace` each lone surrogate escape and each maximal ill-formed subpart becomes one U+FFFD before
/// parsing; under `refuse` the document is read only as far as the first of them.
/// Bounds: bytes and depth are checked before anything is built.
/// Errors: `bounds.too_big`, `too_deep`, `not_json`, `trailing_data`, `duplicate_key`, `invalid_utf8`, and
///         `out_of_range` for a number beyond every double; each with the pointer of the value where the reader stood.
/// Thread-safety: pure.
[[nodiscard]] Result<Document> read_json(std::string_view json, const JsonBounds& bounds, TextPolicy policy);

/// Appends `/key` to a JSON pointer.
///
/// Shape: escaped as RFC 6901 asks; at most 64 bytes of the key, what cannot be printed as U+FFFD: a key is foreign
///        text.
void append_key(std::string& pointer, std::string_view key);

}  // namespace taskstate::inline v0
