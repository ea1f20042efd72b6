#include <taskstate/store/snapshot_file.hpp>

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>

#include "store/saved_file.hpp"
#include "store/temporary_folder.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;
using namespace taskstate;
using test::around;
using test::bytes_of;
using test::has_leftovers;
using test::loaded;
using test::put_bytes;
using test::reason_of;
using test::Saved;
using test::saved_task;
using test::TemporaryFolder;

TEST_CASE("snapshot file: what was saved is loaded, and the one before it is kept", "[store][hazard:1]") {
    const Saved saved;

    CHECK(loaded(saved.path) == to_input(saved.states[2]));
    CHECK(loaded(saved.path + ".prev") == to_input(saved.states[1]));
    CHECK(saved.folder.names() == std::set<std::string>{"task.json", "task.json.lock", "task.json.prev"});
}

TEST_CASE("snapshot file: the line is the format, the digest of the exact bytes, and the snapshot", "[store]") {
    const Saved saved;
    CHECK(bytes_of(saved.path) == around(encode(saved.states[2])));
}

TEST_CASE("snapshot file: where there is no file, nothing is loaded and nothing is made", "[store]") {
    const TemporaryFolder folder;
    CHECK(loaded(folder / "task.json") == std::nullopt);
    CHECK(loaded(folder / "missing/task.json") == std::nullopt);
    CHECK(folder.names().empty());
}

TEST_CASE("snapshot file: a relative path lies in the working folder", "[store]") {
    const TemporaryFolder folder;
    const auto before = fs::current_path();
    fs::current_path(folder.path());
    const auto states = saved_task(2);
    SnapshotFile file("task.json");
    const bool first = file.save(states[1], std::nullopt).has_value();
    put_bytes("task.json.tmp-1-1", "left by a killed writer");
    const bool second = file.save(states[2], Revision{1}).has_value();
    fs::current_path(before);

    CHECK(first);
    CHECK(second);
    CHECK(loaded(folder / "task.json") == to_input(states[2]));
    CHECK_FALSE(has_leftovers(folder));
}

TEST_CASE("snapshot file: folder and files are the owner's alone, whatever the umask", "[store]") {
    const auto mask = GENERATE(mode_t{0}, mode_t{077}, mode_t{0177}, mode_t{0777});
    const TemporaryFolder folder;
    const auto states = saved_task(2);
    SnapshotFile file(folder / "tasks/task.json");

    const auto before = ::umask(mask);
    const bool saved = file.save(states[1], std::nullopt) && file.save(states[2], Revision{1});
    ::umask(before);

    REQUIRE(saved);
    CHECK(test::mode_of(folder / "tasks") == 0700);
    for (const char* name : {"tasks/task.json", "tasks/task.json.prev", "tasks/task.json.lock"}) {
        CHECK(test::mode_of(folder / name) == 0600);
    }
}

TEST_CASE("snapshot file: a stale expected revision is a conflict with both numbers and changes nothing",
          "[store][hazard:4]") {
    Saved saved;
    const auto before = bytes_of(saved.path);

    for (const auto expected : {std::optional<Revision>(), std::optional(Revision{1}), std::optional(Revision{3})}) {
        const auto result = saved.file.save(saved.states[3], expected);
        REQUIRE_FALSE(result);
        CHECK(result.error() ==
              fail(Reason::stale_base_revision, "/expected", {2, expected.value_or(Revision{}).number}));
    }
    CHECK(bytes_of(saved.path) == before);

    const auto lost = SnapshotFile(saved.folder / "other.json").save(saved.states[3], Revision{2});
    REQUIRE_FALSE(lost);
    CHECK(lost.error() == fail(Reason::stale_base_revision, "/expected", {0, 2}));
}

TEST_CASE("snapshot file: another task's file is not replaced", "[store]") {
    Saved saved;
    auto other_task = test::saved_task_options();
    other_task.id = "delivery-43";
    auto other_owner = test::saved_task_options();
    other_owner.scope.owner = "somebody";
    const auto before = bytes_of(saved.path);

    const auto task = saved.file.save(saved_task(3, other_task)[3], Revision{2});
    const auto owner = saved.file.save(saved_task(3, other_owner)[3], Revision{2});

    REQUIRE_FALSE(task);
    CHECK(task.error().reason == Reason::task_mismatch);
    REQUIRE_FALSE(owner);
    CHECK(owner.error().reason == Reason::scope_mismatch);
    CHECK(bytes_of(saved.path) == before);
}

