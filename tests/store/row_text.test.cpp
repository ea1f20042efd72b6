#include "store/row_text.hpp"

#include "support/builders.hpp"

#include <taskstate/engine/changes.hpp>
#include <taskstate/engine/history.hpp>

#include <string>
#include <vector>

namespace taskstate {
namespace {

const Scope scope{.tenant = "t", .owner = "o", .agent = "a", .workspace = "w"};
const Actor actor{.role = Role::operator_, .name = "Ann <ann@example.org>"};
const EvidenceInput evidence{.kind = EvidenceKind::tool_call, .id = "call 1", .scope = scope, .size_bytes = 3};

/// A head in which every member is set.
TaskHead full_head() {
    return {.identity = {.id = "delivery-42",
                         .profile = "general-v1",
                         .scope = scope,
                         .association = "s",
                         .goal = "Ship \"it\"\n",
                         .created_at = {1}},
            .frame = {.revision = {7},
                      .lifecycle = Lifecycle::paused,
                      .phase = "execute",
                      .schema_locked = true,
                      .link = SavedLink{{LinkKind::task, "other"}, "pending"},
                      .next_ids = {.item = 3, .constraint = 2},
                      .updated_at = {9},
                      .last_progress_at = {8}},
            .state_digest = sha256("state"),
            .terminal_reason = "done",
            .continues = "delivery-41",
            .expiry = {.absolute_age_ms = 10, .no_progress_ms = 20},
            .clock = "system-utc-v1",
            .pause = {.paused_at = Timestamp{9}, .paused_ms = 5},
            .due_at = Timestamp{11},
            .start_key = "k",
            .start_digest = sha256("start")};
}

DecisionRecord full_decision() {
    return {.sequence = 4,
            .id = "decision-1",
            .kind = StepKind::correction,
            .key = "key",
            .payload_digest = sha256("payload"),
            .outcome = Outcome::rejected,
            .reason = Reason::dependency_unsatisfied,
            .path = "/operations/0/status",
            .limit = 1,
            .actual = 2,
            .base = {6},
            .result = Revision{7},
            .decided_at = {12},
            .actor = actor,
            .assurance = Assurance::operator_confirmed,
            .evidence = {evidence},
            .guards =
                {{.kind = GuardKind::no_progress, .revision = {7}, .message = "m", .blocking = {"t1"}, .repeated = 3}},
            .action_fingerprint = "sha256:x",
            .shadow = true,
            .duration_ms = 1};
}

DeliveryRecord full_delivery() {
    return {.sequence = 2,
            .id = "delivery-1",
            .revision = {7},
            .withheld = Reason::prompt_budget_exceeded,
            .block_digest = sha256("block"),
            .block_bytes = 100,
            .omitted = {"item_content"},
            .prepared_at = {13},
            .exposed_at = Timestamp{14}};
}

Binding full_binding() {
    return {.id = "binding-1",
            .scope = scope,
            .identity = {.host = "h", .session = "s", .epoch = "0f"},
            .task = "delivery-42",
            .actor = actor,
            .reason = "r",
            .registered_at = {15},
            .expires_at = Timestamp{16},
            .revoked_at = Timestamp{17},
            .revoked_by = "Bob",
            .revoked_because = "over"};
}

/// The log of a task with entries of every kind, one put and one erased among them.
std::vector<RevisionRecord> full_log() {
    TaskOptions options = test::options();
    options.profile = "general-v1";
    TaskState task = test::open_task(options);
    const std::vector<HostDelta> deltas{
        {.add_sources = {"policy.md"},
         .notes = {test::constraint("budget"), test::note("q1", Category::question, "Which \u200b depot?")},
         .add_items = {{.title = "Weigh"}, {.title = "Book", .id = "b", .depends_on = {"t1"}, .because = {"budget"}}},
         .record_actions = {test::started("m4-c0")}},
        {.resolve = {"q1"},
         .items = {{.id = "t1",
                    .status = ItemStatus::completed,
                    .evidence = {{.kind = EvidenceKind::tool_call, .id = "call 1"}}}}},
        {.prune = {.notes = {"q1"}}}};
    std::vector<RevisionRecord> log;
    Snapshot before = *task.snapshot();
    for (const HostDelta& delta : deltas) {
        const Snapshot after = test::accept(task, delta);
        log.push_back({.frame = frame_of(after.state()),
                       .state_digest = after.state_digest(),
                       .semantic_digest = after.semantic_digest(),
                       .changes = changes(before, after),
                       .origin = {.actor = actor, .method = "typed_delta", .evidence = {evidence}, .reason = "why"},
                       .lineage = {{.kind = TargetKind::item, .id = "t1", .supersedes = Revision{1}}},
                       .progressed = true});
        before = after;
    }
    return log;
}

}  // namespace

TEST_CASE("row text: every record reads back as it was written", "[store]") {
    CHECK(*decode_row<TaskHead>(encode_row(full_head())) == full_head());
    CHECK(*decode_row<DecisionRecord>(encode_row(full_decision())) == full_decision());
    CHECK(*decode_row<DeliveryRecord>(encode_row(full_delivery())) == full_delivery());
    CHECK(*decode_row<Binding>(encode_row(full_binding())) == full_binding());
    CHECK(*decode_row<TaskHead>(encode_row(TaskHead{})) == TaskHead{});
    CHECK(*decode_row<DecisionRecord>(encode_row(DecisionRecord{})) == DecisionRecord{});
}

TEST_CASE("row text: a revision reads back with the very entries that it put", "[store]") {
    for (const RevisionRecord& revision : full_log()) {
        const std::string row = encode_row(revision);
        const auto read = decode_row<RevisionRecord>(row);
        REQUIRE(read.has_value());
        CHECK(encode_row(*read) == row);
        REQUIRE(read->changes.size() == revision.changes.size());
        for (std::size_t i = 0; i < read->changes.size(); ++i) {
            const EntryChange &written = revision.changes[i], &kept = read->changes[i];
            REQUIRE((kept.entry.get() == nullptr) == (written.entry.get() == nullptr));
            if (kept.entry.get() != nullptr) CHECK(*kept.entry == *written.entry);
        }
    }
}

TEST_CASE("row text: an entry goes into the list of its kind", "[store]") {
    SnapshotInput entries;
    const auto log = full_log();
    for (const EntryChange& change : log.front().changes) {
        REQUIRE(decode_entry(change.kind, encode_row(*change.entry), entries).has_value());
    }
    CHECK(entries.notes.size() == 2);
    CHECK(entries.items.size() == 2);
    CHECK(entries.sources.size() == 1);
    CHECK(entries.actions.size() == 1);
}

TEST_CASE("row text: what is cut, foreign or inadmissible is unreadable, with the place", "[store][hazard:12]") {
    const std::string row = encode_row(full_log().front());
    for (std::size_t size = 0; size < row.size(); ++size) {
        const auto read = decode_row<RevisionRecord>(row.substr(0, size));
        REQUIRE_FALSE(read.has_value());
        REQUIRE(read.error().reason == Reason::unreadable_record);
    }
    const auto path_with = [](std::string_view part, std::string_view in_its_place) {
        std::string head = encode_row(full_head());
        head.replace(head.find(part), part.size(), in_its_place);
        const auto read = decode_row<TaskHead>(head);
        REQUIRE_FALSE(read.has_value());
        CHECK(read.error().reason == Reason::unreadable_record);
        return read.error().path;
    };
    CHECK(path_with(R"({"clock")", R"({"zzz":1,"clock")") == "/clock");
    CHECK(path_with(R"("phase":"execute",)", R"("phase":"execute","zzz":1,)") == "/frame/revision");
    CHECK(path_with(R"("revision":7,)", "") == "/frame/revision");
    CHECK(path_with(R"("lifecycle":"paused")", R"("lifecycle":"gone")") == "/frame/lifecycle");
    CHECK(path_with(R"("constraint":2)", R"("constraint":0)") == "/frame/next_ids/constraint");
    CHECK(path_with(R"("schema_locked":true)", R"("schema_locked":false)") == "/frame/schema_locked");
    CHECK(path_with(R"("workspace":"w"})", R"("workspace":"w","zzz":1})") == "/identity/scope");
    CHECK(path_with(R"("pause":{)", R"("pause": {)") == "/pause");
    CHECK(decode_row<TaskHead>(encode_row(full_head()) + ' ').error().path.empty());
    std::string guarded = encode_row(full_decision());
    guarded.replace(guarded.find(R"("t1")"), 4, "1");
    CHECK(decode_row<DecisionRecord>(guarded).error().path == "/guards/0/blocking/0");
    std::string hostile = row;
    hostile.replace(hostile.find("Weigh"), 5, "\\u202ex");
    CHECK(decode_row<RevisionRecord>(hostile).error().reason == Reason::unreadable_record);
    std::string misspelled = row;
    misspelled.replace(misspelled.find(R"("title")"), 7, R"("tilte")");
    CHECK(decode_row<RevisionRecord>(misspelled).error().path.starts_with("/changes/"));
    CHECK(decode_row<RevisionRecord>(misspelled).error().path.ends_with("/entry/tilte"));
}

}  // namespace taskstate
