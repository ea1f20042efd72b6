#include "codec/reader.hpp"

#include "base/code_points.hpp"
#include "base/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace taskstate::inline v0 {
namespace {

// A stretch of the text that the parser must not see as it is.
struct Fault {
    std::size_t at = 0, size = 0;
    Reason reason{};
};

// The UTF-16 unit that the `\uXXXX` at `at` stands for.
std::optional<unsigned> escaped_unit(std::string_view json, std::size_t at) {
    constexpr std::size_t size = 6;
    if (json.substr(at, 2) != "\\u" || json.size() - at < size) return std::nullopt;
    unsigned unit = 0;
    const char* const end = json.data() + at + size;
    const bool hex = std::from_chars(end - 4, end, unit, 16).ptr == end;
    return hex ? std::optional(unit) : std::nullopt;
}

constexpr bool is_high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

// Finds, one after the other, what the parser would misread or report without saying what it is.
class Faults {
 public:
    explicit Faults(std::string_view json) : json_(json) {}

    std::optional<Fault> next() {
        while (at_ < json_.size()) {
            const char byte = json_[at_];
            if (byte == '\0') return fault(1, Reason::not_json);  // the parser takes it for the end of the text
            if (byte == '"') in_string_ = !in_string_;
            if (byte == '\\' && in_string_) {
                if (auto lone = escape()) return lone;
                continue;
            }
            const Decoded decoded = decode_utf8(json_.substr(at_));
            if (!decoded.well_formed) return fault(decoded.size, Reason::invalid_utf8);
            at_ += decoded.size;
        }
        return std::nullopt;
    }

 private:
    // Steps over one escape, or over both halves of a pair.
    std::optional<Fault> escape() {
        const auto unit = escaped_unit(json_, at_);
        if (!unit) {
            const auto escaped = json_.substr(at_ + 1, 1);
            at_ += escaped == "\"" || escaped == "\\" ? 2 : 1;
            return std::nullopt;
        }
        const auto second = is_high(*unit) ? escaped_unit(json_, at_ + 6) : std::nullopt;
        const bool pair = second && is_low(*second);
        if ((is_high(*unit) || is_low(*unit)) && !pair) return fault(6, Reason::invalid_utf8);
        at_ += pair ? 12 : 6;
        return std::nullopt;
    }

    Fault fault(std::size_t size, Reason reason) {
        const Fault found{at_, size, reason};
        at_ += size;
        return found;
    }

    std::string_view json_;
    std::size_t at_ = 0;
    bool in_string_ = false;
};

// Builds the tree from the parser's events and stops at the first thing that is wrong.
class TreeBuilder {
 public:
    explicit TreeBuilder(std::size_t depth_max) : depth_max_(depth_max) {}

    bool null() { return put({}); }
    bool boolean(bool value) { return put({.kind = Node::Kind::boolean, .truth = value}); }
    // The parser gives a negative integer here, and "-0", whose sign would be lost in the value.
    bool number_integer(std::int64_t value) { return number(value == 0 ? "-0" : std::to_string(value)); }
    bool number_unsigned(std::uint64_t value) { return number(std::to_string(value)); }
    bool number_float(double, std::string lexeme) {
        // The parser spells the decimal point as the process locale does.
        const auto foreign = [](char c) {
            return !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != 'e' && c != 'E';
        };
        std::replace_if(lexeme.begin(), lexeme.end(), foreign, '.');
        return number(std::move(lexeme));
    }
    bool string(std::string& value) { return put({.kind = Node::Kind::string, .text = std::move(value)}); }
    bool binary(const nlohmann::json::binary_t&) { return false; }  // never in text

    bool start_object(std::size_t) { return open(Node::Kind::object); }
    bool start_array(std::size_t) { return open(Node::Kind::array); }
    bool key(std::string& name) {
        open_.back().members.push_back({.key = std::move(name)});
        after_key_ = true;
        return true;
    }
    bool end_array() { return close(); }
    bool end_object() {
        if (const auto* twice = repeated_key(open_.back())) {
            std::string path = pointer_to_container();
            append_key(path, *twice);
            return stop(Reason::duplicate_key, std::move(path));
        }
        return close();
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
        constexpr int number_overflow = 406;
        stopped_at_ = position;
        if (root_) return stop(Reason::trailing_data, {});
        // What follows a value directly, like the 1 of 01, is a matter of that value.
        std::string path = pointer_to_container();
        if (!open_.empty()) append_newest(path, open_.back());
        return stop(error.id == number_overflow ? Reason::out_of_range : Reason::not_json, std::move(path));
    }

    // What came of the first `size` bytes of a text that goes on with `fault`, if it does.
    Result<Node> finish(std::size_t size, const std::optional<Fault>& fault) && {
        const bool read_to_the_end = !error_ || stopped_at_ > size;
        if (fault && read_to_the_end) {
            const bool behind_the_end = root_ && fault->reason == Reason::not_json;
            return fail(behind_the_end ? Reason::trailing_data : fault->reason, pointer());
        }
        if (error_) return *std::move(error_);
        return *std::move(root_);
    }

