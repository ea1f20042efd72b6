// Servers that stop, connections that end, locks that are held, and processes that are killed.

#include "store/cases.hpp"
#include "store/doubtful_store.hpp"
#include "store/postgres_server.hpp"
#include "store/processes.hpp"
#include "store/store_host.hpp"

#include <taskstate/store/postgres_store.hpp>

#include <signal.h>

#include <array>
#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace taskstate::test {
namespace {

using std::chrono::milliseconds;

const TaskAddress task{stored_scope, "delivery-42"};

PostgresOptions options_of(const PostgresSchema& schema, const std::string& name = "taskstate") {
    return {.url = postgres_server().url() + "?application_name=" + name, .schema = schema.name()};
}
std::shared_ptr<Store> opened(const PostgresOptions& options) {
    auto store = open_postgres(options);
    if (!store) FAIL(store.error().message);
    return *std::move(store);
}
std::string count_of(const std::string& condition) {
    return "SELECT count(*) FROM pg_stat_activity WHERE " + condition;
}

/// Makes the next commit wait: for a lock that is never given, or, after it has happened, for a replica that never
/// answers.  So whoever ends the connection decides what becomes of it.
class HeldBack {
 public:
    HeldBack(const PostgresSchema& schema, Fate fate) : fate_(fate) {
        const std::string name = schema.name();
        if (fate == Fate::lost) {
            REQUIRE(holder_.run("BEGIN; SELECT 1 FROM " + name + ".tasks FOR UPDATE") == "");
            return;
        }
        REQUIRE(watcher_.run("CREATE TABLE " + name + ".probe(n integer)") == "");
        REQUIRE(watcher_.run("ALTER SYSTEM SET synchronous_standby_names='nobody'") == "");
        REQUIRE(watcher_.run("SELECT pg_reload_conf()") == "");
        // Commits until one of them waits, as it takes some time until all processes know.
        holder_.begin("DO $$ BEGIN LOOP INSERT INTO " + name +
                      ".probe VALUES(1); COMMIT; PERFORM pg_sleep(0.01); END LOOP; END $$");
        watcher_.await(waiting, "1");
        REQUIRE(watcher_.run("ALTER SYSTEM RESET synchronous_standby_names") == "");  // for the server after this one
    }
    void await() {
        if (fate_ == Fate::lost) {
            watcher_.await(count_of("wait_event_type='Lock'"), "1");
        } else {
            watcher_.await(waiting, "2");
        }
    }

 private:
    static inline const std::string waiting = count_of("wait_event='SyncRep'");
    Fate fate_;
    PostgresStranger holder_{postgres_server().url()}, watcher_{postgres_server().url()};
};

}  // namespace

TEST_CASE("postgres faults: a commit that the server is stopped in is in doubt, and the same again settles it",
          "[store][faults][hazard:11]") {
    PostgresServer& server = postgres_server();
    Cases cases("postgres stop");
    const auto states = states_of(task, 2);
    const std::vector<Write> next{advance(states[1], states[2]), decision(task, "d2", "key-2")};
    for (const int signal : {SIGQUIT, SIGKILL}) {
        for (const Fate fate : {Fate::lost, Fate::kept}) {
            INFO("signal " << signal << (fate == Fate::kept ? ", kept" : ", lost"));
            const PostgresSchema schema;
            const auto store = opened(options_of(schema));
            REQUIRE(store->commit(history({states[0], states[1]})));
            Result<void> done;
            {
                HeldBack held(schema, fate);
                std::thread writer([&] { done = store->commit(next); });
                held.await();
                server.stop(signal);
                writer.join();
            }
            CHECK(done.error().reason == Reason::commit_in_doubt);
            server.start();

            const auto found = *store->find(task, "key-2");
            REQUIRE(found.has_value());
            CHECK(found->decision.has_value() == (fate == Fate::kept));
            const auto again = store->commit(next);
            CHECK(again.has_value() == (fate == Fate::lost));
            if (!again) CHECK(again.error() == fail(Reason::concurrent_successor_committed, "", {2, 1}));
            CHECK(store->revisions(task, {}, 10)->size() == 2);
            CHECK(store->decisions(task, 0, 10)->size() == 1);
            CHECK((*store->load(task))->snapshot == to_input(states[2]));
            ++cases;
        }
    }
}

