#include <taskstate/store/sqlite_store.hpp>

#include "base/locked.hpp"
#include "store/batch_scope.hpp"
#include "store/sqlite/commit_queue.hpp"
#include "store/sqlite/open.hpp"
#include "store/sqlite/reader.hpp"
#include "store/sqlite/schema.hpp"

#include <unistd.h>

#include <chrono>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace taskstate::inline v0 {
namespace {

/// What the stores of this process on one file share.
struct SharedWriter {
    SharedWriter(Database writer, SqliteReport opened) : queue(std::move(writer)), report(std::move(opened)) {}

    CommitQueue queue;
    SqliteReport report;
};

class SqliteStore final : public Store {
 public:
    SqliteStore(OpenedFile file, std::shared_ptr<SharedWriter> writer, Database reader)
        : file_(std::move(file)), writer_(std::move(writer)), reader_(std::move(reader)) {}

    Result<void> commit(std::span<const Write> batch) override {
        if (auto one = check_one_scope(batch); !one) return one;
        bool deletes = false;
        for (const Write& write : batch) deletes = deletes || std::holds_alternative<TrimLog>(write);
        auto done = writer_->queue.run([batch](SqliteWriter& writer) -> Result<void> {
            for (const Write& write : batch) {
                if (auto written = writer.write(write); !written) return written;
            }
            return {};
        });
        if (done && deletes) writer_->queue.empty_log();
        return done;
    }
    Result<bool> expose(const Scope& scope, std::string_view delivery, Timestamp at) override {
        bool exposed = false;
        auto done = writer_->queue.run([&](SqliteWriter& writer) -> Result<void> {
            const auto first = writer.expose(scope, delivery, at);
            if (!first) return first.error();
            exposed = *first;
            return {};
        });
        if (!done) return std::move(done).error();
        return exposed;
    }
    Result<std::optional<Removed>> forget(const TaskAddress& task) override {
        std::optional<Removed> removed;
        auto done = writer_->queue.run([&](SqliteWriter& writer) -> Result<void> {
            auto taken = writer.forget(task);
            if (!taken) return std::move(taken).error();
            removed = *taken;
            return {};
        });
        if (!done) return std::move(done).error();
        writer_->queue.empty_log();
        return removed;
    }

    Result<std::optional<Found>> find(const TaskAddress& task, const OptText& key) override {
        return read(&SqliteReader::find, task, key);
    }
    Result<std::optional<TaskHead>> find_started(const Scope& scope, std::string_view key) override {
        return read(&SqliteReader::find_started, scope, key);
    }
    Result<std::optional<StoredTask>> load(const TaskAddress& task) override { return read(&SqliteReader::load, task); }
    Result<std::vector<TaskHead>> list(const HeadQuery& query) override { return read(&SqliteReader::list, query); }
    Result<std::vector<TaskHead>> due(Timestamp now, std::size_t limit) override {
        return read(&SqliteReader::due, now, limit);
    }
    Result<std::vector<RevisionRecord>> revisions(const TaskAddress& task, Revision after, std::size_t limit) override {
        return read(&SqliteReader::revisions, task, after, limit);
    }
    Result<std::vector<DecisionRecord>> decisions(const TaskAddress& task, std::uint64_t after,
                                                  std::size_t limit) override {
        return read(&SqliteReader::decisions, task, after, limit);
    }
    Result<std::vector<DeliveryRecord>> deliveries(const TaskAddress& task, std::uint64_t after,
                                                   std::size_t limit) override {
        return read(&SqliteReader::deliveries, task, after, limit);
    }
    Result<std::vector<RevisionRecord>> lineage(const TaskAddress& task, std::optional<TargetKind> kind,
                                                std::string_view id) override {
        return read(&SqliteReader::lineage, task, kind, id);
    }
    Result<std::uint64_t> count_repeats(const TaskAddress& task, std::string_view fingerprint,
                                        Timestamp since) override {
        return read(&SqliteReader::count_repeats, task, fingerprint, since);
    }
    Result<std::vector<Binding>> bindings(const BindingQuery& query) override {
        return read(&SqliteReader::bindings, query);
    }
    Result<std::vector<Scope>> scopes() override { return read(&SqliteReader::scopes); }
    Result<ScopeMode> mode(const Scope& scope) override { return read(&SqliteReader::mode, scope); }
    Result<std::optional<Profile>> profile(std::string_view id) override { return read(&SqliteReader::profile, id); }
    Result<std::vector<Profile>> profiles() override { return read(&SqliteReader::profiles); }
    Result<Tally> tally(const Scope& scope) override { return read(&SqliteReader::tally, scope); }

 private:
    /// One read of one moment.
    template <class Answer, class... Parameters, class... Arguments>
    Answer read(Answer (SqliteReader::*question)(Parameters...), const Arguments&... arguments) {
        return reader_.use([&](Database& database) -> Answer {
            const auto moment = Transacted::begin(database, Transacted::Begin::deferred);
            if (!moment) return moment.error();
            return (SqliteReader(database).*question)(arguments...);
        });
    }

