#pragma once
// What the SQLite store is measured against: the same rows in a file of the same tables, by statements prepared once.

#include "bench/raw_change.hpp"

#include <taskstate/store/sqlite_store.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace taskstate::bench {

/// A prepared statement.  What is bound must outlive the step.
class RawStatement {
 public:
    RawStatement(sqlite3* database, const char* sql);
    template <class... Values>
    RawStatement& bind(const Values&... values) {
        reset();
        int place = 0;
        (bind_one(++place, values), ...);
        return *this;
    }
    /// Whether there is a row.
    bool step();
    void run() {
        while (step()) {
        }
    }
    /// Lets go of a row that was read.
    void reset();
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] std::string_view text(int column) const;

 private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const noexcept;
    };
    void bind_one(int place, std::int64_t value);
    void bind_one(int place, std::string_view value);
    void bind_one(int place, const std::optional<std::int64_t>& value) {
        if (value) bind_one(place, *value);
    }

    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// A connection with the pragmas of the store.
class RawDatabase {
 public:
    RawDatabase(const std::string& path, Synchronous synchronous);
    [[nodiscard]] RawStatement prepare(const char* sql) const { return {handle_.get(), sql}; }

 private:
    struct Close {
        void operator()(sqlite3* handle) const noexcept;
    };
    std::unique_ptr<sqlite3, Close> handle_;
};

/// Writes changes of the only task of a file.
class RawWriter {
 public:
    RawWriter(const std::string& path, Synchronous synchronous);
    void commit(const RawChange& change);

 private:
    RawDatabase database_;
    RawStatement begin_, head_, revision_, lineage_, entry_, decision_, commit_;
    std::int64_t task_ = 1;
};

}  // namespace taskstate::bench
