// The check before dispatch over the bodies that providers are sent.

#include "support/catch.hpp"

#include <taskstate/codec/json.hpp>

#include <nlohmann/json.hpp>

using namespace taskstate;
using nlohmann::json;

namespace {

struct Prepared {
    TaskState task;
    Block block;

    [[nodiscard]] Result<void> verify(RequestKind kind, const json& body, const DispatchRules& rules = {}) const {
        return verify_request(task, block, kind, body.dump(), rules);
    }
};

Prepared prepared() {
    auto task = TaskState::create({.id = "delivery-42", .scope = {.owner = "host-user", .workspace = "deliveries"}});
    REQUIRE(task.has_value());
    const NoteInput note{.id = "budget",
                         .category = Category::constraint,
                         .text = "Spend <at> most\n50 \"EUR\" 😀.",
                         .source = {.label = "User"}};
    REQUIRE(task->update({.notes = {note}}, {}).has_value());
    auto block = task->prompt();
    REQUIRE(block.has_value());
    return {*std::move(task), *block};
}

void check_error(const Result<void>& result, Reason reason, const std::string& path) {
    REQUIRE_FALSE(result.has_value());
    CHECK(word(result.error().reason) == word(reason));
    CHECK(result.error().path == path);
}

constexpr auto openai = RequestKind::openai_chat;
constexpr auto anthropic = RequestKind::anthropic_messages;

}  // namespace

TEST_CASE("verify_request: the exact block in a system message passes in each shape of a body", "[codec][spec:V1]") {
    const Prepared ready = prepared();
    const std::string& block = ready.block.text();
    const json user = {{"role", "user"}, {"content", "Go on."}};
    const json call = {{"role", "assistant"}, {"content", nullptr}, {"tool_calls", {{{"id", "c"}}}}};
    CHECK(ready.verify(
        openai,
        {{"model", "m"}, {"messages", {{{"role", "system"}, {"content", "Be good.\n\n" + block}}, user, call}}}));
    CHECK(ready.verify(
        openai, {{"messages",
                  {{{"role", "developer"},
                    {"content", {{{"type", "text"}, {"text", "Be good."}}, {{"type", "text"}, {"text", block}}}}},
                   {{"role", "user"}, {"content", {{{"type", "image_url"}, {"image_url", {{"url", "x"}}}}}}}}}}));
    CHECK(ready.verify(anthropic, {{"system", block}, {"max_tokens", 10}, {"messages", {user}}}));
    CHECK(ready.verify(anthropic, {{"system",
                                    {{{"type", "text"}, {"text", "Be good."}},
                                     {{"type", "text"}, {"text", block}, {"cache_control", {{"type", "ephemeral"}}}}}},
                                   {"messages", {user}}}));
}

TEST_CASE("verify_request: a block that is gone, changed, doubled or moved is found, with its pointer",
          "[codec][spec:V2]") {
    const Prepared ready = prepared();
    const std::string& block = ready.block.text();
    const json user = {{"role", "user"}, {"content", "Go on."}};
    check_error(ready.verify(openai, {{"messages", {user}}}), Reason::block_missing, "");
    check_error(ready.verify(openai, {{"messages", json::array()}}), Reason::block_missing, "");
    check_error(
        ready.verify(openai, {{"messages", {{{"role", "user"}, {"content", {{{"type", "text"}, {"text", block}}}}}}}}),
        Reason::block_wrong_role, "/messages/0/content/0/text");
    CHECK(ready.verify(openai, {{"messages", {{{"role", "user"}, {"content", block}}}}}, {.user_role_allowed = true}));

    const auto twice = ready.verify(
        openai,
        {{"messages", {{{"role", "system"}, {"content", block}}, user, {{"role", "system"}, {"content", block}}}}});
    check_error(twice, Reason::block_duplicated, "/messages/2/content");

    std::string changed = block;
    changed[changed.find("most")] = 'M';
    check_error(ready.verify(anthropic, {{"system", {{{"type", "text"}, {"text", changed}}}}, {"messages", {user}}}),
                Reason::block_altered, "/system/0/text");
    // A body of the one kind read as the other has no system text.
    check_error(ready.verify(openai, {{"system", block}, {"messages", {user}}}), Reason::block_missing, "");
}

