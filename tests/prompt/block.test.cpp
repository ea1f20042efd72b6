#include "support/builders.hpp"
#include "support/golden.hpp"

#include <taskstate/prompt/block.hpp>

namespace taskstate {

TEST_CASE("block key: names scope and task, and nothing else", "[prompt]") {
    const Identity identity{.id = "delivery-42", .profile = "notebook-v1", .scope = test::options().scope};
    const std::string named = R"(["taskstate.block/1","tenant-a","host-user","","deliveries","delivery-42"])";
    CHECK(block_key(identity, {}) == hex(sha256(named)).substr(0, 16));

    Identity other = identity;
    other.goal = "Another goal";
    other.association = "w";
    CHECK(block_key(other, {}) == block_key(identity, {}));
    other.scope.workspace = "elsewhere";
    CHECK(block_key(other, {}) != block_key(identity, {}));
}

TEST_CASE("block key: only the first secret signs", "[prompt]") {
    const Identity identity{.id = "delivery-42", .scope = test::options().scope};
    const Secret secrets[] = {{"first"}, {"second"}};
    const std::string named = R"(["taskstate.block/1","tenant-a","host-user","","deliveries","delivery-42"])";
    CHECK(block_key(identity, secrets) == hex(hmac_sha256("first", named)).substr(0, 16));
}

TEST_CASE("block: key and preamble never change within a task", "[prompt][hazard:22]") {
    TaskState task = test::open_task();
    const std::string key = task.prompt()->key();
    const std::string preamble = *task.preamble();
    test::accept(task, {.notes = {test::constraint("budget")}});
    CHECK(task.prompt()->key() == key);
    CHECK(*task.preamble() == preamble);
    CHECK(preamble.find(key) != std::string::npos);
    test::check_golden("preamble-1.txt", render_preamble("9f2c01b7e4d85a63"));
}

TEST_CASE("block: its digest is SHA-256 of its text", "[prompt]") {
    const TaskState task = test::open_task();
    const Block block = *task.prompt();
    CHECK(block.sha256() == sha256(block.text()));
    CHECK(block.sha256() == sha256(block.text()));
}

}  // namespace taskstate
