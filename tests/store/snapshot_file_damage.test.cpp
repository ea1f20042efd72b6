// A file whose bytes are not those that were written.

#include <taskstate/store/snapshot_file.hpp>

#include <cstddef>

#include "store/cases.hpp"
#include "store/faulty_file_system.hpp"
#include "store/saved_file.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;
using namespace taskstate;
using test::around;
using test::bytes_of;
using test::Cases;
using test::has_leftovers;
using test::loaded;
using test::put_bytes;
using test::reason_of;
using test::Saved;
using test::saved_task;
using test::TemporaryFolder;

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
    {"flipped bit in the version", [](std::string bytes) { return bytes.replace(26, 1, "3"); },
     Reason::unreadable_record, 26},
    {"flipped bit in the first byte", [](std::string bytes) { return bytes.replace(0, 1, "z"); },
     Reason::unreadable_record, 0},
};

// What every call answers where `bytes` lie in the place of the file, and that they are kept.
Error check_damage(Saved& saved, const std::string& bytes, bool recovers = true) {
    put_bytes(saved.path, bytes);
    const auto read = saved.file.load();
    REQUIRE_FALSE(read);
    CHECK(read.error().code() == Errc::corrupt);
    CHECK(read.error().path == "/current");
    CHECK(read.error().limit == bytes.size());
    CHECK(read.error().actual <= bytes.size());

    const auto written = saved.file.save(saved.states[3], Revision{2});
    REQUIRE_FALSE(written);
    CHECK(written.error() == read.error());
    CHECK(bytes_of(saved.path) == bytes);

    if (!recovers) return read.error();
    const auto good = saved.file.recover();
    REQUIRE(good);
    CHECK(*good == to_input(saved.states[1]));
    CHECK(bytes_of(saved.path) == bytes_of(saved.path + ".prev"));
    CHECK(bytes_of(saved.path + ".bad-1") == bytes);
    fs::remove(saved.path + ".bad-1");
    return read.error();
}

}  // namespace

TEST_CASE("damage: it is named with role, size and byte, and the file is kept", "[store][hazard:12]") {
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

TEST_CASE("damage: no flipped bit, cut, zeros or bytes of an older file give a state, and all are kept",
          "[store][hazard:12]") {
    Saved saved(std::make_shared<test::FaultyFileSystem>());
    const std::string whole = bytes_of(saved.path);
    // The older file is the longer one, so that a tail of it can be left.
    const std::string older = around(encode(saved.states[3]));
    REQUIRE(older.size() > whole.size());
    {
        Cases cases("one bit of the file is flipped");
        for (std::size_t at = 0; at < whole.size(); at += test::case_step()) {
            for (unsigned bit = 0; bit < 8; ++bit) {
                ++cases;
                INFO("byte " << at << ", bit " << bit);
                std::string flipped = whole;
                flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ (1U << bit));
                const Error error = check_damage(saved, flipped, bit == at % 8);
                // In the line around digest and snapshot the very byte is told.
                const bool in_line = at < 39 || (at >= 110 && at < 123) || at + 2 >= whole.size();
                if (in_line) CHECK(error.reason == Reason::unreadable_record);
                if (in_line) CHECK(error.actual == at);
            }
        }
    }
    {
        Cases cases("the file is cut"), zeros("the file ends in zeros"), torn("the file is overwritten in part");
        for (std::size_t at = 0; at < whole.size(); at += test::case_step()) {
            INFO("byte " << at);
            ++cases;
            CHECK(check_damage(saved, whole.substr(0, at)).reason == Reason::short_file);
            ++zeros;
            const auto zeroed = check_damage(saved, whole.substr(0, at) + std::string(whole.size() - at, '\0'));
            CHECK(zeroed.reason == Reason::zeroed);
            CHECK(zeroed.actual == at);
            const std::string mixed = whole.substr(0, at) + older.substr(at);
            if (mixed == older) continue;
            ++torn;
            (void)check_damage(saved, mixed);
        }
    }
    Cases cases("a tail of an older, longer file is left");
    for (std::size_t at = 0; at < older.size(); at += test::case_step()) {
        ++cases;
        const Error error = check_damage(saved, whole + older.substr(at));
        CHECK(error.reason == Reason::trailing_bytes);
        CHECK(error.actual == whole.size());
    }
}

