#pragma once
// JSON text to a bounded tree: the only door through which JSON enters the library.

#include <taskstate/base/result.hpp>
#include <taskstate/base/text.hpp>

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// One JSON value.  Numbers keep their spelling, so that nothing is narrowed before a field says what it takes.
///
/// Shape: `key` is its name in the object around it; `text` is the string, or the number as it was written.  The nodes
///        of what an array or object holds stand right behind its own.
/// Thread-safety: value; its texts live as long as its document.
struct Node {
    enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

    std::string_view key{}, text{};
    std::size_t nodes = 1;  ///< itself and all that it holds
    Kind kind = Kind::null;
    bool truth = false;
};

/// The members of an array or object, in the order of the text.
///
/// Thread-safety: value.
class Members {
 public:
    class Iterator {
     public:
        explicit Iterator(const Node* at) : at_(at) {}
        const Node& operator*() const { return *at_; }
        Iterator& operator++() {
            at_ += at_->nodes;
            return *this;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;

     private:
        const Node* at_;
    };

    explicit Members(const Node& container) : Members(&container + 1, &container + container.nodes) {}
    Members(const Node* begin, const Node* end) : begin_(begin), end_(end) {}
    [[nodiscard]] Iterator begin() const { return Iterator(begin_); }
    [[nodiscard]] Iterator end() const { return Iterator(end_); }
    [[nodiscard]] std::size_t count() const {
        std::size_t count = 0;
        for (auto member = begin(); !(member == end()); ++member) ++count;
        return count;
    }

 private:
    const Node *begin_, *end_;
};

/// The spelling of a number that is an integer, as its sign and digits; "-0", fractions and exponents are none.
[[nodiscard]] bool is_integer(std::string_view number) noexcept;

/// A tree, and what was mended to read it.
///
/// Shape: texts without escapes are views into the JSON text that was read, which must outlive the document.
/// Bounds: one node for each value, in one allocation, and the texts that could not stay where they are.
/// Thread-safety: confined.
struct Document {
    std::vector<Node> nodes{};               ///< the root first
    std::forward_list<std::string> texts{};  ///< what is not spelled in the JSON text as it is meant
    std::size_t replaced = 0;                ///< how many U+FFFD stand for something else

    [[nodiscard]] const Node& root() const { return nodes.front(); }
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
