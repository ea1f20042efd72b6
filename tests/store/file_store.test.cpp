// What only the store in plain files promises: its names, its files, and several stores on one folder.

#include <taskstate/store/file_store.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "store/kept_files.hpp"

namespace taskstate::test {
namespace {

const TaskAddress kept_task{.scope = stored_scope, .id = "delivery-42"};
const TaskAddress other_task{.scope = stored_scope, .id = "delivery-43"};

/// A batch of every kind but those that need an earlier one.
std::vector<Write> many_writes() {
    const auto states = states_of(kept_task, 2);
    auto writes = history(states);
    writes.insert(writes.end(), {decision(kept_task, "decision-1", "key-1"), delivery(kept_task, "block-1"),
                                 binding(kept_task, "binding-1"), SetScopeMode{stored_scope, ScopeMode::enabled}});
    return writes;
}

std::set<std::string> names_in(const std::string& path) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path)) names.insert(entry.path().filename().string());
    return names;
}

/// Some commits, of which each makes a journal.
void fill(Store& store, std::size_t last) {
    const auto states = states_of(kept_task, last);
    for (const Write& write : history(states)) keep_in(store, {write});
}

}  // namespace

TEST_CASE("file store: every name in it is one of ours, whatever the ids say", "[store][hazard:19]") {
    const TemporaryFolder folder;
    const auto store = open_kept(folder / "tasks");
    const std::string names[] = {"../outside", "/etc/passwd",          "CON", "nul.txt",
                                 "a\\b",       std::string("a\0b", 3), "..",  std::string(4'000, 'x')};
    std::vector<Scope> scopes;
    for (const std::string& name : names) {
        const Scope scope{.tenant = name, .owner = name, .agent = name, .workspace = name};
        const auto states = states_of(kept_task, 1);
        StartTask begun = start(states[0], states[1]);
        begun.head.identity.scope = scope;
        begun.head.identity.id = name;
        keep_in(*store, {begun});
        scopes.push_back(scope);
    }

    CHECK(folder.names() == std::set<std::string>{"tasks"});
    CHECK(names_in(folder / "tasks").size() == std::size(names));
    for (const std::string& name : names_in(folder / "tasks")) {
        CHECK(name.size() == 64);
        CHECK(name.find_first_not_of("0123456789abcdef") == std::string::npos);
        CHECK(names_in(folder / "tasks/" + name) == std::set<std::string>{"lock", "state", journal(1)});
    }
    const auto again = open_kept(folder / "tasks");
    for (const Scope& scope : scopes) {
        const auto heads = value_of(again->list({.scope = scope}));
        REQUIRE(heads.size() == 1);
        CHECK(heads[0].identity.scope == scope);
    }
}

TEST_CASE("file store: scopes that differ in case or in normal form only are kept apart", "[store][hazard:19]") {
    const TemporaryFolder folder;
    const auto store = open_kept(folder / "tasks");
    const std::string spellings[] = {"depot", "Depot", "caf\xC3\xA9", "cafe\xCC\x81"};
    for (const std::string& spelling : spellings) {
        const Scope scope{.owner = "host-user", .workspace = spelling};
        keep_in(*store, {SetScopeMode{scope, ScopeMode::shadow}});
    }
    std::set<std::string> folded;
    for (std::string name : names_in(folder / "tasks")) {
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        folded.insert(name);
    }

    CHECK(folded.size() == std::size(spellings));
    CHECK(value_of(open_kept(folder / "tasks")->scopes()).size() == std::size(spellings));
}

TEST_CASE("file store: files are for their owner alone, whatever the umask", "[store][hazard:19]") {
    const TemporaryFolder folder;
    const auto before = ::umask(0777);
    keep_in(*open_kept(folder / "tasks"), many_writes());
    ::umask(before);
    const std::string path = folder / "tasks/" + stored_folder;

    CHECK(mode_of(folder / "tasks") == 0700);
    CHECK(mode_of(path) == 0700);
    for (const std::string& name : names_in(path)) {
        INFO(name);
        CHECK(mode_of(path + '/' + name) == 0600);
    }
}

TEST_CASE("file store: what is refused in a scope that has no folder makes none", "[store]") {
    const TemporaryFolder folder;
    const auto store = open_kept(folder / "tasks");
    const auto states = states_of(kept_task, 2);
    const std::vector<Write> late{advance(states[1], states[2])};

    CHECK(store->commit(late).error().reason == Reason::task_not_eligible);
    CHECK_FALSE(value_of(store->expose(stored_scope, "block-1", later(1))));
    CHECK_FALSE(value_of(store->forget(kept_task)));
    CHECK(names_in(folder / "tasks").empty());
}

TEST_CASE("file store: a store that is opened again gives back what another one kept", "[store]") {
    const TemporaryFolder folder;
    const std::string path = folder / "tasks";
    const auto store = open_kept(path, 1);
    keep_in(*store, many_writes());
    const auto states = states_of(kept_task, 9);
    for (std::size_t last = 3; last <= 9; ++last) keep_in(*store, {advance(states[last - 1], states[last])});
    keep_in(*store, {revoke(stored_scope, "binding-1"), binding(kept_task, "binding-2")});
    REQUIRE(value_of(store->expose(stored_scope, "block-1", later(5))));
    keep_in(*store, {decision(kept_task, "decision-2"), delivery(kept_task, "block-2")});
    keep_in(*store, {TrimLog{kept_task, {3}, {based(states, 3)}}});
    keep_in(*store, {decision(kept_task, "decision-3")});
    const Contents kept = contents_of(*store);

    SECTION("read as a whole") { CHECK(contents_of(*open_kept(path)) == kept); }
    SECTION("the heads first, without the logs") {
        const auto again = open_kept(path);
        CHECK(value_of(again->load(kept_task)) == kept.tasks[0]);
        CHECK(value_of(again->bindings({.scope = stored_scope, .revoked_too = true})) == kept.bindings);
        CHECK(value_of(again->mode(stored_scope)) == kept.modes[0]);
        CHECK(value_of(again->find_started(stored_scope, start_key(kept_task.id))) == kept.tasks[0].head);
        CHECK(contents_of(*again) == kept);
    }
}

TEST_CASE("file store: a journal that has grown as much as the state is followed by the next one", "[store]") {
    const TemporaryFolder folder;
    const std::string path = folder / "tasks";
    const auto store = open_kept(path, 1);
    fill(*store, 40);
    const auto names = names_in(path + '/' + stored_folder);

    CHECK(names.size() > 5);
    CHECK_FALSE(names.contains("state.tmp"));
    // The last one is no longer than the state, and one record more.
    const auto files = files_below(path + '/' + stored_folder);
    CHECK(files.at(*std::prev(names.end(), 2)).size() < files.at("state").size() + 4'000);
}

TEST_CASE("file store: two stores on one folder are one store", "[store][hazard:5]") {
    const TemporaryFolder folder;
    // Journals follow each other quickly, so that one store finds others than it left.
    const auto one = open_kept(folder / "tasks", 1), other = open_kept(folder / "tasks", 1);
    const auto states = states_of(kept_task, 30);
    keep_in(*one, {start(states[0], states[1])});
    for (std::size_t last = 2; last <= 30; ++last) {
        Store& turn = last % 2 == 0 ? *other : *one;
        keep_in(turn, {advance(states[last - 1], states[last])});
        CHECK(value_of((last % 2 == 0 ? one : other)->load(kept_task))->head.frame.revision == Revision{last});
    }
    CHECK(contents_of(*one) == contents_of(*other));
    const std::vector<Write> late{advance(states[29], states[30])};
    CHECK(one->commit(late).error().reason == Reason::concurrent_successor_committed);

    REQUIRE(value_of(one->forget(kept_task)));
    CHECK_FALSE(value_of(other->load(kept_task)));
    keep_in(*other, {start(states[0], states[1])});
    CHECK(value_of(one->load(kept_task))->head.frame.revision == Revision{1});
}

TEST_CASE("file store: scans see the folders of all scopes, also of other processes", "[store]") {
    const TemporaryFolder folder;
    const auto reader = open_kept(folder / "tasks"), writer = open_kept(folder / "tasks");
    CHECK(value_of(reader->scopes()).empty());
    for (const Scope& scope : neighbour_scopes()) keep_in(*writer, {SetScopeMode{scope, ScopeMode::shadow}});
    keep_in(*writer, {AddProfile{*find_profile("general-v1")}});

    CHECK(value_of(reader->scopes()).size() == neighbour_scopes().size());
    CHECK(value_of(reader->scopes()) == value_of(writer->scopes()));
    CHECK(value_of(reader->profile("general-v1")).has_value());
}

TEST_CASE("file store: what is forgotten is in none of its files", "[store][governed:29.8]") {
    const TemporaryFolder folder;
    const std::string path = folder / "tasks";
    const auto store = open_kept(path, 1);
    const TaskAddress secret{stored_scope, "secret-task-1234"};
    const auto states = states_of(secret, 12);
    keep_in(*store, {start(states[0], states[1])});
    keep_in(*store, history(states_of(other_task, 1)));
    for (std::size_t last = 2; last <= 12; ++last) keep_in(*store, {advance(states[last - 1], states[last])});
    keep_in(*store, {decision(secret, "secret-decision", "secret-key"), delivery(secret, "secret-block"),
                     binding(secret, "secret-binding")});
    const auto holds_secret = [&] {
        return std::ranges::any_of(files_below(path),
                                   [](const auto& file) { return file.second.find("secret-") != std::string::npos; });
    };
    REQUIRE(holds_secret());

    REQUIRE(value_of(store->forget(secret)));
    CHECK_FALSE(holds_secret());
    CHECK(value_of(open_kept(path)->load(other_task)).has_value());
}

TEST_CASE("file store: a log that was trimmed leaves the disk", "[store]") {
    const TemporaryFolder folder;
    const std::string path = folder / "tasks";
    const auto store = open_kept(path);
    const auto states = states_of(kept_task, 60);
    for (const Write& write : history(states)) keep_in(*store, {write});
    const auto size = [&] {
        std::size_t bytes = 0;
        for (const auto& [name, content] : files_below(path)) bytes += content.size();
        return bytes;
    };
    const std::size_t before = size();
    keep_in(*store, {TrimLog{kept_task, {59}, {based(states, 59)}}});

    CHECK(size() < before / 2);
    CHECK(value_of(open_kept(path)->revisions(kept_task, {}, all)).size() == 2);
}

TEST_CASE("file store: a path that names no folder is refused", "[store]") {
    const TemporaryFolder folder;
    put_bytes(folder / "file", "");
    const auto opened = [&](const std::string& path) { return open_files({.path = path}).error(); };
    CHECK(opened("").reason == Reason::unsafe_path);
    CHECK(opened(std::string("a\0b", 3)).reason == Reason::unsafe_path);
    CHECK(opened(folder / "file").reason == Reason::storage_failed);
    CHECK(opened(folder / "missing/tasks").reason == Reason::storage_failed);
}

}  // namespace taskstate::test
