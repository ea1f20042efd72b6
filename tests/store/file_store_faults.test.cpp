// Every file operation of the store in plain files goes wrong in every way, one at a time.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "store/cases.hpp"
#include "store/faulty_file_system.hpp"
#include "store/kept_files.hpp"
#include "store/processes.hpp"

namespace taskstate::test {
namespace {

namespace fs = std::filesystem;

const TaskAddress played_task{.scope = stored_scope, .id = "delivery-42"};
const TaskAddress standing_task{.scope = stored_scope, .id = "delivery-43"};

const std::vector<Snapshot>& played() {
    static const auto states = states_of(played_task, 40);
    return states;
}

Write step_to(std::size_t last) {
    if (last == 1) return start(played()[0], played()[1]);
    return advance(played()[last - 1], played()[last]);
}

/// Journals of these stores follow each other as soon as they have outgrown the state.
constexpr std::uint64_t short_journals = 1;

/// A store with two tasks, one of them at revision `last`.
void prepare(const std::string& path, std::size_t last) {
    const auto store = open_kept(path, short_journals);
    keep_in(*store, history(states_of(standing_task, 1)));
    for (std::size_t number = 1; number <= last; ++number) keep_in(*store, {step_to(number)});
    keep_in(*store, {decision(played_task, "decision-1", "key-1"), delivery(played_task, "block-1")});
}

std::size_t journals_in(const std::string& path) {
    return static_cast<std::size_t>(std::ranges::count_if(
        files_below(path), [](const auto& file) { return file.first.find("journal-") != std::string::npos; }));
}

/// The revision with which one journal makes room for the next.
std::size_t last_of_a_journal() {
    static const std::size_t found = [] {
        const TemporaryFolder folder;
        prepare(folder / "tasks", 3);
        const auto store = open_kept(folder / "tasks", short_journals);
        const std::size_t before = journals_in(folder / "tasks");
        std::size_t last = 3;
        while (journals_in(folder / "tasks") == before) keep_in(*store, {step_to(++last)});
        return last;
    }();
    return found;
}

void append_to_last_journal(const std::string& path, const std::string& bytes) {
    const std::string folder = path + '/' + stored_folder;
    std::string last;
    for (const auto& [name, content] : files_below(folder)) last = name.starts_with("journal-") ? name : last;
    put_bytes(folder + '/' + last, bytes_of(folder + '/' + last) + bytes);
}

Result<void> ended(const Result<bool>& done) {
    if (!done) return done.error();
    return *done ? Result<void>() : fail(Reason::inconsistent_state);
}

/// What is done to which folder.
struct FilePlay {
    const char* name;
    std::function<void(const std::string& path)> prepare;
    std::function<Result<void>(Store& store)> act;
    bool recovers = false;  ///< the folder is damaged, and recovered instead
};

Result<void> commit_one(Store& store, const Write& write) { return store.commit({&write, 1}); }

const std::vector<FilePlay>& plays() {
    static const auto advance_to = [](std::size_t last) {
        return [last](Store& store) { return commit_one(store, step_to(last)); };
    };
    static const auto prepared = [](std::size_t last) {
        return [last](const std::string& path) { prepare(path, last); };
    };
    static const std::vector<FilePlay> all{
        {"the first commit", [](const std::string&) {},
         [](Store& store) { return store.commit(history({played()[0], played()[1], played()[2]})); }},
        {"a later commit", prepared(2), advance_to(3)},
        {"a commit with which a journal ends",
         [](const std::string& path) {
             prepare(path, 3);
             const auto store = open_kept(path, short_journals);
             for (std::size_t last = 4; last < last_of_a_journal(); ++last) keep_in(*store, {step_to(last)});
         },
         [](Store& store) { return commit_one(store, step_to(last_of_a_journal())); }},
        {"a commit after a writer that was stopped",
         [](const std::string& path) {
             prepare(path, 2);
             append_to_last_journal(path, "0000004f 0123");
             put_bytes(path + '/' + stored_folder + "/state.tmp", "left");
             put_bytes(path + '/' + stored_folder + '/' + journal(9), "left");
         },
         advance_to(3)},
        {"an exposure", prepared(2),
         [](Store& store) { return ended(store.expose(stored_scope, "block-1", later(3))); }},
        {"a deletion", prepared(2),
         [](Store& store) {
             auto removed = store.forget(played_task);
             return removed ? Result<void>() : removed.error();
         }},
        {"a trimmed log", prepared(3),
         [](Store& store) { return commit_one(store, TrimLog{played_task, {2}, {based(played(), 2)}}); }},
        {"a recovery",
         [](const std::string& path) {
             prepare(path, 2);
             append_to_last_journal(path, "damage\n");
         },
         [](Store&) { return Result<void>(); }, true},
    };
    return all;
}

/// The folder of one run of a play, copied from one that was prepared once.
class FileStage {
 public:
    explicit FileStage(const FilePlay& play) : play_(play), made_(made_for(play)) {
        if (fs::exists(made_.folder / "tasks")) fs::copy(made_.folder / "tasks", path, fs::copy_options::recursive);
    }

