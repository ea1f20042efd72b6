// The published schemas and the library accept and refuse the same documents.

#include "support/schema.hpp"
#include "support/builders.hpp"
#include "support/catch.hpp"
#include "support/generate.hpp"
#include "support/generate_proposal.hpp"

#include <taskstate/codec/json.hpp>

using namespace taskstate;
using nlohmann::json;

namespace {

test::Schemas& schemas() {
    static test::Schemas loaded(TASKSTATE_SOURCE_DIR "/docs/schema");
    return loaded;
}

// Why the library refuses the snapshot, at whichever of its doors.
std::optional<Error> refused_snapshot(const json& document) {
    const auto saved = decode_snapshot(document.dump());
    if (!saved) return saved.error();
    TaskOptions options{.id = saved->id, .scope = saved->scope, .association = saved->association, .goal = saved->goal};
    options.limits = Limits{.tokens_max = 100'000};  // what is asked is whether the shape is right
    if (saved->link) options.link = saved->link->target;
    const auto task = TaskState::open(options, *saved);
    return task ? std::nullopt : std::optional(task.error());
}
std::optional<Error> refused_delta(const json& document) {
    const auto delta = decode_delta(document.dump());
    if (!delta) return delta.error();
    TaskState task =
        *TaskState::create({.id = "t", .scope = {.owner = "o", .workspace = "w"}, .profile = "general-v1"});
    const auto done = task.update(*delta, {});
    return done ? std::nullopt : std::optional(done.error());
}

std::optional<Error> refused_proposal(const json& document) {
    const auto proposal = decode_proposal(document.dump());
    if (!proposal) return proposal.error();
    const Profile& profile = *find_profile("general-v1");
    const auto admitted =
        admit(*proposal, Intake::submission, {.profile = &profile, .limits = {}, .text = TextPolicy::refuse});
    return admitted ? std::nullopt : std::optional(admitted.error());
}
std::optional<Error> refused_profile(const json& document) {
    const auto profile = decode_profile(document.dump());
    if (!profile) return profile.error();
    const auto checked = check_profile(*profile);
    return checked ? std::nullopt : std::optional(checked.error());
}

std::string text(std::size_t code_points) {
    std::string out;
    for (; code_points > 0; --code_points) out += "😀";
    return out;
}

json snapshot_to_mutate() {
    return json::parse(R"({
        "format":"taskstate.snapshot/1","id":"t","profile":"notebook-v1","scope":{"owner":"o","workspace":"w"},
        "association":"s","revision":3,"goal":"g","lifecycle":"open","phase":"p",
        "created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z",
        "last_progress_at":"2026-01-01T00:00:00.000Z",
        "notes":[{"id":"a","category":"decision","authority":"host","text":"x","conflicts_with":["b"],
                  "source":{"label":"l","turn":"u","evidence":{"kind":"record","id":"r","size_bytes":1,
                  "digest":"sha256:0000000000000000000000000000000000000000000000000000000000000000","status":"pending"}}}],
        "items":[{"id":"t1","title":"x","status":"ready","assurance":"asserted","kind":"k","because":["a"],"content":{},
                  "reason":"r","evidence":[]}],
        "sources":[{"id":"doc"}],
        "actions":[{"execution":"e","tool":"t","status":"started","completion":"unknown",
                    "started_at":"2026-01-01T00:00:00.000Z",
                    "confirmation":{"status":"pending","source":{"label":"l"}}}],
        "link":{"kind":"task","id":"k","status":"pending"},"next_ids":{"item":2}})");
}

json delta_to_mutate() {
    return json::parse(R"({
        "format":"taskstate.delta/1",
        "notes":[{"id":"a","category":"decision","text":"x","source":{"label":"l"},"gates_completion":false}],
        "record_actions":[{"execution":"e","status":"started","completion":"unknown","error":{"any":[null]}}],
        "confirm_actions":[{"execution":"e","status":"pending","source":{"label":"l"}}],
        "resolve":["a"],"prune":{"notes":["a"]},"reason":"r",
        "add_sources":["doc"],"inspected":["doc"],"phase":"collect","lock_schema":true,
        "add_items":[{"title":"y","id":"t2"},
                     {"title":"x","id":"t1","kind":"k","status":"ready","required":true,"depends_on":["t2"],
                      "because":["a"],"content":{}}],
        "items":[{"id":"t1","status":"blocked","title":"x","content":{},"reason":"r","assurance":"asserted",
                  "evidence":[{"kind":"record","id":"r"}]}]})");
}

