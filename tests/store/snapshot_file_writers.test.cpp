// Several processes, one file: whoever is told that his change is in, finds it there.

#include <taskstate/store/snapshot_file.hpp>

#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <random>
#include <thread>
#include <vector>

#include "store/cases.hpp"
#include "store/faulty_file_system.hpp"
#include "store/processes.hpp"
#include "store/saved_task.hpp"
#include "store/temporary_folder.hpp"
#include "support/catch.hpp"

using namespace taskstate;
using test::Cases;
using test::Channel;
using test::FaultyFileSystem;
using test::TemporaryFolder;

namespace {

// How a save ended, as one process tells another.
enum class Ending : std::uint8_t { won, lost, broken };

Ending ending(const Result<void>& saved, std::uint64_t revision_then, std::uint64_t base) {
    if (saved) return Ending::won;
    const bool told = saved.error() == fail(Reason::stale_base_revision, "/expected", {revision_then, base});
    return told ? Ending::lost : Ending::broken;
}

std::optional<Revision> base_of(std::uint64_t revision) {
    return revision == 1 ? std::nullopt : std::optional(Revision{revision - 1});
}

// States of the same size at the revisions 0 to `last`.
std::vector<Snapshot> chain(std::size_t last) {
    TaskState task = *TaskState::create(test::saved_task_options());
    std::vector<Snapshot> states{*task.snapshot()};
    while (states.size() <= last) {
        states.push_back(task.update(test::next_change("w", states.size()), task.revision())->snapshot);
    }
    return states;
}

// A process that stops in each save where `stops_at` says, until it is told to go on.
class Writer {
 public:
    Writer(const std::string& path, const std::vector<Snapshot>& states, std::string_view stops_at)
        : process_(test::start([&] { return run(path, states, stops_at); })) {}
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() {
        ::kill(process_, SIGKILL);
        test::exit_code(process_);
    }

    void start_save() const { start_.give('x'); }
    void await_stop() const { (void)stopped_.take(); }
    void go_on() const { go_.give('x'); }
    [[nodiscard]] bool has_ended() const { return ended_.waits(); }
    [[nodiscard]] Ending ending() const { return ended_.take(); }

 private:
    class Stopping : public FaultyFileSystem {
     public:
        Stopping(const Writer& writer, std::string_view at) : writer_(writer), at_(at) {}

     private:
        void reached(std::string_view operation) override {
            if (operation != at_) return;
            writer_.stopped_.give('x');
            (void)writer_.go_.take();
        }
        const Writer& writer_;
        std::string_view at_;
    };

    [[nodiscard]] int run(const std::string& path, const std::vector<Snapshot>& states,
                          std::string_view stops_at) const {
        for (std::uint64_t round = 1; round < states.size(); ++round) {
            (void)start_.take();
            SnapshotFile file(path, {}, std::make_shared<Stopping>(*this, stops_at));
            const auto base = base_of(round);
            ended_.give(::ending(file.save(states[round], base), round, base.value_or(Revision{}).number));
        }
        return 0;
    }

    Channel<char> start_, stopped_, go_;
    Channel<Ending> ended_;
    pid_t process_;
};

}  // namespace

