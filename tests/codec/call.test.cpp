// The lines of `taskstate replay`.

#include "support/catch.hpp"

#include <taskstate/codec/call.hpp>

using namespace taskstate;

namespace {

template <class C>
C call(const std::string& line) {
    const auto read = decode_call(line);
    REQUIRE(read.has_value());
    if (!read->arguments) FAIL(read->arguments.error().message);
    REQUIRE(std::holds_alternative<C>(*read->arguments));
    return std::get<C>(*read->arguments);
}

void check_refused(const std::string& line, Reason reason, const std::string& path) {
    INFO(line);
    const auto read = decode_call(line);
    REQUIRE(read.has_value());
    REQUIRE_FALSE(read->arguments.has_value());
    CHECK(word(read->arguments.error().reason) == word(reason));
    CHECK(read->arguments.error().path == path);
}

const std::string note = R"({"id":"a","category":"decision","text":"x","source":{"label":"l"}})";

}  // namespace

TEST_CASE("call: the four lines of the foundation are read", "[codec]") {
    const auto create = call<CreateCall>(
        R"({"call":"create","id":"delivery-42","scope":{"owner":"host-user","workspace":"deliveries","tenant":"tenant-a"}})");
    CHECK(create.options.id == "delivery-42");
    CHECK(create.options.scope == Scope{.tenant = "tenant-a", .owner = "host-user", .workspace = "deliveries"});
    CHECK(create.options.profile == "notebook-v1");
    CHECK_FALSE(create.options.limits.has_value());

    const auto update = call<UpdateCall>(R"({"call":"update","expected":0,"delta":{"notes":[)" + note + "]}}");
    CHECK(update.expected.number == 0);
    CHECK(update.delta.notes.size() == 1);

    const auto record = call<RecordActionCall>(
        R"({"call":"record_action","expected":1,"action":{"execution":"exec-7","call":"call-1","tool":"submit_delivery",)"
        R"("status":"succeeded","completion":"settled","started_at":"2026-11-30T10:00:00.000Z",)"
        R"("ended_at":"2026-11-30T10:00:01.250Z"}})");
    CHECK(record.action.execution == "exec-7");
    CHECK(record.action.call == "call-1");

    const auto prompt = call<PromptCall>(R"({"call":"prompt","bytes_max":4000})");
    CHECK(prompt.bytes_max == 4000);
    CHECK_FALSE(prompt.tokens_max.has_value());
}

