#include <taskstate/store/snapshot_file.hpp>

#include <set>
#include <string_view>

#include "store/faulty_file_system.hpp"
#include "store/saved_task.hpp"
#include "store/temporary_folder.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;
using namespace taskstate;
using test::FaultyFileSystem;
using test::TemporaryFolder;

namespace {

const std::vector<Snapshot>& states() {
    static const auto made = test::saved_task(4);
    return made;
}

// What a scenario finds on disk, does, and leaves there; 0 = no file.
struct Scenario {
    const char* name;
    std::size_t before;
    std::size_t after;
    bool spoilt;  ///< the file holds rubbish; `before` is what the previous generation holds
};

const Scenario scenarios[] = {
    {"the first save", 0, 1, false},
    {"a later save", 2, 3, false},
    {"a recovery", 1, 1, true},
};

// The place of one run of a scenario, prepared with the real file system.
struct Stage {
    TemporaryFolder folder;
    std::string path = folder / "tasks/task.json";
    const Scenario& scenario;

    explicit Stage(const Scenario& play) : scenario(play) {
        SnapshotFile file(path);
        if (play.before > 0) REQUIRE(file.save(states()[1], std::nullopt));
        if (play.before == 2 || play.spoilt) REQUIRE(file.save(states()[2], Revision{1}));
        if (play.spoilt) test::put_bytes(path, "spoilt");
        if (play.before > 0) test::put_bytes(path + ".tmp-1-1", "left by a killed writer");
    }

    Result<void> run(const std::shared_ptr<FileSystem>& files) const {
        SnapshotFile file(path, {}, files);
        if (scenario.spoilt) return file.recover().and_then([](SnapshotInput&&) { return Result<void>(); });
        return file.save(states()[scenario.after], base());
    }
    [[nodiscard]] std::optional<Revision> base() const {
        return scenario.before == 0 ? std::nullopt : std::optional(Revision{scenario.before});
    }

    [[nodiscard]] bool holds_old() const {
        if (scenario.spoilt) return test::bytes_of(path) == "spoilt";
        return holds(scenario.before);
    }
    [[nodiscard]] bool holds_new() const { return holds(scenario.after); }
    // Temporary files, beside the one that lay there before where `but` names it.
    [[nodiscard]] bool has_leftovers(std::string_view but = "none") const {
        for (const auto& entry : fs::directory_iterator(folder / "tasks")) {
            const std::string name = entry.path().filename();
            if (name.find(".tmp-") != std::string::npos && name != but) return true;
        }
        return false;
    }

 private:
    [[nodiscard]] bool holds(std::size_t revision) const {
        const auto found = SnapshotFile(path).load();
        if (!found) return false;
        return revision == 0 ? !found->has_value() : *found == to_input(states()[revision]);
    }
};

Reason reason_for(int error) {
    if (error == ENOSPC) return Reason::storage_full;
    return error == EIO ? Reason::storage_failed : Reason::storage_denied;
}

std::shared_ptr<FaultyFileSystem> faulty(FaultyFileSystem::Plan plan) {
    return std::make_shared<FaultyFileSystem>(plan);
}

std::vector<std::string_view> operations_of(const Scenario& scenario) {
    const auto files = faulty({});
    REQUIRE(Stage(scenario).run(files));
    return files->operations();
}

// Operations whose failure costs nothing: removing leftovers, and closing what was only read, locked or synced.
bool may_be_ignored(std::string_view operation) {
    return operation == "list" || operation == "unlink" || operation == "close";
}

}  // namespace

TEST_CASE("snapshot file: whichever operation fails, the old file stays and the same call succeeds later",
          "[store][hazard:11][hazard:13]") {
    const auto& scenario = GENERATE(from_range(std::begin(scenarios), std::end(scenarios)));
    const int error = GENERATE(ENOSPC, EIO, EACCES);
    INFO(scenario.name << ", errno " << error);
    std::size_t refused = 0;

    for (std::size_t at = 1;; ++at) {
        const Stage stage(scenario);
        const auto files = faulty({.at = at, .error = error});
        const auto result = stage.run(files);
        if (files->operations().size() < at) {
            CHECK(result);
            break;
        }
        INFO("operation " << at << ", " << files->operations()[at - 1]);
        if (result) {
            CHECK(may_be_ignored(files->operations()[at - 1]));
            CHECK(stage.holds_new());
            continue;
        }
        ++refused;
        CHECK(result.error().reason == reason_for(error));
        CHECK(result.error().path.starts_with("/"));
        CHECK(stage.holds_old());
        if (fs::exists(stage.folder / "tasks")) CHECK_FALSE(stage.has_leftovers("task.json.tmp-1-1"));

        CHECK(stage.run(posix_file_system()));
        CHECK(stage.holds_new());
        CHECK((scenario.spoilt || !stage.has_leftovers()));
    }
    CHECK(refused >= 12);
}

