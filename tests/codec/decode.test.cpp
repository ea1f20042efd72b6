// The shapes of the wire, read.

#include "support/catch.hpp"

#include <taskstate/codec/json.hpp>

#include <nlohmann/json.hpp>

using namespace taskstate;
using nlohmann::json;

namespace {

json minimal_snapshot() {
    return json::parse(R"({
        "format":"taskstate.snapshot/1","id":"delivery-42","profile":"notebook-v1",
        "scope":{"owner":"host-user","workspace":"deliveries"},"revision":3,"lifecycle":"open",
        "created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-02T03:04:05.678Z",
        "last_progress_at":"2026-01-01T00:00:00.000Z"})");
}

json full_snapshot() {
    json snapshot = minimal_snapshot();
    snapshot.update(json::parse(R"({
        "association":"session-1","goal":"Ship it","phase":"execute","schema_locked":true,
        "notes":[{"id":"budget","category":"constraint","authority":"host","text":"Spend 50.","superseded_by":"b2",
                  "gates_completion":true,"conflicts_with":["b2"],
                  "source":{"label":"User","turn":"turn-1","evidence":{"kind":"record","id":"r","size_bytes":12,
                            "digest":"sha256:0000000000000000000000000000000000000000000000000000000000000000",
                            "scope":{"owner":"host-user","workspace":"w"},"status":"acknowledged"}}},
                 {"id":"b2","category":"constraint","authority":"host","text":"Spend 40.","supersedes":"budget","resolved":true,
                  "source":{"label":"User"}}],
        "items":[{"id":"t1","title":"Book","status":"blocked","assurance":"asserted","kind":"milestone","required":true,
                  "depends_on":["t0"],"because":["budget"],"content":{"b":1,"a":[true]},"reason":"No room",
                  "evidence":[{"kind":"tool_call","id":"c"}]}],
        "sources":[{"id":"doc","inspected":true},{"id":"doc 2"}],
        "actions":[{"execution":"e-1","call":"c","run":"r","tool":"submit","status":"cancelled","completion":"unknown",
                    "cancellation":"requested","started_at":"2026-01-01T00:00:00.001Z","ended_at":"2026-01-01T00:00:00.002Z",
                    "evidence":{"kind":"tool_call","id":"c"},
                    "confirmation":{"status":"waiting_external","source":{"label":"Remote"}}}],
        "link":{"kind":"routine","id":"r-1","status":"running"},"next_ids":{"item":2,"constraint":1}})"));
    return snapshot;
}

json full_delta() {
    return json::parse(R"({
        "format":"taskstate.delta/1",
        "notes":[{"id":"a","category":"question","text":"Why?","source":{"label":"User"},"supersedes":"b",
                  "conflicts_with":["c"],"gates_completion":false}],
        "resolve":["x"],
        "record_actions":[{"execution":"e","status":"succeeded","completion":"settled","error":{"any":[1,null]}}],
        "confirm_actions":[{"execution":"e","status":"completed","source":{"label":"Remote"}}],
        "prune":{"notes":["y"],"actions":["z"]},"link":{"id":"l","status":"running"},"reason":"Because"})");
}

using Decode = Error (*)(const std::string&);
Error snapshot_error(const std::string& text) {
    const auto result = decode_snapshot(text);
    return result ? Error{.reason = Reason::dry_run_validated} : result.error();
}
Error delta_error(const std::string& text) {
    const auto result = decode_delta(text);
    return result ? Error{.reason = Reason::dry_run_validated} : result.error();
}

// Whatever is wrong inside a reference to evidence has the one reason of its validator.
Reason reason_at(const std::string& path, Reason otherwise) {
    const auto evidence = path.find("/evidence/");
    const bool item = path.starts_with("/items/");  // there it is a list, whose elements are the references
    const bool inside = evidence != std::string::npos && (!item || path.find('/', evidence + 10) != std::string::npos);
    return inside ? Reason::evidence_invalid : otherwise;
}