    [[nodiscard]] Result<void> run(const std::shared_ptr<FileSystem>& files) const { return run(play_, path, files); }
    [[nodiscard]] FileStoreOptions options(const std::shared_ptr<FileSystem>& files) const {
        return options_at(path, files);
    }

    /// Whether everything of the call has happened, or nothing; neither where what lies there is neither.
    enum class Came : std::uint8_t { nothing, everything, neither };
    [[nodiscard]] Came came() const {
        const auto store = open_kept(path, short_journals);
        // Half of all cases read the heads first, as who needs no logs does.
        const auto log = ++turn_ % 2 == 0 ? Result<void>() : read_log(*store);
        const auto load = store->load(played_task);
        const bool reads = log && load && read_log(*store);
        if (!reads) return play_.recovers ? Came::nothing : Came::neither;
        const Contents found = contents_of(*store);
        if (found == made_.after) return Came::everything;
        return found == made_.before && !play_.recovers ? Came::nothing : Came::neither;
    }

    /// Once the fault is gone the same call succeeds, a later one too, and nothing is left lying about.
    void check_repair(Came came) const {
        if (came != Came::everything) {
            CHECK(run(std::make_shared<UnsyncedFiles>()));
            CHECK(this->came() == Came::everything);
        }
        keep_in(*open_kept(path, short_journals), {SetScopeMode{stored_scope, ScopeMode::enabled}});
        for (const auto& [name, content] : files_below(path)) CHECK(name.find("state.tmp") == std::string::npos);
        CHECK_FALSE(files_below(path + '/' + stored_folder).contains(journal(9)));
    }

    const TemporaryFolder folder;
    const std::string path = folder / "tasks";

 private:
    struct Made {
        TemporaryFolder folder{};
        Contents before{}, after{};
    };

    static FileStoreOptions options_at(const std::string& path, const std::shared_ptr<FileSystem>& files) {
        return {.path = path, .journal_bytes = short_journals, .files = files};
    }
    static Result<void> run(const FilePlay& play, const std::string& path, const std::shared_ptr<FileSystem>& files) {
        const FileStoreOptions options = options_at(path, files);
        if (play.recovers) {
            const auto recovered = recover_files(options);
            return recovered ? Result<void>() : recovered.error();
        }
        const auto store = open_files(options);
        return store ? play.act(**store) : store.error();
    }
    static const Made& made_for(const FilePlay& play) {
        static std::map<const FilePlay*, Made> all;
        const auto [place, is_first] = all.try_emplace(&play);
        Made& made = place->second;
        if (!is_first) return made;
        const std::string path = made.folder / "tasks";
        play.prepare(path);
        const TemporaryFolder copy;
        if (fs::exists(path)) fs::copy(path, copy / "tasks", fs::copy_options::recursive);
        if (!play.recovers) made.before = contents_of(*open_kept(copy / "tasks"));
        REQUIRE(run(play, copy / "tasks", std::make_shared<UnsyncedFiles>()));
        made.after = contents_of(*open_kept(copy / "tasks"));
        if (!play.recovers) REQUIRE(made.before != made.after);
        return made;
    }
    static Result<void> read_log(Store& store) {
        const auto log = store.revisions(played_task, {}, all);
        return log ? Result<void>() : log.error();
    }

