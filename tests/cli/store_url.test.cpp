// Stores by name.

#include "cli/stored.hpp"
#include "store/stored_task.hpp"
#include "store/temporary_folder.hpp"

#include <string>
#include <vector>

using namespace taskstate;

TEST_CASE("store url: each form opens its store, and a durable one has what was kept", "[cli]") {
    const test::TemporaryFolder folder;
    const std::vector<Write> batch{SetScopeMode{test::stored_scope, ScopeMode::enabled}};
    for (const std::string& url : test::durable_urls(folder.path())) {
        INFO(url);
        REQUIRE(test::opened(url)->commit(batch).has_value());
        CHECK(*test::opened(url)->mode(test::stored_scope) == ScopeMode::enabled);
    }
    REQUIRE(test::opened("memory:")->commit(batch).has_value());
    CHECK(*test::opened("memory:")->mode(test::stored_scope) == ScopeMode::disabled);
}

TEST_CASE("store url: what names no store is refused with the part and with what there is", "[cli]") {
    const std::vector<std::pair<std::string, std::string>> refused{
        {"", "/scheme"},       {"tasks.db", "/scheme"}, {"Sqlite:tasks.db", "/scheme"}, {"mysql://h/d", "/scheme"},
        {"memory:x", "/path"},
    };
    for (const auto& [url, path] : refused) {
        INFO(url);
        const auto store = open_store(url);
        REQUIRE_FALSE(store.has_value());
        CHECK(store.error().reason == Reason::options_invalid);
        CHECK(store.error().path == path);
    }
    CHECK(open_store("mysql://me:secret@h/d").error().message.find(store_forms()) != std::string::npos);
    CHECK(open_store("mysql://me:secret@h/d").error().message.find("secret") == std::string::npos);
}

TEST_CASE("store url: a file of SQLite is durable as its parameter says", "[cli]") {
    const test::TemporaryFolder folder;
    const std::string url = "sqlite:" + (folder / "tasks.db");
    if (store_forms().find("sqlite:") == std::string::npos) {
        CHECK(open_store(url).error().reason == Reason::not_built);
        CHECK(open_store(url).error().message.find("TASKSTATE_SQLITE=ON") != std::string::npos);
        return;
    }
    for (const char* known : {"", "?synchronous=full", "?synchronous=normal"})
        CHECK(open_store(url + known).has_value());
    for (const char* unknown : {"?", "?synchronous=off", "?cache=1"}) {
        CHECK(open_store(url + unknown).error().path == "/parameter");
    }
    CHECK(open_store("sqlite:").error().path == "/path");
    CHECK(folder.names().contains("tasks.db"));
}

TEST_CASE("store url: a database that is not built, or not there, is an error that says so", "[cli]") {
    const bool built = store_forms().find("postgresql:") != std::string::npos;
    for (const char* url : {"postgresql://127.0.0.1:1/tasks?connect_timeout=1", "postgres://127.0.0.1:1/tasks"}) {
        const auto store = open_store(url);
        REQUIRE_FALSE(store.has_value());
        CHECK((store.error().reason == Reason::not_built) != built);
    }
}
