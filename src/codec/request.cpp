// The texts of a provider's request body, for the check before dispatch.

#include "codec/fields.hpp"
#include "prompt/fence.hpp"

#include <taskstate/codec/json.hpp>

#include <charconv>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t depth_max = 128;  // tool schemas and arguments nest deeper than anything of ours

Result<Document> read_body(std::string_view json) {
    return read_json(json, {.bytes_max = json.size(), .depth_max = depth_max}, TextPolicy::refuse);
}

// What has to be checked of a request, and where each text stood in the body: most texts hold no block of anybody.
struct Request {
    std::vector<Message> messages{};
    std::vector<std::vector<std::string>> pointers{};
};

// Unlike the library's own formats a request has members that are none of our business.
class RequestReader {
 public:
    explicit RequestReader(Request& out) : out_(out) {}

    void body(const Cursor& at, RequestKind kind) {
        if (!at.is(Node::Kind::object)) return;
        if (const Node* system = find(at, "system"); system != nullptr && kind == RequestKind::anthropic_messages) {
            begin("system");
            content(at.member(*system));
        }
        const Node* messages = find(at, "messages");
        if (messages == nullptr) return at.fail(Reason::missing_field);
        const Cursor list = at.member(*messages);
        if (!list.is(Node::Kind::array)) return;
        std::size_t index = 0;
        for (const Node& element : list.members()) message(list.element(element, index++));
    }

 private:
    static const Node* find(const Cursor& at, std::string_view name) {
        for (const Node& member : at.members()) {
            if (member.key == name) return &member;
        }
        return nullptr;
    }

    static std::string_view text_of(const Node* node) {
        return node != nullptr && node->kind == Node::Kind::string ? std::string_view(node->text) : std::string_view();
    }

    void begin(std::string_view role) {
        out_.messages.push_back({.role = std::string(role)});
        out_.pointers.emplace_back();
    }

    void message(const Cursor& at) {
        if (!at.is(Node::Kind::object)) return;
        const Node* role = find(at, "role");
        if (role == nullptr) return at.fail(Reason::missing_field);
        if (!at.member(*role).is(Node::Kind::string)) return;
        begin(role->text);
        if (const Node* parts = find(at, "content"); parts != nullptr) content(at.member(*parts));
        for (const Node& member : at.members()) {
            if (member.key != "role" && member.key != "content") quoted(at.member(member));
        }
    }

    // A text, a list of parts, or null beside tool calls.
    void content(const Cursor& at) {
        const Node& node = at.node();
        if (node.kind == Node::Kind::null) return;
        if (node.kind == Node::Kind::string) return text(at);
        if (!at.is(Node::Kind::array)) return;
        std::size_t index = 0;
        for (const Node& element : at.members()) part(at.element(element, index++));
    }

    void part(const Cursor& at) {
        if (!at.is(Node::Kind::object)) return;
        const Node* type = find(at, "type");
        if (type == nullptr) return at.fail(Reason::missing_field);
        if (text_of(type) == "text") {
            const Node* inner = find(at, "text");
            if (inner == nullptr) return at.fail(Reason::missing_field);
            if (at.member(*inner).is(Node::Kind::string)) text(at.member(*inner));
        } else if (text_of(type) == "tool_result") {
            const Node* inner = find(at, "content");
            aside([&] {
                if (inner != nullptr) content(at.member(*inner));
            });
        } else {
            quoted(at);
        }
    }

    // What a tool said or was told, and a document, stands in the message of somebody who did not say it.
    template <class Read>
    void aside(const Read& read_inside) {
        const std::string speaker = out_.messages.back().role;
        begin("tool");
        read_inside();
        begin(speaker);
    }

    void quoted(const Cursor& at) {
        aside([&] { each_string(at, [this](const Cursor& text_at) { argument(text_at); }); });
    }

    template <class Take>
    static void each_string(const Cursor& at, const Take& take) {
        if (at.node().kind == Node::Kind::string) return take(at);
        std::size_t index = 0;
        if (at.node().kind == Node::Kind::array) {
            for (const Node& element : at.members()) each_string(at.element(element, index++), take);
        } else if (at.node().kind == Node::Kind::object) {
            for (const Node& member : at.members()) each_string(at.member(member), take);
        }
    }

    // The arguments of a call are JSON written into a string; a model may also have written something else there.
    void argument(const Cursor& at) {
        if (at.node().key == "arguments") {
            if (const auto inside = read_body(at.node().text)) {
                Reading reading;
                return each_string(Cursor(inside->root(), reading),
                                   [&](const Cursor& inner) { take(inner.node().text, at); });
            }
        }
        text(at);
    }

    void text(const Cursor& at) { take(at.node().text, at); }

    void take(std::string_view text, const Cursor& at) {
        if (text.find(Fence::open) == std::string_view::npos) return;
        out_.messages.back().parts.emplace_back(text);
        out_.pointers.back().push_back(at.pointer());
    }

    Request& out_;
};

// The number after `prefix` at the beginning of `path`, which is cut off together with it.
std::optional<std::size_t> take_index(std::string_view& path, std::string_view prefix) {
    if (!path.starts_with(prefix)) return std::nullopt;
    std::size_t index = 0;
    const char* const end = path.data() + path.size();
    const auto [rest, error] = std::from_chars(path.data() + prefix.size(), end, index);
    if (error != std::errc()) return std::nullopt;
    path = {rest, static_cast<std::size_t>(end - rest)};
    return index;
}

// The pointer of the text in the body for the `/i/parts/j` of the check.
std::string pointer_in_body(const Request& request, std::string_view path) {
    const auto message = take_index(path, "/");
    const auto part = message ? take_index(path, "/parts/") : std::nullopt;
    if (!part) return {};
    return request.pointers[*message][*part];
}

}  // namespace

Result<void> verify_request(const TaskState& task, const Block& block, RequestKind kind, std::string_view body,
                            const DispatchRules& rules) {
    const auto document = read_body(body);
    if (!document) return fail(Reason::request_unreadable, document.error().path);
    Reading reading;
    Request request;
    RequestReader(request).body(Cursor(document->root(), reading), kind);
    if (reading.error) return fail(Reason::request_unreadable, reading.error->path);

    auto verified = task.verify_dispatch(block, request.messages, rules);
    if (verified) return verified;
    const std::string pointer = pointer_in_body(request, verified.error().path);
    Error error = verified.error();
    error.path.clear();
    return under(pointer, std::move(error));
}

}  // namespace taskstate::inline v0