void check_refused(const json& document, Decode decode, Reason reason, const std::string& path) {
    INFO(document.dump());
    const Error error = decode(document.dump());
    CHECK(word(error.reason) == word(reason_at(path, reason)));
    CHECK(error.path == path);
}

// A document with another spelling of the value at `path`.
std::string respelled(json document, const std::string& path, const std::string& spelling) {
    document[json::json_pointer(path)] = "@@";
    std::string text = document.dump();
    return text.replace(text.find("\"@@\""), 4, spelling);
}

// The pointers of every object below `value`.
void collect_objects(const json& value, const std::string& path, std::vector<std::string>& out) {
    if (value.is_object()) out.push_back(path);
    if (path.ends_with("/content") || path.ends_with("/error")) return out.pop_back();
    for (const auto& member : value.items()) {
        if (member.value().is_structured()) collect_objects(member.value(), path + "/" + member.key(), out);
    }
}

// The pointers of every leaf and list below `value`, and of every object but the document.
void collect_values(const json& value, const std::string& path, std::vector<std::string>& out) {
    if (!path.empty()) out.push_back(path);
    if (path.ends_with("/content")) return;
    if (path.ends_with("/error")) return out.pop_back();
    if (value.is_structured()) {
        for (const auto& member : value.items()) collect_values(member.value(), path + "/" + member.key(), out);
    }
}

}  // namespace

TEST_CASE("decode: every field of a snapshot arrives where it belongs", "[codec]") {
    const auto saved = decode_snapshot(full_snapshot().dump(2));
    REQUIRE(saved.has_value());
    CHECK(saved->id == "delivery-42");
    CHECK(saved->profile == "notebook-v1");
    CHECK(saved->scope == Scope{.owner = "host-user", .workspace = "deliveries"});
    CHECK(saved->association == "session-1");
    CHECK(saved->revision.number == 3);
    CHECK(saved->goal == "Ship it");
    CHECK(saved->phase == "execute");
    CHECK(saved->schema_locked);
    CHECK(format_time(saved->updated_at) == "2026-01-02T03:04:05.678Z");
    CHECK(saved->link == SavedLink{{LinkKind::routine, "r-1"}, "running"});
    CHECK(saved->next_ids == NextIds{.item = 2, .constraint = 1});
    CHECK(saved->sources == std::vector<SavedSource>{{"doc", true}, {"doc 2", false}});

    REQUIRE(saved->notes.size() == 2);
    const SavedNote& note = saved->notes[0];
    CHECK(note.standing == Standing::host);
    CHECK(note.superseded_by == "b2");
    CHECK_FALSE(note.resolved);
    CHECK(note.note.gates_completion == true);
    CHECK(note.note.conflicts_with == std::vector<std::string>{"b2"});
    REQUIRE(note.note.source.evidence.has_value());
    CHECK(note.note.source.evidence->size_bytes == 12);
    CHECK(note.note.source.evidence->status == Acknowledged::acknowledged);
    CHECK(saved->notes[1].resolved);
    CHECK(saved->notes[1].note.supersedes == "budget");

    REQUIRE(saved->items.size() == 1);
    CHECK(saved->items[0].status == ItemStatus::blocked);
    CHECK(saved->items[0].content.canonical() == R"({"a":[true],"b":1})");
    CHECK(saved->items[0].evidence.size() == 1);

    REQUIRE(saved->actions.size() == 1);
    const ActionOutcome& outcome = saved->actions[0].outcome;
    CHECK(outcome.cancellation == Cancellation::requested);
    CHECK(outcome.ended_at->ms - outcome.started_at->ms == 1);
    REQUIRE(saved->actions[0].confirmation.has_value());
    CHECK(saved->actions[0].confirmation->status == Confirmed::waiting_external);
}