TEST_CASE("snapshot file: what could not be loaded under the limits is not saved", "[store]") {
    const TemporaryFolder folder;
    const auto states = saved_task(2);
    const auto size = encode(states[2]).size();

    CHECK(SnapshotFile(folder / "fits.json", {.snapshot_bytes_max = size}).save(states[2], std::nullopt));
    const auto refused =
        SnapshotFile(folder / "task.json", {.snapshot_bytes_max = size - 1}).save(states[2], std::nullopt);
    const auto read = SnapshotFile(folder / "fits.json", {.snapshot_bytes_max = size - 1}).load();
    const auto far = SnapshotFile(folder / "fits.json", {.snapshot_bytes_max = 200}).load();

    REQUIRE_FALSE(refused);
    CHECK(refused.error() == fail(Reason::snapshot_bytes_exceeded, "", {size - 1, size}));
    CHECK_FALSE(fs::exists(folder / "task.json"));
    CHECK(reason_of(read) == Reason::snapshot_bytes_exceeded);
    CHECK(reason_of(far) == Reason::snapshot_bytes_exceeded);
    CHECK(SnapshotFile(folder / "fits.json", {.snapshot_bytes_max = SIZE_MAX}).load());
}

TEST_CASE("snapshot file: a link or anything but a file in its place is refused and not followed",
          "[store][hazard:15]") {
    Saved saved;
    const std::string target = saved.folder / "target";
    put_bytes(target, bytes_of(saved.path));
    const std::string before = bytes_of(target);

    for (const std::string& place : {saved.path, saved.path + ".lock"}) {
        for (const int kind : {0, 1, 2}) {
            fs::remove_all(place);
            if (kind == 0) fs::create_symlink(target, place);
            if (kind == 1) fs::create_directory(place);
            if (kind == 2) REQUIRE(::mkfifo(place.c_str(), 0600) == 0);

            const auto written = saved.file.save(saved.states[3], Revision{2});

            REQUIRE_FALSE(written);
            CHECK(written.error().reason == Reason::unsafe_path);
            CHECK(written.error().path == (place == saved.path ? "/current" : "/lock"));
            if (place == saved.path) CHECK(reason_of(saved.file.load()) == Reason::unsafe_path);
            CHECK(bytes_of(target) == before);
        }
        fs::remove_all(place);
    }
}

TEST_CASE("snapshot file: a link in place of the previous generation is replaced, not followed", "[store][hazard:15]") {
    Saved saved;
    const std::string target = saved.folder / "target";
    put_bytes(target, "precious");
    fs::remove(saved.path + ".prev");
    fs::create_symlink(target, saved.path + ".prev");

    put_bytes(saved.folder / "whole", bytes_of(saved.path));
    put_bytes(saved.path, "spoilt");
    const auto followed = saved.file.recover();
    REQUIRE_FALSE(followed);
    CHECK(followed.error().reason == Reason::unsafe_path);

    fs::rename(saved.folder / "whole", saved.path);
    REQUIRE(saved.file.save(saved.states[3], Revision{2}));
    CHECK(bytes_of(target) == "precious");
    CHECK(fs::is_regular_file(fs::symlink_status(saved.path + ".prev")));
}

TEST_CASE("snapshot file: a path that names no file in a folder is refused", "[store][hazard:15]") {
    const TemporaryFolder folder;
    const auto states = saved_task(1);
    const std::string paths[] = {"",
                                 folder / "",
                                 folder / ".",
                                 folder / "..",
                                 "/",
                                 folder / std::string("a\0b", 3),
                                 folder / std::string(300, 'a')};
    for (const std::string& path : paths) {
        SnapshotFile file(path);
        const auto written = file.save(states[1], std::nullopt);
        REQUIRE_FALSE(written);
        CHECK(written.error().reason == Reason::unsafe_path);
        CHECK(reason_of(file.load()) == Reason::unsafe_path);
        CHECK_FALSE(file.recover());
    }
    CHECK(folder.names().empty());
}

TEST_CASE("snapshot file: no name inside a snapshot becomes part of a path", "[store][hazard:15]") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "inner");
    auto options = test::saved_task_options();
    options.id = "nul.txt";
    options.scope = {.tenant = "/abs", .owner = "../x", .agent = "C:x", .workspace = "..\\..\\con"};
    options.association = "%2e%2e";

    REQUIRE(SnapshotFile(folder / "inner/task.json").save(saved_task(1, options)[1], std::nullopt));

    CHECK(folder.names() == std::set<std::string>{"inner"});
    CHECK(loaded(folder / "inner/task.json")->scope == options.scope);
    CHECK(std::distance(fs::directory_iterator(folder / "inner"), fs::directory_iterator()) == 2);
}

TEST_CASE("snapshot file: revision 0 is nothing yet, so there is nothing to save", "[store]") {
    const TemporaryFolder folder;
    SnapshotFile file(folder / "task.json");

    const auto saved = file.save(saved_task(0)[0], std::nullopt);

    REQUIRE_FALSE(saved.has_value());
    CHECK(saved.error() == fail(Reason::out_of_range, "/revision", {1, 0}));
    CHECK(folder.names().empty());
}
