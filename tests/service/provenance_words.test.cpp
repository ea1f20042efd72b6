// What is said of the origin of a value.

#include "service/provenance.hpp"
#include "support/catch.hpp"

#include <set>

using namespace taskstate;

namespace {

RevisionRecord record(std::uint64_t revision, std::vector<Lineage> lineage) {
    return {.frame = {.revision = {revision}, .updated_at = {1'767'225'600'000}},
            .origin = {.actor = {.role = Role::agent, .name = "runner-1"}, .method = "typed_delta"},
            .lineage = std::move(lineage)};
}

}  // namespace

TEST_CASE("provenance: words come first, with who, when and how strongly", "[service][governed:18.6][governed:18.7]") {
    const std::vector records{record(4, {{.kind = TargetKind::status,
                                          .id = "deploy",
                                          .supersedes = Revision{3},
                                          .assurance = Assurance::host_reported}})};

    const auto history = history_of(records, {TargetKind::status, "deploy"});

    REQUIRE(history.size() == 1);
    CHECK(history[0].summary ==
          "Set through a proposal by the host's agent (runner-1) at 2026-01-01T00:00:00.000Z; the host's own tool "
          "result said so. Revision 3 held the value before.");
    CHECK(history[0].role_words == "the host's agent");
    CHECK(history[0].method_words == "set through a proposal");
    CHECK(history[0].assurance_words == "the host's own tool result said so");
    CHECK_FALSE(history[0].independently_verified);
}

TEST_CASE("provenance: only the verifier's class says verified", "[service][governed:6.8]") {
    for (std::size_t i = 0; i < Words<Assurance>::list.size(); ++i) {
        const auto assurance = static_cast<Assurance>(i);
        const std::vector records{record(1, {{.kind = TargetKind::item, .id = "a", .assurance = assurance}})};
        const auto history = history_of(records, {});
        REQUIRE(history.size() == 1);
        CHECK(history[0].independently_verified == (assurance == Assurance::independently_verified));
        CHECK((history[0].summary.find("registered verifier") != std::string::npos) ==
              (assurance == Assurance::independently_verified));
    }
}

TEST_CASE("provenance: every role, method and class has a phrase of its own", "[service][governed:18.8]") {
    std::set<std::string, std::less<>> phrases;
    for (std::size_t i = 0; i < Words<Role>::list.size(); ++i) phrases.emplace(role_words(static_cast<Role>(i)));
    for (std::size_t i = 0; i < Words<Assurance>::list.size(); ++i) {
        phrases.emplace(assurance_words(static_cast<Assurance>(i)));
    }
    for (const auto& lifecycle : Words<Lifecycle>::list) {
        phrases.insert(method_words("lifecycle_" + std::string(lifecycle)));
    }
    for (const char* method : {"task_start", "typed_delta", "operator_correction"})
        phrases.insert(method_words(method));
    CHECK(phrases.size() ==
          Words<Role>::list.size() + Words<Assurance>::list.size() + Words<Lifecycle>::list.size() + 3);
    CHECK(phrases.find("") == phrases.end());
    CHECK(method_words("bulk_import") == "bulk import");
}

TEST_CASE("provenance: a whole task is told by kind and id, each oldest first", "[service][governed:18.5]") {
    const std::vector records{
        record(1, {{.kind = TargetKind::item, .id = "b"}, {.kind = TargetKind::item, .id = "a"}}),
        record(2, {{.kind = TargetKind::field, .id = "phase"}, {.kind = TargetKind::item, .id = "a"}})};

    const auto history = history_of(records, {});

    std::vector<std::string> order;
    for (const auto& entry : history) order.push_back(entry.id + std::to_string(entry.revision.number));
    CHECK(order == std::vector<std::string>{"phase2", "a1", "a2", "b1"});
}