json proposal_to_mutate() {
    return json::parse(R"({
        "format":"taskstate.proposal/1","task":"t","scope":{"owner":"o","workspace":"w"},"key":"k","base":3,
        "actor":{"role":"operator","name":"ana@example.org"},"assurance":"asserted","reason":"r","interpreter":"m",
        "action_fingerprint":"sha256:0000000000000000000000000000000000000000000000000000000000000000",
        "evidence":[{"kind":"tool_call","id":"c"}],
        "operations":[
            {"op":"add_note","id":"n","category":"decision","text":"x","source":{"label":"l"},"authority":"proposal",
             "gates_completion":false,"conflicts_with":["a"]},
            {"op":"resolve_note","id":"n"},
            {"op":"add_item","title":"x","ref":"new","status":"ready","required":true,"depends_on":["t1"]},
            {"op":"set_item_status","id":"new","status":"running","reason":"r","assurance":"asserted","evidence":[]},
            {"op":"set_item_title","id":"new","title":"y"},
            {"op":"set_item_content","id":"new","content":{"a":1}},
            {"op":"set_item_blocker","id":"new","reason":"r"},
            {"op":"add_source","id":"a ref"},
            {"op":"mark_source_inspected","id":"a ref"},
            {"op":"set_phase","phase":"execute"},
            {"op":"lock_schema"},
            {"op":"record_action","execution":"e","status":"started","completion":"unknown","error":[1]},
            {"op":"confirm_action","execution":"e","status":"pending","source":{"label":"l"}},
            {"op":"prune","notes":["n"]},
            {"op":"sync_link","id":"k","status":"pending"}]})");
}

json profile_to_mutate() {
    return json::parse(R"({
        "format":"taskstate.profile/1","id":"team-v1","description":"For the team.","notes":{"constraints_gate":true},
        "items":{"next":{"pending":["ready"],"completed":[]},"reasoned":["failed"],"completion_needs_evidence":true,
                 "correction_reopens":false,"required_kinds":["step"]},
        "phases":["a","b"],"phase_transitions":[{"from":"a","to":"b"}],"extension_phases":["a"],
        "block":{"hidden_when_empty":false,"drop_order":[]},"permitted_operations":["set_phase"],"repeats_max":1,
        "expiry":{"absolute_age_ms":1,"no_progress_ms":1},"binding_lifetime_ms":1,"limits":{"items_max":1}})");
}

struct Mutation {
    const char* path;
    json value;
};

void check_both_refuse(const char* schema, const json& good, const std::vector<Mutation>& mutations,
                       std::optional<Error> (*refused)(const json&)) {
    REQUIRE_FALSE(schemas().violation(schema, good).has_value());
    if (const auto error = refused(good)) FAIL(error->message);
    for (const auto& [path, value] : mutations) {
        json changed = good;
        changed[json::json_pointer(path)] = value;
        INFO(path << " = " << value.dump().substr(0, 100));
        CHECK(schemas().violation(schema, changed).has_value());
        CHECK(refused(changed).has_value());
    }
}

}  // namespace

TEST_CASE("schema: every snapshot that is written keeps to it", "[codec]") {
    CHECK(rc::check("encode(s) is valid", [] {
        const json document = json::parse(encode(test::admitted(*test::any_snapshot())));
        const auto broken = schemas().violation("snapshot.schema.json", document);
        if (broken) RC_FAIL(*broken);
        const json file = {
            {"format", "taskstate.file/1"}, {"digest", "sha256:" + std::string(64, 'a')}, {"snapshot", document}};
        RC_ASSERT_FALSE(schemas().violation("file.schema.json", file).has_value());
    }));
}

