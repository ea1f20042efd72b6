// What is true of the PostgreSQL store alone; what it shares with the others is in the contract.

#include "store/postgres_server.hpp"
#include "store/stored_task.hpp"
#include "support/catch.hpp"

#include <taskstate/store/postgres_store.hpp>

#include "store/postgres/postgres_store.hpp"

#include <string>
#include <vector>

namespace taskstate {
namespace {

const TaskAddress address{test::stored_scope, "delivery-42"};

std::shared_ptr<Store> open_in(const test::PostgresSchema& schema) {
    auto store = open_postgres({.url = test::postgres_url(), .schema = schema.name()});
    if (!store) FAIL(word(store.error().reason));
    return *std::move(store);
}

void keep(Store& store, const std::vector<Write>& batch) {
    const auto done = store.commit(batch);
    if (!done) FAIL(word(done.error().reason) << " at " << done.error().path);
}

}  // namespace

TEST_CASE("postgres: what was committed is there for whoever opens the schema", "[store]") {
    const test::PostgresSchema schema;
    {
        const auto store = open_in(schema);
        keep(*store, test::history(test::states_of(address, 3)));
        keep(*store, {test::decision(address, "d1", "k"), test::delivery(address, "p1")});
    }
    const auto store = open_in(schema);
    const auto task = *store->load(address);
    REQUIRE(task.has_value());
    CHECK(task->head.frame.revision == Revision{3});
    CHECK(task->snapshot == to_input(test::states_of(address, 3).back()));
    CHECK(store->revisions(address, {}, 10)->size() == 3);
    CHECK((*store->find(address, "k"))->decision->id == "d1");
}

TEST_CASE("postgres: a commit is one round trip, whatever it holds, and so is a read", "[store]") {
    const test::PostgresSchema schema;
    const auto store = open_in(schema);
    auto& counted = dynamic_cast<PostgresStore&>(*store);
    const auto states = test::states_of(address, 3);
    auto batch = test::history(states);
    batch.insert(batch.end(),
                 {test::decision(address, "d1", "k"), test::delivery(address, "p1"), test::binding(address, "b1"),
                  test::revoke(address.scope, "b1"), SetScopeMode{address.scope, ScopeMode::enabled}});
    keep(*store, batch);
    CHECK(counted.round_trips() == 1);
    CHECK_FALSE(store->commit(batch));
    CHECK(counted.round_trips() == 2);
    CHECK(*store->load(address));
    CHECK(store->list({.scope = address.scope, .lifecycles = {Lifecycle::open}})->size() == 1);
    CHECK(store->tally(address.scope)->prepared == 1);
    CHECK(*store->forget(address));
    CHECK(counted.round_trips() == 6);
}

}  // namespace taskstate
