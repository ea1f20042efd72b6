#pragma once
// A file of the SQLite store, as its host sees it and as somebody who knows SQLite and not the store does.

#include "store/stored_task.hpp"
#include "store/temporary_folder.hpp"
#include "support/catch.hpp"

#include <taskstate/store/sqlite_store.hpp>

#include <sqlite3.h>

#include <memory>
#include <string>
#include <vector>

namespace taskstate::test {

inline const TaskAddress filed_task{stored_scope, "delivery-42"};

inline std::shared_ptr<Store> open_at(const std::string& path, Synchronous synchronous = Synchronous::normal) {
    auto store = open_sqlite({.path = path, .synchronous = synchronous});
    if (!store) FAIL(word(store.error().reason));
    return *std::move(store);
}

inline void keep(Store& store, const std::vector<Write>& batch) {
    const auto done = store.commit(batch);
    if (!done) FAIL(word(done.error().reason) << " at " << done.error().path);
}

/// A connection of somebody who knows SQLite and not the store.
class Stranger {
 public:
    explicit Stranger(const std::string& path) { REQUIRE(sqlite3_open(path.c_str(), &handle_) == SQLITE_OK); }
    Stranger(const Stranger&) = delete;
    Stranger& operator=(const Stranger&) = delete;
    ~Stranger() { sqlite3_close(handle_); }

    int run(const std::string& sql) { return sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr); }
    /// One column of every row, one line each.
    std::string column(const std::string& sql, int column = 0) {
        sqlite3_stmt* statement = nullptr;
        REQUIRE(sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK);
        std::string lines;
        while (sqlite3_step(statement) == SQLITE_ROW) {
            const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
            lines += (text == nullptr ? std::string() : text) + std::string("\n");
        }
        sqlite3_finalize(statement);
        return lines;
    }

 private:
    sqlite3* handle_ = nullptr;
};

/// A file with a task at revision 3, a decision and a delivery.
inline std::string filled(const TemporaryFolder& folder) {
    const std::string path = folder / "tasks.db";
    const auto store = open_at(path);
    keep(*store, history(states_of(filed_task, 3)));
    keep(*store, {AddDecision{filed_task, {.id = "d1", .key = "k", .action_fingerprint = "f"}},
                  AddDelivery{filed_task, {.id = "v1", .revision = {3}}}});
    return path;
}

}  // namespace taskstate::test