TEST_CASE("verify_request: texts inside tool results count as parts of their message", "[codec][spec:V2]") {
    const Prepared ready = prepared();
    const std::string& block = ready.block.text();
    const auto body = [&](const json& result) {
        return json{{"system", block},
                    {"messages",
                     {{{"role", "user"},
                       {"content", {{{"type", "tool_result"}, {"tool_use_id", "c"}, {"content", result}}}}}}}};
    };
    CHECK(ready.verify(anthropic, body("Delivered.")));
    CHECK(ready.verify(anthropic, body({{{"type", "text"}, {"text", "Delivered."}},
                                        {{"type", "image"}, {"source", json::object()}}})));
    CHECK_FALSE(ready.verify(anthropic, body(block)));
    const auto nested = ready.verify(anthropic, body({{{"type", "text"}, {"text", block}}}));
    REQUIRE_FALSE(nested.has_value());
    CHECK(nested.error().path == "/messages/0/content/0/content/0/text");
}

TEST_CASE("verify_request: an update between preparation and dispatch makes the block stale", "[codec][spec:V3]") {
    Prepared ready = prepared();
    REQUIRE(ready.task.update({.resolve = {"budget"}}, ready.task.revision()).has_value());
    const auto stale = ready.verify(openai, {{"messages", {{{"role", "system"}, {"content", ready.block.text()}}}}});
    REQUIRE_FALSE(stale.has_value());
    CHECK(stale.error().reason == Reason::block_stale);
}

