#pragma once
// Takes apart, from front to back, what `JsonWriter` wrote.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// Canonical JSON (RFC 8785), one value after the other, for a caller that knows which one comes next.
///
/// Shape: each call steps over what it names and says whether that stood there; after one that says no, nothing more may
///        be asked. No space is taken, and no spelling of a text or number that is longer than the canonical one.
/// Bounds: linear in what is stepped over; nothing is allocated but the texts that are taken.
/// Thread-safety: confined; the JSON text must outlive the reader and the views it gave.
/// Source: RFC 8785.
class CanonicalReader {
 public:
    explicit CanonicalReader(std::string_view json) noexcept : json_(json) {}

    /// One byte of punctuation.
    [[nodiscard]] bool take(char byte) noexcept {
        const bool is_next = at_ < json_.size() && json_[at_] == byte;
        if (is_next) ++at_;
        return is_next;
    }
    [[nodiscard]] bool take_true() noexcept { return take(std::string_view("true")); }
    /// The name of the next member, with the comma before it and the colon behind it.
    template <std::size_t size>
    [[nodiscard]] bool take_key(const char (&name)[size]) noexcept {
        const bool first = json_[at_ - 1] == '{';
        const std::size_t begin = at_ + (first ? 1 : 2), end = begin + size - 1;
        const bool is_next = end + 2 <= json_.size() && (first || json_[at_] == ',') && json_[begin - 1] == '"' &&
                             std::memcmp(json_.data() + begin, name, size - 1) == 0 && json_[end] == '"' &&
                             json_[end + 1] == ':';
        if (is_next) at_ = end + 2;
        return is_next;
    }
    /// 0 … 2^53 − 1.
    [[nodiscard]] bool take_integer(std::uint64_t& out) noexcept;
    /// Well-formed UTF-8, with the escapes of `JsonWriter` read back.
    [[nodiscard]] bool take_string(std::string& out);
    /// What stands between two quotes, for a caller that knows every text which it may be: a word, a digest, a time.
    [[nodiscard]] std::optional<std::string_view> take_quoted() noexcept;
    /// An object as it is spelled; of what it holds only brackets and quotes are looked at.
    [[nodiscard]] std::optional<std::string_view> take_object() noexcept;

    [[nodiscard]] bool at_end() const noexcept { return at_ == json_.size(); }

 private:
    [[nodiscard]] bool take(std::string_view bytes) noexcept;
    [[nodiscard]] std::string_view rest() const noexcept { return json_.substr(at_); }
    /// As much of a string as stands for itself.
    std::string_view take_bare() noexcept;
    [[nodiscard]] std::optional<char> take_escape() noexcept;

    std::string_view json_;
    std::size_t at_ = 0;
};

}  // namespace taskstate::inline v0