TEST_CASE("postgres faults: a connection that ended between two commits is replaced before anything is sent",
          "[store][faults]") {
    const PostgresSchema schema;
    const auto store = opened(options_of(schema, "ended"));
    const auto states = states_of(task, 3);
    REQUIRE(store->commit(history({states[0], states[1]})));
    {
        PostgresStranger stranger(postgres_server().url());
        REQUIRE(stranger.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name='ended'") ==
                "");
        stranger.await(count_of("application_name='ended'"), "0");
    }
    CHECK(store->commit(std::vector<Write>{advance(states[1], states[2])}));

    postgres_server().stop(SIGINT);
    Result<void> done = fail(Reason::storage_failed);
    std::thread writer([&] { done = store->commit(std::vector<Write>{advance(states[2], states[3])}); });
    std::this_thread::sleep_for(milliseconds(200));
    postgres_server().start();
    writer.join();
    CHECK(done.has_value());
    CHECK(store->revisions(task, {}, 10)->size() == 3);
}

TEST_CASE("postgres faults: without a server a call gives up after its attempts, and nothing happened",
          "[store][faults]") {
    const PostgresSchema schema;
    PostgresOptions options = options_of(schema);
    options.connect_attempts = 2;
    const auto store = opened(options);
    const auto states = states_of(task, 2);
    REQUIRE(store->commit(history({states[0], states[1]})));
    const std::vector<Write> next{advance(states[1], states[2])};
    postgres_server().stop(SIGINT);
    CHECK(store->commit(next).error().reason == Reason::storage_failed);
    CHECK(store->load(task).error().reason == Reason::storage_failed);
    CHECK(open_postgres(options).error().reason == Reason::storage_failed);
    postgres_server().start();
    CHECK(store->commit(next));
}

TEST_CASE("postgres faults: who waits too long for another is told, and nothing happened", "[store][faults]") {
    const PostgresSchema schema;
    PostgresOptions options = options_of(schema);
    REQUIRE(opened(options)->commit(history(states_of(task, 1))));
    const auto states = states_of(task, 2);
    const std::vector<Write> next{SetScopeMode{stored_scope, ScopeMode::enabled}, advance(states[1], states[2])};
    PostgresStranger stranger(postgres_server().url());
    REQUIRE(stranger.run("BEGIN; SELECT 1 FROM " + schema.name() + ".tasks FOR UPDATE") == "");
    for (const auto& [statement_ms, lock_ms] : {std::pair(10'000, 50), std::pair(50, 10'000)}) {
        options.statement_timeout_ms = static_cast<std::uint64_t>(statement_ms);
        options.lock_timeout_ms = static_cast<std::uint64_t>(lock_ms);
        const auto store = opened(options);
        CHECK(store->commit(next).error().reason == Reason::lock_timeout);
        CHECK(*store->mode(stored_scope) == ScopeMode::disabled);
        CHECK((*store->load(task))->head.frame.revision == Revision{1});
    }
    REQUIRE(stranger.run("COMMIT") == "");
    CHECK(opened(options)->commit(next));
}

