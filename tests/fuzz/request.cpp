// The check before dispatch, against a second reading of the body that knows nothing of the first.
//
// The first byte chooses the provider and the rules; the rest is the body, in which a control byte stands for a part
// of the block as a JSON string holds it: 1 all of it, 2 and 3 its fences, 4 and 5 its halves, 6 an older block.

#include "fuzz/targets.hpp"
#include "fuzz/task_rules.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <set>

namespace taskstate::fuzz {
namespace {

using nlohmann::json;

struct Prepared {
    TaskState task;
    Block old, block;
};

const Prepared& prepared() {
    static const Prepared ready = [] {
        const SnapshotInput none{.id = "t", .profile = "notebook-v1", .scope = {.owner = "u", .workspace = "w"}};
        auto task = TaskState::create(options_of(none));
        require(task.has_value(), "the task can be made");
        const Block old = *task->prompt();
        const NoteInput note{
            .id = "n", .category = Category::constraint, .text = "<a>\n\"b\"", .source = {.label = "User"}};
        require(task->update({.notes = {note}}, {}).has_value(), "the task can be filled");
        const Block block = *task->prompt();
        return Prepared{*std::move(task), old, block};
    }();
    return ready;
}

std::string spliced(std::string_view body) {
    static const std::array<std::string, 7> parts = [] {
        const std::string& text = prepared().block.text();
        const std::size_t half = text.size() / 2;
        const auto inside = [](const std::string& part) {
            const std::string quoted = json(part).dump();
            return quoted.substr(1, quoted.size() - 2);
        };
        return std::array<std::string, 7>{"",
                                          inside(text),
                                          inside(text.substr(0, text.find('\n'))),
                                          inside(text.substr(text.rfind('\n') + 1)),
                                          inside(text.substr(0, half)),
                                          inside(text.substr(half)),
                                          inside(prepared().old.text())};
    }();
    std::string whole;
    for (const char c : body) {
        const auto number = static_cast<unsigned char>(c);
        if (number > 0 && number < parts.size())
            whole += parts[number];
        else
            whole += c;
    }
    return whole;
}

/// The body as a tree; discarded where it is no JSON, repeats a key, nests too deep or has what this parser skips.
json read_body(const std::string& body) {
    constexpr int depth_max = 128;
    std::vector<std::set<std::string>> keys;
    bool sound = body.find('\0') == std::string::npos && !body.starts_with("\xEF\xBB\xBF");
    json document = json::parse(
        body,
        [&](int depth, json::parse_event_t event, const json& value) {
            if (event == json::parse_event_t::object_start) keys.emplace_back();
            if (event == json::parse_event_t::object_end) keys.pop_back();
            if (event == json::parse_event_t::key) sound = keys.back().insert(value.get<std::string>()).second && sound;
            const bool opens = event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
            sound = sound && (!opens || depth < depth_max);
            return true;
        },
        false);
    return sound ? document : json(json::value_t::discarded);
}

/// The texts that count, each as a message of one part; nothing where the body has not the shape of a request.
class Reading {
 public:
    static std::optional<std::vector<Message>> of(const json& body, RequestKind kind) {
        Reading reading;
        bool readable = body.is_object() && body.contains("messages") && body["messages"].is_array();
        if (readable && kind == RequestKind::anthropic_messages && body.contains("system"))
            readable = reading.content("system", body["system"]);
        for (std::size_t i = 0; readable && i < body["messages"].size(); ++i) {
            readable = reading.message(body["messages"][i]);
        }
        return readable ? std::optional(std::move(reading.texts_)) : std::nullopt;
    }

 private:
    bool message(const json& given) {
        if (!given.is_object() || !given.contains("role") || !given["role"].is_string()) return false;
        for (const auto& member : given.items()) {
            if (member.key() != "role" && member.key() != "content") quoted(member.key(), member.value());
        }
        return !given.contains("content") || content(given["role"], given["content"]);
    }
    bool content(const std::string& role, const json& given) {
        if (given.is_string()) texts_.push_back({role, {given.get<std::string>()}});
        if (!given.is_array()) return given.is_null() || given.is_string();
        return std::all_of(given.begin(), given.end(), [&](const json& part) { return this->part(role, part); });
    }
    bool part(const std::string& role, const json& given) {
        if (!given.is_object() || !given.contains("type")) return false;
        if (given["type"] == "tool_result") return !given.contains("content") || content("tool", given["content"]);
        if (given["type"] != "text") return quoted("", given), true;
        return given.contains("text") && given["text"].is_string() && content(role, given["text"]);
    }