TEST_CASE("schema: every delta that is written keeps to it", "[codec]") {
    CHECK(rc::check("encode(d) is valid", [] {
        const auto broken = schemas().violation("delta.schema.json", json::parse(encode(*test::any_delta())));
        if (broken) RC_FAIL(*broken);
    }));
}

TEST_CASE("schema: every proposal and every profile that is written keeps to it", "[codec]") {
    CHECK(rc::check("encode(p) is valid", [] {
        const auto broken = schemas().violation("proposal.schema.json", json::parse(encode(*test::any_proposal())));
        if (broken) RC_FAIL(*broken);
    }));
    CHECK(rc::check("encode(profile) is valid", [] {
        const auto broken = schemas().violation("profile.schema.json", json::parse(encode(*test::any_profile())));
        if (broken) RC_FAIL(*broken);
    }));
}

TEST_CASE("schema: a wrong snapshot is refused by the schema and by the library", "[codec][spec:C5]") {
    const std::vector<Mutation> mutations{
        {"/format", "taskstate.snapshot/2"},
        {"/id", ""},
        {"/id", "-a"},
        {"/id", "a b"},
        {"/id", std::string(129, 'a')},
        {"/profile", "é"},
        {"/scope/owner", ""},
        {"/scope/workspace", text(257)},
        {"/scope/tenant", ""},
        {"/scope/agent", 1},
        {"/scope/user", "u"},
        {"/association", text(257)},
        {"/association", nullptr},
        {"/revision", -1},
        {"/revision", 9'007'199'254'740'992},
        {"/revision", 1.5},
        {"/revision", "1"},
        {"/goal", ""},
        {"/goal", text(2'001)},
        {"/lifecycle", "done"},
        {"/phase", "a b"},
        {"/schema_locked", "true"},
        {"/created_at", "2026-01-01"},
        {"/updated_at", 1},
        {"/last_progress_at", "1969-01-01T00:00:00.000Z"},
        {"/surprise", 1},
        {"/notes", json::object()},
        {"/notes/0", "a"},
        {"/notes/0/id", text(1)},
        {"/notes/0/category", "rumour"},
        {"/notes/0/authority", "model"},
        {"/notes/0/text", ""},
        {"/notes/0/text", text(8'001)},
        {"/notes/0/source", "label"},
        {"/notes/0/source/label", text(513)},
        {"/notes/0/source/label", ""},
        {"/notes/0/source/turn", text(257)},
        {"/notes/0/source/evidence/kind", "rumour"},
        {"/notes/0/source/evidence/id", ""},
        {"/notes/0/source/evidence/digest", "sha256:00"},
        {"/notes/0/source/evidence/size_bytes", -1},
        {"/notes/0/source/evidence/status", "lost"},
        {"/notes/0/source/evidence/scope", {{"owner", "o"}}},
        {"/notes/0/supersedes", ""},
        {"/notes/0/superseded_by", nullptr},
        {"/notes/0/conflicts_with", "b"},
        {"/notes/0/conflicts_with", {"b", 1}},
        {"/notes/0/resolved", 1},
        {"/notes/0/gates_completion", "yes"},
        {"/notes/0/because", json::array()},
        {"/items/0/title", text(2'001)},
        {"/items/0/status", "done"},
        {"/items/0/assurance", "certain"},
        {"/items/0/kind", text(101)},
        {"/items/0/required", "true"},
        {"/items/0/because", json(std::vector<std::string>(17, "a"))},
        {"/items/0/depends_on", json(std::vector<std::string>(501, "a"))},
        {"/items/0/evidence", json(std::vector<json>(51, {{"kind", "record"}, {"id", "r"}}))},
        {"/items/0/content", json::array()},
        {"/items/0/reason", text(2'001)},
        {"/sources/0/id", text(257)},
        {"/sources/0/inspected", 1},
        {"/actions/0/execution", ""},
        {"/actions/0/tool", text(257)},
        {"/actions/0/status", "skipped"},
        {"/actions/0/completion", "maybe"},
        {"/actions/0/cancellation", "none"},
        {"/actions/0/started_at", "now"},
        {"/actions/0/error", "prose"},
        {"/actions/0/confirmation/status", "done"},
        {"/actions/0/confirmation/source", json::object()},
        {"/link/kind", "agent"},
        {"/link/id", ""},
        {"/link/status", "paused"},
        {"/link/owner", "o"},
        {"/next_ids/item", -1},
        {"/next_ids/note", 1},
    };
    check_both_refuse("snapshot.schema.json", snapshot_to_mutate(), mutations, refused_snapshot);
    for (const char* name : {"format", "id", "profile", "scope", "revision", "lifecycle", "created_at", "updated_at",
                             "last_progress_at"}) {
        json changed = snapshot_to_mutate();
        changed.erase(name);
        INFO(name);
        CHECK(schemas().violation("snapshot.schema.json", changed).has_value());
        CHECK(refused_snapshot(changed).has_value());
    }
}

TEST_CASE("schema: a wrong delta is refused by the schema and by the library", "[codec][spec:C5][spec:D8]") {
    const std::vector<Mutation> mutations{
        {"/format", "taskstate.delta/2"},
        {"/items/0/id", ""},
        {"/items/0/status", "done"},
        {"/items/0/title", text(2'001)},
        {"/items/0/content", json::array()},
        {"/items/0/assurance", "certain"},
        {"/items/0/evidence", {1}},
        {"/items/0/kind", "k"},
        {"/add_items/1/status", "running"},
        {"/add_items/1/ref", "a b"},
        {"/add_items/1/title", ""},
        {"/add_items/1/kind", text(101)},
        {"/add_items/1/depends_on", {""}},
        {"/add_items/1/reason", "r"},
        {"/add_sources", {""}},
        {"/inspected/0", text(257)},
        {"/phase", "a b"},
        {"/lock_schema", 1},
        {"/notes/0/authority", "host"},
        {"/notes/0/id", ""},
        {"/notes/0/text", text(8'001)},
        {"/notes/0/category", "rumour"},
        {"/notes/0/gates_completion", nullptr},
        {"/notes/0/source/label", text(513)},
        {"/resolve", "a"},
        {"/resolve", {""}},
        {"/record_actions/0/confirmation", json::object()},
        {"/record_actions/0/status", "skipped"},
        {"/record_actions/0/execution", std::string(129, 'e')},
        {"/record_actions/0/call", ""},
        {"/confirm_actions/0/status", "done"},
        {"/confirm_actions/0/source", json::object()},
        {"/prune/items", json::array()},
        {"/prune/notes", {" "}},
        {"/link", {{"id", "l"}}},
        {"/link", {{"id", "l"}, {"status", text(257)}}},
        {"/reason", ""},
        {"/reason", text(2'001)},
    };
    check_both_refuse("delta.schema.json", delta_to_mutate(), mutations, refused_delta);
}

TEST_CASE("schema: a wrong proposal is refused by the schema and by the library", "[codec]") {
    const std::vector<Mutation> mutations{
        {"/format", "taskstate.proposal/2"},
        {"/task", "a b"},
        {"/scope", {{"owner", "o"}}},
        {"/actor", "ana"},
        {"/actor/role", "root"},
        {"/actor/name", ""},
        {"/actor/authority", true},
        {"/key", ""},
        {"/key", text(257)},
        {"/base", -1},
        {"/operations", json::array()},
        {"/operations", json(std::vector<json>(51, {{"op", "lock_schema"}}))},
        {"/evidence", json(std::vector<json>(51, {{"kind", "record"}, {"id", "r"}}))},
        {"/assurance", "certain"},
        {"/reason", ""},
        {"/interpreter", text(257)},
        {"/action_fingerprint", "sha256:00"},
        {"/surprise", 1},
        {"/operations/0/op", "replace"},
        {"/operations/0/authority", "model"},
        {"/operations/0/gates_completion", "yes"},
        {"/operations/0/text", ""},
        {"/operations/0/source", {{"turn", "t"}}},
        {"/operations/1/id", ""},
        {"/operations/1/text", "x"},
        {"/operations/2/ref", "a b"},
        {"/operations/2/status", "completed"},
        {"/operations/2/title", text(2'001)},
        {"/operations/3/status", "done"},
        {"/operations/3/assurance", "certain"},
        {"/operations/3/title", "x"},
        {"/operations/3/reason", ""},
        {"/operations/4/title", ""},
        {"/operations/4/op", "set_item_status"},
        {"/operations/5/content", json::array()},
        {"/operations/6/reason", ""},
        {"/operations/6", {{"op", "set_item_blocker"}, {"id", "new"}}},
        {"/operations/7/id", text(257)},
        {"/operations/8/inspected", true},
        {"/operations/9/phase", "a b"},
        {"/operations/9", {{"op", "set_phase"}}},
        {"/operations/10/reason", "r"},
        {"/operations/10", json::object()},
        {"/operations/11/status", "done"},
        {"/operations/11/confirmation", json::object()},
        {"/operations/12/source", json::object()},
        {"/operations/13/notes", {" "}},
        {"/operations/14/status", ""},
    };
    check_both_refuse("proposal.schema.json", proposal_to_mutate(), mutations, refused_proposal);
    for (const char* name : {"task", "scope", "actor", "key", "base", "operations"}) {
        json changed = proposal_to_mutate();
        changed.erase(name);
        INFO(name);
        CHECK(schemas().violation("proposal.schema.json", changed).has_value());
        CHECK(refused_proposal(changed).has_value());
    }
}

TEST_CASE("schema: a wrong profile is refused by the schema and by the library", "[codec][governed:1.3]") {
    const std::vector<Mutation> mutations{
        {"/format", "taskstate.profile/2"},
        {"/id", "a b"},
        {"/description", ""},
        {"/description", text(2'001)},
        {"/notes/decisions_gate", true},
        {"/items/next/pending", {"done"}},
        {"/items/next/pending", {"ready", "ready"}},
        {"/items/next/done", json::array()},
        {"/items/reasoned", {"failed", "failed"}},
        {"/items/completion_needs_evidence", 1},
        {"/items/required_kinds", {"step", "step"}},
        {"/items/required_kinds", {text(101)}},
        {"/items/surprise", 1},
        {"/phases", {"a", "b", "a"}},
        {"/phases", {"a", ""}},
        {"/phase_transitions", {{"a", "b"}}},
        {"/phase_transitions/0/from", "a b"},
        {"/phase_transitions/0/why", "x"},
        {"/extension_phases", {"a", "a"}},
        {"/block/drop_order", {"goal"}},
        {"/block/drop_order", {"proposals", "proposals"}},
        {"/block/shown", true},
        {"/permitted_operations", json::array()},
        {"/permitted_operations", {"replace"}},
        {"/permitted_operations", {"prune", "prune"}},
        {"/repeats_max", 0},
        {"/expiry/absolute_age_ms", 0},
        {"/expiry/no_progress_ms", -1},
        {"/expiry/idle_ms", 1},
        {"/binding_lifetime_ms", 9'007'199'254'740'992},
        {"/limits/items_max", 0},
        {"/limits/notes_max", 1},
        {"/surprise", 1},
    };
    check_both_refuse("profile.schema.json", profile_to_mutate(), mutations, refused_profile);
}

TEST_CASE("schema: the longest texts in code points are accepted by both", "[codec][spec:C5]") {
    const std::pair<const char*, std::size_t> caps[] = {
        {"/association", 256},         {"/goal", 2'000},
        {"/notes/0/text", 8'000},      {"/notes/0/source/label", 512},
        {"/notes/0/source/turn", 256}, {"/items/0/title", 2'000},
        {"/items/0/kind", 100},        {"/items/0/reason", 2'000},
        {"/sources/0/id", 256},        {"/actions/0/tool", 256},
    };
    for (const auto& [path, cap] : caps) {
        json changed = snapshot_to_mutate();
        changed[json::json_pointer(path)] = text(cap);
        INFO(path);
        CHECK_FALSE(schemas().violation("snapshot.schema.json", changed).has_value());
        if (const auto error = refused_snapshot(changed)) FAIL_CHECK(error->message);
    }
}
