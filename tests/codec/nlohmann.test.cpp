// The adapter for hosts that hold their own trees.

#include "support/catch.hpp"
#include "support/generate.hpp"

#include <taskstate/adapt/nlohmann.hpp>

#include <limits>

using namespace taskstate;
using nlohmann::json;

TEST_CASE("adapt: a delta from a tree is the delta from its text", "[codec]") {
    CHECK(rc::check("delta_from(parse(encode(d))) == d", [] {
        const HostDelta delta = *test::any_delta();
        const auto read = delta_from(json::parse(encode(delta)));
        RC_ASSERT(read.has_value());
        RC_ASSERT(*read == delta);
    }));
}

TEST_CASE("adapt: a snapshot goes into a tree and back", "[codec]") {
    const auto task = TaskState::create({.id = "t", .scope = {.owner = "o", .workspace = "w"}, .goal = "Ship \"it\""});
    REQUIRE(task.has_value());
    const json tree = to_json(*task->snapshot());
    CHECK(tree["goal"] == "Ship \"it\"");
    CHECK(tree.dump() == encode(*task->snapshot()));
    const auto saved = snapshot_from(tree);
    REQUIRE(saved.has_value());
    CHECK(*saved == to_input(*task->snapshot()));
}

TEST_CASE("adapt: what a tree holds that JSON text cannot say is refused where it stands",
          "[codec][hazard:17][hazard:19]") {
    const json note = {{"id", "a"}, {"category", "decision"}, {"text", "x"}, {"source", {{"label", "l"}}}};
    struct Row {
        const char* path;
        json value;
        Reason reason;
    };
    const Row rows[] = {
        {"/notes/0/text", "\xFF", Reason::invalid_utf8},
        {"/notes/0/text", std::numeric_limits<double>::infinity(), Reason::not_json},
        {"/notes/0/text", json::binary({1, 2}), Reason::not_json},
        {"/notes/0/text", 1.0, Reason::wrong_type},
        {"/notes/0/gates_completion", nullptr, Reason::wrong_type},
    };
    for (const auto& [path, value, reason] : rows) {
        json delta = {{"notes", {note}}};
        delta[json::json_pointer(path)] = value;
        const auto result = delta_from(delta);
        REQUIRE_FALSE(result.has_value());
        CHECK(word(result.error().reason) == word(reason));
        CHECK(result.error().path == path);
    }
    CHECK(delta_from({{"notes", {note}}}).has_value());
}

TEST_CASE("adapt: a deep tree is refused like deep text", "[codec][hazard:18]") {
    json deep;
    for (int i = 0; i < 1'000; ++i) deep = json::array({std::move(deep)});
    const auto result = delta_from({{"reason", std::move(deep)}});
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().reason == Reason::too_deep);
}
