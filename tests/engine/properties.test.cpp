// What holds after any sequence of transactions.

#include "support/catch.hpp"

#include <taskstate/base/json_writer.hpp>
#include <taskstate/engine/apply.hpp>
#include <taskstate/engine/history.hpp>
#include <taskstate/model/wire.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace taskstate;

namespace {

/// Random transactions in a small world, so that they meet: six notes, five items, three actions.  The seed is the number of the
/// walk.
class World {
 public:
    explicit World(std::size_t number) : random_(number) {}

    Result<Transaction> transaction(const Snapshot& head, const Rules& rules) {
        if (below(5) > 0) return admit(delta(head), head.revision(), rules);
        const std::vector<NoteInput> notes{note(head, std::nullopt)};
        return admit(notes, below(2) == 0 ? Standing::proposal : Standing::assumption, head.revision(), rules);
    }

 private:
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
    template <class E>
    E word() {
        return static_cast<E>(below(Words<E>::list.size()));
    }
    std::string any_note() { return std::string(1, static_cast<char>('a' + below(6))); }
    std::string any_action() { return "e" + std::to_string(below(3)); }
    /// Mostly one of `wanted`, where there is any.
    std::string mostly(const std::vector<std::string_view>& wanted, std::string any) {
        return wanted.empty() || below(5) == 0 ? std::move(any) : std::string(wanted[below(wanted.size())]);
    }

    SourceInput source() {
        SourceInput source{.label = "s"};
        if (below(5) == 0) source.evidence = EvidenceInput{.kind = word<EvidenceKind>(), .id = "ev"};
        return source;
    }
    NoteInput note(const Snapshot& head, OptText supersedes) {
        std::vector<std::string_view> free{"a", "b", "c", "d", "e", "f"};
        std::erase_if(free, [&](std::string_view id) { return head.notes().find(id).has_value(); });
        NoteInput note{.id = mostly(free, any_note()),
                       .category = below(5) > 0 ? Category::constraint : Category::decision,
                       .text = std::string(1 + below(30), 'x'),
                       .supersedes = std::move(supersedes),
                       .source = source()};
        if (below(4) == 0) note.conflicts_with = {any_note()};
        if (below(4) == 0) note.gates_completion = true;
        return note;
    }
    ActionOutcome outcome() {
        ActionOutcome outcome{
            .execution = any_action(), .status = ActionStatus::started, .completion = Completion::unknown};
        if (below(3) > 0) outcome.status = below(4) > 0 ? ActionStatus::failed : word<ActionStatus>();
        if (outcome.status != ActionStatus::started && below(2) == 0) {
            outcome.completion = Completion::settled;
            outcome.ended_at = Timestamp{static_cast<std::int64_t>(below(2))};
        }
        if (below(4) == 0) outcome.cancellation = word<Cancellation>();
        if (below(4) == 0)
            outcome.evidence = EvidenceInput{.kind = EvidenceKind::tool_call, .id = below(2) == 0 ? "ev" : "other"};
        return outcome;
    }
    std::string any_item() { return "t" + std::to_string(1 + below(5)); }
    ItemInput item() {
        ItemInput item{.title = std::string(1 + below(9), 'y'), .required = below(2) == 0};
        if (below(2) == 0) item.id = any_item();
        if (below(3) == 0) item.depends_on = {any_item()};
        if (below(3) == 0) item.because = {any_note()};
        return item;
    }
    ItemChange item_change() {
        ItemChange change{.id = any_item()};
        if (below(4) > 0) change.status = word<ItemStatus>();
        if (below(4) == 0) change.title = std::string(1 + below(9), 'z');
        if (below(2) == 0) change.reason = "r";
        if (below(4) == 0) change.assurance = word<Assurance>();
        if (below(4) == 0) change.evidence = {{.kind = EvidenceKind::tool_call, .id = below(2) == 0 ? "ev" : "other"}};
        return change;
    }
    void plan(HostDelta& delta) {
        static constexpr std::array phases =
            std::to_array<std::string_view>({"plan", "collect", "validate", "execute", "verify", "complete"});
        switch (below(5)) {
            case 0:
                delta.add_items.push_back(item());
                break;
            case 1:
                delta.phase = phases[below(phases.size())];
                break;
            case 2:
                if (below(2) == 0)
                    delta.add_sources = {any_item()};
                else
                    delta.inspected = {any_item()};
                break;
            default:
                delta.items.push_back(item_change());
        }
    }
    HostDelta delta(const Snapshot& head) {
        std::vector<std::string_view> active, actions;
        for (const Note& note : head.notes()) {
            if (note.active()) active.push_back(note.id);
        }
        for (const Action& action : head.actions()) actions.push_back(action.execution);
        const Prunable free = prunable(head.state());
        HostDelta delta;
        for (std::size_t moves = 1 + below(2); moves > 0; --moves) {
            switch (below(11)) {
                case 0:
                    delta.notes.push_back(note(head, std::nullopt));
                    break;
                case 1:
                    delta.notes.push_back(note(head, mostly(active, any_note())));
                    break;
                case 2:
                    delta.resolve.push_back(mostly(active, any_note()));
                    break;
                case 3:
                    delta.record_actions.push_back(outcome());
                    break;
                case 4:
                    delta.confirm_actions.push_back({mostly(actions, any_action()), word<Confirmed>(), source()});
                    break;
                case 5:
                    delta.prune.notes.push_back(mostly(free.notes, any_note()));
                    break;
                case 6:
                    delta.prune.actions.push_back(mostly(free.actions, any_action()));
                    break;
                case 7:
                    delta.link = LinkStatus{"job-1", std::string(taskstate::word(word<Confirmed>()))};
                    break;
                default:
                    plan(delta);
            }
        }
        return delta;
    }

