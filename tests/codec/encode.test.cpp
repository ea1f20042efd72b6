// Values to canonical JSON and back.

#include "support/builders.hpp"
#include "support/catch.hpp"
#include "support/generate.hpp"
#include "support/generate_proposal.hpp"

#include <taskstate/codec/json.hpp>

#include <nlohmann/json.hpp>

using namespace taskstate;

TEST_CASE("encode: decoding what was encoded gives the same state", "[codec][spec:P6]") {
    CHECK(rc::check("decode_snapshot(encode(s)) == s", [] {
        const SnapshotInput saved = *test::any_snapshot();
        const std::string json = encode(test::admitted(saved));
        const auto read = decode_snapshot(json, {.snapshot_bytes_max = json.size()});
        if (!read) RC_FAIL(read.error().message);
        RC_ASSERT(*read == saved);
    }));
}

TEST_CASE("encode: decoding what was encoded gives the same delta", "[codec]") {
    CHECK(rc::check("decode_delta(encode(d)) == d", [] {
        const HostDelta delta = *test::any_delta();
        const auto read = decode_delta(encode(delta));
        if (!read) RC_FAIL(read.error().message);
        RC_ASSERT(*read == delta);
    }));
    CHECK(encode(HostDelta{}) == R"({"format":"taskstate.delta/1"})");
}

TEST_CASE("encode: decoding what was encoded gives the same proposal", "[codec]") {
    CHECK(rc::check("decode_proposal(encode(p)) == p, and it is canonical", [] {
        const ProposalInput proposal = *test::any_proposal();
        const std::string json = encode(proposal);
        const auto read = decode_proposal(json);
        if (!read) RC_FAIL(std::string(word(read.error().reason)) + " at " + read.error().path);
        RC_ASSERT(*read == proposal);
        RC_ASSERT(json == nlohmann::json::parse(json).dump());
    }));
}

TEST_CASE("encode: decoding what was encoded gives the same profile", "[codec]") {
    CHECK(rc::check("decode_profile(encode(p)) == p, and it is canonical", [] {
        const Profile profile = *test::any_profile();
        const std::string json = encode(profile);
        const auto read = decode_profile(json);
        if (!read) RC_FAIL(std::string(word(read.error().reason)) + " at " + read.error().path);
        RC_ASSERT(*read == profile);
        RC_ASSERT(json == nlohmann::json::parse(json).dump());
    }));
    CHECK(encode(Profile{.id = "plain-v1"}) == R"({"format":"taskstate.profile/1","id":"plain-v1"})");
    for (const Profile& profile : built_in_profiles()) {
        CHECK(decode_profile(encode(profile)).value_or(Profile{}) == profile);
    }
}

TEST_CASE("encode: output is canonical: no white space, keys in order, nothing escaped that need not be", "[codec]") {
    CHECK(rc::check("compact and sorted", [] {
        const SnapshotInput saved = *test::any_snapshot();
        const std::string json = encode(test::admitted(saved));
        // The other library sorts by bytes and escapes no more than it must, too.
        RC_ASSERT(json == nlohmann::json::parse(json).dump());
    }));
}

TEST_CASE("encode: the six characters of a written escape survive a round trip", "[codec][hazard:23]") {
    const HostDelta delta{.resolve = {"\\u0000", "\\ud800"}};
    CHECK(encode(delta) == R"({"format":"taskstate.delta/1","resolve":["\\u0000","\\ud800"]})");
    CHECK(decode_delta(encode(delta)).value_or(HostDelta{}) == delta);
}

TEST_CASE("decode: an escaped NUL is text for admission to refuse", "[codec][hazard:23]") {
    auto task = TaskState::create({.id = "t", .scope = {.owner = "o", .workspace = "w"}});
    REQUIRE(task.has_value());
    const auto delta =
        decode_delta(R"({"notes":[{"id":"a","category":"decision","text":"a\u0000b","source":{"label":"x"}}]})");
    REQUIRE(delta.has_value());
    const auto refused = task->update(*delta, {});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().reason == Reason::control_character);
    CHECK(refused.error().path == "/notes/0/text");
}