TEST_CASE("call: every other call is read with its arguments", "[codec]") {
    const auto create = call<CreateCall>(
        R"({"call":"create","id":"t","scope":{"owner":"o","workspace":"w"},"association":"s","goal":"g","profile":"p",)"
        R"("limits":{"entries_max":3,"tokens_max":9},"link":{"kind":"memory","id":"m"},"text":"replace"})");
    CHECK(create.options.association == "s");
    CHECK(create.options.goal == "g");
    CHECK(create.options.profile == "p");
    CHECK(create.options.limits->entries_max == 3);
    CHECK(create.options.limits->tokens_max == 9);
    CHECK(create.options.limits->items_max == Limits{}.items_max);
    CHECK(create.options.link == LinkTarget{LinkKind::memory, "m"});
    CHECK(create.options.text == TextPolicy::replace);

    const std::string snapshot = R"("snapshot":{"format":"taskstate.snapshot/1","id":"t","profile":"notebook-v1",)"
                                 R"("scope":{"owner":"o","workspace":"w"},"revision":4,"lifecycle":"open",)"
                                 R"("created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z",)"
                                 R"("last_progress_at":"2026-01-01T00:00:00.000Z"}})";
    CHECK(call<OpenCall>(R"({"call":"open","id":"t","scope":{"owner":"o","workspace":"w"},)" + snapshot)
              .snapshot.revision.number == 4);
    CHECK(call<RestoreCall>(R"({"call":"restore",)" + snapshot).snapshot.id == "t");

    CHECK(call<ProposeCall>(R"({"call":"propose","expected":1,"notes":[)" + note + "]}").notes.size() == 1);
    CHECK(call<AssumeCall>(R"({"call":"assume","expected":1,"notes":[)" + note + "]}").expected.number == 1);
    const auto confirm = call<ConfirmActionCall>(
        R"({"call":"confirm_action","expected":1,"confirmation":{"execution":"e","status":"completed","source":{"label":"l"}}})");
    CHECK(confirm.confirmation == ConfirmAction{"e", Confirmed::completed, {.label = "l"}});
    const auto prune = call<PruneCall>(R"({"call":"prune","expected":2,"notes":["a"],"actions":["e"]})");
    CHECK(prune.targets == Prune{{"a"}, {"e"}});
    CHECK(call<SyncLinkCall>(R"({"call":"sync_link","expected":1,"link":{"id":"l","status":"running"}})").link ==
          LinkStatus{"l", "running"});
    CHECK(call<BeginRefreshCall>(R"({"call":"begin_refresh","expected":5,"principal":"u"})").principal == "u");
    const auto seen =
        call<CommitRefreshCall>(R"({"call":"commit_refresh","seen":{"type":"task","state":"done"}})").seen;
    CHECK(seen.type == "task");
    CHECK(seen.state == "done");
    CHECK_FALSE(call<CommitRefreshCall>(R"({"call":"commit_refresh","seen":{}})").seen.type.has_value());
    const auto rebase = call<RebaseCall>(R"({"call":"rebase","from":3,"delta":{"resolve":["a"]}})");
    CHECK(rebase.from.number == 3);
    CHECK(rebase.delta.resolve == std::vector<std::string>{"a"});
    CHECK(call<PromptCall>(R"({"call":"prompt","tokens_max":7,"spellings":["<x>"]})").spellings ==
          std::vector<std::string>{"<x>"});
    const auto attach = call<AttachCall>(
        R"({"call":"attach","messages":[{"role":"system","parts":["a","b"]},{"role":"user","content":"c"},{"role":"tool"}]})");
    CHECK(attach.messages == std::vector<Message>{{"system", {"a", "b"}}, {"user", {"c"}}, {"tool", {}}});
    const auto dispatch = call<VerifyDispatchCall>(
        R"({"call":"verify_dispatch","messages":[],"user_role_allowed":true,"old_blocks_allowed":true})");
    CHECK(dispatch.rules.user_role_allowed);
    CHECK(dispatch.rules.old_blocks_allowed);
    CHECK(call<AdvanceClockCall>(R"({"call":"advance_clock","ms":1500})").ms == 1500);
    CHECK(call<ChangesCall>(R"({"call":"changes","since":2})").since.number == 2);
    const auto record = call<RecordCall>(R"({"call":"record","kind":"action","id":"e"})");
    CHECK(record.kind == EntryKind::action);
    CHECK(call<CommandCall>(R"({"call":"command","line":"show"})").line == "show");
    CHECK(call<SetOwnerCall>(R"({"call":"set_owner","owner":"u"})").owner == "u");
    CHECK_FALSE(call<SetOwnerCall>(R"({"call":"set_owner","owner":null})").owner.has_value());
    (void)call<SnapshotCall>(R"({"call":"snapshot"})");
    (void)call<RevisionCall>(R"({"call":"revision"})");
    (void)call<GenerationCall>(R"({"call":"generation"})");
    (void)call<PreambleCall>(R"({"call":"preamble"})");
    (void)call<ClearCall>(R"({"call":"clear"})");
    (void)call<DestroyCall>(R"({"call":"destroy"})");
}

