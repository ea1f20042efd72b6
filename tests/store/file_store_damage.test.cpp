// Files of a store whose bytes are not those that were written.

#include <algorithm>
#include <functional>
#include <set>

#include "store/cases.hpp"
#include "store/kept_files.hpp"

#include <taskstate/service/task_service.hpp>

namespace taskstate::test {
namespace {

namespace fs = std::filesystem;

const TaskAddress damaged_task{.scope = stored_scope, .id = "delivery-42"};
constexpr std::size_t last_revision = 30;

/// A store with some journals, copied from one that was made once.
struct DamagedFiles {
    const TemporaryFolder folder;
    const std::string path = folder / "tasks";
    const std::string own = path + '/' + stored_folder;

    DamagedFiles() {
        static const TemporaryFolder made;
        static const bool is_made = [] {
            const auto store = open_kept(made / "tasks", 1);
            for (const Write& write : history(states_of(damaged_task, last_revision))) keep_in(*store, {write});
            keep_in(*store, {AddProfile{*find_profile("general-v1")}});
            return true;
        }();
        REQUIRE(is_made);
        fs::copy(made / "tasks", path, fs::copy_options::recursive);
    }

    [[nodiscard]] std::string bytes(const std::string& name) const { return bytes_of(own + '/' + name); }
    void put(const std::string& name, const std::string& bytes) const { put_bytes(own + '/' + name, bytes); }
    [[nodiscard]] std::string last_journal() const {
        std::string last;
        for (const auto& [name, content] : files_below(own)) last = name.starts_with("journal-") ? name : last;
        return last;
    }
    [[nodiscard]] std::map<std::string, std::string> files() const { return files_below(path); }
    [[nodiscard]] FileStoreOptions options() const {
        return {.path = path, .journal_bytes = 1, .files = std::make_shared<UnsyncedFiles>()};
    }

