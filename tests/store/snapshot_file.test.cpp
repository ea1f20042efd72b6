#include <taskstate/base/digest.hpp>
#include <taskstate/store/snapshot_file.hpp>

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>

#include "store/saved_task.hpp"
#include "store/temporary_folder.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;
using namespace taskstate;
using test::bytes_of;
using test::put_bytes;
using test::saved_task;
using test::TemporaryFolder;

namespace {

/// A folder that holds the revisions 1 and 2 of a task: one as the previous generation.
struct Saved {
    TemporaryFolder folder;
    std::string path = folder / "task.json";
    std::vector<Snapshot> states = saved_task(3);
    SnapshotFile file{path};

    Saved() {
        REQUIRE(file.save(states[1], std::nullopt));
        REQUIRE(file.save(states[2], Revision{1}));
    }
};

std::optional<SnapshotInput> loaded(const std::string& path) {
    const auto found = SnapshotFile(path).load();
    REQUIRE(found);
    return *found;
}

bool has_leftovers(const TemporaryFolder& folder) {
    for (const auto& name : folder.names()) {
        if (name.find(".tmp-") != std::string::npos) return true;
    }
    return false;
}

/// The file that another writer would have made around this snapshot.
std::string around(const std::string& snapshot) {
    return R"({"format":"taskstate.file/1","digest":")" + format_digest(sha256(snapshot)) + R"(","snapshot":)" +
           snapshot + "}\n";
}

Reason reason_of(const Result<std::optional<SnapshotInput>>& result) {
    REQUIRE_FALSE(result);
    return result.error().reason;
}

}  // namespace

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

// Damage ----------------------------------------------------------------------------------------------------------

namespace {

struct Damage {
    const char* name;
    std::string (*spoil)(std::string bytes);
    Reason reason;
    std::size_t offset;  ///< but for a tail, which starts where the whole file ended
};

const Damage damages[] = {
    {"empty", [](std::string) { return std::string(); }, Reason::short_file, 0},
    {"zeros", [](std::string bytes) { return std::string(bytes.size(), '\0'); }, Reason::zeroed, 0},
    {"zero tail", [](std::string bytes) { return bytes.replace(200, std::string::npos, 50, '\0'); }, Reason::zeroed,
     200},
    {"cut in the head", [](std::string bytes) { return bytes.substr(0, 10); }, Reason::short_file, 10},
    {"cut in the snapshot", [](std::string bytes) { return bytes.substr(0, 300); }, Reason::short_file, 300},
    {"tail of a longer file", [](std::string bytes) { return bytes + std::string(1'111, '}'); }, Reason::trailing_bytes,
     0},
    {"written twice", [](std::string bytes) { return bytes + bytes; }, Reason::trailing_bytes, 0},
    {"flipped bit in a text",
     [](std::string bytes) {
         bytes[bytes.find("decided")] ^= 1;
         return bytes;
     },
     Reason::digest_mismatch, 123},
    {"flipped bit in the digest",
     [](std::string bytes) {
         bytes[50] ^= 1;
         return bytes;
     },
     Reason::digest_mismatch, 123},
    {"head of another generation", [](std::string bytes) { return around("{}").substr(0, 123) + bytes.substr(123); },
     Reason::digest_mismatch, 123},
    {"no snapshot", [](std::string) { return std::string(R"({"format":"taskstate.file/1"})") + '\n'; },
     Reason::unreadable_record, 0},
};

}  // namespace

TEST_CASE("snapshot file: damage is named with role, size and byte, and the file is kept", "[store][hazard:12]") {
    for (const Damage& damage : damages) {
        INFO(damage.name);
        Saved saved;
        const std::string whole = bytes_of(saved.path);
        const std::string spoilt = damage.spoil(whole);
        put_bytes(saved.path, spoilt);
        const auto offset = damage.reason == Reason::trailing_bytes ? whole.size() : damage.offset;

        const auto read = saved.file.load();
        const auto written = saved.file.save(saved.states[3], Revision{2});

        REQUIRE_FALSE(read);
        CHECK(read.error() == fail(damage.reason, "/current", {spoilt.size(), offset}));
        CHECK(read.error().code() == Errc::corrupt);
        REQUIRE_FALSE(written);
        CHECK(written.error() == read.error());
        CHECK(bytes_of(saved.path) == spoilt);
    }
}

TEST_CASE("snapshot file: no flipped bit and no cut gives a snapshot", "[store][hazard:12]") {
    const TemporaryFolder folder;
    const std::string path = folder / "task.json";
    REQUIRE(SnapshotFile(path).save(saved_task(1)[1], std::nullopt));
    const std::string whole = bytes_of(path);

    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
        put_bytes(path, flipped);
        REQUIRE_FALSE(SnapshotFile(path).load());
        put_bytes(path, whole.substr(0, at));
        CHECK(reason_of(SnapshotFile(path).load()) == Reason::short_file);
    }
}

