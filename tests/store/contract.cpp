#include "store/contract.hpp"

#include "store/temporary_folder.hpp"
#include "store/unsynced_files.hpp"

#include <taskstate/store/file_store.hpp>
#include <taskstate/store/memory_store.hpp>
#ifdef TASKSTATE_SQLITE
#include <taskstate/store/sqlite_store.hpp>
#endif
#ifdef TASKSTATE_POSTGRES
#include <taskstate/store/postgres_store.hpp>

#include "store/postgres_server.hpp"
#endif

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>

namespace taskstate::test {
namespace {

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

std::shared_ptr<Store> file_store(const std::string& folder) {
    return value_of(open_files({.path = folder + "/tasks", .files = std::make_shared<UnsyncedFiles>()}));
}

#ifdef TASKSTATE_SQLITE
std::shared_ptr<Store> sqlite_store(const std::string& folder) {
    return value_of(open_sqlite({.path = folder + "/tasks.db", .synchronous = Synchronous::normal}));
}
#endif

#ifdef TASKSTATE_POSTGRES
/// A store in a schema of its own for each folder.
std::shared_ptr<Store> postgres_store(const std::string& folder) {
    static const std::string& url = postgres_url();
    static std::map<std::string, PostgresSchema> schemas;
    return value_of(open_postgres({.url = url, .schema = schemas[folder].name()}));
}
#endif

}  // namespace

std::shared_ptr<Store> StoreKind::open() const {
    struct Kept {
        TemporaryFolder folder{};
        std::shared_ptr<Store> store{};
    };
    const auto kept = std::make_shared<Kept>();
    kept->store = open_in(kept->folder.path());
    return {kept, kept->store.get()};
}

std::vector<StoreKind> store_kinds() {
#ifdef TASKSTATE_POSTGRES
    // By itself, as a machine may have no server.
    if (std::getenv("TASKSTATE_TEST_POSTGRES") != nullptr) return {{.name = "postgres", .open_in = postgres_store}};
#endif
    return {
        {.name = "memory", .open_in = [](const std::string&) { return memory_store(); }, .durable = false},
        {.name = "file", .open_in = file_store},
#ifdef TASKSTATE_SQLITE
        {.name = "sqlite", .open_in = sqlite_store},
#endif
    };
}

Contents contents_of(Store& store, const std::vector<Scope>& scopes) {
    Contents found{.due = value_of(store.due(timestamp_max, all)), .profiles = value_of(store.profiles())};
    for (const Scope& scope : scopes) {
        found.modes.push_back(value_of(store.mode(scope)));
        found.tallies.push_back(value_of(store.tally(scope)));
        append(found.bindings, value_of(store.bindings({.scope = scope, .revoked_too = true})));
        for (const TaskHead& head : value_of(store.list({.scope = scope, .limit = all}))) {
            const TaskAddress task = head.address();
            const auto loaded = value_of(store.load(task));
            REQUIRE(loaded);
            CHECK(loaded->head == head);
            found.tasks.push_back(*loaded);
            append(found.revisions, value_of(store.revisions(task, {}, all)));
            append(found.decisions, value_of(store.decisions(task, 0, all)));
            append(found.deliveries, value_of(store.deliveries(task, 0, all)));
        }
    }
    return found;
}

std::vector<Scope> neighbour_scopes() {
    std::vector<Scope> scopes(5, stored_scope);
    scopes[0].tenant = "tenant-b";
    scopes[1].tenant = "";
    scopes[2].owner = "host-user-2";
    scopes[3].agent = "";
    scopes[4].workspace = "depot-2";
    return scopes;
}

}  // namespace taskstate::test
