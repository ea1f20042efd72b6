// Every file operation goes wrong in every way, one at a time.

#include <taskstate/store/snapshot_file.hpp>

#include <signal.h>
#include <unistd.h>

#include <set>
#include <string_view>

#include "store/cases.hpp"
#include "store/envelope.hpp"
#include "store/faulty_file_system.hpp"
#include "store/processes.hpp"
#include "store/saved_task.hpp"
#include "store/temporary_folder.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;
using namespace taskstate;
using test::Cases;
using test::FaultyFileSystem;
using test::KillingFileSystem;
using test::TemporaryFolder;

namespace {

const std::vector<Snapshot>& states() {
    static const auto made = test::saved_task(4);
    return made;
}

enum class Act : std::uint8_t { save, load, recover };
enum class File : std::uint8_t { whole, damaged, lost };

// What is done, what it finds on disk and which revision it leaves there or gives back.
struct Scenario {
    const char* name;
    Act act;
    std::size_t before;  ///< the revision that was saved last, on top of all before it; 0 = no file yet
    File file;           ///< what became of it since
    std::size_t after;
};

constexpr Scenario first_save = {"the first save", Act::save, 0, File::whole, 1};
constexpr Scenario later_save = {"a later save", Act::save, 2, File::whole, 3};
constexpr Scenario recovery = {"a recovery from damage", Act::recover, 2, File::damaged, 1};
constexpr Scenario scenarios[] = {
    first_save,
    {"the second save", Act::save, 1, File::whole, 2},
    later_save,
    recovery,
    {"a recovery from loss", Act::recover, 2, File::lost, 1},
    {"a recovery of a whole file", Act::recover, 2, File::whole, 2},
    {"a load", Act::load, 2, File::whole, 2},
};

// The place of one run of a scenario.
class Stage {
 public:
    explicit Stage(const Scenario& play) : scenario_(play) {
        SnapshotFile file(path, {}, std::make_shared<FaultyFileSystem>());
        for (std::size_t r = 1; r <= play.before; ++r) REQUIRE(file.save(states()[r], base(r - 1)));
        if (play.file == File::damaged) test::put_bytes(path, spoilt);
        if (play.file == File::lost) fs::remove(path);
        if (play.before > 0) {
            test::put_bytes(path + leftover, "left by a killed writer");
            fs::permissions(path + leftover, fs::perms(0600));
        }
        current_ = test::bytes_of(path);
        previous_ = test::bytes_of(path + ".prev");
    }

    [[nodiscard]] Result<void> run(const std::shared_ptr<FileSystem>& files) const {
        SnapshotFile file(path, {}, files);
        const auto gave = [&](const std::optional<SnapshotInput>& given) {
            return given == to_input(states()[scenario_.after]) ? Result<void>() : fail(Reason::inconsistent_state);
        };
        if (scenario_.act == Act::recover) return file.recover().and_then(gave);
        if (scenario_.act == Act::load) return file.load().and_then(gave);
        return file.save(states()[scenario_.after], base(scenario_.before));
    }
    [[nodiscard]] Result<void> run_again() const { return run(std::make_shared<FaultyFileSystem>()); }

    [[nodiscard]] Result<void> save_next() const {
        SnapshotFile file(path, {}, std::make_shared<FaultyFileSystem>());
        return file.save(states()[4], base(scenario_.after));
    }

    [[nodiscard]] bool is_old() const { return test::bytes_of(path) == current_ && reads_old(); }
    [[nodiscard]] bool is_new() const {
        const auto found = SnapshotFile(path).load();
        return found && *found && *found == to_input(states()[scenario_.after]);
    }