TEST_CASE("writers: of two processes released together on one base exactly one wins, the other learns the revision",
          "[store][hazard:5]") {
    Cases cases("two processes are released together at the moment of publishing");
    const auto states = chain(1'000 / test::case_step());
    const TemporaryFolder folder;
    const std::string path = folder / "task.json";
    const Writer first(path, states, "lock"), second(path, states, "lock");
    std::size_t first_won = 0;

    for (std::uint64_t round = 1; round < states.size(); ++round) {
        ++cases;
        for (const Writer* writer : {&first, &second}) writer->start_save();
        for (const Writer* writer : {&first, &second}) writer->await_stop();
        const bool turn = round % 2 == 0;
        (turn ? first : second).go_on();
        (turn ? second : first).go_on();

        const std::array endings{first.ending(), second.ending()};

        REQUIRE(std::ranges::count(endings, Ending::won) == 1);
        REQUIRE(std::ranges::count(endings, Ending::lost) == 1);
        REQUIRE(*SnapshotFile(path).load() == to_input(states[round]));
        if (endings[0] == Ending::won) ++first_won;
    }
    // Else they did not meet at all.
    CHECK(first_won > 0);
    CHECK(first_won < cases.count());
}

TEST_CASE("writers: who comes while another is about to publish waits, and then learns the revision",
          "[store][hazard:5]") {
    Cases cases("a second process comes just before the first one publishes");
    const auto states = chain(50);
    const TemporaryFolder folder;
    const std::string path = folder / "task.json";
    // The second save of a round starts when the first one holds the lock and is about to write.
    const Writer first(path, states, "write"), second(path, states, "write");

    for (std::uint64_t round = 1; round < states.size(); ++round) {
        ++cases;
        first.start_save();
        first.await_stop();
        second.start_save();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        REQUIRE_FALSE(second.has_ended());
        first.go_on();

        REQUIRE(first.ending() == Ending::won);
        REQUIRE(second.ending() == Ending::lost);
        REQUIRE(*SnapshotFile(path).load() == to_input(states[round]));
    }
}

TEST_CASE("writers: no acknowledged change of several processes is lost", "[store][hazard:4]") {
    constexpr std::uint64_t processes = 4, changes = 250;
    Cases cases("4 processes make 250 changes each");
    const TemporaryFolder folder;
    const std::string path = folder / "task.json";
    const Channel<std::uint64_t> conflicts;
    std::vector<pid_t> children;
    for (std::uint64_t n = 1; n <= processes; ++n) {
        children.push_back(test::start([&] {
            SnapshotFile file(path, {}, std::make_shared<FaultyFileSystem>());
            const auto score = test::make_changes(file, "p" + std::to_string(n), changes);
            conflicts.give(score.conflicts);
            return score.broken ? 1 : 0;
        }));
    }
    std::uint64_t conflicts_seen = 0;
    for (const pid_t child : children) {
        conflicts_seen += conflicts.take();
        REQUIRE(test::exit_code(child) == 0);
    }
    for (std::uint64_t n = 0; n < processes * changes; ++n) ++cases;

    const auto found = SnapshotFile(path).load();
    REQUIRE(found);
    CHECK((*found)->revision == Revision{processes * changes});
    auto ids = test::note_ids(**found);
    std::ranges::sort(ids);
    CHECK(ids == std::vector<std::string>{"p1-250", "p2-250", "p3-250", "p4-250"});
    CHECK(conflicts_seen > 0);
}

TEST_CASE("writers: a process that is killed at any moment leaves its last acknowledged state or the next one, whole",
          "[store][hazard:11][hazard:12]") {
    constexpr std::size_t rounds = 200;
    Cases cases("a process is killed while it saves");
    const TemporaryFolder folder;
    const std::string path = folder / "task.json";
    std::minstd_rand random(1);
    std::uint64_t revision = 0;  // the last one that is known to lie in the file

    for (std::size_t round = 1; round <= rounds; round += test::case_step()) {
        ++cases;
        INFO("round " << round << ", revision " << revision);
        const Channel<std::uint64_t> acknowledged;
        const pid_t child = test::start([&] {
            SnapshotFile file(path);
            const auto saved = file.load();
            auto task = saved && *saved ? TaskState::open(test::saved_task_options(), **saved)
                                        : TaskState::create(test::saved_task_options());
            for (std::uint64_t next = revision + 1; saved && task; ++next) {
                const auto commit = task->update(test::next_change("w", next), Revision{next - 1});
                if (!commit || !file.save(commit->snapshot, base_of(next))) break;
                acknowledged.give(next);
            }
            return 1;
        });
        // The first answer tells that it is at work; what is left of it is from any moment of a save.
        REQUIRE(acknowledged.take() == revision + 1);
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 5'000));
        ::kill(child, SIGKILL);
        REQUIRE(test::exit_code(child) == -1);
        ++revision;
        while (acknowledged.waits()) revision = acknowledged.take();

        const auto found = SnapshotFile(path).load();

        REQUIRE(found);
        REQUIRE(*found);
        const auto number = (*found)->revision.number;
        REQUIRE((number == revision || number == revision + 1));
        REQUIRE(test::note_ids(**found) == std::vector{"w-" + std::to_string(number)});
        if (number > 1) {
            const auto before = SnapshotFile(path + ".prev").load();
            REQUIRE(before);
            REQUIRE((*before)->revision.number + 1 >= number);
        }
        revision = number;
    }
    SnapshotFile file(path);
    TaskState task = *TaskState::open(test::saved_task_options(), **file.load());
    const auto commit = task.update(test::next_change("w", revision + 1), Revision{revision});
    CHECK(file.save(commit->snapshot, Revision{revision}));
    CHECK(folder.names() == std::set<std::string>{"task.json", "task.json.lock", "task.json.prev"});
}