TEST_CASE("call: a request body is a text or a value that is written out", "[codec]") {
    const auto text = call<VerifyRequestCall>(R"({"call":"verify_request","kind":"openai_chat","body":"{not json"})");
    CHECK(text.body == "{not json");
    const auto value =
        call<VerifyRequestCall>(R"({"call":"verify_request","kind":"anthropic_messages","body":{"b":[1, 2],"a":"x"}})");
    CHECK(value.kind == RequestKind::anthropic_messages);
    CHECK(value.body == R"({"a":"x","b":[1,2]})");
}

TEST_CASE("call: what is wrong with a call has a pointer into the line", "[codec][spec:D8]") {
    check_refused(R"({"call":"fly"})", Reason::unknown_call, "/call");
    check_refused(R"({"call":""})", Reason::unknown_call, "/call");
    check_refused(R"({"cal":"update"})", Reason::missing_field, "/call");
    check_refused(R"({"call":7})", Reason::wrong_type, "/call");
    check_refused(R"({"call":"update","delta":{}})", Reason::missing_field, "/expected");
    check_refused(R"({"call":"update","expected":-1,"delta":{}})", Reason::out_of_range, "/expected");
    check_refused(R"({"call":"update","expected":1.0,"delta":{}})", Reason::not_an_integer, "/expected");
    check_refused(R"({"call":"update","expected":0,"delta":{"notes":[{"id":"a"}]}})", Reason::missing_field,
                  "/delta/notes/0/category");
    check_refused(R"({"call":"update","expected":0,"delta":{"notes":[{"id":"a","text":null}]}})", Reason::wrong_type,
                  "/delta/notes/0/text");
    check_refused(R"({"call":"update","expected":0,"delta":{"steps":[]}})", Reason::unknown_field, "/delta/steps");
    check_refused(R"({"call":"clear","expected":0})", Reason::unknown_field, "/expected");
    check_refused(R"({"call":"create","id":"t","scope":{"owner":"o"}})", Reason::missing_field, "/scope/workspace");
    check_refused(R"({"call":"create","id":"t","scope":{"owner":"o","workspace":"w"},"limits":{"max":1}})",
                  Reason::unknown_field, "/limits/max");
    check_refused(R"({"call":"attach","messages":[{"role":"user","content":"a","parts":[]}]})", Reason::unknown_field,
                  "/messages/0/parts");
    check_refused(R"({"call":"set_owner"})", Reason::missing_field, "/owner");
    check_refused(R"({"call":"record","kind":"word","id":"x"})", Reason::unknown_word, "/kind");
}

TEST_CASE("call: handle and expectation are known even of a call that is refused", "[codec]") {
    const auto read = decode_call(R"({"call":"fly","task":"b","expect":{"reason":"unknown_call","ok":false}})");
    REQUIRE(read.has_value());
    CHECK(read->task == "b");
    CHECK(read->expect == R"({"ok":false,"reason":"unknown_call"})");
    CHECK_FALSE(read->arguments.has_value());
    CHECK(decode_call(R"({"call":"clear"})")->task.empty());
    CHECK_FALSE(decode_call(R"({"call":"clear"})")->expect.has_value());
}

TEST_CASE("call: a line that is no call at all is malformed as a whole", "[codec]") {
    const std::pair<const char*, Error> rows[] = {
        {"", fail(Reason::not_json)},
        {"[]", fail(Reason::wrong_type)},
        {R"({"call":"clear"} {})", fail(Reason::trailing_data)},
        {R"({"call":"clear","task":1})", fail(Reason::wrong_type, "/task")},
        {R"({"call":"clear","expect":[]})", fail(Reason::wrong_type, "/expect")},
        {R"({"call":"clear","task":"\ud800"})", fail(Reason::invalid_utf8, "/task")},
    };
    for (const auto& [line, error] : rows) {
        INFO(line);
        const auto read = decode_call(line);
        REQUIRE_FALSE(read.has_value());
        CHECK(read.error() == error);
    }
    CHECK(decode_call(R"({"call":"command","line":"\ud800"})", TextPolicy::replace).has_value());
    const auto big = decode_call(std::string(call_bytes_max + 1, ' '));
    REQUIRE_FALSE(big.has_value());
    CHECK(big.error().reason == Reason::input_bytes_exceeded);
}

TEST_CASE("matches: the keys that are expected must be there and equal by value", "[codec]") {
    const std::string answer = R"({"ok":true,"revision":1,"omitted":[],"error":{"a":1,"b":[2]},"text":"é"})";
    const std::pair<const char*, bool> rows[] = {
        {"{}", true},
        {R"({"revision":1})", true},
        {R"({"revision":1.0,"ok":true})", true},
        {R"({"text":"\u00e9"})", true},
        {R"({"error":{"b":[2],"a":1}})", true},
        {R"({"error":{"a":1}})", false},
        {R"({"revision":2})", false},
        {R"({"revision":"1"})", false},
        {R"({"ok":true,"reason":"x"})", false},
        {R"({"omitted":[1]})", false},
        {R"({"ok":null})", false},
    };
    for (const auto& [expect, equal] : rows) {
        INFO(expect);
        const auto result = matches(answer, expect);
        REQUIRE(result.has_value());
        CHECK(*result == equal);
    }
    CHECK(matches(answer, "[]").error().reason == Reason::wrong_type);
    CHECK(matches("", "{}").error().reason == Reason::not_json);
}
