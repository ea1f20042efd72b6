#include "codec/fields.hpp"

#include <charconv>

namespace taskstate::inline v0 {

std::string Cursor::pointer() const {
    if (around_ == nullptr) return {};
    std::string path = around_->pointer();
    if (around_->node_->kind == Node::Kind::array) {
        path += '/' + std::to_string(index_);
    } else {
        append_key(path, node_->key);
    }
    return path;
}

void Cursor::fail(Error inner) const {
    if (!failed()) reading_->error = under(pointer(), std::move(inner));
}

void Cursor::report_as(Reason reason) const {
    if (failed()) reading_->error = v0::fail(reason, std::move(reading_->error->path));
}

bool Cursor::is(Node::Kind kind) const {
    if (node_->kind != kind) fail(Reason::wrong_type);
    return node_->kind == kind;
}

void read(const Cursor& at, std::string& out) {
    if (at.is(Node::Kind::string)) out = at.node().text;
}

void read(const Cursor& at, bool& out) {
    if (at.is(Node::Kind::boolean)) out = at.node().truth;
}

void read(const Cursor& at, Timestamp& out) {
    if (!at.is(Node::Kind::string)) return;
    const auto time = parse_time(at.node().text);
    if (!time) return at.fail(time.error());
    out = *time;
}

void read(const Cursor& at, std::uint64_t& out) {
    if (!at.is(Node::Kind::number)) return;
    const std::string_view number = at.node().text;
    if (!is_integer(number)) return at.fail(Reason::not_an_integer);
    // A minus sign stops the conversion at once, as too many digits do in the end.
    const auto read_all = std::from_chars(number.data(), number.data() + number.size(), out).ec == std::errc();
    if (!read_all || out > integer_max) at.fail(Reason::out_of_range);
}

Fields::Fields(const Cursor& object)
    : object_(object), members_(object.is(Node::Kind::object) ? object.members() : Members(nullptr, nullptr)) {}

const Node* Fields::take(std::string_view name) {
    std::size_t index = 0;
    for (const Node& member : members_) {
        if (member.key == name) {
            if (index < taken_max) taken_.set(index);
            return &member;
        }
        ++index;
    }
    return nullptr;
}

void Fields::close() {
    if (object_.failed()) return;
    std::size_t index = 0;
    for (const Node& member : members_) {
        if (index == taken_max || !taken_.test(index)) return object_.member(member).fail(Reason::unknown_field);
        ++index;
    }
    if (!missing_.empty()) object_.fail(fail(Reason::missing_field, '/' + std::string(missing_)));
}

}  // namespace taskstate::inline v0
