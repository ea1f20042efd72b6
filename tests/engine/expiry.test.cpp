#include "support/governed_task.hpp"

#include <taskstate/engine/expiry.hpp>
#include <taskstate/engine/lifecycle.hpp>

using namespace taskstate;

namespace {

constexpr std::int64_t second = 1000, minute = 60 * second, hour = 60 * minute;

constexpr ExpiryRule one_hour{.no_progress_ms = hour};
constexpr ExpiryRule two_hours_of_age{.absolute_age_ms = 2 * hour};

/// A task that lives through changes, with the record that a store would keep of its pauses.
class Life {
 public:
    explicit Life(const ExpiryRule& rule) : rule_(rule) {
        follow(test::told(head_, {.add_items = {{.title = "A"}}}), true);
    }

    void set(Lifecycle to, std::int64_t at) {
        const LifecycleChange change{.to = to,
                                     .base = head_.revision(),
                                     .actor = {.role = Role::operator_, .name = "olga"},
                                     .reason = "Because."};
        const Decision decision = change_lifecycle(head_, change, test::general_rules(), {at});
        REQUIRE(decision.outcome == Outcome::accepted);
        follow(decision.snapshot, decision.progressed);
    }
    /// Says something that gets the task on, or does not.
    void tell(const HostDelta& delta, std::int64_t at) {
        const Snapshot after = test::told(head_, delta, {at});
        follow(after, after.last_progress_at() == Timestamp{at});
    }

    [[nodiscard]] ExpiryStatus at(std::int64_t now) const {
        return expiry_status(rule_, head_.created_at(), head_.last_progress_at(), pause_, {now});
    }
    [[nodiscard]] std::optional<Timestamp> due() const {
        return due_at(rule_, head_.created_at(), head_.last_progress_at(), pause_);
    }
    [[nodiscard]] const PauseRecord& pause() const { return pause_; }

 private:
    void follow(const Snapshot& after, bool progressed) {
        pause_ = advance(pause_, head_, after, progressed);
        head_ = after;
    }

    ExpiryRule rule_;
    Snapshot head_ = test::new_task();
    PauseRecord pause_{};
};

}  // namespace

TEST_CASE("expiry: a pause takes no part in the time without progress", "[engine][governed:13.12]") {
    Life life(one_hour);
    life.set(Lifecycle::paused, 30 * minute);
    life.set(Lifecycle::open, 5 * hour + 30 * minute);

    const ExpiryStatus resumed = life.at(5 * hour + 30 * minute);
    CHECK(resumed.no_progress_age_ms == 30 * minute);
    CHECK(resumed.paused_ms == 5 * hour);
    CHECK_FALSE(resumed.due);
    CHECK(life.at(6 * hour + 1 * minute).due == Reason::expired_no_progress);
    CHECK(life.due() == Timestamp{6 * hour});
}

TEST_CASE("expiry: a task is due at the threshold itself", "[engine][governed:13.12][governed:13.4]") {
    const Life life(two_hours_of_age);
    CHECK_FALSE(life.at(2 * hour - second).due);
    CHECK_FALSE(life.at(2 * hour - 1).due);
    CHECK(life.at(2 * hour).due == Reason::expired_absolute_age);
    CHECK(life.due() == Timestamp{2 * hour});

    const Life idle(one_hour);
    CHECK_FALSE(idle.at(hour - 1).due);
    CHECK(idle.at(hour).due == Reason::expired_no_progress);
}

TEST_CASE("expiry: age runs on while a task is paused, the time without progress stands", "[engine][governed:13.3]") {
    Life aging(two_hours_of_age), idle(one_hour);
    aging.set(Lifecycle::paused, hour);
    idle.set(Lifecycle::paused, 59 * minute);
    CHECK(aging.at(2 * hour).due == Reason::expired_absolute_age);
    CHECK(idle.at(500 * hour).no_progress_age_ms == 59 * minute);
    CHECK(idle.at(500 * hour).paused_ms == 500 * hour - 59 * minute);
    CHECK_FALSE(idle.at(500 * hour).due);
    CHECK_FALSE(idle.due());
}

TEST_CASE("expiry: where both are due it is the age", "[engine][governed:13.4]") {
    const Life life({.absolute_age_ms = 2 * hour, .no_progress_ms = hour});
    CHECK(life.due() == Timestamp{hour});
    CHECK(life.at(hour).due == Reason::expired_no_progress);
    CHECK(life.at(2 * hour).due == Reason::expired_absolute_age);
}

TEST_CASE("expiry: progress starts the count of pauses anew", "[engine][governed:13.9][governed:30.5]") {
    Life life(one_hour);
    life.set(Lifecycle::paused, 10 * minute);
    life.set(Lifecycle::open, 10 * hour);
    CHECK(life.pause().paused_ms == 10 * hour - 10 * minute);
    life.tell({.phase = "collect"}, 10 * hour + minute);
    CHECK(life.pause() == PauseRecord{});
    CHECK(life.due() == Timestamp{11 * hour + minute});

    life.set(Lifecycle::paused, 10 * hour + 30 * minute);
    life.set(Lifecycle::open, 12 * hour);
    life.tell({.notes = {test::note("n", Category::artifact)}}, 12 * hour);  // no progress: the count stays
    CHECK(life.pause().paused_ms == hour + 30 * minute);
}

TEST_CASE("expiry: a pause ends with the task too, and several add up", "[engine][governed:13.8]") {
    Life life(one_hour);
    life.set(Lifecycle::paused, 1 * minute);
    CHECK(life.pause().paused_at == Timestamp{1 * minute});
    life.set(Lifecycle::open, 3 * minute);
    life.set(Lifecycle::paused, 4 * minute);
    life.set(Lifecycle::cancelled, 9 * minute);
    CHECK(life.pause() == PauseRecord{.paused_ms = 7 * minute});
}

TEST_CASE("expiry: a clock that goes back makes nothing older, and no age falls below nothing", "[engine]") {
    const Timestamp late{5 * hour};
    const ExpiryRule both{.absolute_age_ms = 1, .no_progress_ms = 1};
    const PauseRecord paused{.paused_at = late, .paused_ms = 3 * hour};
    for (const PauseRecord& pause : {PauseRecord{}, paused}) {
        const ExpiryStatus status = expiry_status(both, late, late, pause, {hour});
        CHECK(status.absolute_age_ms == 0);
        CHECK(status.no_progress_age_ms == 0);
        CHECK(status.paused_ms == pause.paused_ms);
        CHECK_FALSE(status.due);
    }
    // More paused than passed: a store that was touched by hand, say.
    CHECK(expiry_status(both, {0}, {0}, {.paused_ms = 9 * hour}, {hour}).no_progress_age_ms == 0);
}

TEST_CASE("expiry: no rule, and one beyond the end of time, are never due", "[engine]") {
    CHECK_FALSE(Life(ExpiryRule{}).due());
    CHECK_FALSE(Life(ExpiryRule{}).at(timestamp_max.ms).due);
    const Life patient({.absolute_age_ms = integer_max, .no_progress_ms = integer_max});
    CHECK_FALSE(patient.due());
    CHECK_FALSE(patient.at(timestamp_max.ms).due);
}