    /// What a new store answers to who reads everything.
    [[nodiscard]] Result<void> read() const {
        const auto store = open_kept(path, 1);
        if (auto loaded = store->load(damaged_task); !loaded) return loaded.error();
        if (auto log = store->revisions(damaged_task, {}, all); !log) return log.error();
        return {};
    }
    /// The revision after a recovery, of a store whose checks are clean and that takes the next revision.
    [[nodiscard]] std::uint64_t recovered_revision() const {
        const auto store = open_kept(path, 1);
        keep_in(*store, {SetScopeMode{stored_scope, ScopeMode::enabled}});
        TaskService service(value_of(TaskService::open({.store = store})));
        CHECK(value_of(service.verify(stored_scope)).valid);
        const auto stored = value_of(store->load(damaged_task));
        const std::uint64_t last = stored ? stored->head.frame.revision.number : 0;
        const auto states = states_of(damaged_task, last + 1);
        if (last == 0) {
            keep_in(*store, {start(states[0], states[1])});
        } else {
            keep_in(*store, {advance(states[last], states[last + 1])});
        }
        return last;
    }
};

struct FileDamage {
    const char* name;
    std::function<void(const DamagedFiles& files)> spoil;
    Reason reason;
    std::string file;        ///< that the error names
    std::uint64_t left_min;  ///< the revision that a recovery has to come to
};

std::string flipped(std::string bytes, std::size_t place) {
    bytes[place] = static_cast<char>(bytes[place] ^ 1);
    return bytes;
}

const std::vector<FileDamage>& file_damages() {
    static const std::string last = DamagedFiles().last_journal(), first = journal(1), second = journal(2);
    static const std::vector<FileDamage> all{
        {"an empty state", [](const DamagedFiles& f) { f.put("state", ""); }, Reason::short_file, "state",
         last_revision},
        {"a lost state", [](const DamagedFiles& f) { fs::remove(f.own + "/state"); }, Reason::short_file, "state",
         last_revision},
        {"a state of zeros", [](const DamagedFiles& f) { f.put("state", std::string(f.bytes("state").size(), '\0')); },
         Reason::zeroed, "state", last_revision},
        {"a cut state", [](const DamagedFiles& f) { f.put("state", f.bytes("state").substr(0, 900)); },
         Reason::short_file, "state", last_revision},
        {"a flipped bit in the state", [](const DamagedFiles& f) { f.put("state", flipped(f.bytes("state"), 900)); },
         Reason::digest_mismatch, "state", last_revision},
        {"a state with a tail", [](const DamagedFiles& f) { f.put("state", f.bytes("state") + "more"); },
         Reason::trailing_bytes, "state", last_revision},
        {"a file of somebody else", [](const DamagedFiles& f) { f.put("state", "{\"mine\":1}\n"); },
         Reason::foreign_file, "state", last_revision},
        {"a journal as the state", [](const DamagedFiles& f) { f.put("state", f.bytes(first)); }, Reason::foreign_file,
         "state", last_revision},
        {"an empty last journal", [](const DamagedFiles& f) { f.put(last, ""); }, Reason::short_file, last, 1},
        {"a lost last journal", [](const DamagedFiles& f) { fs::remove(f.own + '/' + last); }, Reason::short_file, last,
         1},
        {"a last journal of zeros", [](const DamagedFiles& f) { f.put(last, std::string(f.bytes(last).size(), '\0')); },
         Reason::zeroed, last, 1},
        {"zeros from the middle of a record on",
         [](const DamagedFiles& f) {
             std::string bytes = f.bytes(last);
             f.put(last, bytes.replace(bytes.size() - 40, 40, 40, '\0'));
         },
         Reason::zeroed, last, 1},
        {"a flipped bit in the last record",
         [](const DamagedFiles& f) { f.put(last, flipped(f.bytes(last), f.bytes(last).size() - 40)); },
         Reason::digest_mismatch, last, last_revision - 1},
        {"a last record without its line feed's bit",
         [](const DamagedFiles& f) { f.put(last, flipped(f.bytes(last), f.bytes(last).size() - 1)); },
         Reason::unreadable_record, last, last_revision - 1},
        {"the tail of an older file",
         [](const DamagedFiles& f) { f.put(last, f.bytes(last) + f.bytes(first).substr(99)); },
         Reason::unreadable_record, last, last_revision},
        {"a record twice",
         [](const DamagedFiles& f) {
             const std::string bytes = f.bytes(last);
             const auto start = bytes.rfind('\n', bytes.size() - 2) + 1;
             f.put(last, bytes + bytes.substr(start));
         },
         Reason::digest_mismatch, last, last_revision},
        {"a flipped bit in an older journal",
         [](const DamagedFiles& f) { f.put(first, flipped(f.bytes(first), 1'500)); }, Reason::digest_mismatch, first,
         last_revision},
        {"an older journal that is cut at a record",
         [](const DamagedFiles& f) {
             const std::string bytes = f.bytes(first);
             f.put(first, bytes.substr(0, bytes.rfind('\n', bytes.size() - 2) + 1));
         },
         Reason::short_file, first, last_revision},
        {"an older journal that is cut in a record",
         [](const DamagedFiles& f) { f.put(first, f.bytes(first).substr(0, f.bytes(first).size() - 9)); },
         Reason::short_file, first, last_revision},
        {"a lost older journal", [](const DamagedFiles& f) { fs::remove(f.own + '/' + first); }, Reason::short_file,
         first, last_revision},
        {"two journals that changed places",
         [](const DamagedFiles& f) {
             const std::string bytes = f.bytes(first);
             f.put(first, f.bytes(second));
             f.put(second, bytes);
         },
         Reason::foreign_file, first, last_revision},
    };
    return all;
}

}  // namespace

TEST_CASE("file store: damage is told, refused for writing, and recovered from with its evidence kept",
          "[store][hazard:16]") {
    Cases cases("files of the file store are damaged");
    for (const FileDamage& damage : file_damages()) {
        ++cases;
        INFO(damage.name);
        const DamagedFiles files;
        damage.spoil(files);
        const auto before = files.files();

        const auto read = files.read();
        REQUIRE_FALSE(read);
        CHECK(word(read.error().reason) == word(damage.reason));
        CHECK(read.error().path == '/' + stored_folder + '/' + damage.file);
        CHECK(read.error().limit.has_value());
        const auto store = open_kept(files.path, 1);
        const auto written = store->commit(std::vector<Write>{SetScopeMode{stored_scope, ScopeMode::shadow}});
        REQUIRE_FALSE(written);
        CHECK(written.error() == read.error());
        CHECK(files.files() == before);

        const auto recovered = recover_files(files.options());
        REQUIRE(recovered);
        CHECK(recovered->folders == 1);
        std::multiset<std::string> kept;
        for (const auto& [name, bytes] : files.files()) {
            if (name.find(".bad-") != std::string::npos) kept.insert(bytes);
        }
        CHECK(kept.size() == recovered->files);
        for (const auto& [name, bytes] : before) {
            if (name.starts_with(stored_folder) && !name.ends_with("/lock")) CHECK(kept.contains(bytes));
        }
        CHECK(files.recovered_revision() >= damage.left_min);
        CHECK(value_of(recover_files(files.options())) == FileRecovery{});
    }
}

TEST_CASE("file store: a flipped bit anywhere is told, or changes nothing that is read", "[store][hazard:16]") {
    Cases cases("a bit of a file of the file store is flipped");
    const DamagedFiles whole;
    const auto kept = contents_of(*open_kept(whole.path, 1));
    for (const std::string& name : {std::string("state"), journal(1), whole.last_journal()}) {
        const std::string bytes = whole.bytes(name);
        for (std::size_t place = 0; place < bytes.size(); place += 61 * case_step()) {
            ++cases;
            INFO(name << " at " << place);
            whole.put(name, flipped(bytes, place));
            CHECK_FALSE(whole.read());
        }
        whole.put(name, bytes);
    }
    CHECK(contents_of(*open_kept(whole.path, 1)) == kept);
}

TEST_CASE("file store: a last record whose end is missing was never acknowledged", "[store][hazard:11]") {
    Cases cases("the last record of the file store is torn");
    const DamagedFiles whole;
    const std::string name = whole.last_journal(), bytes = whole.bytes(name);
    const auto start = bytes.rfind('\n', bytes.size() - 2) + 1;
    const auto store = open_kept(whole.path, 1);
    for (std::size_t size = start; size < bytes.size(); size += 17) {
        ++cases;
        whole.put(name, bytes.substr(0, size));
        CHECK(value_of(open_kept(whole.path, 1)->load(damaged_task))->head.frame.revision.number == last_revision - 1);
    }
    whole.put(name, bytes.substr(0, start) + std::string(500, '\0'));
    CHECK(whole.recovered_revision() == last_revision - 1);
    CHECK(whole.read());
}

TEST_CASE("file store: a store of a newer version is refused and left as it is", "[store][hazard:25]") {
    const DamagedFiles files;
    std::string state = files.bytes("state");
    files.put("state", state.replace(state.find("/1\n"), 3, "/2\n"));
    const auto before = files.files();

    CHECK(files.read().error().reason == Reason::newer_format);
    const auto store = open_kept(files.path, 1);
    CHECK(store->commit(std::vector<Write>{SetScopeMode{stored_scope, ScopeMode::shadow}}).error().reason ==
          Reason::newer_format);
    CHECK(recover_files(files.options()).error().reason == Reason::newer_format);
    CHECK(files.files() == before);
}

TEST_CASE("file store: a folder that stands in the place of another is told", "[store][hazard:16]") {
    const TemporaryFolder folder;
    const std::string path = folder / "tasks";
    const auto scopes = neighbour_scopes();
    const auto store = open_kept(path);
    for (const std::size_t n : {0U, 1U}) keep_in(*store, history(states_of({scopes[n], "delivery-42"}, 1)));
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path)) names.push_back(entry.path().string());
    REQUIRE(names.size() == 2);
    fs::rename(names[0], folder / "spare");
    fs::rename(names[1], names[0]);
    fs::rename(folder / "spare", names[1]);

    for (const std::size_t n : {0U, 1U}) {
        CHECK(open_kept(path)->load({scopes[n], "delivery-42"}).error().reason == Reason::foreign_file);
    }
}

TEST_CASE("file store: a process that has read a file is told when it lost its end", "[store][hazard:16]") {
    const DamagedFiles files;
    const auto store = open_kept(files.path, 1);
    REQUIRE(value_of(store->revisions(damaged_task, {}, all)).size() == last_revision);
    const std::string name = files.last_journal(), bytes = files.bytes(name);
    files.put(name, bytes.substr(0, bytes.rfind('\n', bytes.size() - 2) + 1));

    CHECK(store->load(damaged_task).error().reason == Reason::short_file);
}

}  // namespace taskstate::test