 private:
    static const std::string* repeated_key(const Node& object) {
        std::vector<const std::string*> keys;
        keys.reserve(object.members.size());
        for (const auto& member : object.members) keys.push_back(&member.key);
        std::sort(keys.begin(), keys.end(), [](const auto* a, const auto* b) { return *a < *b; });
        const auto same = [](const auto* a, const auto* b) { return *a == *b; };
        const auto found = std::adjacent_find(keys.begin(), keys.end(), same);
        return found == keys.end() ? nullptr : *found;
    }

    bool number(std::string lexeme) { return put({.kind = Node::Kind::number, .text = std::move(lexeme)}); }

    bool open(Node::Kind kind) {
        if (open_.size() == depth_max_) {
            return stop(Reason::too_deep, pointer(), Numbers{.limit = depth_max_, .actual = depth_max_ + 1});
        }
        open_.push_back({.kind = kind});
        after_key_ = false;
        return true;
    }

    bool close() {
        Node done = std::move(open_.back());
        open_.pop_back();
        return put(std::move(done));
    }

    bool put(Node value) {
        if (open_.empty()) {
            root_ = std::move(value);
        } else if (open_.back().kind == Node::Kind::array) {
            open_.back().members.push_back(std::move(value));
        } else {
            Node& newest = open_.back().members.back();
            value.key = std::move(newest.key);
            newest = std::move(value);
        }
        after_key_ = false;
        return true;
    }

    bool stop(Reason reason, std::string path, std::optional<Numbers> numbers = {}) {
        error_ = numbers ? fail(reason, std::move(path), *numbers) : fail(reason, std::move(path));
        return false;
    }

    // The container being read: each one around it leads to the next by its newest member.
    [[nodiscard]] std::string pointer_to_container() const {
        std::string path;
        for (std::size_t i = 0; i + 1 < open_.size(); ++i) append_newest(path, open_[i]);
        return path;
    }
    // The value being read.
    [[nodiscard]] std::string pointer() const {
        std::string path = pointer_to_container();
        const bool has_place = !open_.empty() && (after_key_ || open_.back().kind == Node::Kind::array);
        if (has_place) append_newest(path, open_.back());
        return path;
    }
    static void append_newest(std::string& path, const Node& container) {
        if (container.kind == Node::Kind::array) {
            path += '/' + std::to_string(container.members.size());
        } else if (!container.members.empty()) {
            append_key(path, container.members.back().key);
        }
    }

    std::size_t depth_max_;
    std::vector<Node> open_;  // the containers around the value being read, outermost first
    std::optional<Node> root_;
    std::optional<Error> error_;
    std::size_t stopped_at_ = 0;
    bool after_key_ = false;  // the newest member of the innermost object waits for its value
};

// A text with U+FFFD for each fault that is a matter of text, up to the first that is not.
struct Mended {
    std::string text{};
    std::size_t replaced = 0;
    std::optional<Fault> rest{};
};

Mended mended(std::string_view json) {
    Mended result;
    auto& [out, replaced, rest] = result;
    std::size_t copied = 0;
    Faults faults(json);
    while ((rest = faults.next()) && rest->reason == Reason::invalid_utf8) {
        out += json.substr(copied, rest->at - copied);
        append_utf8(out, replacement);
        ++replaced;
        copied = rest->at + rest->size;
    }
    out += json.substr(copied, rest ? rest->at - copied : std::string_view::npos);
    return result;
}

}  // namespace

bool is_integer(std::string_view number) noexcept {
    return number != "-0" && number.find_first_of(".eE") == std::string_view::npos;
}

Result<Document> read_json(std::string_view json, const JsonBounds& bounds, TextPolicy policy) {
    if (json.size() > bounds.bytes_max) {
        return fail(bounds.too_big, {}, {.limit = bounds.bytes_max, .actual = json.size()});
    }
    if (json.substr(0, 3) == "\xEF\xBB\xBF") return fail(Reason::not_json);  // the parser would skip a byte order mark
    Mended text{.rest = Faults(json).next()};
    if (text.rest && policy == TextPolicy::replace) {
        text = mended(json);
        json = text.text;
    } else if (text.rest) {
        json = json.substr(0, text.rest->at);
    }
    TreeBuilder builder(bounds.depth_max);
    nlohmann::json::sax_parse(json.begin(), json.end(), &builder);
    auto root = std::move(builder).finish(json.size(), text.rest);
    if (!root) return std::move(root).error();
    return Document{*std::move(root), text.replaced};
}

void append_key(std::string& pointer, std::string_view key) {
    constexpr std::size_t bytes_max = 64;
    pointer += '/';
    const std::size_t end = pointer.size() + bytes_max;
    while (!key.empty()) {
        const Decoded decoded = decode_utf8(key);
        const bool printable =
            decoded.well_formed && decoded.code_point >= 0x20 && classify(decoded.code_point) == CodePointClass::plain;
        if (pointer.size() + decoded.size > end) {
            append_utf8(pointer, U'…');
            return;
        }
        if (key.front() == '~') {
            pointer += "~0";
        } else if (key.front() == '/') {
            pointer += "~1";
        } else {
            append_utf8(pointer, printable ? decoded.code_point : replacement);
        }
        key.remove_prefix(decoded.size);
    }
}

}  // namespace taskstate::inline v0
