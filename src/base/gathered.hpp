#pragma once
// Text on its way into a string, which costs less to lengthen seldom.

#include "lanes.hpp"

#include <taskstate/base/escape.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// What is appended to a string in many small parts.
///
/// Bounds: it holds back 512 bytes at most, until it is asked for the whole or ends.
/// Thread-safety: value.
class Gathered {
 public:
    explicit Gathered(std::string& out) : out_(out) {}
    Gathered(const Gathered&) = delete;
    Gathered& operator=(const Gathered&) = delete;
    ~Gathered() { hand_over(); }

    void append(std::string_view text) {
        if (text.size() > small) return append_large(text);
        if (sizeof held_ - held_size_ < text.size()) hand_over();
        held_size_ += text.copy(held_ + held_size_, text.size());  // not memcpy: an empty text may have no address
    }
    template <std::size_t size>
    void append(const char (&literal)[size]) {
        constexpr std::size_t length = size - 1;
        static_assert(length <= small);
        if (sizeof held_ - held_size_ < length) hand_over();
        std::memcpy(held_ + held_size_, literal, length);
        held_size_ += length;
    }
    /// Appends the first `size` of the 16 bytes at `from`.
    void append_of_16(const char* from, std::size_t size) {
        if (sizeof held_ - held_size_ < lanes::lane_size) hand_over();
        std::memcpy(held_ + held_size_, from, lanes::lane_size);
        held_size_ += size;
    }

    [[nodiscard]] std::size_t size() const noexcept { return out_.size() + held_size_; }
    /// The string with all that was appended.
    [[nodiscard]] std::string& whole() {
        hand_over();
        return out_;
    }

 private:
    static constexpr std::size_t small = 128;

    void hand_over() {
        out_.append(held_, held_size_);
        held_size_ = 0;
    }
    void append_large(std::string_view text) {
        hand_over();
        out_.append(text);
    }

    std::string& out_;
    std::size_t held_size_ = 0;
    char held_[512];
};

/// As the functions of the same names in <taskstate/base/escape.hpp>.
void append_escaped(Gathered& out, std::string_view text, Spellings spellings);
void append_word(Gathered& out, std::string_view text, Spellings spellings);
void append_object(Gathered& out, std::string_view canonical, Spellings spellings);

}  // namespace taskstate::inline v0
