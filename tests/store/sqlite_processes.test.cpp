// Several processes on one file, and processes that are killed while they write.

#include "store/cases.hpp"
#include "store/processes.hpp"
#include "store/sqlite_file.hpp"
#include "store/store_host.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <random>

namespace taskstate::test {
namespace {

/// A host with its own connection to a file.
StoreHost host_of(const std::string& path) { return StoreHost(*open_sqlite({.path = path})); }

}  // namespace

TEST_CASE("sqlite processes: nothing that was acknowledged before a kill is missing, and nobody repairs anything",
          "[store][faults][hazard:11]") {
    constexpr std::size_t files = 10, rounds = 20;
    Cases cases("sqlite kill");
    std::minstd_rand random(20261130);  // NOLINT(cert-msc51-cpp): the same moments each time, as far as possible
    for (std::size_t file = 0; file < files; file += case_step()) {
        const TemporaryFolder folder;
        const std::string path = folder / "tasks.db";
        REQUIRE(host_of(path).begin());
        for (std::size_t round = 0; round < rounds; ++round, ++cases) {
            INFO("file " << file << ", round " << round);
            const Revision acknowledged = change_until_killed([&] { return host_of(path); }, std::to_string(round),
                                                              std::chrono::microseconds(random() % 5'000));
            StoreHost host = host_of(path);
            const Revision found = host.revision();
            CHECK((found == acknowledged || found.number == acknowledged.number + 1));
            host.check(found);
        }
    }
}

TEST_CASE("sqlite processes: four processes make 250 changes each, and none is lost", "[store][hazard:4][hazard:14]") {
    constexpr std::size_t writers = 4, changes = 250;
    const TemporaryFolder folder;
    const std::string path = folder / "tasks.db";
    REQUIRE(host_of(path).begin());
    std::array<pid_t, writers> processes{};
    for (std::size_t i = 0; i < writers; ++i) {
        processes[i] = start([&, i] {
            StoreHost host = host_of(path);
            for (std::size_t made = 0, attempt = 0; made < changes && !host.broken(); ++attempt) {
                if (host.change(host.revision(), std::to_string(i) + "-" + std::to_string(attempt))) ++made;
            }
            return host.broken() ? 1 : 0;
        });
    }
    for (const pid_t process : processes) CHECK(exit_code(process) == 0);
    host_of(path).check(Revision{1 + writers * changes});
}

TEST_CASE("sqlite processes: processes that open a new file at once find one store", "[store][faults]") {
    constexpr std::size_t rounds = 20, openers = 4;
    for (std::size_t round = 0; round < rounds; ++round) {
        const TemporaryFolder folder;
        const std::string path = folder / "tasks.db";
        const Channel<char> ready, go;
        std::array<pid_t, openers> processes{};
        for (std::size_t i = 0; i < openers; ++i) {
            processes[i] = start([&, i] {
                ready.give('x');
                (void)go.take();
                const auto store = open_sqlite({.path = path});
                if (!store) return 2;
                const TaskAddress task{stored_scope, "delivery-" + std::to_string(i)};
                return (*store)->commit(history(states_of(task, 1))) ? 0 : 1;
            });
        }
        for (std::size_t i = 0; i < openers; ++i) (void)ready.take();
        for (std::size_t i = 0; i < openers; ++i) go.give('x');
        for (const pid_t process : processes) CHECK(exit_code(process) == 0);
        CHECK(open_at(path)->list({.scope = stored_scope})->size() == openers);
    }
}

TEST_CASE("sqlite processes: who looks at an open file takes no lock from its store", "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder / "tasks.db";
    const auto states = states_of(filed_task, 3);
    const Channel<char> go, gone;
    const pid_t other = start([&] {
        (void)go.take();
        if (!open_sqlite({.path = path})) return 1;  // whoever believes to be the last one deletes the log
        gone.give('x');
        (void)go.take();
        const auto store = open_sqlite({.path = path});
        return store && (*store)->revisions(filed_task, {}, 10)->size() == 3 ? 0 : 2;
    });
    const auto store = open_at(path);
    keep(*store, history({states.begin(), states.begin() + 3}));
    (void)open_at(path);
    CHECK(check_sqlite(path));

    go.give('x');
    (void)gone.take();
    CHECK(folder.names().contains("tasks.db-wal"));
    keep(*store, {advance(states[2], states[3])});
    go.give('x');
    CHECK(exit_code(other) == 0);
}

}  // namespace taskstate::test