    /// Every string of `given`; those of JSON in the arguments of a call are said by nobody either.
    void quoted(const std::string& name, const json& given) {
        const json inside =
            name == "arguments" && given.is_string() ? read_body(given) : json(json::value_t::discarded);
        if (!inside.is_discarded()) return quoted("", inside);
        if (given.is_string()) texts_.push_back({"tool", {given.get<std::string>()}});
        if (!given.is_structured()) return;
        for (const auto& member : given.items()) quoted(given.is_object() ? member.key() : "", member.value());
    }

    std::vector<Message> texts_{};
};

/// Whether a line of `text` opens a block with this key.
bool opens(std::string_view text, const std::string& key) {
    for (std::string_view line : test::lines_of(text)) {
        constexpr std::string_view start = "<task-state task=\"";
        if (!line.starts_with(start)) continue;
        line.remove_prefix(start.size());
        const auto quote = line.find('"');
        if (quote != std::string_view::npos && line.substr(quote).starts_with("\" key=\"" + key + "\">")) return true;
    }
    return false;
}

/// What is wrong with these texts; nothing where the block stands in them once and where it may.
std::optional<Reason> fault_of(const std::vector<Message>& texts, const Block& block, const DispatchRules& rules) {
    std::size_t found = 0, misplaced = 0, others = 0, altered = 0;
    for (const Message& message : texts) {
        const bool allowed = message.role == "system" || message.role == "developer" ||
                             (message.role == "user" && rules.user_role_allowed);
        std::string_view rest = message.parts[0];
        for (bool more = true; more;) {
            const auto at = rest.find(block.text());
            more = at != std::string_view::npos;
            if (opens(rest.substr(0, at), block.key())) {
                ++others;
                if (allowed) ++altered;
            }
            if (!more) break;
            ++found;
            if (!allowed) ++misplaced;
            rest.remove_prefix(at + block.bytes());
        }
    }
    if (found == 0) return altered > 0 ? Reason::block_altered : Reason::block_missing;
    if (found > 1) return Reason::block_duplicated;
    if (misplaced > 0) return Reason::block_wrong_role;
    if (others > 0 && !rules.old_blocks_allowed) return Reason::old_block_present;
    return std::nullopt;
}

/// A long key stands cut in a path, and one with what may not be printed stands mended; both show by a foreign letter.
void check_place(const std::string& path, const json& document) {
    const bool exact = std::all_of(path.begin(), path.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (path.empty() || !exact) return;
    const json::json_pointer pointer(path);
    require(document.contains(pointer) && document[pointer].is_string(), "a refusal points at a text of the body");
}

void check_attached(const std::vector<Message>& texts, const DispatchRules& rules) {
    const auto& [task, old, block] = prepared();
    const auto attached = attach(block, texts);
    require(attach(block, attached) == attached, "attaching again changes nothing");
    const auto verified = task.verify_dispatch(block, attached, rules);
    const auto fault = verified ? std::nullopt : std::optional(verified.error().reason);
    require(fault != Reason::block_missing && fault != Reason::block_altered, "an attached block is there");
}

}  // namespace

void request(std::string_view bytes) {
    if (bytes.empty()) return;
    const auto choices = static_cast<unsigned char>(bytes[0]);
    const auto kind = choices % 2 == 0 ? RequestKind::openai_chat : RequestKind::anthropic_messages;
    const DispatchRules rules{.user_role_allowed = choices / 2 % 2 == 1, .old_blocks_allowed = choices / 4 % 2 == 1};
    const std::string body = spliced(bytes.substr(1));
    const auto& [task, old, block] = prepared();

    const auto verified = verify_request(task, block, kind, body, rules);
    if (!verified) check_refusal(verified.error());
    const auto fault = verified ? std::nullopt : std::optional(verified.error().reason);
    const json document = read_body(body);
    const auto texts = Reading::of(document, kind);
    if (!texts) {
        require(fault == Reason::request_unreadable, "what is no request is refused");
        return;
    }
    require(fault == fault_of(*texts, block, rules), "both readings judge alike");
    if (fault) check_place(verified.error().path, document);
    const auto stale = verify_request(task, old, kind, body, rules);
    require(!stale && stale.error().reason == Reason::block_stale, "a block of an older revision is stale");
    check_attached(*texts, rules);
}

}  // namespace taskstate::fuzz
