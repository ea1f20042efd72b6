#include "model/trusted_content.hpp"
#include "support/builders.hpp"
#include "support/golden.hpp"

#include <taskstate/model/wire.hpp>

#include <type_traits>

namespace taskstate {
namespace {

std::string canonical(const Snapshot& snapshot) {
    std::string text;
    JsonWriter json(text);
    write(json, snapshot.state());
    return text;
}

/// One of everything that the wire knows.
SnapshotInput full() {
    const Scope scope{.tenant = "tenant-a", .owner = "host-user", .agent = "courier", .workspace = "deliveries"};
    const EvidenceInput evidence{.kind = EvidenceKind::tool_call,
                                 .id = "ev-1",
                                 .digest = "sha256:" + std::string(64, 'a'),
                                 .scope = scope,
                                 .size_bytes = 12,
                                 .status = Acknowledged::pending};
    SnapshotInput saved{.id = "delivery-42", .profile = "notebook-v1", .scope = scope};
    saved.association = "workflow 7";
    saved.revision = {9};
    saved.goal = "Ship the order";
    saved.phase = "execute";
    saved.schema_locked = true;
    saved.notes = {{.note = {.id = "budget",
                             .category = Category::constraint,
                             .text = "Spend at most 50 EUR.",
                             .source = {.label = "User", .turn = "turn-1", .evidence = evidence},
                             .gates_completion = true},
                    .superseded_by = "budget-2"},
                   {.note = {.id = "budget-2",
                             .category = Category::constraint,
                             .text = "Spend at most 40 EUR.\nNot a cent more.",
                             .supersedes = "budget",
                             .source = {.label = "User", .turn = "turn 2"}}},
                   {.note = {.id = "p1",
                             .category = Category::decision,
                             .text = "Use the cheaper courier.",
                             .conflicts_with = {"budget"},
                             .source = {.label = "Model"}},
                    .standing = Standing::proposal,
                    .resolved = true}};
    saved.items = {{.id = "t1",
                    .title = "Book the courier",
                    .status = ItemStatus::completed,
                    .assurance = Assurance::host_reported},
                   {.id = "t2",
                    .title = "Pay",
                    .status = ItemStatus::blocked,
                    .kind = "payment",
                    .required = true,
                    .depends_on = {"t1"},
                    .because = {"budget-2"},
                    .content = TrustedContent::make(R"({"amount":40,"note":"</task-state>"})"),
                    .reason = "No card on file",
                    .evidence = {evidence}}};
    saved.sources = {{.id = "policy.md", .inspected = true}, {.id = "prices"}};
    saved.actions = {{.outcome = test::started("m4-c0")},
                     {.outcome = test::succeeded("m6-c0"),
                      .confirmation = ConfirmationInput{Confirmed::waiting_external, {.label = "Accepted"}}}};
    saved.actions[1].outcome.call = "call_1";
    saved.actions[1].outcome.run = "run 1";
    saved.actions[1].outcome.cancellation = Cancellation::requested;
    saved.actions[1].outcome.evidence = evidence;
    saved.link.emplace().target = {LinkKind::task, "t-9"};
    saved.link->status = "in_progress";
    saved.next_ids = {.item = 3, .constraint = 2};
    saved.created_at = {1'767'225'600'000};
    saved.updated_at = saved.last_progress_at = {1'767'225'660'000};
    return saved;
}

}  // namespace

TEST_CASE("snapshot: the wire form is the golden, and the two digests with it", "[model]") {
    const Snapshot snapshot = test::admitted(full());
    test::check_golden("snapshot-1.txt", canonical(snapshot) + "\n" + format_digest(snapshot.semantic_digest()) + "\n" +
                                             format_digest(snapshot.state_digest()) + "\n");
}

TEST_CASE("snapshot: the semantic digest is SHA-256 of the parts, lists by their digests", "[model]") {
    const Snapshot snapshot = test::admitted(full());
    const State& state = snapshot.state();
    const std::string text =
        R"({"actions":")" + hex(state.actions.digest()) +
        R"(","association":"workflow 7","format":"taskstate.semantic/1","goal":"Ship the order","id":"delivery-42","items":")" +
        hex(state.items.digest()) +
        R"(","lifecycle":"open","link":{"id":"t-9","kind":"task","status":"in_progress"},"notes":")" +
        hex(state.notes.digest()) +
        R"(","phase":"execute","profile":"notebook-v1","schema_locked":true,"scope":{"agent":"courier","owner":"host-user","tenant":"tenant-a","workspace":"deliveries"},"sources":")" +
        hex(state.sources.digest()) + R"("})";
    CHECK(snapshot.semantic_digest() == sha256(text));

    const std::string whole =
        R"({"created_at":"2026-01-01T00:00:00.000Z","format":"taskstate.state/1","last_progress_at":"2026-01-01T00:01:00.000Z","next_ids":{"constraint":2,"item":3},"revision":9,"semantic":")" +
        hex(snapshot.semantic_digest()) + R"(","updated_at":"2026-01-01T00:01:00.000Z"})";
    CHECK(snapshot.state_digest() == sha256(whole));
}

TEST_CASE("snapshot: revision and times leave the semantic digest alone", "[model]") {
    SnapshotInput later = full();
    later.revision = {10};
    later.updated_at.ms += 1;
    const Snapshot a = test::admitted(full()), b = test::admitted(later);
    CHECK(a.semantic_digest() == b.semantic_digest());
    CHECK(a.state_digest() != b.state_digest());
    CHECK_FALSE(a == b);
    CHECK(same_content(a.state(), b.state()));
}

TEST_CASE("snapshot: the bound of its bytes holds where every text is escaped and every member there", "[model]") {
    const std::string worst(200, '\x1F');  // as no admission would let it in
    const Snapshot snapshot = test::admitted(full());
    State state = snapshot.state();
    Identity identity = *state.identity;
    identity.scope = {worst, worst, worst, worst};
    identity.id = identity.profile = worst;
    identity.association = identity.goal = worst;
    state.identity = std::make_shared<const Identity>(identity);
    state.phase = worst;
    state.link = SavedLink{{LinkKind::routine, worst}, worst};
    state.lifecycle = Lifecycle::completed;
    state.revision = {integer_max};
    state.next_ids = {integer_max, integer_max};
    CHECK(snapshot_bytes_bound(state) >= snapshot_bytes(state));
    CHECK(snapshot_bytes(state) > std::size_t{6} * 11 * worst.size());
}

TEST_CASE("snapshot: an item of kind step is an item without a kind", "[model]") {
    SnapshotInput named = full();
    named.items[0].kind = "step";
    CHECK(test::admitted(named) == test::admitted(full()));
}

TEST_CASE("snapshot: a temporary refuses to hand out what dies with it", "[model]") {
    const auto can_ask = [](auto&& snapshot) {
        return requires {
            { std::forward<decltype(snapshot)>(snapshot).notes() } -> std::same_as<Entries<Note, &Entry::note>>;
        };
    };
    Snapshot snapshot = test::admitted(full());
    CHECK(can_ask(snapshot));
    CHECK_FALSE(can_ask(std::move(snapshot)));
}

}  // namespace taskstate
