#include "support/builders.hpp"

#include <taskstate/prompt/block.hpp>

namespace taskstate {
namespace {

struct Fixture {
    TaskState task = test::open_task();
    Block old = *task.prompt();
    Block current = [this] {
        test::accept(task, {.notes = {test::constraint("budget")}});
        return *task.prompt();
    }();
};

}  // namespace

TEST_CASE_METHOD(Fixture, "attach: the block becomes the last part of the last system or developer message",
                 "[prompt]") {
    const std::vector<Message> messages{{"system", {"Policy"}}, {"developer", {"Style"}}, {"user", {"Hello"}}};
    const auto attached = attach(current, messages);
    CHECK(attached ==
          std::vector<Message>{{"system", {"Policy"}}, {"developer", {"Style", current.text()}}, {"user", {"Hello"}}});
    CHECK(task.verify_dispatch(current, attached).has_value());
}

TEST_CASE_METHOD(Fixture, "attach: without such a message the block gets one of its own, first", "[prompt]") {
    const std::vector<Message> messages{{"user", {"Hello"}}};
    CHECK(attach(current, messages) == std::vector<Message>{{"system", {current.text()}}, {"user", {"Hello"}}});
}

TEST_CASE_METHOD(Fixture, "attach: older blocks of the task go, whatever stands around them stays", "[prompt]") {
    const std::vector<Message> messages{{"system", {"Before\n" + old.text() + "\nAfter", old.text()}},
                                        {"system", {current.text()}},
                                        {"user", {"Hello"}}};
    const auto attached = attach(current, messages);
    CHECK(attached ==
          std::vector<Message>{{"system", {"Before\nAfter"}}, {"system", {current.text()}}, {"user", {"Hello"}}});
}

TEST_CASE_METHOD(Fixture, "attach: an older block goes that stands directly behind another one", "[prompt]") {
    const std::vector<Message> messages{{"system", {old.text() + old.text() + current.text() + "After"}}};
    const auto attached = attach(current, messages);
    CHECK(attached == std::vector<Message>{{"system", {"After", current.text()}}});
    CHECK(task.verify_dispatch(current, attached).has_value());
}

TEST_CASE_METHOD(Fixture, "attach: doing it twice is doing it once", "[prompt]") {
    const std::vector<Message> messages{{"system", {"Policy"}}, {"user", {"Hello"}}};
    const auto once = attach(current, messages);
    CHECK(attach(current, once) == once);
    CHECK(attach(current, attach(old, messages)) == once);
}

TEST_CASE_METHOD(Fixture, "attach: a quotation in another role is left for verification to name", "[prompt]") {
    const std::vector<Message> messages{{"system", {"Policy"}}, {"tool", {"I saw\n" + old.text()}}};
    const auto attached = attach(current, messages);
    CHECK(attached[1] == messages[1]);
    CHECK(task.verify_dispatch(current, attached).error().reason == Reason::old_block_present);
    CHECK(task.verify_dispatch(current, attached, {.old_blocks_allowed = true}).has_value());
}

TEST_CASE_METHOD(Fixture, "attach: blocks of another task are not touched", "[prompt]") {
    TaskOptions options = test::options();
    options.id = "delivery-43";
    const Block other = *test::open_task(options).prompt();
    const std::vector<Message> messages{{"system", {other.text()}}};
    CHECK(attach(current, messages) == std::vector<Message>{{"system", {other.text(), current.text()}}});
}

TEST_CASE("attach: blocks under a secret that no longer signs are older ones", "[prompt]") {
    TaskOptions before = test::options(), after = test::options();
    before.secrets = {{"old"}};
    after.secrets = {{"new"}, {"old"}};
    const Block old = *test::open_task(before).prompt();
    const TaskState task = test::open_task(after);
    const Block current = *task.prompt();
    REQUIRE(current.key() != old.key());

    const std::vector<Message> messages{{"system", {old.text()}}, {"user", {"Hello"}}};
    const auto attached = attach(current, messages);
    CHECK(attached == std::vector<Message>{{"system", {current.text()}}, {"user", {"Hello"}}});

    const std::vector<Message> both{{"system", {old.text(), current.text()}}};
    CHECK(task.verify_dispatch(current, both).error().reason == Reason::old_block_present);
}

TEST_CASE_METHOD(Fixture, "attach: a block whose task is spelled otherwise is an older one too",
                 "[prompt][hazard:21]") {
    const std::string list[] = {"delivery"};
    const Block other = *task.prompt({.spellings = *ControlSpellings::parse(list)});
    REQUIRE(other.text().find("delivery-42") == std::string::npos);
    const std::vector<Message> messages{{"system", {"Policy\n" + current.text()}}};
    CHECK(attach(other, messages) == std::vector<Message>{{"system", {"Policy\n", other.text()}}});
    const std::vector<Message> both{{"system", {current.text(), other.text()}}};
    CHECK(task.verify_dispatch(other, both).error().reason == Reason::old_block_present);
}

}  // namespace taskstate