    std::mt19937_64 random_;
};

const Rules wide{.profile = find_profile("general-v1")};

Snapshot empty_task() {
    const Identity identity{.id = "t", .profile = "general-v1", .scope = {.owner = "u", .workspace = "w"}};
    State state{.identity = std::make_shared<const Identity>(identity)};
    state.phase = "plan";
    state.link = SavedLink{{LinkKind::task, "job-1"}, std::nullopt};
    return Snapshot(std::move(state));
}

/// The same state made anew from what would be saved: nothing in it was carried along from step to step.
State rebuilt(const Snapshot& snapshot) {
    auto state = admit(to_input(snapshot), wide);
    REQUIRE(state);
    return *std::move(state);
}

std::uint64_t json_bytes(const State& state) {
    JsonWriter json;
    write(json, state);
    return json.size();
}

void check_carried_numbers(const Snapshot& snapshot) {
    const State& state = snapshot.state();
    const Snapshot fresh(rebuilt(snapshot));
    REQUIRE((fresh == snapshot));
    REQUIRE((fresh.semantic_digest() == snapshot.semantic_digest()));
    REQUIRE((fresh.state_digest() == snapshot.state_digest()));
    REQUIRE((snapshot_bytes(state) == json_bytes(state)));
    const auto same_totals = [](const EntryList& a, const EntryList& b) {
        return a.line_bytes() == b.line_bytes() && a.tokens() == b.tokens() && a.json_bytes() == b.json_bytes();
    };
    REQUIRE((same_totals(state.notes, fresh.state().notes)));
    REQUIRE((same_totals(state.items, fresh.state().items)));
    REQUIRE((same_totals(state.actions, fresh.state().actions)));
}

/// Walks of random transactions; calls `check` with each one and its decision.
template <class Check>
void walk(const Rules& rules, const Check& check) {
    constexpr std::size_t walks = 50, steps = 60;
    std::size_t accepted = 0;
    for (std::size_t number = 0; number < walks; ++number) {
        World world(number);
        Snapshot head = empty_task();
        for (std::size_t step = 0; step < steps; ++step) {
            INFO("walk " << number << ", step " << step);
            const auto transaction = world.transaction(head, rules);
            if (!transaction) continue;
            const Timestamp now{static_cast<std::int64_t>(step)};
            const Decision decision = apply(head, *transaction, rules, now);
            check(head, *transaction, decision, now);
            if (decision.outcome == Outcome::accepted) ++accepted;
            head = decision.snapshot;
        }
    }
    CHECK(accepted > walks * steps / 6);  // a walk that goes nowhere proves nothing
}

}  // namespace

