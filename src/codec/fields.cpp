#include "codec/fields.hpp"

#include <algorithm>
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
    const std::string& number = at.node().text;
    if (!is_integer(number)) return at.fail(Reason::not_an_integer);
    // A minus sign stops the conversion at once, as too many digits do in the end.
    const auto read_all = std::from_chars(number.data(), number.data() + number.size(), out).ec == std::errc();
    if (!read_all || out > integer_max) at.fail(Reason::out_of_range);
}

Fields::Fields(const Cursor& object) : object_(object) {
    if (object.is(Node::Kind::object)) taken_.resize(object.node().members.size());
}

const Node* Fields::take(std::string_view name) {
    const auto& members = object_.node().members;
    for (std::size_t i = 0; i < taken_.size(); ++i) {
        if (members[i].key != name) continue;
        taken_[i] = true;
        return &members[i];
    }
    return nullptr;
}

void Fields::close() {
    if (object_.failed()) return;
    const auto foreign = std::find(taken_.begin(), taken_.end(), false);
    if (foreign != taken_.end()) {
        const auto index = static_cast<std::size_t>(foreign - taken_.begin());
        return object_.member(object_.node().members[index]).fail(Reason::unknown_field);
    }
    if (!missing_.empty()) object_.fail(fail(Reason::missing_field, '/' + std::string(missing_)));
}

}  // namespace taskstate::inline v0
