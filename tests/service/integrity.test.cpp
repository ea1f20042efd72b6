// Whether a log leads to the state that lies beside it.

#include "service/integrity.hpp"

#include "support/task_log.hpp"

using namespace taskstate;

namespace {

ItemInput item(std::string id) { return {.title = "Item " + id, .id = id, .required = true}; }

/// Some work, two pauses, progress between them.
test::TaskLog busy_log() {
    test::TaskLog log;
    log.update({.notes = {test::note("courier", Category::question)}, .add_items = {item("review"), item("deploy")}});
    log.wait(1000);
    log.lifecycle(Lifecycle::paused);
    log.wait(5000);
    log.lifecycle(Lifecycle::open);
    log.wait(1000);
    log.update({.items = {{.id = "review", .status = ItemStatus::running}}});
    log.wait(1000);
    log.lifecycle(Lifecycle::paused);
    log.wait(7000);
    log.lifecycle(Lifecycle::open);
    log.update({.resolve = {"courier"}, .prune = {.notes = {"courier"}}});
    return log;
}

std::optional<Problem> check(test::TaskLog& log) {
    LogCheck check(log.stored(), test::TaskLog::profile());
    for (const RevisionRecord& record : log.records) check.follow(record);
    return check.finish();
}

void require_problem(test::TaskLog& log, Reason reason, std::uint64_t revision) {
    const auto problem = check(log);
    REQUIRE(problem.has_value());
    CHECK(word(problem->reason) == word(reason));
    CHECK(problem->task == "delivery-42");
    CHECK(problem->revision == Revision{revision});
}

}  // namespace

TEST_CASE("verify: a log that leads to the head has no problem", "[service][governed:19.7]") {
    auto log = busy_log();
    REQUIRE(log.records.size() == 7);
    CHECK_FALSE(check(log).has_value());
}

TEST_CASE("verify: a missing revision is a gap, wherever it is missing", "[service][governed:19.7]") {
    for (const std::uint64_t missing : {1u, 3u, 7u}) {
        auto log = busy_log();
        log.records.erase(log.records.begin() + static_cast<std::ptrdiff_t>(missing - 1));
        require_problem(log, Reason::revision_gap, missing);
    }
}

TEST_CASE("verify: a log that goes on after the head is a gap", "[service][governed:19.7]") {
    auto log = busy_log();
    log.stored().head.frame.revision = Revision{6};
    require_problem(log, Reason::revision_gap, 8);
}

TEST_CASE("verify: a changed entry, frame or digest shows at its revision", "[service][governed:19.7]") {
    SECTION("an entry") {
        auto log = busy_log();
        log.records[0].changes.pop_back();
        require_problem(log, Reason::digest_mismatch, 1);
    }
    SECTION("a frame") {
        auto log = busy_log();
        log.records[3].frame.last_progress_at.ms += 1;
        require_problem(log, Reason::digest_mismatch, 4);
    }
    SECTION("a state digest") {
        auto log = busy_log();
        log.records[4].state_digest.bytes[0] ^= 1;
        require_problem(log, Reason::digest_mismatch, 5);
    }
    SECTION("a semantic digest") {
        auto log = busy_log();
        log.records[4].semantic_digest.bytes[0] ^= 1;
        require_problem(log, Reason::digest_mismatch, 5);
    }
    SECTION("the head's digest") {
        auto log = busy_log();
        log.stored().head.state_digest.bytes[0] ^= 1;
        require_problem(log, Reason::digest_mismatch, 7);
    }
}

TEST_CASE("verify: a change that does not fit the state cannot be read", "[service][governed:19.7]") {
    auto log = busy_log();
    log.records[6].changes[0].ordinal = 99;
    require_problem(log, Reason::unreadable_record, 7);
}

TEST_CASE("verify: current entries that the log does not lead to are found", "[service][governed:19.7]") {
    auto log = busy_log();
    log.stored().snapshot.items[0].title = "Another title";
    require_problem(log, Reason::integrity_check_failed, 7);
}

TEST_CASE("verify: the pause is rebuilt from the last progress on", "[service][governed:13.10][governed:30.5]") {
    auto log = busy_log();
    REQUIRE(log.stored().head.pause.paused_ms == 7000);

    log.stored().head.pause.paused_ms = 12'000;

    require_problem(log, Reason::integrity_check_failed, 7);
}

TEST_CASE("verify: a task that would not expire in its time is found", "[service][governed:19.7]") {
    auto log = busy_log();
    log.stored().head.due_at.reset();
    require_problem(log, Reason::integrity_check_failed, 7);
}