TEST_CASE("snapshot file: two swapped files are each whole, and the expected revision tells", "[store][hazard:12]") {
    Saved saved;
    fs::rename(saved.path, saved.folder / "aside");
    fs::rename(saved.path + ".prev", saved.path);
    fs::rename(saved.folder / "aside", saved.path + ".prev");

    CHECK(loaded(saved.path) == to_input(saved.states[1]));
    const auto result = saved.file.save(saved.states[3], Revision{2});
    REQUIRE_FALSE(result);
    CHECK(result.error() == fail(Reason::stale_base_revision, "/expected", {1, 2}));
}

TEST_CASE("snapshot file: a foreign file and a newer one are refused and kept", "[store][hazard:6][spec:P1]") {
    Saved saved;
    const std::string whole = bytes_of(saved.path);
    const std::string json = encode(saved.states[2]);
    std::string newer_file = whole;
    newer_file.replace(newer_file.find("file/1"), 6, "file/12");
    std::string newer_snapshot = json;
    newer_snapshot.replace(newer_snapshot.find("snapshot/1"), 10, "snapshot/2");
    std::string new_field = json;
    new_field.insert(1, R"("another":1,)");
    std::string new_word = json;
    new_word.replace(new_word.find("decision"), 8, "suspicion");

    const std::pair<std::string, Error> cases[] = {
        {"not ours\n", fail(Reason::foreign_file, "/current", {9, 0})},
        {json + "\n", fail(Reason::foreign_file, "/current", {json.size() + 1, 0})},
        {newer_file, fail(Reason::newer_format, "/current", {newer_file.size(), 26})},
        {around(newer_snapshot), fail(Reason::newer_format, "/current/snapshot/format")},
        {around(new_field), fail(Reason::newer_format, "/current/snapshot/another")},
        {around(new_word), fail(Reason::newer_format, "/current/snapshot/notes/0/category")},
    };
    for (const auto& [bytes, error] : cases) {
        put_bytes(saved.path, bytes);
        const auto read = saved.file.load();
        REQUIRE_FALSE(read);
        CHECK(read.error() == error);
        CHECK(read.error().code() == Errc::unsupported);
        CHECK_FALSE(saved.file.save(saved.states[3], Revision{2}));
        CHECK(bytes_of(saved.path) == bytes);
    }
}

TEST_CASE("snapshot file: a record that cannot be read is corrupt, with its path", "[store][hazard:16]") {
    const Saved saved;
    std::string ill_formed = encode(saved.states[2]);
    ill_formed.replace(ill_formed.find("decided"), 3, "\xED\xA0\x80");
    std::string missing = encode(saved.states[2]);
    missing.replace(missing.find(R"("id":"delivery-42",)"), 19, "");
    const std::pair<std::string, std::string> cases[] = {{ill_formed, ""}, {missing, "/id"}, {"[]", ""}, {"{", ""}};

    for (const auto& [snapshot, path] : cases) {
        put_bytes(saved.path, around(snapshot));
        const auto read = saved.file.load();
        REQUIRE_FALSE(read);
        CHECK(read.error().reason == Reason::unreadable_record);
        CHECK(read.error().path.starts_with("/current/snapshot" + path));
        CHECK(read.error().limit == around(snapshot).size());
        CHECK(read.error().actual == 123u);
    }
}