    static inline std::size_t turn_ = 0;
    const FilePlay& play_;
    const Made& made_;
};

std::shared_ptr<FaultyFileSystem> broken(FaultyFileSystem::Plan plan) {
    return std::make_shared<FaultyFileSystem>(plan);
}

/// Calls `visit(play, operation's number, its name)` for every operation of every play.
template <class Visit>
void for_each_file_operation(Visit visit) {
    for (const FilePlay& play : plays()) {
        const auto files = broken({});
        REQUIRE(FileStage(play).run(files));
        for (std::size_t at = 1; at <= files->operations().size(); at += case_step()) {
            INFO(play.name << ", operation " << at << ", " << files->operations()[at - 1]);
            visit(play, at, files->operations()[at - 1]);
        }
    }
}

/// The same for those that change something on disk: to stop before another one is to stop before the next of these.
template <class Visit>
void for_each_change(Visit visit) {
    static const std::set<std::string_view> changes{"write", "truncate", "sync",          "rename",
                                                    "link",  "unlink",   "make_directory"};
    for_each_file_operation([&](const FilePlay& play, std::size_t at, std::string_view operation) {
        if (changes.contains(operation)) visit(play, at, operation);
    });
}

/// Loses with the power what was written and not synced: a file ends where it was synced, or goes on with zeros.
class PowerCut : public FaultyFileSystem {
 public:
    using FaultyFileSystem::FaultyFileSystem;
    PowerCut(const PowerCut&) = delete;
    PowerCut& operator=(const PowerCut&) = delete;
    ~PowerCut() override {
        for (const Written& file : written_) ::close(file.same);
    }

    std::int64_t write(int file, const char* from, std::size_t size) override {
        const auto before = posix_file_system()->size(file);
        const auto count = FaultyFileSystem::write(file, from, size);
        const bool known = std::ranges::any_of(written_, [&](const Written& w) { return w.number == file; });
        if (count > 0 && !known) written_.push_back({file, ::dup(file), before});
        return count;
    }
    int sync(int file) override {
        const int synced = FaultyFileSystem::sync(file);
        for (Written& written : written_) {
            if (synced == 0 && written.number == file) written.synced = posix_file_system()->size(file);
        }
        return synced;
    }
    int close(int file) override {
        for (Written& written : written_) written.number = written.number == file ? -1 : written.number;
        return FaultyFileSystem::close(file);
    }

    void lose_power(bool zeros) {
        for (const Written& file : written_) {
            const auto size = ::lseek(file.same, 0, SEEK_END);
            if (size <= file.synced) continue;
            if (::ftruncate(file.same, file.synced) != 0 || (zeros && ::ftruncate(file.same, size) != 0)) std::abort();
        }
    }

