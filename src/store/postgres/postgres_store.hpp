#pragma once
// The store over its pool; a test and a benchmark ask it for its round trips.

#include "store/postgres/pool.hpp"
#include "store/postgres/reader.hpp"

namespace taskstate::inline v0 {

/// Thread-safety: shared.
class PostgresStore final : public Store {
 public:
    PostgresStore(PostgresOptions options, std::unique_ptr<PostgresConnection> first)
        : pool_(std::move(options), std::move(first)) {}

    /// How often its calls waited for the server, leaving out the making of connections.
    [[nodiscard]] std::uint64_t round_trips() { return pool_.round_trips(); }

    Result<void> commit(std::span<const Write> batch) override;
    Result<std::optional<Found>> find(const TaskAddress& task, const OptText& key) override {
        return read(postgres_read::find(task, key));
    }
    Result<std::optional<TaskHead>> find_started(const Scope& scope, std::string_view key) override {
        return read(postgres_read::find_started(scope, key));
    }
    Result<std::optional<StoredTask>> load(const TaskAddress& task) override { return read(postgres_read::load(task)); }
    Result<std::vector<TaskHead>> list(const HeadQuery& query) override { return read(postgres_read::list(query)); }
    Result<std::vector<TaskHead>> due(Timestamp now, std::size_t limit) override {
        return read(postgres_read::due(now, limit));
    }
    Result<std::vector<RevisionRecord>> revisions(const TaskAddress& task, Revision after, std::size_t limit) override {
        return read(postgres_read::revisions(task, after, limit));
    }
    Result<std::vector<DecisionRecord>> decisions(const TaskAddress& task, std::uint64_t after,
                                                  std::size_t limit) override {
        return read(postgres_read::decisions(task, after, limit));
    }
    Result<std::vector<DeliveryRecord>> deliveries(const TaskAddress& task, std::uint64_t after,
                                                   std::size_t limit) override {
        return read(postgres_read::deliveries(task, after, limit));
    }
    Result<std::vector<RevisionRecord>> lineage(const TaskAddress& task, std::optional<TargetKind> kind,
                                                std::string_view id) override {
        return read(postgres_read::lineage(task, kind, id));
    }
    Result<std::uint64_t> count_repeats(const TaskAddress& task, std::string_view fingerprint,
                                        Timestamp since) override {
        return read(postgres_read::count_repeats(task, fingerprint, since));
    }
    Result<bool> expose(const Scope& scope, std::string_view delivery, Timestamp at) override;
    Result<std::vector<Binding>> bindings(const BindingQuery& query) override {
        return read(postgres_read::bindings(query));
    }
    Result<std::vector<Scope>> scopes() override { return read(postgres_read::scopes()); }
    Result<ScopeMode> mode(const Scope& scope) override { return read(postgres_read::mode(scope)); }
    Result<std::optional<Profile>> profile(std::string_view id) override { return read(postgres_read::profile(id)); }
    Result<std::vector<Profile>> profiles() override { return read(postgres_read::profiles()); }
    Result<Tally> tally(const Scope& scope) override { return read(postgres_read::tally(scope)); }
    Result<std::optional<Removed>> forget(const TaskAddress& task) override;

 private:
    /// One round trip that changes something.  In the way of another transaction it goes again; lost, it is in doubt.
    Result<std::vector<PostgresRows>> change(std::span<const PostgresStatement> statements);
    /// One round trip that changes nothing, and is made again where contact is lost.
    Result<PostgresRows> ask(const PostgresStatement& statement);
    template <class Answer>
    Result<Answer> read(const PostgresRead<Answer>& read) {
        const auto rows = ask(read.statement);
        if (!rows) return rows.error();
        return read.decode(*rows);
    }

    PostgresPool pool_;
};

}  // namespace taskstate::inline v0
