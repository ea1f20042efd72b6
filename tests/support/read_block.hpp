#pragma once
// Reads a block record by record, as whoever is shown it would: by its grammar, independent of the library.

#include "support/read_json_string.hpp"

#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::test {

/// One part of a record: a field, or a word or text by position (`name` is empty).
struct Part {
    std::string name{};
    std::vector<std::string> values{};  ///< several for a list, none for `-`
    friend bool operator==(const Part&, const Part&) = default;
};

struct Record {
    std::string kind{};
    std::vector<Part> parts{};
    friend bool operator==(const Record&, const Record&) = default;
};

/// Takes the parts of one line apart, from left to right.
class RecordReader {
 public:
    explicit RecordReader(std::string_view line) : rest_(line) {}

    std::optional<Record> read() {
        Record record{.kind = take_name()};
        if (record.kind.empty()) return std::nullopt;
        while (!rest_.empty()) {
            if (!skip(' ')) return std::nullopt;
            auto part = take_part();
            if (!part) return std::nullopt;
            record.parts.push_back(*std::move(part));
        }
        return record;
    }

 private:
    bool skip(char c) {
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    std::string take(std::size_t count) {
        std::string taken(rest_.substr(0, count));
        rest_.remove_prefix(taken.size());
        return taken;
    }
    std::string take_name() {
        std::size_t end = 0;
        while (end < rest_.size() && ((rest_[end] >= 'a' && rest_[end] <= 'z') || (end > 0 && rest_[end] == '_')))
            ++end;
        return take(end);
    }

    std::optional<Part> take_part() {
        const std::string_view before = rest_;
        Part part{.name = take_name()};
        if (part.name.empty() || !skip('=')) {
            rest_ = before;
            part.name.clear();
        } else if (rest_ == "-" || rest_.starts_with("- ")) {
            skip('-');
            return part;
        }
        do {
            auto value = take_value();
            if (!value) return std::nullopt;
            part.values.push_back(*std::move(value));
        } while (!part.name.empty() && skip(','));
        return part;
    }

    std::optional<std::string> take_value() {
        if (rest_.starts_with('"')) return read_json_string(take(string_size()));
        if (rest_.starts_with('{')) return take(object_size());
        std::size_t end = 0;
        const auto bare = [](char c, bool first) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                   (!first && std::string_view("._:-").find(c) != std::string_view::npos);
        };
        while (end < rest_.size() && bare(rest_[end], end == 0)) ++end;
        return end == 0 ? std::nullopt : std::optional(take(end));
    }
    std::size_t string_size(std::size_t from = 0) const {
        std::size_t end = from + 1;
        while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
        return end + 1 - from;
    }
    std::size_t object_size() const {
        std::size_t depth = 0, end = 0;
        do {
            if (rest_[end] == '"') {
                end += string_size(end);
                continue;
            }
            if (rest_[end] == '{' || rest_[end] == '[') ++depth;
            if (rest_[end] == '}' || rest_[end] == ']') --depth;
            ++end;
        } while (depth > 0 && end < rest_.size());
        return end;
    }

    std::string_view rest_;
};

/// The record of one line; nothing if the line does not follow the grammar.
inline std::optional<Record> read_record(std::string_view line) { return RecordReader(line).read(); }

/// The lines of a text, without their line feeds.
inline std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

}  // namespace taskstate::test
