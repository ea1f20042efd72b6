// What holds whatever is asked of a service, in whatever order.

#include "support/steps.hpp"

#include <rapidcheck.h>

#include <map>
#include <random>

using namespace taskstate;
using test::Desk;
using test::home;

namespace {

constexpr std::uint64_t no_progress_ms = 40 * test::minute_ms;

/// Somebody who asks for all kinds of things about two tasks, sensible and not.
class Crowd {
 public:
    explicit Crowd(std::uint32_t seed) : random_(seed) {
        profile_ = test::add_profile(desk_, "hasty-v1", {.no_progress_ms = no_progress_ms});
        static_cast<void>(start());
        static_cast<void>(
            desk_.service.bind({.task = {home, "a"}, .identity = test::chat, .actor = test::operator_olga}));
    }
    [[nodiscard]] Desk& desk() { return desk_; }

    /// One request; true if it was judged.
    bool act() {
        desk_.clock->advance(static_cast<std::int64_t>(below(10) * test::minute_ms));
        switch (below(10)) {
            case 0:
                return start();
            case 1:
                return desk_.service.lifecycle(lifecycle()).has_value();
            case 2:
                return observe_or_expire();
            case 3:
                return propose_delta();
            case 4:
                return desk_.service.correct(proposal()).has_value();
            case 5:
                return desk_.service.submit(last_).has_value();
            default:
                last_ = proposal();
                return desk_.service.submit(last_).has_value();
        }
    }

 private:
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <class E>
    E any() {
        return static_cast<E>(below(Words<E>::list.size()));
    }
    std::string task() { return one_in(9) ? "nobody" : std::string(1, static_cast<char>('a' + below(2))); }
    std::string key() { return "k" + std::to_string(below(120)); }
    std::string item() { return "t" + std::to_string(below(5)); }
    std::uint64_t base(const std::string& id) {
        const auto found = desk_.store->find({home, id}, std::nullopt);
        const std::uint64_t head = *found ? (**found).head.frame.revision.number : 1;
        return one_in(6) ? below(9) : head;
    }
    Actor actor() { return {.role = one_in(3) ? any<Role>() : Role::operator_, .name = "somebody"}; }
    OptText reason() { return one_in(2) ? OptText("Because") : std::nullopt; }

    Operation operation() {
        switch (below(8)) {
            case 0:
                return AddItem{{.title = "New", .id = item(), .required = one_in(2), .depends_on = {item()}}};
            case 1:
                return AddNote{.note = test::note("n" + std::to_string(below(4)))};
            case 2:
                return ResolveNote{one_in(2) ? "constraint-1" : "n" + std::to_string(below(4))};
            case 3:
                return SetPhase{one_in(2) ? "collect" : "execute"};
            case 4:
                return RecordAction{one_in(2) ? test::started("e1") : test::succeeded("e1")};
            case 5:
                return MarkSourceInspected{one_in(2) ? "terms.pdf" : "other"};
            case 6:
                return SetItemTitle{item(), "Title " + std::to_string(below(3))};
            default:
                return test::status(item(), any<ItemStatus>(), reason());
        }
    }
    ProposalInput proposal() {
        ProposalInput proposal{.task = {home, task()},
                               .actor = actor(),
                               .key = key(),
                               .evidence = one_in(2) ? std::vector{test::tool_call} : std::vector<EvidenceInput>{},
                               .assurance = one_in(5) ? any<Assurance>() : Assurance::asserted,
                               .reason = reason()};
        proposal.base = {base(proposal.task.id)};
        for (std::size_t i = below(3) + (one_in(20) ? 0 : 1); i > 0; --i) {
            proposal.operations.push_back({.operation = operation()});
        }
        return proposal;
    }
    bool start() {
        StartInput start = test::start_input(std::string(1, static_cast<char>('a' + below(2))));
        start.profile = profile_;
        start.items = {test::item("t0"), test::item("t1", {"t0"}), {.title = "Optional", .id = "t2"}};
        if (one_in(4)) start.key = "another";
        return desk_.service.start(start).has_value();
    }
    LifecycleInput lifecycle() {
        LifecycleInput change{.task = {home, task()},
                              .key = key(),
                              .actor = actor(),
                              .to = one_in(4)   ? any<Lifecycle>()
                                    : one_in(2) ? Lifecycle::paused
                                                : Lifecycle::open,
                              .reason = reason()};
        change.base = {base(change.task.id)};
        return change;
    }
    bool observe_or_expire() {
        if (one_in(2)) return !desk_.service.expire_due()->empty();
        const ObservationInput seen{.task = {home, task()},
                                    .identity = test::chat,
                                    .key = key(),
                                    .observation = "Something happened.",
                                    .adapter = test::adapter};
        return desk_.service.observe(seen).has_value();
    }
    bool propose_delta() {
        const std::string id = task();
        return desk_.service
            .propose_delta({.task = {home, id},
                            .identity = test::chat,
                            .key = key(),
                            .base = {base(id)},
                            .operations = {operation()},
                            .adapter = test::adapter})
            .has_value();
    }