    // What must hold at any moment, whatever went wrong.
    [[nodiscard]] bool is_sound() const {
        if (!is_old() && !is_new()) return false;
        const std::string now = test::bytes_of(path), previous = test::bytes_of(path + ".prev");
        // The state that was acknowledged last has a name, and the other name leads to it or to the one before.
        if (now != current_ && previous != current_ && scenario_.act == Act::save) return false;
        if (previous != previous_ && previous != current_) return false;
        return has_evidence() && are_private();
    }
    // Temporary files, but for the one that lay there before.
    [[nodiscard]] bool has_new_leftovers() const { return leftovers() > (fs::exists(path + leftover) ? 1 : 0); }
    [[nodiscard]] std::ptrdiff_t leftovers() const {
        return std::ranges::count_if(names(), [](const auto& name) { return name.find(".tmp-") != std::string::npos; });
    }

    const TemporaryFolder folder;
    const std::string path = folder / "tasks/task.json";

 private:
    static constexpr const char* spoilt = R"({"format":"taskstate.file/1","dig)";
    static constexpr const char* leftover = ".tmp-1-1";

    static std::optional<Revision> base(std::size_t revision) {
        return revision == 0 ? std::nullopt : std::optional(Revision{revision});
    }
    [[nodiscard]] bool reads_old() const {
        const auto found = SnapshotFile(path).load();
        if (scenario_.file != File::whole) return !found && found.error().code() == Errc::corrupt;
        if (scenario_.before == 0) return found && !*found;
        return found && *found == to_input(states()[scenario_.before]);
    }
    // A damaged file lies in its place or under another name.
    [[nodiscard]] bool has_evidence() const {
        return scenario_.file != File::damaged || std::ranges::any_of(names(), [&](const auto& name) {
                   return test::bytes_of(folder / "tasks/" + name) == spoilt;
               });
    }
    [[nodiscard]] bool are_private() const {
        return (!fs::exists(folder / "tasks") || test::mode_of(folder / "tasks") == 0700) &&
               std::ranges::all_of(names(),
                                   [&](const auto& name) { return test::mode_of(folder / "tasks/" + name) == 0600; });
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> found;
        if (!fs::exists(folder / "tasks")) return found;
        for (const auto& entry : fs::directory_iterator(folder / "tasks")) found.push_back(entry.path().filename());
        return found;
    }

    const Scenario& scenario_;
    std::string current_, previous_;
};

std::shared_ptr<FaultyFileSystem> faulty(FaultyFileSystem::Plan plan) {
    return std::make_shared<FaultyFileSystem>(plan);
}

std::vector<std::string_view> operations_of(const Scenario& scenario) {
    const auto files = faulty({});
    REQUIRE(Stage(scenario).run(files));
    return files->operations();
}

// Calls `visit(scenario, operation's number, its name)` for every operation of every scenario.
template <class Visit>
void for_each_operation(Visit visit) {
    for (const Scenario& scenario : scenarios) {
        const auto names = operations_of(scenario);
        for (std::size_t at = 1; at <= names.size(); at += test::case_step()) {
            INFO(scenario.name << ", operation " << at << ", " << names[at - 1]);
            visit(scenario, at, names[at - 1]);
        }
    }
}

// Loses with the power what was written and not synced: the file keeps its names, but its bytes are gone or zeros.
class Unsynced : public FaultyFileSystem {
 public:
    using FaultyFileSystem::FaultyFileSystem;
    Unsynced(const Unsynced&) = delete;
    Unsynced& operator=(const Unsynced&) = delete;
    ~Unsynced() override {
        for (const auto& [file, same] : written_) ::close(same);
    }

    std::int64_t write(int file, const char* from, std::size_t size) override {
        const auto count = FaultyFileSystem::write(file, from, size);
        if (count > 0) written_.emplace_back(file, ::dup(file));  // the file itself, whatever becomes of its name
        return count;
    }
    int sync(int file) override {
        const int synced = FaultyFileSystem::sync(file);
        if (synced == 0) forget(file);
        return synced;
    }
    int close(int file) override {
        for (auto& [number, same] : written_) number = number == file ? closed : number;
        return FaultyFileSystem::close(file);
    }

    void lose_power(bool zeros) {
        for (const auto& [file, same] : written_) {
            const auto size = ::lseek(same, 0, SEEK_END);
            if (::ftruncate(same, 0) != 0 || (zeros && ::ftruncate(same, size) != 0)) std::abort();
        }
    }

