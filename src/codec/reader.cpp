#include "codec/reader.hpp"

#include "base/code_points.hpp"
#include "base/lanes.hpp"
#include "base/plain_run.hpp"
#include "base/utf8.hpp"
#include "codec/plain_locale.hpp"

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

// Bytes before the first that is a NUL, a backslash or not ASCII.
std::size_t calm_run(std::string_view json) {
    std::size_t at = 0;
#if defined(__SSE2__) || defined(__ARM_NEON)
    using namespace lanes;
    for (; json.size() - at >= lane_size; at += lane_size) {
        const Lane a = load(json.data() + at);
        const std::size_t calm = first_set(either(within(a, 0x80, 0x100), is(a, '\\')));
        if (calm < lane_size) return at + calm;
    }
#endif
    while (at < json.size() && json[at] != '\0' && json[at] != '\\' && is_ascii(json[at])) ++at;
    return at;
}

// Finds, one after the other, what the parser would misread or report without saying what it is.
class Faults {
 public:
    explicit Faults(std::string_view json) : json_(json) {}

    std::optional<Fault> next() {
        for (pass_over(); at_ < json_.size(); pass_over()) {
            if (json_[at_] == '\0') return fault(1, Reason::not_json);  // the parser takes it for the end of the text
            if (json_[at_] == '\\') {
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
    void pass_over() {
        at_ += calm_run(json_.substr(at_));
        if (at_ < json_.size() && !is_ascii(json_[at_])) at_ += plain_run(json_.substr(at_));
    }

    // Whether an unescaped quote before `at_` waits for another.
    bool in_string() {
        const std::string_view passed = json_.substr(counted_, at_ - counted_);
        quotes_ += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '"'));
        counted_ = at_;
        return quotes_ % 2 != 0;
    }

    // Steps over one escape, or over both halves of a pair.
    std::optional<Fault> escape() {
        if (!in_string()) {
            ++at_;
            return std::nullopt;
        }
        const auto unit = escaped_unit(json_, at_);
        if (!unit) {
            const auto escaped = json_.substr(at_ + 1, 1);
            at_ += escaped == "\"" || escaped == "\\" ? 2 : 1;
            counted_ = at_;
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
    std::size_t counted_ = 0, quotes_ = 0;  // how far the unescaped quotes are counted
};

// Builds the tree from the parser's events and stops at the first thing that is wrong.
class TreeBuilder {
 public:
    TreeBuilder(std::string_view json, std::size_t depth_max, Document& out)
        : json_(json), depth_max_(depth_max), nodes_(out.nodes), texts_(out.texts) {}

    bool null() { return put({}); }
    bool boolean(bool value) { return put({.kind = Node::Kind::boolean, .truth = value}); }
    bool number_integer(std::int64_t) { return number(); }
    bool number_unsigned(std::uint64_t) { return number(); }
    bool number_float(double, const std::string&) { return number(); }
    bool string(const std::string& value) { return put({.text = kept(value), .kind = Node::Kind::string}); }
    bool binary(const nlohmann::json::binary_t&) { return false; }  // never in text

    bool start_object(std::size_t) { return open(Node::Kind::object); }
    bool start_array(std::size_t) { return open(Node::Kind::array); }
    bool key(const std::string& name) {
        open_.back().newest = nodes_.size();
        nodes_.push_back({.key = kept(name)});
        after_key_ = true;
        return true;
    }
    bool end_array() { return close(); }
    bool end_object() {
        if (const auto twice = repeated_key()) {
            std::string path = pointer_to_container();
            append_key(path, *twice);
            return stop(Reason::duplicate_key, std::move(path));
        }
        return close();
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
        constexpr int number_overflow = 406;
        stopped_at_ = position;
        if (complete()) return stop(Reason::trailing_data, {});
        // What follows a value directly, like the 1 of 01, is a matter of that value.
        std::string path = pointer_to_container();
        if (!open_.empty()) append_newest(path, open_.back());
        return stop(error.id == number_overflow ? Reason::out_of_range : Reason::not_json, std::move(path));
    }

    // What came of a text that goes on with `fault`, if it does.
    Result<void> finish(const std::optional<Fault>& fault) && {
        const bool read_to_the_end = !error_ || stopped_at_ > json_.size();
        if (fault && read_to_the_end) {
            const bool behind_the_end = complete() && fault->reason == Reason::not_json;
            return fail(behind_the_end ? Reason::trailing_data : fault->reason, pointer());
        }
        if (error_) return *std::move(error_);
        return {};
    }

 private:
    // An array or object that is being read.
    struct Open {
        std::size_t node = 0;
        std::size_t elements = 0;  // of an array, as far as they are complete
        std::size_t newest = 0;    // the newest member of an object; 0 = none yet
    };

    [[nodiscard]] bool complete() const { return open_.empty() && !nodes_.empty(); }

    // Views of the next spellings: the parser tells values, but not where they stand.
    bool number() {
        const std::size_t from = json_.find_first_of("-0123456789", read_);
        read_ = std::min(json_.find_first_not_of("-+.eE0123456789", from), json_.size());
        return put({.text = json_.substr(from, read_ - from), .kind = Node::Kind::number});
    }
    std::string_view kept(const std::string& value) {
        const std::size_t from = json_.find('"', read_) + 1;
        // The end of a spelling is its first quote that no backslash hides, and without a backslash it is the value.
        const std::string_view spelled = json_.substr(from, value.size());
        if (json_[from + spelled.size()] == '"' && spelled == value && value.find('\\') == std::string::npos) {
            read_ = from + spelled.size() + 1;
            return spelled;
        }
        for (read_ = from; json_[read_] != '"';) read_ += json_[read_] == '\\' ? 2 : 1;
        ++read_;
        return texts_.emplace_front(value);
    }

    // The least of the keys that the object being closed holds twice.
    std::optional<std::string_view> repeated_key() {
        keys_.clear();
        const Node* const begin = nodes_.data() + open_.back().node + 1;
        for (const Node& member : Members(begin, nodes_.data() + nodes_.size())) keys_.push_back(member.key);
        std::sort(keys_.begin(), keys_.end());
        const auto found = std::adjacent_find(keys_.begin(), keys_.end());
        return found == keys_.end() ? std::nullopt : std::optional(*found);
    }

    bool open(Node::Kind kind) {
        if (open_.size() == depth_max_) {
            return stop(Reason::too_deep, pointer(), Numbers{.limit = depth_max_, .actual = depth_max_ + 1});
        }
        open_.push_back({.node = place({.kind = kind})});
        return true;
    }

    bool close() {
        const std::size_t node = open_.back().node;
        nodes_[node].nodes = nodes_.size() - node;
        open_.pop_back();
        count_element();
        return true;
    }

    bool put(const Node& value) {
        place(value);
        count_element();
        return true;
    }

    // Where the value stands from now on: behind the key that waits for it, if one does.
    std::size_t place(const Node& value) {
        const std::string_view key = after_key_ ? nodes_.back().key : std::string_view();
        if (!after_key_) nodes_.emplace_back();
        nodes_.back() = value;
        nodes_.back().key = key;
        after_key_ = false;
        return nodes_.size() - 1;
    }

    void count_element() {
        if (!open_.empty()) ++open_.back().elements;
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
        const bool has_place = !open_.empty() && (after_key_ || is_array(open_.back()));
        if (has_place) append_newest(path, open_.back());
        return path;
    }
    void append_newest(std::string& path, const Open& container) const {
        if (is_array(container)) {
            path += '/' + std::to_string(container.elements);
        } else if (container.newest > 0) {
            append_key(path, nodes_[container.newest].key);
        }
    }
    [[nodiscard]] bool is_array(const Open& container) const {
        return nodes_[container.node].kind == Node::Kind::array;
    }

    std::string_view json_;
    std::size_t depth_max_;
    std::vector<Node>& nodes_;
    std::forward_list<std::string>& texts_;
    std::size_t read_ = 0;                // behind the spelling that was taken last
    std::vector<Open> open_;              // the containers around the value being read, outermost first
    bool after_key_ = false;              // the last node is a key that waits for its value
    std::vector<std::string_view> keys_;  // of the object being closed
    std::optional<Error> error_;
    std::size_t stopped_at_ = 0;
};

// A text with U+FFFD for each fault that is a matter of text, up to the first that is not.
struct Mended {
    std::string text{};
    std::size_t replaced = 0;
    std::optional<Fault> rest{};
};

Mended mend(std::string_view json) {
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
    Document document;
    auto rest = Faults(json).next();
    if (rest && policy == TextPolicy::replace) {
        Mended mended = mend(json);
        document.replaced = mended.replaced;
        rest = mended.rest;
        json = document.texts.emplace_front(std::move(mended.text));
    } else if (rest) {
        json = json.substr(0, rest->at);
    }
    TreeBuilder builder(json, bounds.depth_max, document);
    // The parser asks the locale for its decimal point once and reads numbers by it later.
    const PlainLocale plain;
    nlohmann::json::sax_parse(json.begin(), json.end(), &builder);
    if (auto read = std::move(builder).finish(rest); !read) return std::move(read).error();
    document.nodes.shrink_to_fit();
    return document;
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