TEST_CASE("damage: the version is believed only where the rest of the line is another one too",
          "[store][hazard:6][hazard:12]") {
    Saved saved;
    const std::string whole = bytes_of(saved.path);
    for (const char digit : {'0', '2', '3', '5', '9'}) {
        std::string other = whole;
        other[26] = digit;
        CHECK(check_damage(saved, other).reason == Reason::unreadable_record);
    }
}

TEST_CASE("damage: the file of another task is whole, and whoever opens or replaces it is told", "[store][hazard:12]") {
    Saved saved;
    auto options = test::saved_task_options();
    options.id = "delivery-43";
    const std::string other = around(encode(saved_task(2, options)[2]));
    put_bytes(saved.path, other);

    const auto opened = TaskState::open(test::saved_task_options(), *loaded(saved.path));
    REQUIRE_FALSE(opened);
    CHECK(opened.error().reason == Reason::task_mismatch);
    CHECK(saved.file.save(saved.states[3], Revision{2}).error().reason == Reason::task_mismatch);
    REQUIRE(saved.file.recover());
    CHECK(bytes_of(saved.path) == other);

    // In place of the previous generation it comes back after damage, and again whoever opens it is told.
    put_bytes(saved.path, "spoilt");
    put_bytes(saved.path + ".prev", other);
    const auto good = saved.file.recover();
    REQUIRE(good);
    CHECK_FALSE(TaskState::open(test::saved_task_options(), *good));
    CHECK(bytes_of(saved.path + ".bad-1") == "spoilt");
}

TEST_CASE("damage: two swapped files are each whole, and the expected revision tells", "[store][hazard:12]") {
    Saved saved;
    fs::rename(saved.path, saved.folder / "aside");
    fs::rename(saved.path + ".prev", saved.path);
    fs::rename(saved.folder / "aside", saved.path + ".prev");

    CHECK(loaded(saved.path) == to_input(saved.states[1]));
    const auto result = saved.file.save(saved.states[3], Revision{2});
    REQUIRE_FALSE(result);
    CHECK(result.error() == fail(Reason::stale_base_revision, "/expected", {1, 2}));
}

TEST_CASE("damage: a foreign file and a newer one are refused and kept", "[store][hazard:6][spec:P1]") {
    Saved saved;
    const std::string whole = bytes_of(saved.path);
    const std::string json = encode(saved.states[2]);
    std::string newer_file = whole;
    newer_file.replace(newer_file.find("file/1"), 6, "file/12");
    const std::string newer_line = R"({"format":"taskstate.file/2","check":"1","snapshot":)" + json + "}\n";
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
        {newer_line, fail(Reason::newer_format, "/current", {newer_line.size(), 26})},
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
        if (error.reason == Reason::newer_format) CHECK_FALSE(saved.file.recover());
        CHECK(bytes_of(saved.path) == bytes);
    }
}

TEST_CASE("damage: a record that cannot be read is corrupt, with its path", "[store][hazard:16]") {
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

TEST_CASE("damage: recover goes back one generation and keeps the damaged files", "[store][hazard:11][hazard:12]") {
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

TEST_CASE("damage: recover brings back a lost file, and leaves a whole one alone", "[store]") {
    Saved saved;
    const auto names = saved.folder.names();
    REQUIRE(saved.file.recover());
    CHECK(loaded(saved.path) == to_input(saved.states[2]));
    CHECK(saved.folder.names() == names);

    fs::remove(saved.path);
    REQUIRE(saved.file.recover());
    CHECK(loaded(saved.path) == to_input(saved.states[1]));
}

TEST_CASE("damage: recover without a good previous generation changes nothing", "[store]") {
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

TEST_CASE("damage: where only the previous generation is left, the file was lost, not new", "[store][hazard:11]") {
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