 private:
    struct Written {
        int number = -1, same = -1;  // while it is open, and one of our own
        std::int64_t synced = 0;
    };
    std::vector<Written> written_;
};

}  // namespace

TEST_CASE("file store: whichever operation fails, everything of a call has happened or nothing of it",
          "[store][hazard:11][hazard:13]") {
    Cases cases("an operation of the file store fails");
    for_each_file_operation([&](const FilePlay& play, std::size_t at, std::string_view) {
        ++cases;
        const FileStage stage(play);
        const auto result = stage.run(broken({.at = at, .error = ENOSPC}));
        const auto came = stage.came();
        if (result) {
            CHECK(came == FileStage::Came::everything);
        } else if (result.error().reason != Reason::commit_in_doubt) {
            CHECK(result.error().reason == Reason::storage_full);
            CHECK(result.error().path.starts_with("/"));
            CHECK(came == FileStage::Came::nothing);
        }
        stage.check_repair(came);
    });
}

TEST_CASE("file store: a permission that is missing is told as such", "[store][hazard:13]") {
    const FilePlay& play = plays()[1];
    const auto files = broken({});
    REQUIRE(FileStage(play).run(files));
    for (std::size_t at = 1; at <= files->operations().size(); ++at) {
        const auto result = FileStage(play).run(broken({.at = at, .error = EACCES}));
        if (!result) CHECK(result.error().reason == Reason::storage_denied);
    }
}

TEST_CASE("file store: a store whose call failed reads what lies on disk", "[store][hazard:13]") {
    Cases cases("a store of files goes on after an operation failed");
    for_each_change([&](const FilePlay& play, std::size_t at, std::string_view) {
        if (play.recovers) return;
        ++cases;
        const FileStage stage(play);
        const auto opened = open_files(stage.options(broken({.at = at})));
        if (!opened) return;
        (void)play.act(**opened);
        CHECK(contents_of(**opened) == contents_of(*open_kept(stage.path, short_journals)));
        (void)play.act(**opened);
        CHECK(stage.came() == FileStage::Came::everything);
    });
}

TEST_CASE("file store: where the storage goes away for good, everything of a call has happened or nothing of it",
          "[store][hazard:11][hazard:13]") {
    Cases cases("all operations of the file store fail from one on");
    for_each_change([&](const FilePlay& play, std::size_t at, std::string_view) {
        ++cases;
        const FileStage stage(play);
        const auto result = stage.run(broken({.at = at, .for_good = true}));
        const bool in_doubt = !result && result.error().reason == Reason::commit_in_doubt;
        const auto came = stage.came();
        CHECK(came != FileStage::Came::neither);
        if (!in_doubt) CHECK((came == FileStage::Came::everything) == result.has_value());
        stage.check_repair(came);
    });
}

TEST_CASE("file store: a process that is killed at an operation leaves everything of a call or nothing",
          "[store][hazard:11]") {
    Cases cases("a process is killed at an operation of the file store");
    for_each_change([&](const FilePlay& play, std::size_t at, std::string_view) {
        ++cases;
        const FileStage stage(play);
        const pid_t child = test::start([&] { return stage.run(std::make_shared<KillingFileSystem>(at)) ? 0 : 1; });
        CHECK(exit_code(child) == -1);
        const auto came = stage.came();
        CHECK(came != FileStage::Came::neither);
        stage.check_repair(came);
    });
}

TEST_CASE("file store: where the power fails at an operation, unsynced bytes count as never written",
          "[store][hazard:11][hazard:12]") {
    Cases cases("the power fails at an operation of the file store");
    for_each_change([&](const FilePlay& play, std::size_t at, std::string_view operation) {
        for (const bool zeros : {false, true}) {
            // What was written just before makes the difference.
            if (zeros && operation != "sync" && operation != "write") continue;
            ++cases;
            const FileStage stage(play);
            const auto files = std::make_shared<PowerCut>(FaultyFileSystem::Plan{.at = at, .for_good = true});
            const auto result = stage.run(files);
            files->lose_power(zeros);
            const auto came = stage.came();
            CHECK(came != FileStage::Came::neither);
            if (result) CHECK(came == FileStage::Came::everything);
            stage.check_repair(came);
        }
    });
}

TEST_CASE("file store: a disk with room for a part of it keeps nothing of a call", "[store][hazard:11][hazard:13]") {
    Cases cases("the disk is full after some bytes of the file store");
    for (const FilePlay& play : plays()) {
        for (std::size_t room = 0;; room += 401 * case_step()) {
            INFO(play.name << ", room for " << room << " bytes");
            ++cases;
            const FileStage stage(play);
            const auto result = stage.run(broken({.error = ENOSPC, .for_good = true, .room = room}));
            const auto came = stage.came();
            CHECK(came == (result ? FileStage::Came::everything : FileStage::Came::nothing));
            if (!result) CHECK(result.error().reason == Reason::storage_full);
            stage.check_repair(came);
            if (result) break;
        }
    }
}

TEST_CASE("file store: short reads and writes are continued, and interrupted calls are made again", "[store]") {
    Cases cases("reads and writes of the file store are short");
    for (const FilePlay& play : plays()) {
        for (const std::size_t chunk : {1U, 64U}) {
            ++cases;
            INFO(play.name << ", " << chunk << " bytes at once");
            const FileStage stage(play);
            CHECK(stage.run(broken({.chunk = chunk, .interrupts = true})));
            CHECK(stage.came() == FileStage::Came::everything);
        }
    }
}

TEST_CASE("file store: a record is durable before the call returns, and names before what needs them",
          "[store][hazard:11][hazard:12]") {
    using Names = std::vector<std::string_view>;
    const auto durable_steps = [](const FilePlay& play) {
        const auto files = broken({});
        REQUIRE(FileStage(play).run(files));
        Names steps = files->operations();
        std::erase_if(steps, [](auto name) { return name != "write" && name != "sync" && name != "rename"; });
        return steps;
    };
    // The folder of the store, the names in that of the scope, and the record.
    CHECK(durable_steps(plays()[4]) == Names{"sync", "sync", "write", "sync"});
}

}  // namespace taskstate::test