    std::mt19937 random_;
    Desk desk_{};
    std::string profile_{};
    ProposalInput last_{};
};

/// The digests of every revision, rebuilt from the log alone.
std::vector<Digest> rebuilt(Desk& desk, const std::string& id) {
    const TaskHead head = head_of(desk, id);
    State state{.identity = std::make_shared<const Identity>(head.identity)};
    std::vector<Digest> digests;
    for (const RevisionRecord& record : revisions_of(desk, id)) {
        auto next = replay(std::move(state), record.frame, record.changes);
        REQUIRE(next.has_value());
        state = *std::move(next);
        digests.push_back(Snapshot(state).state_digest());
    }
    return digests;
}

}  // namespace

TEST_CASE("any interleaving of requests leaves a log that holds and that gives every revision again",
          "[service][governed:19.7]") {
    CHECK(rc::check("requests in any order", [](std::uint32_t seed) {
        Crowd crowd(seed);
        Desk& desk = crowd.desk();
        std::map<std::string, std::vector<Digest>> heads;
        const auto look = [&] {
            const auto found = desk.store->list({.scope = home});
            for (const TaskHead& head : *found) {
                auto& seen = heads[head.identity.id];
                if (seen.size() < head.frame.revision.number) seen.push_back(head.state_digest);
                RC_ASSERT(seen.size() == head.frame.revision.number);
                RC_ASSERT(seen.back() == head.state_digest);
            }
        };
        std::size_t judged = 0;
        for (int step = 0; step < 60; ++step) {
            look();
            judged += crowd.act() ? 1 : 0;
        }
        look();
        RC_ASSERT(judged > 0);
        RC_ASSERT(desk.service.verify(home)->valid);
        for (const auto& [id, seen] : heads) RC_ASSERT(rebuilt(desk, id) == seen);
    }));
}

TEST_CASE("a secret that was planted anywhere comes back in no error and no decision", "[service][governed:19.1]") {
    const std::string secret = "hunter2-swordfish";
    Desk desk;
    StartInput start = test::start_input();
    start.goal = secret;
    start.constraints = {secret};
    start.items = {{.title = secret, .id = "review", .required = true}};
    std::string told;
    const auto note = [&told](const Result<StepResult>& step) {
        if (!step) {
            told += step.error().message + step.error().path;
            return;
        }
        for (const Guard& guard : step->decision.guards) {
            told += guard.message;
            for (const std::string& id : guard.blocking) told += id;
        }
        told += step->decision.path;
    };
    note(desk.service.start(start));
    start.key = secret + "-other";
    note(desk.service.start(start));
    start.task.id = "other";
    start.constraints = {secret + std::string(1, '\x01')};
    note(desk.service.start(start));
    note(desk.service.submit(
        test::proposal({.key = "k1", .operations = {test::status("review", ItemStatus::completed)}})));
    note(desk.service.submit(test::proposal({.key = "k1", .operations = {SetItemTitle{"review", secret}}})));
    note(desk.service.submit(
        test::proposal({.key = "k2", .operations = {SetItemTitle{"review", secret}, SetPhase{"verify"}}})));
    note(desk.service.submit(
        test::proposal({.key = "k3", .operations = {test::status("review", ItemStatus::blocked, secret)}})));
    note(desk.service.lifecycle(
        {.task = start.task, .key = "l0", .actor = test::operator_olga, .to = Lifecycle::paused}));
    note(desk.service.lifecycle({.task = {home, "delivery-42"},
                                 .key = "l1",
                                 .actor = test::operator_olga,
                                 .to = Lifecycle::completed,
                                 .base = {2},
                                 .reason = secret}));
    CHECK_FALSE(told.empty());
    CHECK(told.find(secret) == std::string::npos);
}
