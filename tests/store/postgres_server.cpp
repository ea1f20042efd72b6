#include "store/postgres_server.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace taskstate::test {
namespace {

constexpr const char* given_url = "TASKSTATE_POSTGRES_URL";

[[noreturn]] void give_up(const std::string& why) {
    std::printf("%s\n", why.c_str());
    std::fflush(stdout);
    std::abort();
}

/// Whom a server runs as: it refuses to run as root.
uid_t unprivileged() {
    if (::geteuid() != 0) return ::geteuid();
    for (const char* const name : {"postgres", "nobody"}) {
        if (const passwd* const user = ::getpwnam(name)) return user->pw_uid;
    }
    give_up("no user that PostgreSQL could run as");
}

/// Becomes that user for good.
void become(uid_t user) {
    if (::geteuid() == user) return;
    const passwd* const entry = ::getpwuid(user);
    const bool done =
        entry != nullptr && ::setgroups(0, nullptr) == 0 && ::setgid(entry->pw_gid) == 0 && ::setuid(user) == 0;
    if (!done) ::_exit(126);
}

}  // namespace

std::string PostgresServer::programs() {
    std::string newest;
    int version = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/usr/lib/postgresql", none)) {
        const int found = std::atoi(entry.path().filename().c_str());
        const std::string folder = entry.path() / "bin";
        if (found > version && ::access((folder + "/initdb").c_str(), X_OK) == 0) {
            version = found;
            newest = folder;
        }
    }
    if (!newest.empty()) return newest;
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (::access((folder + "/initdb").c_str(), X_OK) == 0) return folder;
    }
    return {};
}

PostgresServer::PostgresServer(Syncs syncs) : syncs_(syncs), user_(unprivileged()) {
    const passwd* const entry = ::getpwuid(user_);
    if (::geteuid() == 0 && ::chown(folder_.path().c_str(), user_, entry->pw_gid) != 0) give_up("chown failed");
    const pid_t made = run({programs() + "/initdb", "--pgdata=" + folder_ / "data", "--username=taskstate",
                            "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"});
    int status = 0;
    ::waitpid(made, &status, 0);
    if (status != 0) give_up("initdb failed:\n" + last_words());
    start();
}

PostgresServer::~PostgresServer() {
    if (process_ > 0) stop(SIGINT);
}

std::string PostgresServer::url() const {
    std::string folder;
    for (const char c : folder_.path()) folder += c == '/' ? std::string("%2F") : std::string(1, c);
    return "postgresql://taskstate@" + folder + "/postgres";
}

std::string PostgresServer::last_words() const {
    const std::string log = bytes_of(folder_ / "log");
    return log.substr(log.size() - std::min<std::size_t>(log.size(), 2'000));
}

pid_t PostgresServer::run(const std::vector<std::string>& command) const {
    const std::string log = folder_ / "log";
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const pid_t child = ::fork();
    if (child != 0) return child;
    become(user_);
#ifdef __linux__
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
#endif
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ::dup2(out, 1);
    ::dup2(out, 2);
    if (::chdir(folder_.path().c_str()) == 0) ::execv(arguments[0], arguments.data());
    ::_exit(127);
}

void PostgresServer::start() {
    // After a server that was killed, its last processes may still hold the memory that the next one wants.
    for (int attempt = 0; attempt < 100; ++attempt) {
        std::vector<std::string> command{programs() + "/postgres", "-D", folder_ / "data", "-k", folder_.path()};
        // What a process wrote is there after it was killed, without a sync.
        const char* const fsync = syncs_ == Syncs::on ? "fsync=on" : "fsync=off";
        const char* const whole_pages = syncs_ == Syncs::on ? "full_page_writes=on" : "full_page_writes=off";
        for (const char* const setting :
             {"listen_addresses=", fsync, whole_pages, "autovacuum=off", "max_connections=60"}) {
            command.insert(command.end(), {"-c", setting});
        }
        process_ = run(command);
        for (int wait = 0; wait < 1'000; ++wait) {
            if (PQping(url().c_str()) == PQPING_OK) return;
            if (::waitpid(process_, nullptr, WNOHANG) == process_) break;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    give_up("no server started:\n" + last_words());
}

void PostgresServer::stop(int signal) {
    ::kill(process_, signal);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
}

PostgresServer& postgres_server() {
    if (PostgresServer::programs().empty()) {
        const bool must = std::getenv("CI") != nullptr;
        std::printf("%s: there are no programs of a PostgreSQL server\n", must ? "failed" : "skipped");
        std::fflush(stdout);
        std::_Exit(must ? 1 : 0);
    }
    static PostgresServer server;
    return server;
}

const std::string& postgres_url() {
    static const std::string url = [] {
        const char* const given = std::getenv(given_url);
        return given != nullptr ? std::string(given) : postgres_server().url();
    }();
    return url;
}

PostgresStranger::PostgresStranger(const std::string& url) : handle_(PQconnectdb(url.c_str())) {}
PostgresStranger::~PostgresStranger() { PQfinish(handle_); }

std::string PostgresStranger::run(const std::string& sql) {
    PGresult* const result = PQexec(handle_, sql.c_str());
    const char* const code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    std::string failure = code == nullptr ? "" : code;
    if (failure.empty() && PQresultStatus(result) == PGRES_FATAL_ERROR) failure = "no connection";
    PQclear(result);
    return failure;
}

std::string PostgresStranger::value(const std::string& sql) {
    PGresult* const result = PQexec(handle_, sql.c_str());
    std::string field = PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "nothing";
    PQclear(result);
    return field;
}

void PostgresStranger::begin(const std::string& sql) { PQsendQuery(handle_, sql.c_str()); }

void PostgresStranger::await(const std::string& sql, const std::string& expected) {
    for (int wait = 0; wait < 30'000; ++wait) {
        if (value(sql) == expected) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    give_up("waited in vain for: " + sql);
}

PostgresSchema::PostgresSchema() {
    static std::size_t count = 0;
    name_ = "taskstate_test_" + std::to_string(::getpid()) + '_' + std::to_string(++count);
}

PostgresSchema::~PostgresSchema() {
    if (std::getenv(given_url) == nullptr) return;
    PostgresStranger().run("SET client_min_messages=error; DROP SCHEMA IF EXISTS " + name_ + " CASCADE");
}

}  // namespace taskstate::test
