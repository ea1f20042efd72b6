#include "support/builders.hpp"

#include <taskstate/prompt/block.hpp>

namespace taskstate {
namespace {

struct Fixture {
    TaskState task = test::open_task();
    Block block = [this] {
        test::accept(task, {.notes = {test::constraint("budget")}});
        return *task.prompt();
    }();

    Reason refusal(const std::vector<Message>& messages, const DispatchRules& rules = {}) {
        const auto verified = task.verify_dispatch(block, messages, rules);
        return verified ? Reason::transition_accepted : verified.error().reason;
    }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "dispatch: the exact block once, with other text around it, passes", "[prompt][spec:V1]") {
    CHECK(task.verify_dispatch(
                  block, std::vector<Message>{{"system", {"Policy\n" + block.text() + "\nMore"}}, {"user", {"Hello"}}})
              .has_value());
    CHECK(task.verify_dispatch(block, std::vector<Message>{{"developer", {"Policy", block.text()}}}).has_value());
}

TEST_CASE_METHOD(Fixture, "dispatch: a block that is gone, changed, cut or doubled is refused", "[prompt][spec:V2]") {
    CHECK(refusal({{"system", {"Policy"}}}) == Reason::block_missing);
    for (std::size_t i = 0; i < block.bytes(); ++i) {
        std::string changed = block.text();
        changed[i] = changed[i] == 'x' ? 'y' : 'x';
        const Reason reason = refusal({{"system", {changed}}});
        REQUIRE((reason == Reason::block_altered || reason == Reason::block_missing));
        const Reason cut = refusal({{"system", {block.text().substr(0, i)}}});
        REQUIRE((cut == Reason::block_altered || cut == Reason::block_missing));
    }
    CHECK(refusal({{"system", {block.text(), block.text()}}}) == Reason::block_duplicated);
    CHECK(refusal({{"system", {block.text()}}, {"user", {block.text()}}}) == Reason::block_duplicated);
}

TEST_CASE_METHOD(Fixture, "dispatch: a block in two halves is not the block", "[prompt][spec:V6]") {
    const std::size_t half = block.bytes() / 2;
    CHECK(refusal({{"system", {block.text().substr(0, half), block.text().substr(half)}}}) == Reason::block_altered);
}

TEST_CASE_METHOD(Fixture, "dispatch: the user role is allowed only by option, a tool or assistant never",
                 "[prompt][spec:V2]") {
    CHECK(refusal({{"user", {block.text()}}}) == Reason::block_wrong_role);
    CHECK(task.verify_dispatch(block, std::vector<Message>{{"user", {block.text()}}}, {.user_role_allowed = true})
              .has_value());
    for (const char* role : {"assistant", "tool", "System", ""}) {
        CHECK(refusal({{role, {block.text()}}}, {.user_role_allowed = true}) == Reason::block_wrong_role);
    }
}

TEST_CASE_METHOD(Fixture, "dispatch: a second line with this fence is an old block, wherever it stands", "[prompt]") {
    const std::string fence = block.text().substr(0, block.text().find('\n'));
    const auto verified =
        task.verify_dispatch(block, std::vector<Message>{{"system", {block.text()}}, {"tool", {"see", "x\n" + fence}}});
    REQUIRE_FALSE(verified.has_value());
    CHECK(verified.error().reason == Reason::old_block_present);
    CHECK(verified.error().path == "/1/parts/1");
    CHECK(refusal({{"system", {block.text()}}, {"tool", {"in a line: " + fence}}}) == Reason::transition_accepted);
    CHECK(refusal({{"system", {block.text()}}, {"tool", {fence}}}, {.old_blocks_allowed = true}) ==
          Reason::transition_accepted);
}

TEST_CASE_METHOD(Fixture, "dispatch: a block prepared before a change is stale", "[prompt][spec:V3][spec:V7]") {
    const std::vector<Message> messages{{"system", {block.text()}}};
    test::accept(task, {.resolve = {"budget"}});
    const auto verified = task.verify_dispatch(block, messages);
    REQUIRE_FALSE(verified.has_value());
    CHECK(verified.error().reason == Reason::block_stale);
    CHECK(verified.error().limit == 2);
    CHECK(verified.error().actual == 1);
}

TEST_CASE_METHOD(Fixture, "dispatch: a block of an equal state before a restore is stale too", "[prompt][spec:V7]") {
    const std::vector<Message> messages{{"system", {block.text()}}};
    REQUIRE(task.restore(to_input(*task.snapshot())).has_value());
    CHECK(task.verify_dispatch(block, messages).error().reason == Reason::block_stale);
    CHECK(task.prompt()->text() == block.text());
}

TEST_CASE_METHOD(Fixture, "dispatch: a block of another task is a scope error", "[prompt]") {
    TaskOptions options = test::options();
    options.id = "delivery-43";
    const TaskState other = test::open_task(options);
    CHECK(other.verify_dispatch(block, std::vector<Message>{{"system", {block.text()}}}).error().reason ==
          Reason::task_mismatch);
}

}  // namespace taskstate
