#include <taskstate/store/snapshot_file.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <vector>

#include "store/faulty_file_system.hpp"
#include "store/saved_task.hpp"
#include "store/temporary_folder.hpp"
#include "support/catch.hpp"

using namespace taskstate;
using test::FaultyFileSystem;
using test::TemporaryFolder;

namespace {

/// A pipe on which one process tells another that it got somewhere.
class Signal {
 public:
    Signal() {
        if (::pipe(ends_.data()) != 0) std::abort();
    }
    Signal(const Signal&) = delete;
    Signal& operator=(const Signal&) = delete;
    ~Signal() {
        for (const int end : ends_) ::close(end);
    }
    void give() const {
        if (::write(ends_[1], "x", 1) != 1) std::abort();
    }
    void await() const {
        char byte = 0;
        if (::read(ends_[0], &byte, 1) != 1) std::abort();
    }

 private:
    std::array<int, 2> ends_{};
};

/// Stops before its first operation until all are there, so that they meet at the lock.
class StartingLine : public FaultyFileSystem {
 public:
    StartingLine(const Signal& ready, const Signal& go) : FaultyFileSystem({}), ready_(ready), go_(go) {}
    int open(const std::string& path, int flags, unsigned mode) override {
        if (operations().empty()) {
            ready_.give();
            go_.await();
        }
        return FaultyFileSystem::open(path, flags, mode);
    }

 private:
    const Signal& ready_;
    const Signal& go_;
};

/// Runs `work` in a process of its own, whose exit code is what `work` returns.
template <class Work>
pid_t start(Work work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    return child;
}

int exit_code(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

constexpr int won = 0, lost = 1, broken = 2;

int race(const std::string& path, const Snapshot& next, std::optional<Revision> base, const Signal& ready,
         const Signal& go) {
    SnapshotFile file(path, {}, std::make_shared<StartingLine>(ready, go));
    const auto result = file.save(next, base);
    if (result) return won;
    const Error conflict =
        fail(Reason::stale_base_revision, "/expected", {next.revision().number, base.value_or(Revision{}).number});
    return result.error() == conflict ? lost : broken;
}

/// Adds notes to the task in the file until `count` of them were accepted.
int add_notes(const std::string& path, const std::string& name, int count) {
    TaskOptions options = test::saved_task_options();
    options.limits = Limits{.entries_max = 1'000, .tokens_max = 1'000'000};
    SnapshotFile file(path);
    for (int accepted = 0; accepted < count;) {
        const auto saved = file.load();
        if (!saved) return broken;
        const auto base = *saved ? std::optional((*saved)->revision) : std::nullopt;
        auto task = *saved ? TaskState::open(options, **saved) : TaskState::create(options);
        if (!task) return broken;
        const auto commit = task->update(test::one_note(name + std::to_string(accepted)), task->revision());
        if (!commit) return broken;
        const auto result = file.save(commit->snapshot, base);
        if (result) ++accepted;
        if (!result && result.error().reason != Reason::stale_base_revision) return broken;
    }
    return won;
}

}  // namespace

TEST_CASE("snapshot file: of two processes on one base exactly one wins, and the other learns the revision",
          "[store][hazard:5]") {
    constexpr std::size_t rounds = 100;
    const TemporaryFolder folder;
    const std::string path = folder / "task.json";
    const auto options = [] {
        auto made = test::saved_task_options();
        made.limits = Limits{.entries_max = 1'000, .tokens_max = 1'000'000};
        return made;
    }();
    const auto states = test::saved_task(rounds, options);

    for (std::size_t round = 1; round <= rounds; ++round) {
        const Signal ready, go;
        const auto base = round == 1 ? std::nullopt : std::optional(Revision{round - 1});
        const auto writer = [&] { return race(path, states[round], base, ready, go); };
        const std::array children{start(writer), start(writer)};
        for (std::size_t i = 0; i < children.size(); ++i) ready.await();
        for (std::size_t i = 0; i < children.size(); ++i) go.give();

        const std::array codes{exit_code(children[0]), exit_code(children[1])};

        REQUIRE(std::ranges::count(codes, won) == 1);
        REQUIRE(std::ranges::count(codes, lost) == 1);
        REQUIRE((*SnapshotFile(path).load())->revision == Revision{round});
    }
}

TEST_CASE("snapshot file: no acknowledged change of several processes is lost", "[store][hazard:4]") {
    constexpr int processes = 4, changes = 15;
    const TemporaryFolder folder;
    const std::string path = folder / "task.json";
    std::vector<pid_t> children;
    for (int n = 0; n < processes; ++n) {
        children.push_back(start([&] { return add_notes(path, "p" + std::to_string(n) + "-", changes); }));
    }
    for (const pid_t child : children) REQUIRE(exit_code(child) == won);

    const auto found = SnapshotFile(path).load();
    REQUIRE(found);
    CHECK((*found)->revision == Revision{processes * changes});
    std::set<std::string> ids;
    for (const auto& note : (*found)->notes) ids.insert(note.note.id);
    CHECK(ids.size() == processes * changes);
}

TEST_CASE("snapshot file: a writer that is killed while it holds the lock leaves it free", "[store][hazard:11]") {
    const TemporaryFolder folder;
    const std::string path = folder / "task.json";
    const auto states = test::saved_task(2);
    REQUIRE(SnapshotFile(path).save(states[1], std::nullopt));

    // It stops in its second rename, which is the one that publishes.
    class Killed : public FaultyFileSystem {
     public:
        Killed() : FaultyFileSystem({}) {}
        int rename(const std::string& from, const std::string& to) override {
            if (to.ends_with(".json")) ::kill(::getpid(), SIGKILL);
            return FaultyFileSystem::rename(from, to);
        }
    };
    const pid_t child = start(
        [&] { return SnapshotFile(path, {}, std::make_shared<Killed>()).save(states[2], Revision{1}) ? won : lost; });
    REQUIRE(exit_code(child) == -1);

    CHECK(*SnapshotFile(path).load() == to_input(states[1]));
    CHECK(SnapshotFile(path).save(states[2], Revision{1}));
    CHECK(*SnapshotFile(path).load() == to_input(states[2]));
    CHECK(folder.names() == std::set<std::string>{"task.json", "task.json.lock", "task.json.prev"});
}
