#pragma once
// Appends canonical JSON (RFC 8785), or only counts it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// An append-only JSON writer that can also count without writing.
///
/// Canonical output needs keys in order of their bytes: the caller gives them so; nothing is sorted here. Strings
/// escape `"`, `\` and controls only, in the short forms where JSON has them.
/// Thread-safety: confined.
/// Source: RFC 8785.
class JsonWriter {
 public:
    JsonWriter() = default;                                ///< counts only
    explicit JsonWriter(std::string& out) : out_(&out) {}  ///< appends to `out`, which must outlive it

    void open_object() { punctuate('{'); }
    void close_object() { close('}'); }
    void open_array() { punctuate('['); }
    void close_array() { close(']'); }
    void key(std::string_view name);
    void string(std::string_view text);
    void integer(std::int64_t number);
    void boolean(bool value);
    /// A value that is JSON already.
    void raw(std::string_view json);

    /// Bytes written or counted so far.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
    void punctuate(char opening);
    void close(char closing);
    void comma();
    void append(char byte);
    void append(std::string_view bytes);
    void append_string(std::string_view text);

    std::string* out_ = nullptr;
    std::size_t size_ = 0;
    bool first_ = true;  // no value stands before the next one on this level
};

}  // namespace taskstate::inline v0