TEST_CASE("verify_request: what is no such request is unreadable", "[codec][hazard:16][hazard:18]") {
    const Prepared ready = prepared();
    const std::pair<std::string, std::string> rows[] = {
        {"", ""},
        {"[]", ""},
        {"{}", ""},
        {R"({"messages":{}})", "/messages"},
        {R"({"messages":[1]})", "/messages/0"},
        {R"({"messages":[{"content":"x"}]})", "/messages/0"},
        {R"({"messages":[{"role":1}]})", "/messages/0/role"},
        {R"({"messages":[{"role":"user","content":1}]})", "/messages/0/content"},
        {R"({"messages":[{"role":"user","content":["x"]}]})", "/messages/0/content/0"},
        {R"({"messages":[{"role":"user","content":[{"text":"x"}]}]})", "/messages/0/content/0"},
        {R"({"messages":[{"role":"user","content":[{"type":"text","text":1}]}]})", "/messages/0/content/0/text"},
        {R"({"messages":[{"role":"user","content":"\ud800"}]})", "/messages/0/content"},
        {R"({"messages":[],"messages":[]})", "/messages"},
        {R"({"messages":[]} x)", ""},
    };
    for (const auto& [body, path] : rows) {
        INFO(body);
        check_error(verify_request(ready.task, ready.block, openai, body), Reason::request_unreadable, path);
    }
    const auto deep = verify_request(ready.task, ready.block, openai, std::string(100'000, '['));
    REQUIRE_FALSE(deep.has_value());
    CHECK(deep.error().reason == Reason::request_unreadable);
    check_error(verify_request(ready.task, ready.block, anthropic, R"({"system":7,"messages":[]})"),
                Reason::request_unreadable, "/system");
}

TEST_CASE("verify_request: a body of megabytes with deep tool schemas is read", "[codec]") {
    const Prepared ready = prepared();
    json schema = {{"type", "string"}};
    for (int i = 0; i < 40; ++i) schema = {{"type", "object"}, {"properties", {{"p", schema}}}};
    json messages = {{{"role", "system"}, {"content", ready.block.text()}}};
    for (int i = 0; i < 100; ++i) messages.push_back({{"role", "user"}, {"content", std::string(20'000, 'x')}});
    CHECK(ready.verify(openai, {{"messages", messages}, {"tools", {{{"type", "function"}, {"parameters", schema}}}}}));
}

TEST_CASE("verify_request: what a tool said is not what the user said, though it stands in the user's message",
          "[codec][spec:V2]") {
    const Prepared ready = prepared();
    const DispatchRules user_allowed{.user_role_allowed = true};
    const json text{{"type", "text"}, {"text", ready.block.text()}};
    const auto body = [](const json& result, const json& beside) {
        return json{{"messages",
                     {{{"role", "user"},
                       {"content", {{{"type", "tool_result"}, {"tool_use_id", "c"}, {"content", result}}, beside}}}}}};
    };
    const json hello{{"type", "text"}, {"text", "Hello"}};
    check_error(ready.verify(anthropic, body(ready.block.text(), hello), user_allowed), Reason::block_wrong_role,
                "/messages/0/content/0/content");
    CHECK(ready.verify(anthropic, body("ok", text), user_allowed));
}

TEST_CASE("verify_request: a copy in the arguments of a tool call is found, with its pointer", "[codec][spec:V2]") {
    const Prepared ready = prepared();
    const std::string& block = ready.block.text();
    std::string old = block;
    old[old.find("most")] = 'M';
    const auto called = [&](const std::string& arguments) {
        const json function{{"name", "tell"}, {"arguments", arguments}};
        return json{{"messages",
                     {{{"role", "system"}, {"content", block}},
                      {{"role", "assistant"},
                       {"content", nullptr},
                       {"tool_calls", {{{"id", "c"}, {"type", "function"}, {"function", function}}}}}}}};
    };
    const std::string path = "/messages/1/tool_calls/0/function/arguments";
    CHECK(ready.verify(openai, called(R"({"to":"<task-state>"})")));
    CHECK(ready.verify(openai, called("no JSON, {")));
    check_error(ready.verify(openai, called(json{{"to", {"a", block}}}.dump())), Reason::block_duplicated, path);
    check_error(ready.verify(openai, called(block)), Reason::block_duplicated, path);
    check_error(ready.verify(openai, called(json{{"to", "Say:\n" + old}}.dump())), Reason::old_block_present, path);
    CHECK(ready.verify(openai, called(json{{"to", old}}.dump()), {.old_blocks_allowed = true}));

    const json use{{"type", "tool_use"}, {"id", "c"}, {"name", "tell"}, {"input", {{"to", {"a", old}}}}};
    check_error(
        ready.verify(anthropic, {{"system", block}, {"messages", {{{"role", "assistant"}, {"content", {use}}}}}}),
        Reason::old_block_present, "/messages/0/content/0/input/to/1");
}

TEST_CASE("verify_request: a document says nothing in the name of the user who sends it", "[codec][spec:V2]") {
    const Prepared ready = prepared();
    const std::string& block = ready.block.text();
    const DispatchRules user_allowed{.user_role_allowed = true};
    const auto sent = [](const json& source, const json& beside) {
        return json{
            {"messages", {{{"role", "user"}, {"content", {{{"type", "document"}, {"source", source}}, beside}}}}}};
    };
    const json hello{{"type", "text"}, {"text", "Hello"}}, text{{"type", "text"}, {"text", block}};
    const json plain{{"type", "text"}, {"media_type", "text/plain"}, {"data", block}};
    const json parts{{"type", "content"}, {"content", {hello, text}}};
    check_error(ready.verify(anthropic, sent(plain, hello), user_allowed), Reason::block_wrong_role,
                "/messages/0/content/0/source/data");
    check_error(ready.verify(anthropic, sent(parts, hello), user_allowed), Reason::block_wrong_role,
                "/messages/0/content/0/source/content/1/text");
    CHECK(ready.verify(anthropic, sent({{"type", "base64"}, {"data", "AAAA"}}, text), user_allowed));
}