 private:
    static constexpr int closed = -1;

    void forget(int file) {
        for (const auto& [number, same] : written_) {
            if (number == file) ::close(same);
        }
        std::erase_if(written_, [&](const auto& entry) { return entry.first == file; });
    }

    std::vector<std::pair<int, int>> written_;  // by its number, while that is open, and by one of our own
};

// Operations whose failure costs nothing: removing leftovers, and closing what was only read, locked or synced.
bool may_be_ignored(std::string_view operation) {
    return operation == "list" || operation == "unlink" || operation == "close";
}

// Operations that the system may interrupt before they did anything.
bool is_made_again(std::string_view operation) {
    static const std::set<std::string_view> made_again{"open", "read", "write", "sync", "lock", "change_mode"};
    return made_again.contains(operation);
}

// Once the fault is gone the same call succeeds, the next save too, and nothing is left lying about.
void check_repair(const Stage& stage) {
    if (!stage.is_new()) CHECK(stage.run_again());
    CHECK(stage.is_new());
    CHECK(stage.is_sound());
    CHECK(stage.save_next());
    CHECK(stage.leftovers() == 0);
}

}  // namespace

TEST_CASE("snapshot file: whichever operation fails, the old file stays and the same call succeeds later",
          "[store][hazard:11][hazard:13]") {
    struct Fault {
        const char* name;
        int error;
        Reason reason;
    };
    const Fault faults[] = {{"ENOSPC", ENOSPC, Reason::storage_full},
                            {"EACCES", EACCES, Reason::storage_denied},
                            {"EIO", EIO, Reason::storage_failed}};
    for (const auto& [name, error, reason] : faults) {
        Cases cases(std::string("an operation fails with ") + name);
        for_each_operation([&](const Scenario& scenario, std::size_t at, std::string_view operation) {
            ++cases;
            const Stage stage(scenario);
            const auto result = stage.run(faulty({.at = at, .error = error}));
            CHECK(stage.is_sound());
            if (result) {
                CHECK(may_be_ignored(operation));
                CHECK(stage.is_new());
            } else {
                CHECK(result.error().reason == reason);
                CHECK(result.error().path.starts_with("/"));
                CHECK(stage.is_old());
                CHECK_FALSE(stage.has_new_leftovers());
            }
            check_repair(stage);
        });
    }
}

TEST_CASE("snapshot file: an interrupted operation is made again, or changes nothing", "[store][hazard:11]") {
    Cases cases("an operation is interrupted");
    for_each_operation([&](const Scenario& scenario, std::size_t at, std::string_view operation) {
        ++cases;
        const Stage stage(scenario);
        const auto result = stage.run(faulty({.at = at, .error = EINTR}));
        CHECK(stage.is_sound());
        CHECK((result ? stage.is_new() : stage.is_old()));
        if (is_made_again(operation)) CHECK(result);
        check_repair(stage);
    });
}

TEST_CASE("snapshot file: where the storage goes away for good, the old file is there or the new one, whole",
          "[store][hazard:11][hazard:13]") {
    Cases cases("all operations fail from one on");
    std::set<Reason> reasons;
    for_each_operation([&](const Scenario& scenario, std::size_t at, std::string_view) {
        ++cases;
        const Stage stage(scenario);
        const auto result = stage.run(faulty({.at = at, .for_good = true}));
        CHECK(stage.is_sound());
        if (!result) reasons.insert(result.error().reason);
        const bool in_doubt = !result && result.error().reason == Reason::commit_in_doubt;
        CHECK((result || in_doubt ? stage.is_new() : stage.is_old()));
        check_repair(stage);
    });
    CHECK(reasons == std::set{Reason::storage_failed, Reason::commit_in_doubt});
}

TEST_CASE(
    "snapshot file: a writer that is killed at an operation leaves the old file or the new one, whole, and the lock "
    "free",
    "[store][hazard:11]") {
    Cases cases("a process is killed at an operation");
    for_each_operation([&](const Scenario& scenario, std::size_t at, std::string_view) {
        ++cases;
        const Stage stage(scenario);
        const pid_t child = test::start([&] { return stage.run(std::make_shared<KillingFileSystem>(at)) ? 0 : 1; });
        CHECK(test::exit_code(child) == -1);
        CHECK(stage.is_sound());
        check_repair(stage);
    });
}

