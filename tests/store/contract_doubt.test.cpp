// Contact lost while committing: the store is one or the other, and the same request again settles it.

#include "store/contract.hpp"
#include "store/doubtful_store.hpp"

#include <string>
#include <vector>

namespace taskstate::test {
namespace {

const TaskAddress task{.scope = stored_scope, .id = "delivery-42"};

/// The steps of a task, one batch each, as requests with a key each.
std::vector<std::vector<Write>> requests() {
    const auto states = states_of(task, 3);
    return {
        {start(states[0], states[1]), decision(task, "d1", "key-1")},
        {advance(states[1], states[2]), decision(task, "d2", "key-2")},
        {decision(task, "d3", "key-3")},  // refused or without effect: nothing but the decision
        {decision(task, "d4")},           // a shadow step, which has no key
        {delivery(task, "p1")},
        {binding(task, "b1")},
        {revoke(stored_scope, "b1"), binding(task, "b2")},
        {SetScopeMode{stored_scope, ScopeMode::enabled}},
        {AddProfile{[] {
            Profile profile = *find_profile("general-v1");
            profile.id = "house-v1";
            return profile;
        }()}},
        {advance(states[2], states[3]), decision(task, "d5", "key-5"), delivery(task, "p2")},
    };
}

}  // namespace

TEST_CASE_METHOD(OnEachStore, "store: after a doubt the same batch again leaves it exactly once", "[store]") {
    for (const auto& request : requests()) keep(request);
    const Contents expected = contents();

    const std::size_t count = requests().size();
    for (const Fate fate : {Fate::kept, Fate::lost}) {
        for (std::size_t nth = 1; nth <= count; ++nth) {
            INFO("batch " << nth << (fate == Fate::kept ? " kept" : " lost"));
            const auto fresh = kind.open();
            DoubtfulStore doubtful(fresh);
            doubtful.doubt(nth, fate);
            std::size_t doubts = 0;
            for (const auto& request : requests()) {
                const auto done = doubtful.commit(request);
                if (done) continue;
                CHECK(done.error().reason == Reason::commit_in_doubt);
                ++doubts;
                const auto again = doubtful.commit(request);
                // A second time it is refused, or it was nothing but what is there already.
                CHECK((fate == Fate::kept || again.has_value()));
            }
            CHECK(doubts == 1);
            CHECK_FALSE(doubtful.pending());
            CHECK(contents_of(*fresh) == expected);
        }
    }
}

TEST_CASE_METHOD(OnEachStore, "store: what was kept in doubt is found under its key, what was lost is not", "[store]") {
    const auto states = states_of(task, 2);
    for (const Fate fate : {Fate::kept, Fate::lost}) {
        const auto fresh = kind.open();
        DoubtfulStore doubtful(fresh);
        const std::vector<Write> first{start(states[0], states[1]), decision(task, "d1", "key-1")};
        REQUIRE(doubtful.commit(first));
        doubtful.doubt(1, fate);

        const std::vector<Write> next{advance(states[1], states[2]), decision(task, "d2", "key-2")};
        CHECK(doubtful.commit(next).error().reason == Reason::commit_in_doubt);

        const auto found = value_of(doubtful.find(task, "key-2"));
        REQUIRE(found);
        CHECK(found->decision.has_value() == (fate == Fate::kept));
        CHECK(found->head.frame.revision.number == (fate == Fate::kept ? 2 : 1));
        CHECK(doubtful.revisions(task, {}, all)->size() == found->head.frame.revision.number);
    }
}

}  // namespace taskstate::test