TEST_CASE("snapshot file: wherever a writer is killed, the next one finds the old file or the new one, whole",
          "[store][hazard:11]") {
    const auto& scenario = GENERATE(from_range(std::begin(scenarios), std::end(scenarios)));
    INFO(scenario.name);
    std::set<Reason> reasons;

    for (std::size_t at = 1;; ++at) {
        const Stage stage(scenario);
        const auto files = faulty({.at = at, .stops = true});
        const auto result = stage.run(files);
        if (files->operations().size() < at) break;
        INFO("operation " << at << ", " << files->operations()[at - 1]);
        if (!result) reasons.insert(result.error().reason);

        const bool in_doubt = !result && result.error().reason == Reason::commit_in_doubt;
        CHECK((result || in_doubt ? stage.holds_new() : stage.holds_old()));
        if (scenario.before == 2) CHECK(SnapshotFile(stage.path + ".prev").load());

        if (scenario.spoilt) {
            CHECK(stage.run(posix_file_system()));
        } else {
            const auto base = stage.holds_new() ? std::optional(Revision{scenario.after}) : stage.base();
            CHECK(SnapshotFile(stage.path).save(states()[4], base));
            CHECK_FALSE(stage.has_leftovers());
            if (base) CHECK((*SnapshotFile(stage.path + ".prev").load())->revision == *base);
        }
    }
    CHECK(reasons == std::set{Reason::storage_failed, Reason::commit_in_doubt});
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
    CHECK(durable_steps(scenarios[0]) == Names{"sync", "write", "sync", "rename", "sync"});
    CHECK(durable_steps(scenarios[1]) == Names{"write", "sync", "rename", "rename", "sync"});
    CHECK(durable_steps(scenarios[2]) == Names{"write", "sync", "rename", "sync"});
}

TEST_CASE("snapshot file: a failure to close what was written is reported", "[store][hazard:13]") {
    const Stage stage(scenarios[1]);
    const auto names = operations_of(scenarios[1]);
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
        const auto result = Stage(scenarios[0]).run(faulty({.at = 1, .error = error}));
        REQUIRE_FALSE(result);
        CHECK(result.error().reason == reason);
        CHECK(result.error().code() == Errc::storage);
        CHECK(result.error().path == "/lock");
    }
}

TEST_CASE("snapshot file: short reads and writes are continued, and interrupted calls are made again", "[store]") {
    const auto& scenario = GENERATE(from_range(std::begin(scenarios), std::end(scenarios)));
    INFO(scenario.name);
    const Stage stage(scenario);
    const auto files = faulty({.chunk = 7, .interrupts = true});

    REQUIRE(stage.run(files));
    CHECK(stage.holds_new());
    const auto loaded = SnapshotFile(stage.path, {}, files).load();
    REQUIRE(loaded);
    CHECK(*loaded == to_input(states()[scenario.after]));
}

TEST_CASE("snapshot file: a write that makes no progress is a failure", "[store]") {
    const Stage stage(scenarios[1]);
    const auto files = faulty({.chunk = 0});
    // Reading nothing looks like an empty file, so only the first save gets as far as to write.
    SnapshotFile file(stage.folder / "other.json", {}, files);

    const auto result = file.save(states()[1], std::nullopt);

    REQUIRE_FALSE(result);
    CHECK(result.error().reason == Reason::storage_failed);
    CHECK(result.error().path == "/temporary");
}

TEST_CASE("snapshot file: a file system without hard links is named as the fault", "[store]") {
    const auto& scenario = GENERATE(from_range(std::begin(scenarios) + 1, std::end(scenarios)));
    const int error = GENERATE(EPERM, EOPNOTSUPP);
    const Stage stage(scenario);
    const auto names = operations_of(scenario);
    const auto link = std::ranges::find(names, "link") - names.begin() + 1;

    const auto result = stage.run(faulty({.at = static_cast<std::size_t>(link), .error = error}));

    REQUIRE_FALSE(result);
    CHECK(result.error().reason == Reason::unsuitable_file_system);
    CHECK(stage.holds_old());
}