    OpenedFile file_;  // longer than the connections
    std::shared_ptr<SharedWriter> writer_;
    Locked<Database> reader_;
};

/// `attempt`, again and again while others hold the file, as SQLite does not wait where a reader becomes a writer.
template <class Attempt>
auto patiently(std::uint64_t timeout_ms, const Attempt& attempt) -> decltype(attempt()) {
    constexpr std::uint64_t pause_ms = 2;
    for (std::uint64_t waited_ms = 0;; waited_ms += pause_ms) {
        auto done = attempt();
        const bool busy = !done && done.error().reason == Reason::lock_timeout;
        if (!busy || waited_ms >= timeout_ms) return done;
        std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    }
}

/// The journal of the file as it is afterwards.
///
/// EXTRA: a power cut must not bring back a rollback journal, be it that of a commit or of the switch to WAL.
Result<SqliteJournal> set_journal(Database& writer, SqliteJournal wanted) {
    if (auto set = writer.run("PRAGMA synchronous=EXTRA; PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON; "
                              "PRAGMA temp_store=MEMORY;");
        !set) {
        return std::move(set).error();
    }
    auto mode = writer.query(wanted == SqliteJournal::wal ? "PRAGMA journal_mode=WAL" : "PRAGMA journal_mode=DELETE");
    const auto row = mode.step();
    if (!row) return row.error();
    return mode.text(0) == "wal" ? SqliteJournal::wal : SqliteJournal::rollback;
}

/// A connection that writes; the version comes first, as nothing is written to a file that is not ours.
Result<std::shared_ptr<SharedWriter>> open_writer(const FileSystemKind& kind, const SqliteOptions& options) {
    auto writer = Database::open(options.path, Database::Access::write, options.busy_timeout_ms);
    if (!writer) return std::move(writer).error();
    if (auto known = check_schema(*writer, sqlite_migrations()); !known) return std::move(known).error();
    writer->empty_log_on_close();
    const bool wal = kind.trusted || options.unsuitable == Unsuitable::ignore;
    const auto journal = patiently(options.busy_timeout_ms, [&] {
        return set_journal(*writer, wal ? SqliteJournal::wal : SqliteJournal::rollback);
    });
    if (!journal) return journal.error();
    if (auto lifted = lift_schema(*writer, sqlite_migrations()); !lifted) return std::move(lifted).error();
    if (options.synchronous == Synchronous::normal) {
        if (auto set = writer->run("PRAGMA synchronous=NORMAL"); !set) return std::move(set).error();
    }
    return std::make_shared<SharedWriter>(*std::move(writer),
                                          SqliteReport{std::string(kind.name), kind.trusted, *journal});
}

/// The writer that this process has for a file, or a new one.  A forked process has none of its parent's.
Result<std::shared_ptr<SharedWriter>> share_writer(const OpenedFile& file, const FileSystemKind& kind,
                                                   const SqliteOptions& options) {
    using Writers = std::map<std::pair<pid_t, OpenedFile::Key>, std::weak_ptr<SharedWriter>>;
    static Locked<Writers> shared;
    return shared.use([&](Writers& writers) -> Result<std::shared_ptr<SharedWriter>> {
        std::erase_if(writers, [](const auto& known) { return known.second.expired(); });
        const std::pair place(::getpid(), file.key());
        if (const auto known = writers.find(place); known != writers.end()) {
            if (auto writer = known->second.lock()) {
                if (options.synchronous == Synchronous::normal) return writer;
                if (auto set = writer->queue.sync_fully(); !set) return std::move(set).error();
                return writer;
            }
        }
        auto writer = open_writer(kind, options);
        if (writer) writers[place] = *writer;
        return writer;
    });
}

}  // namespace

Result<std::shared_ptr<Store>> open_sqlite_on(const FileSystemKind& kind, const SqliteOptions& options,
                                              SqliteReport* report) {
    if (!kind.trusted && options.unsuitable == Unsuitable::refuse) return fail(Reason::unsuitable_file_system);
    if (auto made = make_database_file(options.path); !made) return std::move(made).error();
    auto file = OpenedFile::hold(options.path);
    if (!file) return std::move(file).error();
    auto writer = share_writer(*file, kind, options);
    if (!writer) return std::move(writer).error();
    // Who finds the journal of a killed process has to be able to roll it back.
    const bool wal = (*writer)->report.journal == SqliteJournal::wal;
    auto reader =
        Database::open(options.path, wal ? Database::Access::read : Database::Access::write, options.busy_timeout_ms);
    if (!reader) return std::move(reader).error();
    if (report != nullptr) *report = (*writer)->report;
    return std::shared_ptr<Store>(
        std::make_shared<SqliteStore>(*std::move(file), *std::move(writer), *std::move(reader)));
}

Result<std::shared_ptr<Store>> open_sqlite(const SqliteOptions& options, SqliteReport* report) {
    const auto slash = options.path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : options.path.substr(0, slash + 1);
    return open_sqlite_on(file_system_of(folder), options, report);
}

Result<void> check_sqlite(const std::string& path) {
    const auto file = OpenedFile::hold(path);
    if (!file) return file.error();
    auto database = Database::open(path, Database::Access::read, SqliteOptions{}.busy_timeout_ms);
    if (!database) return std::move(database).error();
    if (auto known = check_schema(*database, sqlite_migrations()); !known) return known;
    for (const char* const complaints : {"SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
                                         "SELECT count(*) FROM pragma_foreign_key_check"}) {
        const auto count = database->number(complaints);
        if (!count) return count.error();
        if (*count != 0) return fail(Reason::integrity_check_failed);
    }
    return {};
}

}  // namespace taskstate::inline v0
