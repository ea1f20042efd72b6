#pragma once
// Typed reading of a tree: closed objects, exact types, and the pointer of the first thing that is wrong.

#include "codec/reader.hpp"

#include <taskstate/base/time.hpp>
#include <taskstate/base/word.hpp>
#include <taskstate/model/input.hpp>

#include <bitset>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taskstate::inline v0 {

/// What holds for all values of one document.
struct Reading {
    TextPolicy policy{};
    std::size_t replaced = 0;
    std::optional<Error> error{};  ///< the first; later ones are dropped
};

/// A value and the way to it.  The pointer is spelled only when something is wrong there.
///
/// Thread-safety: confined; a cursor must not outlive the cursors it came from.
class Cursor {
 public:
    Cursor(const Node& root, Reading& reading) : node_(&root), reading_(&reading) {}
    /// A member of an object.
    [[nodiscard]] Cursor member(const Node& node) const { return {node, *this, no_index}; }
    /// An element of an array.
    [[nodiscard]] Cursor element(const Node& node, std::size_t index) const { return {node, *this, index}; }

    [[nodiscard]] const Node& node() const { return *node_; }
    [[nodiscard]] Members members() const { return Members(*node_); }
    [[nodiscard]] TextPolicy policy() const { return reading_->policy; }
    /// How many U+FFFD of the document stand for something else.
    [[nodiscard]] std::size_t replaced() const { return reading_->replaced; }
    [[nodiscard]] bool failed() const { return reading_->error.has_value(); }
    [[nodiscard]] std::string pointer() const;

    /// Reports what is wrong with this value.
    void fail(Reason reason) const { fail(v0::fail(reason)); }
    /// Reports what is wrong with a part of this value, to which the error's path leads.
    void fail(Error inner) const;

    /// Gives what was reported inside this value another reason: that of whoever judges such values.
    void report_as(Reason reason) const;

    /// Whether the value has that type; reports it where it has not.
    [[nodiscard]] bool is(Node::Kind kind) const;

 private:
    static constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();
    Cursor(const Node& node, const Cursor& around, std::size_t index)
        : node_(&node), around_(&around), index_(index), reading_(around.reading_) {}

    const Node* node_;
    const Cursor* around_ = nullptr;
    std::size_t index_ = no_index;
    Reading* reading_;
};

/// Each reads one value into `out`, or reports why it cannot.
void read(const Cursor& at, std::string& out);
void read(const Cursor& at, bool& out);
void read(const Cursor& at, Timestamp& out);
/// 0 … 2^53 − 1, spelled as an integer.
void read(const Cursor& at, std::uint64_t& out);

template <class E>
    requires requires { Words<E>::list; }
void read(const Cursor& at, E& out) {
    if (!at.is(Node::Kind::string)) return;
    const auto value = from_word<E>(at.node().text);
    if (!value) return at.fail(Reason::unknown_word);
    out = *value;
}

template <class T>
void read(const Cursor& at, std::optional<T>& out) {
    read(at, out.emplace());
}

template <class T>
void read(const Cursor& at, std::vector<T>& out) {
    if (!at.is(Node::Kind::array)) return;
    out.reserve(at.members().count());
    for (const Node& element : at.members()) {
        if (at.failed()) return;
        const std::size_t index = out.size();
        read(at.element(element, index), out.emplace_back());
    }
}

/// The members of one closed object.
///
/// Ask for every member that may stand there, then `close`.  What is wrong with a value is reported first, then a
/// member that nobody asked for, then one that is missing: a misspelled name is reported as it was spelled.
/// Thread-safety: confined.
class Fields {
 public:
    explicit Fields(const Cursor& object);

    template <class T>
    void required(std::string_view name, T& out) {
        if (!optional(name, out) && missing_.empty()) missing_ = name;
    }
    /// Leaves `out` alone where the member is absent; says whether it is there.
    template <class T>
    bool optional(std::string_view name, T& out) {
        const Node* node = take(name);
        if (node != nullptr && !object_.failed()) read(object_.member(*node), out);
        return node != nullptr;
    }
    /// A member whose value, any JSON, is dropped.
    void dropped(std::string_view name) { (void)take(name); }

    /// The object itself.
    [[nodiscard]] const Cursor& object() const { return object_; }

    void close();

 private:
    const Node* take(std::string_view name);

    // No object of ours has as many fields: one with more members has a foreign one among the first of them.
    static constexpr std::size_t taken_max = 64;

    Cursor object_;
    Members members_;
    std::bitset<taken_max> taken_{};
    std::string_view missing_{};
};

/// One document as a `T`.
template <class T>
[[nodiscard]] Result<T> decode_as(std::string_view json, const JsonBounds& bounds, TextPolicy policy) {
    const auto document = read_json(json, bounds, policy);
    if (!document) return document.error();
    Reading reading{.policy = policy, .replaced = document->replaced};
    T value{};
    read(Cursor(document->root(), reading), value);
    if (reading.error) return *std::move(reading.error);
    return value;
}

}  // namespace taskstate::inline v0