TEST_CASE("snapshot file: where the power fails at an operation, unsynced bytes lie under no name that is read",
          "[store][hazard:11][hazard:12]") {
    Cases cases("the power fails at an operation");
    for_each_operation([&](const Scenario& scenario, std::size_t at, std::string_view) {
        for (const bool zeros : {false, true}) {
            ++cases;
            const Stage stage(scenario);
            const auto files = std::make_shared<Unsynced>(FaultyFileSystem::Plan{.at = at, .for_good = true});
            (void)stage.run(files);
            files->lose_power(zeros);
            CHECK(stage.is_sound());
            check_repair(stage);
        }
    });
}

TEST_CASE("snapshot file: a disk with room for a part of the file keeps the old one", "[store][hazard:11][hazard:13]") {
    Cases cases("the disk is full after some bytes"), gone("a writer stops after some bytes");
    for (const Scenario& scenario : {first_save, later_save, recovery}) {
        const std::size_t size = encode(states()[scenario.after]).size() + envelope_bytes;
        for (std::size_t room = 0; room < size; room += 7 * test::case_step()) {
            INFO(scenario.name << ", room for " << room << " bytes");
            for (const bool for_good : {false, true}) {
                ++(for_good ? gone : cases);
                const Stage stage(scenario);
                const auto result = stage.run(faulty({.error = ENOSPC, .for_good = for_good, .room = room}));
                REQUIRE_FALSE(result);
                CHECK(result.error().reason == Reason::storage_full);
                CHECK(result.error().path == "/temporary");
                CHECK(stage.is_old());
                CHECK(stage.is_sound());
                CHECK(stage.has_new_leftovers() == for_good);
                check_repair(stage);
            }
        }
    }
}

TEST_CASE("snapshot file: short reads and writes are continued, and interrupted calls are made again", "[store]") {
    Cases cases("reads and writes are short");
    for (const Scenario& scenario : scenarios) {
        for (std::size_t chunk = 1; chunk < 20; ++chunk) {
            ++cases;
            INFO(scenario.name << ", " << chunk << " bytes at once");
            const Stage stage(scenario);
            CHECK(stage.run(faulty({.chunk = chunk, .interrupts = true})));
            CHECK(stage.is_new());
            check_repair(stage);
        }
    }
}

TEST_CASE("snapshot file: a write that makes no progress is a failure", "[store]") {
    // Reading nothing looks like an empty file, so only the first save gets as far as to write.
    const Stage stage(first_save);
    const auto result = stage.run(faulty({.chunk = 0}));

    REQUIRE_FALSE(result);
    CHECK(result.error().reason == Reason::storage_failed);
    CHECK(result.error().path == "/temporary");
}

TEST_CASE("snapshot file: a failure to close what was written is reported", "[store][hazard:13]") {
    const Stage stage(later_save);
    const auto names = operations_of(later_save);
    const auto written = std::ranges::find(names, "write") - names.begin();
    const auto close = std::find(names.begin() + written, names.end(), "close") - names.begin() + 1;

    const auto result = stage.run(faulty({.at = static_cast<std::size_t>(close), .error = ENOSPC}));

    REQUIRE_FALSE(result);
    CHECK(result.error().reason == Reason::storage_full);
    CHECK(result.error().path == "/temporary");
}

TEST_CASE("snapshot file: what the system says becomes full, denied or failed", "[store][hazard:13]") {
    const std::pair<int, Reason> cases[] = {
        {ENOSPC, Reason::storage_full},   {EDQUOT, Reason::storage_full},  {EACCES, Reason::storage_denied},
        {EPERM, Reason::storage_denied},  {EROFS, Reason::storage_denied}, {EIO, Reason::storage_failed},
        {EMFILE, Reason::storage_failed},
    };
    for (const auto& [error, reason] : cases) {
        const auto result = Stage(first_save).run(faulty({.at = 1, .error = error}));
        REQUIRE_FALSE(result);
        CHECK(result.error().reason == reason);
        CHECK(result.error().code() == Errc::storage);
        CHECK(result.error().path == "/lock");
    }
}

