// One file, many threads of one process.

#include <taskstate/store/snapshot_file.hpp>

#include <array>
#include <atomic>
#include <thread>

#include "store/faulty_file_system.hpp"
#include "store/saved_task.hpp"
#include "store/temporary_folder.hpp"
#include "support/catch.hpp"

using namespace taskstate;
using test::TemporaryFolder;

// Catch's assertions are not for other threads: those count, and the test's thread judges.

TEST_CASE("threads: writers of one file lose nothing, through one object or two, and readers see whole states only",
          "[store][hazard:4]") {
    constexpr std::uint64_t changes = 50;
    for (const bool shared : {true, false}) {
        INFO((shared ? "one object" : "two objects"));
        const TemporaryFolder folder;
        const std::string path = folder / "task.json";
        std::array files{SnapshotFile(path), SnapshotFile(path)};
        std::array<test::Score, 2> scores{};
        std::atomic<bool> done{false};
        std::atomic<int> broken{0};

        std::thread reader([&] {
            for (std::uint64_t seen = 0; !done;) {
                const auto found = files[0].load();
                const auto revision = found && *found ? (*found)->revision.number : 0;
                if (!found || revision < seen || (*found && (*found)->notes.empty())) ++broken;
                seen = revision;
            }
        });
        std::array<std::thread, 2> writers;
        for (std::size_t i = 0; i < writers.size(); ++i) {
            writers[i] = std::thread(
                [&, i] { scores[i] = test::make_changes(files[shared ? 0 : i], "w" + std::to_string(i), changes); });
        }
        for (std::thread& writer : writers) writer.join();
        done = true;
        reader.join();

        CHECK(broken == 0);
        for (const auto& score : scores) {
            CHECK_FALSE(score.broken);
            CHECK(score.accepted == changes);
        }
        CHECK((*SnapshotFile(path).load())->revision == Revision{2 * changes});
    }
}

TEST_CASE("threads: who looks for a file while its first two saves are made does not take it for lost",
          "[store][hazard:3][hazard:11]") {
    // The saves come just after it was seen that there is no file.
    class Late : public test::FaultyFileSystem {
     public:
        explicit Late(std::string path) : path_(std::move(path)) {}
        int open(const std::string& path, int flags, unsigned mode) override {
            const int file = FaultyFileSystem::open(path, flags, mode);
            if (file == -ENOENT && path == path_) saved_ = save_twice();
            return file;
        }
        [[nodiscard]] bool saved() const { return saved_; }

     private:
        [[nodiscard]] bool save_twice() const {
            const auto states = test::saved_task(2);
            SnapshotFile file(path_);
            return file.save(states[1], std::nullopt) && file.save(states[2], Revision{1});
        }
        std::string path_;
        bool saved_ = false;
    };
    const TemporaryFolder folder;
    const std::string path = folder / "task.json";
    const auto files = std::make_shared<Late>(path);

    const auto found = SnapshotFile(path, {}, files).load();

    CHECK(files->saved());
    REQUIRE(found);
    REQUIRE(*found);
    CHECK((*found)->revision == Revision{2});
}