TEST_CASE("properties: every state that transactions reach is consistent", "[engine][spec:R9]") {
    walk(wide, [](const Snapshot&, const Transaction&, const Decision& decision, Timestamp) {
        REQUIRE(validate(decision.snapshot.state(), wide));
        REQUIRE(validate(rebuilt(decision.snapshot), wide));
    });
}

TEST_CASE("properties: a transaction on the same state has the same decision", "[engine]") {
    walk(wide, [](const Snapshot& head, const Transaction& transaction, const Decision& decision, Timestamp now) {
        const Decision again = apply(Snapshot(rebuilt(head)), transaction, wide, now);
        REQUIRE(again.outcome == decision.outcome);
        REQUIRE((again.error == decision.error));
        REQUIRE((again.snapshot == decision.snapshot));
        REQUIRE((again.snapshot.state_digest() == decision.snapshot.state_digest()));
    });
}

TEST_CASE("properties: an accepted transaction adds one revision, any other leaves the head", "[engine][spec:D9]") {
    walk(wide, [](const Snapshot& head, const Transaction&, const Decision& decision, Timestamp) {
        if (decision.outcome == Outcome::accepted) {
            REQUIRE(decision.snapshot.revision().number == head.revision().number + 1);
            REQUIRE((decision.snapshot.semantic_digest() != head.semantic_digest()));
        } else {
            REQUIRE(decision.snapshot.same_object(head));
        }
    });
}

TEST_CASE("properties: totals and digests carried from step to step are those of the state made anew", "[engine]") {
    walk(wide, [](const Snapshot&, const Transaction&, const Decision& decision, Timestamp) {
        check_carried_numbers(decision.snapshot);
    });
}

TEST_CASE("properties: the judge's capacity and the full validation say the same", "[engine][spec:C1]") {
    const Rules tight{.profile = wide.profile,
                      .limits = {.entries_max = 5, .tokens_max = 90, .snapshot_bytes_max = 1000}};
    std::size_t refused = 0;
    walk(tight, [&](const Snapshot& head, const Transaction& transaction, const Decision& decision, Timestamp now) {
        const Decision unlimited = apply(head, transaction, wide, now);
        if (unlimited.outcome != Outcome::accepted) {
            REQUIRE(decision.outcome == unlimited.outcome);
            return;
        }
        const auto valid = validate(rebuilt(unlimited.snapshot), tight);
        REQUIRE(valid.has_value() == (decision.outcome == Outcome::accepted));
        if (valid) return;
        ++refused;
        REQUIRE((valid.error() == decision.error));
    });
    CHECK(refused > 100);
}

TEST_CASE("properties: what a log keeps of each commit, replayed from the first, is the head at every revision",
          "[engine]") {
    State log;
    walk(wide, [&log](const Snapshot& head, const Transaction&, const Decision& decision, Timestamp) {
        if (head.revision() == Revision{}) log = head.state();
        if (decision.outcome != Outcome::accepted) return;
        const Snapshot& after = decision.snapshot;
        auto next = replay(std::move(log), frame_of(after.state()), changes(head, after));
        REQUIRE(next);
        log = *std::move(next);
        REQUIRE((Snapshot(log) == after));
        REQUIRE((Snapshot(log).state_digest() == after.state_digest()));
    });
}