TEST_CASE("snapshot file: a file system without hard links is named as the fault", "[store]") {
    for (const Scenario& scenario : {later_save, recovery}) {
        for (const int error : {EPERM, EOPNOTSUPP}) {
            const Stage stage(scenario);
            const auto names = operations_of(scenario);
            const auto link = std::ranges::find(names, "link") - names.begin() + 1;

            const auto result = stage.run(faulty({.at = static_cast<std::size_t>(link), .error = error}));

            REQUIRE_FALSE(result);
            CHECK(result.error().reason == Reason::unsuitable_file_system);
            CHECK(stage.is_old());
        }
    }
}

TEST_CASE("snapshot file: bytes are durable before they get their name, and the names before the call returns",
          "[store][hazard:11][hazard:12]") {
    using Names = std::vector<std::string_view>;
    const auto durable_steps = [](const Scenario& scenario) {
        Names steps = operations_of(scenario);
        std::erase_if(steps, [](auto name) { return name != "write" && name != "sync" && name != "rename"; });
        return steps;
    };
    // The first save also makes its folder, which is a name in the folder above.
    CHECK(durable_steps(first_save) == Names{"sync", "write", "sync", "rename", "sync"});
    CHECK(durable_steps(later_save) == Names{"write", "sync", "rename", "rename", "sync"});
    CHECK(durable_steps(recovery) == Names{"write", "sync", "rename", "sync"});
}

TEST_CASE("snapshot file: a folder whose name was not made to last is seen to by the next writer",
          "[store][hazard:11]") {
    const auto names = operations_of(first_save);
    const auto made = std::ranges::find(names, "make_directory") - names.begin();
    const auto synced = std::find(names.begin() + made, names.end(), "sync") - names.begin() + 1;
    const Stage stage(first_save);
    REQUIRE_FALSE(stage.run(faulty({.at = static_cast<std::size_t>(synced)})));
    REQUIRE(fs::exists(stage.folder / "tasks"));

    const auto next = faulty({});
    REQUIRE(stage.run(next));

    CHECK(std::ranges::count(next->operations(), "sync") == 3);
}

TEST_CASE("snapshot file: a folder in one that may not be read is the host's, and needs no care", "[store]") {
    const Stage stage(first_save);
    fs::create_directory(stage.folder / "tasks");
    fs::permissions(stage.folder / "tasks", fs::perms(0700));
    const auto clean = faulty({});
    REQUIRE(Stage(first_save).run(clean));
    const auto opens_parent =
        std::ranges::find(clean->operations(), "make_directory") - clean->operations().begin() + 2;

    CHECK(stage.run(faulty({.at = static_cast<std::size_t>(opens_parent), .error = EACCES})));
    CHECK(stage.is_new());
}

TEST_CASE("snapshot file: a task whose save failed is ahead of its file, and its next save still fits",
          "[store][hazard:13]") {
    const auto names = operations_of(later_save);
    for (std::size_t at = 1; at <= names.size(); ++at) {
        if (may_be_ignored(names[at - 1])) continue;
        const Stage stage(later_save);
        TaskState task = *TaskState::open(test::saved_task_options(), to_input(states()[3]));
        SnapshotFile broken(stage.path, {}, faulty({.at = at, .error = ENOSPC}));
        REQUIRE_FALSE(broken.save(*task.snapshot(), Revision{2}));
        CHECK(*task.snapshot() == states()[3]);

        const auto commit = task.update(test::one_note("n4"), Revision{3});
        REQUIRE(commit);
        CHECK(SnapshotFile(stage.path, {}, faulty({})).save(commit->snapshot, Revision{2}));
        CHECK((*SnapshotFile(stage.path).load())->revision == Revision{4});
    }
}