TEST_CASE("snapshot file: recover goes back one generation and keeps the damaged files",
          "[store][hazard:11][hazard:12]") {
    Saved saved;
    const std::string prev = bytes_of(saved.path + ".prev");
    for (const char* spoilt : {"first", "second"}) {
        put_bytes(saved.path, spoilt);

        const auto good = saved.file.recover();

        REQUIRE(good);
        CHECK(*good == to_input(saved.states[1]));
        CHECK(bytes_of(saved.path) == prev);
        CHECK(bytes_of(saved.path + ".prev") == prev);
    }
    CHECK(bytes_of(saved.path + ".bad-1") == "first");
    CHECK(bytes_of(saved.path + ".bad-2") == "second");

    REQUIRE(saved.file.save(saved.states[2], Revision{1}));
    CHECK(loaded(saved.path) == to_input(saved.states[2]));
    CHECK_FALSE(has_leftovers(saved.folder));
}

TEST_CASE("snapshot file: recover brings back a lost file, and leaves a whole or a newer one alone", "[store]") {
    Saved saved;
    const auto names = saved.folder.names();
    REQUIRE(saved.file.recover());
    CHECK(loaded(saved.path) == to_input(saved.states[2]));
    CHECK(saved.folder.names() == names);

    std::string newer = bytes_of(saved.path);
    newer.replace(newer.find("file/1"), 6, "file/2");
    put_bytes(saved.path, newer);
    const auto refused = saved.file.recover();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().reason == Reason::newer_format);
    CHECK(bytes_of(saved.path) == newer);

    fs::remove(saved.path);
    REQUIRE(saved.file.recover());
    CHECK(loaded(saved.path) == to_input(saved.states[1]));
}

TEST_CASE("snapshot file: recover without a good previous generation changes nothing", "[store]") {
    Saved saved;
    put_bytes(saved.path, "spoilt");
    put_bytes(saved.path + ".prev", "{\"format\":\"taskstate.file/1\"");
    const auto names = saved.folder.names();

    const auto damaged = saved.file.recover();
    REQUIRE_FALSE(damaged);
    CHECK(damaged.error().reason == Reason::short_file);
    CHECK(damaged.error().path == "/previous");
    CHECK(bytes_of(saved.path) == "spoilt");
    CHECK(saved.folder.names() == names);

    fs::remove(saved.path + ".prev");
    const auto missing = saved.file.recover();
    REQUIRE_FALSE(missing);
    CHECK(missing.error().reason == Reason::storage_failed);
    CHECK(missing.error().path == "/previous");
    CHECK(bytes_of(saved.path) == "spoilt");
}

// Paths -----------------------------------------------------------------------------------------------------------

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

TEST_CASE("snapshot file: where only the previous generation is left, the file was lost, not new",
          "[store][hazard:11]") {
    const TemporaryFolder folder;
    const std::string path = folder / "task.json";
    const auto states = saved_task(3);
    SnapshotFile file(path);
    REQUIRE(file.save(states[1], std::nullopt));
    REQUIRE(file.save(states[2], Revision{1}));
    fs::remove(path);

    CHECK(reason_of(file.load()) == Reason::short_file);
    CHECK(file.save(states[3], std::nullopt).error().reason == Reason::short_file);
    REQUIRE(file.recover());
    CHECK(loaded(path)->revision == Revision{1});
}

TEST_CASE("snapshot file: a version that no writer makes is damage, not news", "[store][hazard:12]") {
    const TemporaryFolder folder;
    const std::string path = folder / "task.json";
    REQUIRE(SnapshotFile(path).save(saved_task(1)[1], std::nullopt));
    std::string bytes = bytes_of(path);
    const std::size_t digit = bytes.find("file/1") + 5;
    bytes[digit] = '0';
    put_bytes(path, bytes);
    CHECK(SnapshotFile(path).load().error().code() == Errc::corrupt);
    bytes[digit] = '2';
    put_bytes(path, bytes);
    CHECK(reason_of(SnapshotFile(path).load()) == Reason::newer_format);
}
