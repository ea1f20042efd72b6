// What is true of the PostgreSQL store alone; what it shares with the others is in the contract.

#include "store/postgres_server.hpp"
#include "store/stored_task.hpp"
#include "support/catch.hpp"

#include <taskstate/store/postgres_store.hpp>

#include "store/postgres/postgres_store.hpp"
#include "store/postgres/schema.hpp"

#include <array>
#include <string>
#include <thread>
#include <vector>

namespace taskstate {
namespace {

using test::PostgresSchema;
using test::PostgresStranger;

const TaskAddress address{test::stored_scope, "delivery-42"};

PostgresOptions options_of(const PostgresSchema& schema) {
    return {.url = test::postgres_url(), .schema = schema.name()};
}

std::shared_ptr<Store> open_store(const PostgresOptions& options) {
    auto store = open_postgres(options);
    if (!store) FAIL(store.error().message);
    return *std::move(store);
}

void keep(Store& store, const std::vector<Write>& batch) {
    const auto done = store.commit(batch);
    if (!done) FAIL(word(done.error().reason) << " at " << done.error().path);
}

/// A task at revision 3, a decision, a delivery and a binding.
void fill(Store& store) {
    keep(store, test::history(test::states_of(address, 3)));
    keep(store, {test::decision(address, "d1", "k"), test::delivery(address, "p1"), test::binding(address, "b1")});
}

/// What somebody sees who looks into one schema.
class Visitor : public PostgresStranger {
 public:
    explicit Visitor(const PostgresSchema& schema) { run("SET search_path=" + schema.name()); }
};

}  // namespace

TEST_CASE("postgres: what was committed is there for whoever opens the schema", "[store]") {
    const PostgresSchema schema;
    fill(*open_store(options_of(schema)));
    const auto store = open_store(options_of(schema));
    const auto task = *store->load(address);
    REQUIRE(task.has_value());
    CHECK(task->head.frame.revision == Revision{3});
    CHECK(task->snapshot == to_input(test::states_of(address, 3).back()));
    CHECK(store->revisions(address, {}, 10)->size() == 3);
    CHECK((*store->find(address, "k"))->decision->id == "d1");
}

TEST_CASE("postgres: a commit is one round trip, whatever it holds, and so is a read", "[store]") {
    const PostgresSchema schema;
    const auto store = open_store(options_of(schema));
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

TEST_CASE("postgres: a schema of somebody else, or of a newer version, is refused with nothing written", "[store]") {
    struct Case {
        std::string sql;
        Reason reason;
    };
    const std::string table = "CREATE TABLE store(application text, version bigint);";
    for (const auto& [sql, reason] :
         {Case{"CREATE TABLE theirs(a text)", Reason::foreign_file},
          Case{"CREATE VIEW v AS SELECT 1", Reason::foreign_file},
          Case{"CREATE TABLE store(a text); INSERT INTO store VALUES('x')", Reason::foreign_file},
          Case{table + "INSERT INTO store VALUES('another', 1)", Reason::foreign_file},
          Case{table, Reason::foreign_file},
          Case{table + "INSERT INTO store VALUES('taskstate', 2)", Reason::newer_format}}) {
        INFO(sql);
        const PostgresSchema schema;
        REQUIRE(PostgresStranger().run("CREATE SCHEMA " + schema.name()) == "");
        Visitor visitor(schema);
        REQUIRE(visitor.run(sql) == "");
        const std::string count = "SELECT count(*) || ' ' || (SELECT count(*) FROM pg_proc WHERE pronamespace='" +
                                  schema.name() + "'::regnamespace) FROM pg_class WHERE relnamespace='" +
                                  schema.name() + "'::regnamespace";
        const std::string before = visitor.value(count);
        const auto opened = open_postgres(options_of(schema));
        REQUIRE_FALSE(opened.has_value());
        CHECK(opened.error().reason == reason);
        CHECK(visitor.value(count) == before);
        if (reason == Reason::newer_format) CHECK(opened.error().actual == 2);
    }
}

TEST_CASE("postgres: a schema that has become a newer one is refused by each new connection", "[store]") {
    const PostgresSchema schema;
    const auto store = open_store(options_of(schema));
    fill(*store);
    Visitor visitor(schema);
    REQUIRE(visitor.run("UPDATE store SET version=2") == "");
    visitor.run("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name='taskstate'");
    CHECK(store->commit(std::vector<Write>{test::decision(address, "d2")}).error().reason == Reason::newer_format);
    CHECK(visitor.value("SELECT count(*) FROM decisions") == "1");
}

TEST_CASE("postgres: nobody changes what is on record", "[store][governed:26.5]") {
    const PostgresSchema schema;
    const auto store = open_store(options_of(schema));
    fill(*store);
    Profile profile = *find_profile("general-v1");
    profile.id = "house-v1";
    keep(*store, {AddProfile{profile}});
    Visitor stranger(schema);
    const std::string refused = "P0001";
    for (const char* const sql :
         {"UPDATE revisions SET record='{}'", "UPDATE revisions SET revision=9 WHERE revision=3",
          "UPDATE lineage SET id='x'", "UPDATE decisions SET record='{}'", "UPDATE decisions SET key=NULL",
          "UPDATE profiles SET rules=''", "UPDATE deliveries SET record='{}'", "UPDATE deliveries SET exposed_at=NULL",
          "UPDATE deliveries SET id='x', exposed_at=now()", "UPDATE bindings SET id='x', revoked_at=now()"}) {
        INFO(sql);
        CHECK(stranger.run(sql) == refused);
    }
    CHECK(stranger.run("UPDATE deliveries SET exposed_at=now()") == "");
    CHECK(stranger.run("UPDATE deliveries SET exposed_at=now()") == refused);
    CHECK(stranger.run("UPDATE bindings SET revoked_at=now()") == "");
    CHECK(stranger.run("UPDATE bindings SET revoked_at=NULL") == refused);
    CHECK(stranger.run("INSERT INTO revisions(task, revision, record) SELECT place, 3, '{}' FROM tasks") == "23505");
    CHECK(stranger.run("DELETE FROM tasks") == "23503");
}

TEST_CASE("postgres: a made-up older version is lifted, also after an interruption and by many at once", "[store]") {
    const PostgresSchema schema;
    fill(*open_store(options_of(schema)));
    const std::string column = "ALTER TABLE profiles ADD COLUMN extra text";
    const std::string half = column + "; SELECT nonsense";
    const std::vector<PostgresMigration> broken{postgres_migrations().front(), {half.c_str()}};
    const std::vector<PostgresMigration> next{postgres_migrations().front(), {column.c_str()}};
    auto connection = PostgresConnection::open(options_of(schema));
    REQUIRE(connection.has_value());
    CHECK_FALSE(lift_schema(*connection, schema.name(), broken).has_value());
    CHECK(*check_schema(*connection, schema.name(), next) == 1);

    std::array<bool, 4> lifted{};
    std::vector<std::thread> threads;
    for (bool& done : lifted) {
        threads.emplace_back([&] {
            auto mine = PostgresConnection::open(options_of(schema));
            done = mine && lift_schema(*mine, schema.name(), next);
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(lifted == std::array{true, true, true, true});
    CHECK(*check_schema(*connection, schema.name(), next) == 2);
    CHECK(Visitor(schema).value("SELECT count(*) FROM revisions") == "3");
}

TEST_CASE("postgres: those who open a new schema at once find one store", "[store]") {
    const PostgresSchema schema;
    std::array<Result<void>, 4> done{};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < done.size(); ++i) {
        threads.emplace_back([&, i] {
            const auto store = open_postgres(options_of(schema));
            const TaskAddress task{test::stored_scope, "delivery-" + std::to_string(i)};
            done[i] = store ? (*store)->commit(test::history(test::states_of(task, 1))) : store.error();
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& each : done) CHECK(each.has_value());
    CHECK(open_store(options_of(schema))->list({.scope = test::stored_scope})->size() == done.size());
}

TEST_CASE("postgres: a row that is no record is told as such, and nothing is written on top of it", "[store]") {
    const PostgresSchema schema;
    const auto store = open_store(options_of(schema));
    fill(*store);
    Visitor stranger(schema);
    stranger.run("ALTER TABLE revisions DISABLE TRIGGER USER; ALTER TABLE decisions DISABLE TRIGGER USER");
    REQUIRE(stranger.run("UPDATE revisions SET record='{' WHERE revision=2") == "");
    REQUIRE(stranger.run("UPDATE decisions SET record='[]'") == "");
    CHECK(store->revisions(address, {}, 10).error().reason == Reason::unreadable_record);
    CHECK(store->revisions(address, {2}, 10)->size() == 1);
    CHECK(store->find(address, "k").error().reason == Reason::unreadable_record);
    CHECK((*store->load(address))->head.frame.revision == Revision{3});
    REQUIRE(stranger.run("UPDATE entries SET entry='{}'") == "");
    CHECK(store->load(address).error().reason == Reason::unreadable_record);
    REQUIRE(stranger.run("UPDATE tasks SET head='null'") == "");
    CHECK(store->find(address, {}).error().reason == Reason::unreadable_record);
    CHECK(store->list({.scope = address.scope}).error().reason == Reason::unreadable_record);
}

TEST_CASE("postgres: no name is too long, too short or too odd for its index", "[store][hazard:15]") {
    const PostgresSchema schema;
    const auto store = open_store(options_of(schema));
    std::string odd;  // 4 bytes each, which no compression makes shorter by much
    for (char32_t c = 0; c < 256; ++c) {
        const char32_t point = 0x1F000 + c * 7 % 251;
        odd += {static_cast<char>(0xF0 | point >> 18), static_cast<char>(0x80 | (point >> 12 & 0x3F)),
                static_cast<char>(0x80 | (point >> 6 & 0x3F)), static_cast<char>(0x80 | (point & 0x3F))};
    }
    const Scope scope{.tenant = odd, .owner = odd, .agent = odd, .workspace = odd};
    const TaskAddress task{scope, "t"};
    keep(*store, test::history(test::states_of(task, 1)));
    keep(*store, {test::decision(task, "d", odd), test::binding(task, "b", {odd, odd, odd})});
    CHECK((*store->find(task, odd))->decision);
    CHECK(store->bindings({.scope = scope, .host = odd, .session = odd})->size() == 1);
    CHECK(*store->scopes() == std::vector<Scope>{scope});
}

TEST_CASE("postgres: a name that its text cannot hold is refused in a write", "[store][hazard:16][hazard:23]") {
    const PostgresSchema schema;
    const auto store = open_store(options_of(schema));
    fill(*store);
    for (const std::string& name : {std::string("a\0b", 3), std::string("\xED\xA0\x80"), std::string("\xC0\xAF")}) {
        const auto refused = store->commit(std::vector<Write>{test::decision(address, "d2", name)});
        CHECK(refused.error().reason == Reason::invalid_utf8);
        const auto found = *store->find(address, name);
        REQUIRE(found.has_value());
        CHECK_FALSE(found->decision);
    }
    keep(*store, {test::decision(address, "d2", "a\\u0000b")});
    CHECK((*store->find(address, "a\\u0000b"))->decision->key == "a\\u0000b");
}

TEST_CASE("postgres: no read and no commit looks through a whole table", "[store][hazard:25]") {
    const PostgresSchema schema;
    Visitor visitor(schema);
    const std::string scans = "SELECT sum(seq_scan) FROM pg_stat_user_tables WHERE schemaname='" + schema.name() +
                              "' AND relname NOT IN ('store', 'scopes')";
    std::string before;
    {
        const auto store = open_store(options_of(schema));
        fill(*store);
    }
    visitor.await("SELECT count(*) FROM pg_stat_activity WHERE application_name='taskstate'", "0");
    before = visitor.value(scans);
    {
        const auto store = open_store(options_of(schema));
        const auto states = test::states_of(address, 5);
        keep(*store, {test::advance(states[3], states[4]), test::decision(address, "d2", "k2"),
                      test::delivery(address, "p2"), test::revoke(address.scope, "b1")});
        CHECK(store->list({.scope = address.scope})->size() == 1);
        CHECK(store->list({.scope = address.scope, .lifecycles = {Lifecycle::open}})->size() == 1);
        CHECK(store->due(timestamp_max, 10)->empty());
        CHECK(*store->load(address));
        CHECK(*store->find(address, "k"));
        CHECK(*store->find_started(address.scope, test::start_key(address.id)));
        CHECK(store->revisions(address, {}, 10)->size() == 4);
        CHECK_FALSE(store->lineage(address, TargetKind::note, "n1")->empty());
        CHECK(*store->count_repeats(address, "f", {}) == 0);
        CHECK(store->bindings({.scope = address.scope, .host = "chat"})->empty());
        CHECK(store->tally(address.scope)->prepared == 2);
        CHECK(*store->expose(address.scope, "p2", test::later(1)));
        CHECK(*store->forget(address));
    }
    visitor.await("SELECT count(*) FROM pg_stat_activity WHERE application_name='taskstate'", "0");
    CHECK(visitor.value(scans) == before);
}

TEST_CASE("postgres: what cannot be used is refused, and no message holds a password", "[store]") {
    const PostgresSchema schema;
    const auto refused = [](const PostgresOptions& options) {
        const auto store = open_postgres(options);
        REQUIRE_FALSE(store.has_value());
        CHECK(store.error().message.find("hunter2") == std::string::npos);
        return store.error();
    };
    PostgresOptions options = options_of(schema);
    CHECK(refused({.url = "hunter2"}).path == "/url");
    CHECK(refused({.url = "postgresql://u:hunter2@h/d?nonsense=hunter2"}).path == "/url");
    CHECK(refused({.url = "postgresql://u:hunter2@127.0.0.1:1/d"}).reason == Reason::storage_failed);
    CHECK(refused({.url = options.url, .schema = ""}).path == "/schema");
    CHECK(refused({.url = options.url, .schema = std::string(64, 'x')}).path == "/schema");
    CHECK(refused({.url = options.url, .connections = 0}).path == "/connections");
    CHECK(refused({.url = options.url, .lock_timeout_ms = 0}).path == "/lock_timeout_ms");
    const std::string other = options.url.substr(0, options.url.rfind('/'));
    CHECK(refused({.url = other + "/hunter2"}).reason == Reason::storage_denied);
    options.schema = "odd \"name\"; DROP SCHEMA x --";
    CHECK(open_store(options)->scopes()->empty());
    CHECK(PostgresStranger().run(
              "SET client_min_messages=error; DROP SCHEMA \"odd \"\"name\"\"; DROP SCHEMA x --\" CASCADE") == "");
}

}  // namespace taskstate
