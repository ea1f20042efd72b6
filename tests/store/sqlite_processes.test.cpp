// Several processes on one file, and processes that are killed while they write.

#include "store/cases.hpp"
#include "store/processes.hpp"
#include "store/sqlite_file.hpp"

#include <taskstate/service/task_service.hpp>

#include <signal.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <random>
#include <thread>

namespace taskstate::test {
namespace {

/// A host with its own connection to a file.
class FileHost {
 public:
    explicit FileHost(const std::string& path)
        : store_(*open_sqlite({.path = path})), service_(*TaskService::open({.store = store_})) {}

    [[nodiscard]] bool begin() {
        return service_.set_mode(stored_scope, ScopeMode::enabled) &&
               service_.start({.task = filed_task,
                               .key = "start",
                               .actor = host,
                               .items = {{.title = "Weigh the parcel", .id = "weigh"}}});
    }
    [[nodiscard]] Revision revision() { return (*store_->find(filed_task, std::nullopt))->head.frame.revision; }
    /// The item gets another title on top of `base`: the new revision, or none where somebody was quicker.
    std::optional<Revision> change(Revision base, const std::string& key) {
        const SetItemTitle title{.id = "weigh", .title = "Weigh the parcel " + key};
        const auto done = service_.submit({.task = filed_task,
                                           .actor = host,
                                           .key = key,
                                           .base = base,
                                           .operations = {{title, Assurance::host_reported}},
                                           .assurance = Assurance::host_reported});
        if (done && done->decision.outcome == Outcome::accepted) return done->decision.result;
        const Reason why = done ? done->decision.reason : done.error().reason;
        const bool overtaken = why == Reason::stale_base_revision || why == Reason::concurrent_successor_committed;
        if (!overtaken) broken_ = true;
        return std::nullopt;
    }
    [[nodiscard]] bool broken() const { return broken_; }

    /// A log without a gap, each revision with its decision, and everything as it is told to be.
    void check(Revision last) {
        const auto revisions = *store_->revisions(filed_task, {}, 10'000);
        REQUIRE(revisions.size() == last.number);
        CHECK(revisions.back().frame.revision == last);
        const auto decisions = *store_->decisions(filed_task, 0, 10'000);
        CHECK(static_cast<std::uint64_t>(std::count_if(decisions.begin(), decisions.end(), [](const auto& decision) {
                  return decision.outcome == Outcome::accepted;
              })) == last.number);
        const auto integrity = service_.verify(stored_scope);
        REQUIRE(integrity.has_value());
        CHECK(integrity->valid);
        CHECK(integrity->checked_tasks == 1);
    }

 private:
    static inline const Actor host{.role = Role::operator_, .name = "olga"};
    std::shared_ptr<Store> store_;
    TaskService service_;
    bool broken_ = false;
};

}  // namespace

TEST_CASE("sqlite processes: nothing that was acknowledged before a kill is missing, and nobody repairs anything",
          "[store][faults][hazard:11]") {
    constexpr std::size_t files = 10, rounds = 20;
    Cases cases("sqlite kill");
    std::minstd_rand random(20261130);  // NOLINT(cert-msc51-cpp): the same moments each time, as far as possible
    for (std::size_t file = 0; file < files; ++file) {
        const TemporaryFolder folder;
        const std::string path = folder / "tasks.db";
        REQUIRE(FileHost(path).begin());
        Revision acknowledged{1};
        for (std::size_t round = 0; round < rounds; ++round, ++cases) {
            INFO("file " << file << ", round " << round);
            const Channel<Revision> told;
            const pid_t writer = start([&] {
                FileHost host(path);
                for (Revision at = host.revision();;) {
                    const auto next = host.change(at, std::to_string(round) + "-" + std::to_string(at.number));
                    if (!next) return 1;
                    told.give(at = *next);
                }
                return 0;
            });
            acknowledged = told.take();
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 5'000));
            ::kill(writer, SIGKILL);
            CHECK(exit_code(writer) == -1);
            while (told.waits()) acknowledged = told.take();

            FileHost host(path);
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
    REQUIRE(FileHost(path).begin());
    std::array<pid_t, writers> processes{};
    for (std::size_t i = 0; i < writers; ++i) {
        processes[i] = start([&, i] {
            FileHost host(path);
            for (std::size_t made = 0, attempt = 0; made < changes && !host.broken(); ++attempt) {
                if (host.change(host.revision(), std::to_string(i) + "-" + std::to_string(attempt))) ++made;
            }
            return host.broken() ? 1 : 0;
        });
    }
    for (const pid_t process : processes) CHECK(exit_code(process) == 0);
    FileHost(path).check(Revision{1 + writers * changes});
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
                if (!store) return static_cast<int>(store.error().reason);
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

}  // namespace taskstate::test
