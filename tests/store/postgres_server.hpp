#pragma once
// A PostgreSQL server of the tests' own, and places in it for one test each.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <libpq-fe.h>
#include <sys/types.h>

#include "store/temporary_folder.hpp"

namespace taskstate::test {

/// A server in a temporary folder, which a socket in it reaches and no network does.  It runs as an unprivileged user,
/// and ends with the program, whatever ends the program.
class PostgresServer {
 public:
    /// Whether what it wrote outlives the machine, or only the server.
    enum class Syncs { on, off };

    /// Makes and starts one.
    explicit PostgresServer(Syncs syncs = Syncs::off);
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;
    ~PostgresServer();

    /// Where there are programs to make one of; empty where there are none.
    static std::string programs();

    [[nodiscard]] std::string url() const;
    /// It ends with the thread that started it.
    void start();
    /// Sends a signal to it and waits for its end: SIGINT ends it in order, SIGQUIT at once, SIGKILL without a word.
    void stop(int signal);

 private:
    /// The end of what its programs said.
    [[nodiscard]] std::string last_words() const;
    /// Starts a program of PostgreSQL as its user.
    pid_t run(const std::vector<std::string>& command) const;

    TemporaryFolder folder_{};
    Syncs syncs_;
    uid_t user_;
    pid_t process_ = -1;
};

/// The URL of the server that the tests use: `TASKSTATE_POSTGRES_URL`, or one of their own, which is started now.
///
/// Where there is neither, it says so and ends the program: as a failure where `CI` is set, else as skipped.
const std::string& postgres_url();
/// The tests' own server, for tests that stop it.
PostgresServer& postgres_server();

/// A connection of somebody who knows PostgreSQL and not the store.
class PostgresStranger {
 public:
    explicit PostgresStranger(const std::string& url = postgres_url());
    PostgresStranger(const PostgresStranger&) = delete;
    PostgresStranger& operator=(const PostgresStranger&) = delete;
    ~PostgresStranger();

    /// Runs statements; the code of the failure, or nothing.
    std::string run(const std::string& sql);
    /// The first field that a statement gives.
    std::string value(const std::string& sql);
    /// Begins a statement and does not wait for its end.
    void begin(const std::string& sql);
    /// Waits until a statement gives this value.
    void await(const std::string& sql, const std::string& expected);

 private:
    PGconn* handle_;
};

/// A schema that nobody has, and which goes with this, or with the tests' own server.
class PostgresSchema {
 public:
    PostgresSchema();
    PostgresSchema(const PostgresSchema&) = delete;
    PostgresSchema& operator=(const PostgresSchema&) = delete;
    ~PostgresSchema();

    [[nodiscard]] const std::string& name() const { return name_; }

 private:
    std::string name_;
};

}  // namespace taskstate::test