TEST_CASE("decode: every field of a delta arrives where it belongs", "[codec][spec:D1]") {
    const auto delta = decode_delta(full_delta().dump());
    REQUIRE(delta.has_value());
    const HostDelta expected{
        .notes = {{.id = "a",
                   .category = Category::question,
                   .text = "Why?",
                   .supersedes = "b",
                   .conflicts_with = {"c"},
                   .source = {.label = "User"},
                   .gates_completion = false}},
        .resolve = {"x"},
        .record_actions = {{.execution = "e", .status = ActionStatus::succeeded, .completion = Completion::settled}},
        .confirm_actions = {{.execution = "e", .status = Confirmed::completed, .source = {.label = "Remote"}}},
        .prune = {.notes = {"y"}, .actions = {"z"}},
        .link = LinkStatus{"l", "running"},
        .reason = "Because"};
    CHECK(*delta == expected);
    CHECK(decode_delta("{}").value_or(expected) == HostDelta{});
}

TEST_CASE("decode: an unknown field is refused in every object, with its pointer", "[codec][spec:D8][spec:X6]") {
    const std::pair<json, Decode> documents[] = {{full_snapshot(), snapshot_error}, {full_delta(), delta_error}};
    for (const auto& [document, decode] : documents) {
        std::vector<std::string> objects;
        collect_objects(document, "", objects);
        REQUIRE(objects.size() >= 8);
        for (const std::string& path : objects) {
            json changed = document;
            changed[json::json_pointer(path)]["__proto__"] = nullptr;
            check_refused(changed, decode, Reason::unknown_field, path + "/__proto__");
        }
    }
}

TEST_CASE("decode: what the engine makes itself is an unknown field of an input", "[codec][spec:D8]") {
    json confirmed = full_delta();
    confirmed["record_actions"][0]["confirmation"] = {{"status", "completed"}, {"source", {{"label", "x"}}}};
    check_refused(confirmed, delta_error, Reason::unknown_field, "/record_actions/0/confirmation");
    for (const char* name : {"authority", "superseded_by", "resolved"}) {
        json given = full_delta();
        given["notes"][0][name] = "host";
        check_refused(given, delta_error, Reason::unknown_field, std::string("/notes/0/") + name);
    }
    json kept = full_snapshot();
    kept["actions"][0]["error"] = "prose";
    check_refused(kept, snapshot_error, Reason::unknown_field, "/actions/0/error");
}

TEST_CASE("decode: a misspelled required field is named as it was spelled", "[codec]") {
    json changed = full_delta();
    changed["notes"][0].erase("text");
    changed["notes"][0]["txt"] = "Why?";
    check_refused(changed, delta_error, Reason::unknown_field, "/notes/0/txt");
}

TEST_CASE("decode: a missing required field is refused with the pointer where it should stand", "[codec][spec:N13]") {
    const std::vector<std::string> of_snapshot{"/format",
                                               "/id",
                                               "/profile",
                                               "/scope",
                                               "/scope/owner",
                                               "/scope/workspace",
                                               "/revision",
                                               "/lifecycle",
                                               "/created_at",
                                               "/updated_at",
                                               "/last_progress_at",
                                               "/notes/0/id",
                                               "/notes/0/category",
                                               "/notes/0/authority",
                                               "/notes/0/text",
                                               "/notes/0/source",
                                               "/notes/0/source/label",
                                               "/notes/0/source/evidence/kind",
                                               "/notes/0/source/evidence/id",
                                               "/items/0/id",
                                               "/items/0/title",
                                               "/items/0/status",
                                               "/items/0/assurance",
                                               "/sources/0/id",
                                               "/actions/0/execution",
                                               "/actions/0/status",
                                               "/actions/0/completion",
                                               "/actions/0/confirmation/status",
                                               "/actions/0/confirmation/source",
                                               "/link/kind",
                                               "/link/id"};
    for (const auto& path : of_snapshot) {
        const json::json_pointer pointer(path);
        json changed = full_snapshot();
        changed[pointer.parent_pointer()].erase(pointer.back());
        check_refused(changed, snapshot_error, Reason::missing_field, path);
    }
    const std::vector<std::string> of_delta{"/notes/0/id",
                                            "/notes/0/category",
                                            "/notes/0/text",
                                            "/notes/0/source",
                                            "/record_actions/0/execution",
                                            "/record_actions/0/status",
                                            "/record_actions/0/completion",
                                            "/confirm_actions/0/execution",
                                            "/confirm_actions/0/status",
                                            "/confirm_actions/0/source",
                                            "/link/id",
                                            "/link/status"};
    for (const auto& path : of_delta) {
        const json::json_pointer pointer(path);
        json changed = full_delta();
        changed[pointer.parent_pointer()].erase(pointer.back());
        check_refused(changed, delta_error, Reason::missing_field, path);
    }
}