TEST_CASE("postgres faults: batches over the same tasks, in whatever order, are not in each other's way",
          "[store][faults]") {
    const PostgresSchema schema;
    const auto store = opened(options_of(schema));
    const std::array<TaskAddress, 2> tasks{{{stored_scope, "a"}, {stored_scope, "b"}}};
    for (const TaskAddress& each : tasks) REQUIRE(store->commit(history(states_of(each, 1))));
    PostgresStranger stranger(postgres_server().url());
    const std::string deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname='postgres'";
    const std::string before = stranger.value(deadlocks);
    std::array<std::atomic<int>, 2> lost{};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 2; ++i) {
        threads.emplace_back([&, i] {
            for (int n = 0; n < 50; ++n) {
                const std::string id = std::to_string(i) + "-" + std::to_string(n);
                std::vector<Write> batch;
                for (int k = 0; k < 20; ++k) batch.emplace_back(decision(tasks[i], id + "-" + std::to_string(k)));
                batch.emplace_back(decision(tasks[1 - i], id));
                if (!store->commit(batch)) ++lost[i];
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(lost[0] + lost[1] == 0);
    for (const TaskAddress& each : tasks) CHECK(store->decisions(each, 0, 10'000)->size() == 50 * 21);
    CHECK(stranger.value(deadlocks) == before);
}

TEST_CASE("postgres faults: a batch that the server takes back for another's sake is sent again", "[store][faults]") {
    const PostgresSchema schema;
    const auto store = opened(options_of(schema));
    for (const char* const id : {"a", "b"}) REQUIRE(store->commit(history(states_of({stored_scope, id}, 1))));
    const std::string lock = "SELECT 1 FROM " + schema.name() + ".tasks WHERE id='";
    PostgresStranger stranger(postgres_server().url()), watcher(postgres_server().url());
    REQUIRE(stranger.run("BEGIN; SET LOCAL deadlock_timeout='1h'; " + lock + "b' FOR UPDATE") == "");
    Result<void> done;
    std::thread writer([&] {
        done =
            store->commit(std::vector<Write>{decision({stored_scope, "a"}, "d1"), decision({stored_scope, "b"}, "d1")});
    });
    watcher.await(count_of("wait_event_type='Lock'"), "1");
    CHECK(stranger.run(lock + "a' FOR UPDATE") == "");  // the other one is taken back
    CHECK(stranger.run("COMMIT") == "");
    writer.join();
    CHECK(done.has_value());
    for (const char* const id : {"a", "b"}) CHECK(store->decisions({stored_scope, id}, 0, 10)->size() == 1);
}

TEST_CASE("postgres faults: there are never more connections than were asked for", "[store][faults]") {
    const PostgresSchema schema;
    PostgresOptions options = options_of(schema, "bounded");
    options.connections = 2;
    const auto store = opened(options);
    REQUIRE(store->commit(history(states_of(task, 1))));
    std::atomic<int> failed{0}, most{0};
    std::atomic<bool> done{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 12; ++i) {
        threads.emplace_back([&, i] {
            for (int n = 0; n < 20; ++n) {
                const std::string id = std::to_string(i) + "-" + std::to_string(n);
                if (!store->commit(std::vector<Write>{decision(task, id)}) || !store->load(task)) ++failed;
            }
        });
    }
    std::thread watcher([&] {
        PostgresStranger stranger(postgres_server().url());
        while (!done) most = std::max(most.load(), std::stoi(stranger.value(count_of("application_name='bounded'"))));
    });
    for (std::thread& thread : threads) thread.join();
    done = true;
    watcher.join();
    CHECK(failed == 0);
    CHECK(most == 2);
    CHECK(store->decisions(task, 0, 1'000)->size() == 12 * 20);

    options.lock_timeout_ms = 50;
    options.connections = 1;
    const auto narrow = opened(options);
    PostgresStranger stranger(postgres_server().url());
    REQUIRE(stranger.run("BEGIN; LOCK TABLE " + schema.name() + ".scopes") == "");
    std::thread waiting([&] { (void)narrow->mode(stored_scope); });
    stranger.await(count_of("wait_event_type='Lock'"), "1");
    CHECK(narrow->mode(stored_scope).error().reason == Reason::lock_timeout);
    waiting.join();
}

TEST_CASE("postgres faults: nothing that was acknowledged before a kill is missing, and nobody repairs anything",
          "[store][faults][hazard:11]") {
    constexpr std::size_t schemas = 4, rounds = 50;
    Cases cases("postgres kill");
    std::minstd_rand random(20261130);  // NOLINT(cert-msc51-cpp): the same moments each time, as far as possible
    for (std::size_t n = 0; n < schemas; ++n) {
        const PostgresSchema schema;
        PostgresStranger stranger(postgres_server().url());
        StoreHost witness(opened(options_of(schema, "witness")));
        REQUIRE(witness.begin());
        for (std::size_t round = 0; round < rounds; ++round, ++cases) {
            INFO("schema " << n << ", round " << round);
            const auto open = [&] { return StoreHost(*open_postgres(options_of(schema, "killed"))); };
            const Revision acknowledged =
                change_until_killed(open, std::to_string(round), std::chrono::microseconds(random() % 5'000));
            stranger.await(count_of("application_name='killed'"), "0");  // the server may still be at its last commit

            const Revision found = witness.revision();
            CHECK((found == acknowledged || found.number == acknowledged.number + 1));
        }
        witness.check(witness.revision());
    }
}

TEST_CASE("postgres faults: four processes make 250 changes each, and none is lost", "[store][hazard:4]") {
    constexpr std::size_t writers = 4, changes = 250;
    const PostgresSchema schema;
    StoreHost witness(opened(options_of(schema)));
    REQUIRE(witness.begin());
    std::array<pid_t, writers> processes{};
    for (std::size_t i = 0; i < writers; ++i) {
        processes[i] = start([&, i] {
            StoreHost host(*open_postgres(options_of(schema)));
            for (std::size_t made = 0, attempt = 0; made < changes && !host.broken(); ++attempt) {
                if (host.change(host.revision(), std::to_string(i) + "-" + std::to_string(attempt))) ++made;
            }
            return host.broken() ? 1 : 0;
        });
    }
    for (const pid_t process : processes) CHECK(exit_code(process) == 0);
    witness.check(Revision{1 + writers * changes});
}

}  // namespace taskstate::test