TEST_CASE("decode: null is not absent, and no value stands for one of another type", "[codec][spec:C4][hazard:19]") {
    const std::pair<json, Decode> documents[] = {{full_snapshot(), snapshot_error}, {full_delta(), delta_error}};
    for (const auto& [document, decode] : documents) {
        std::vector<std::string> values;
        collect_values(document, "", values);
        REQUIRE(values.size() > 20);
        for (const std::string& path : values) {
            const json::json_pointer pointer(path);
            for (const json& other : {json(nullptr), json(7), json("7"), json(true), json::array(), json::object()}) {
                if (other.type() == document[pointer].type() || (other.is_number() && document[pointer].is_number()))
                    continue;
                json changed = document;
                changed[pointer] = other;
                check_refused(changed, decode, Reason::wrong_type, path);
            }
        }
    }
    for (const char* text : {"null", "[]", "\"{}\"", "1"}) {
        CHECK(delta_error(text).reason == Reason::wrong_type);
        CHECK(snapshot_error(text).reason == Reason::wrong_type);
    }
}

TEST_CASE("decode: an integer is spelled as one and lies between 0 and 2^53 - 1", "[codec][spec:C4][hazard:19]") {
    struct Row {
        const char* spelling;
        Reason reason;
    };
    const Row rows[] = {
        {"1.0", Reason::not_an_integer},
        {"1e3", Reason::not_an_integer},
        {"1.9", Reason::not_an_integer},
        {"-0", Reason::not_an_integer},
        {"0.0", Reason::not_an_integer},
        {"-0.0", Reason::not_an_integer},
        {"1E0", Reason::not_an_integer},
        {"1e-1", Reason::not_an_integer},
        {"-1", Reason::out_of_range},
        {"9007199254740992", Reason::out_of_range},
        {"18446744073709551615", Reason::out_of_range},
        {"18446744073709551616", Reason::out_of_range},
        {"-9223372036854775809", Reason::out_of_range},
        {"1e999", Reason::out_of_range},
        {"100000000000000000000000000000000", Reason::out_of_range},
        {"NaN", Reason::not_json},
        {"01", Reason::not_json},
        {"\"1\"", Reason::wrong_type},
        {"null", Reason::wrong_type},
    };
    for (const char* path :
         {"/revision", "/next_ids/item", "/next_ids/constraint", "/notes/0/source/evidence/size_bytes"}) {
        for (const auto& [spelling, reason] : rows) {
            INFO(path << " " << spelling);
            const Error error = snapshot_error(respelled(full_snapshot(), path, spelling));
            // What is no JSON number is found before anybody knows that it stands in evidence.
            const bool is_json = reason != Reason::not_json && std::string_view(spelling) != "1e999";
            CHECK(word(error.reason) == word(is_json ? reason_at(path, reason) : reason));
            CHECK(error.path == path);
        }
        CHECK(decode_snapshot(respelled(full_snapshot(), path, "9007199254740991")).has_value());
        CHECK(decode_snapshot(respelled(full_snapshot(), path, "0")).has_value());
    }
}

TEST_CASE("decode: a time has exactly the canonical form", "[codec][hazard:19]") {
    for (const char* time : {"2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000+00:00", "2026-02-30T00:00:00.000Z",
                             "1969-12-31T23:59:59.999Z", "2026-01-01 00:00:00.000Z", "", "1e999"}) {
        for (const char* path :
             {"/created_at", "/updated_at", "/last_progress_at", "/actions/0/started_at", "/actions/0/ended_at"}) {
            json changed = full_snapshot();
            changed[json::json_pointer(path)] = time;
            check_refused(changed, snapshot_error, Reason::bad_time, path);
        }
    }
}

TEST_CASE("decode: a word outside its closed list is refused", "[codec][spec:N12]") {
    const std::pair<const char*, const char*> rows[] = {{"/lifecycle", "Open"},
                                                        {"/notes/0/category", "rumour"},
                                                        {"/notes/0/authority", "model"},
                                                        {"/items/0/status", "done"},
                                                        {"/items/0/assurance", "certain"},
                                                        {"/actions/0/status", "skipped"},
                                                        {"/actions/0/completion", ""},
                                                        {"/actions/0/cancellation", "none"},
                                                        {"/actions/0/confirmation/status", "done"},
                                                        {"/link/kind", "agent"},
                                                        {"/notes/0/source/evidence/kind", "rumour"},
                                                        {"/notes/0/source/evidence/status", "lost"}};
    for (const auto& [path, word_there] : rows) {
        json changed = full_snapshot();
        changed[json::json_pointer(path)] = word_there;
        check_refused(changed, snapshot_error, Reason::unknown_word, path);
    }
    for (const auto category : Words<Category>::list) {
        json changed = full_delta();
        changed["notes"][0]["category"] = category;
        CHECK(decode_delta(changed.dump()).has_value());
    }
    json changed = full_delta();
    changed["notes"][0]["category"] = "rumour";
    check_refused(changed, delta_error, Reason::unknown_word, "/notes/0/category");
}

TEST_CASE("decode: a newer format says so before its unknown fields do", "[codec][spec:P1][hazard:6]") {
    struct Row {
        const char* format;
        Reason reason;
    };
    const Row rows[] = {{"taskstate.snapshot/2", Reason::newer_format},
                        {"taskstate.snapshot/10", Reason::newer_format},
                        {"taskstate.snapshot/0", Reason::unknown_word},
                        {"taskstate.snapshot/01", Reason::unknown_word},
                        {"taskstate.snapshot/1.5", Reason::unknown_word},
                        {"taskstate.snapshot", Reason::unknown_word},
                        {"taskstate.snapshot/", Reason::unknown_word},
                        {"taskstate.delta/1", Reason::unknown_word},
                        {"", Reason::unknown_word}};
    for (const auto& [format, reason] : rows) {
        json changed = full_snapshot();
        changed["format"] = format;
        changed["a_new_field"] = 1;
        changed["notes"][0]["a_new_field"] = 1;
        check_refused(changed, snapshot_error, reason, "/format");
    }
    json newer = full_delta();
    newer["format"] = "taskstate.delta/2";
    newer["merge"] = true;
    check_refused(newer, delta_error, Reason::newer_format, "/format");
    json unnamed = full_delta();
    unnamed.erase("format");
    CHECK(decode_delta(unnamed.dump()).has_value());
}

TEST_CASE("decode: a part of a scope is absent or has text", "[codec]") {
    for (const char* part : {"tenant", "agent"}) {
        json changed = full_snapshot();
        changed["scope"][part] = "";
        check_refused(changed, snapshot_error, Reason::blank, std::string("/scope/") + part);
    }
}

TEST_CASE("decode: empty lists and false flags mean absent", "[codec]") {
    json spelled_out = minimal_snapshot();
    for (const char* list : {"notes", "items", "sources", "actions"}) spelled_out[list] = json::array();
    spelled_out["schema_locked"] = false;
    spelled_out["next_ids"] = json::object();
    const auto a = decode_snapshot(spelled_out.dump()), b = decode_snapshot(minimal_snapshot().dump());
    REQUIRE(a.has_value());
    REQUIRE(b.has_value());
    CHECK(*a == *b);
}
