// W17: commits to a PostgreSQL server of the bench's own, over a socket.

#include "bench/measure.hpp"
#include "bench/raw_postgres.hpp"
#include "bench/turns.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres_server.hpp"

#include <algorithm>
#include <barrier>
#include <thread>

namespace taskstate::bench {
namespace {

const std::string& server_url() {
    static const test::PostgresServer server(test::PostgresServer::Syncs::on);
    static const std::string url = server.url();
    return url;
}

/// A schema that nobody has, with a store over it.
struct Place {
    explicit Place(std::uint64_t connections = 1) {
        auto opened = open_postgres({.url = server_url(), .schema = schema.name(), .connections = connections});
        if (!opened) bug("the bench cannot open a schema");
        store = *std::move(opened);
    }
    test::PostgresSchema schema{};
    std::shared_ptr<Store> store{};

    [[nodiscard]] RawPostgres raw(const GovernedTask& task) const {
        return {server_url(), schema.name(), task.address.id};
    }
    [[nodiscard]] std::uint64_t round_trips() const { return static_cast<PostgresStore&>(*store).round_trips(); }
};

void one_connection(benchmark::State& state) {
    const std::size_t rounds = amount({.whole = 1'500, .quick = 60});
    const GovernedTask task = one_task();
    const History history = history_of(task, rounds);
    const std::vector<RawChange> changes = raw_changes(history);
    for (auto _ : state) {
        const Place ours, theirs, others;
        for (const Place* place : {&ours, &theirs, &others}) commit(*place->store, history.start);
        RawPostgres raw = theirs.raw(task), again = others.raw(task);
        const std::uint64_t before = ours.round_trips();
        Turns turns;
        turns.add("commit", [&](std::size_t i) { commit(*ours.store, history.changes[i]); });
        turns.add("raw", [&](std::size_t i) { raw.commit(changes[i]); });
        turns.add("again", [&](std::size_t i) { again.commit(changes[i]); });
        turns.run(rounds);
        turns.report(state);
        state.counters["round_trips"] = static_cast<double>(ours.round_trips() - before) / static_cast<double>(rounds);
    }
}

/// Time of `run(i)` in a thread for each `i` below 4.
template <class Run>
double time_of_four(const Run& run) {
    return nanoseconds_of([&] {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < 4; ++i) threads.emplace_back([&run, i] { run(i); });
    });
}

void four_connections(benchmark::State& state) {
    constexpr std::size_t slices = 6;
    const std::size_t slice = amount({.whole = 50, .quick = 4});
    std::vector<GovernedTask> tasks(4, one_task());
    std::vector<History> histories;
    std::vector<std::vector<RawChange>> changes;
    for (GovernedTask& task : tasks) {
        task.address.id += "-" + std::to_string(histories.size());
        histories.push_back(history_of(task, slices * slice));
        changes.push_back(raw_changes(histories.back()));
    }
    for (auto _ : state) {
        const Place ours(4), theirs;
        std::vector<RawPostgres> raw;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            for (const Place* place : {&ours, &theirs}) commit(*place->store, histories[i].start);
            raw.push_back(theirs.raw(tasks[i]));
        }
        Turns turns;
        turns.add("commit", [&](std::size_t round) {
            time_of_four([&](std::size_t i) {
                for (std::size_t k = 0; k < slice; ++k) commit(*ours.store, histories[i].changes[round * slice + k]);
            });
        });
        turns.add("raw", [&](std::size_t round) {
            time_of_four([&](std::size_t i) {
                for (std::size_t k = 0; k < slice; ++k) raw[i].commit(changes[i][round * slice + k]);
            });
        });
        turns.run(slices);
        turns.report(state);
    }
}

/// The same change as somebody else would have it.
Batch rival_of(Batch batch) {
    DecisionRecord& decision = std::get<AddDecision>(batch[1]).decision;
    decision.id += "-rival";
    *decision.key += "-rival";
    return batch;
}

/// Two writers on one base, whose successors come at once.
void race(benchmark::State& state) {
    const std::size_t rounds = amount({.whole = 300, .quick = 20});
    const History history = history_of(one_task(), rounds);
    std::vector<Batch> rivals;
    for (const Batch& batch : history.changes) rivals.push_back(rival_of(batch));
    for (auto _ : state) {
        const Place place(2);
        commit(*place.store, history.start);
        std::barrier start(2);
        std::array<std::vector<std::optional<Reason>>, 2> ends;
        const auto write = [&](std::size_t who, const std::vector<Batch>& batches) {
            for (const Batch& batch : batches) {
                start.arrive_and_wait();
                const auto done = place.store->commit(batch);
                ends[who].push_back(done ? std::nullopt : std::optional(done.error().reason));
            }
        };
        {
            const std::jthread one([&] { write(0, history.changes); }), other([&] { write(1, rivals); });
        }
        std::size_t unfair = 0;
        for (std::size_t i = 0; i < rounds; ++i) {
            const bool first = !ends[0][i], second = !ends[1][i];
            const auto lost = first ? ends[1][i] : ends[0][i];
            unfair += first == second || lost != Reason::concurrent_successor_committed;
        }
        state.counters["without_one_winner"] = static_cast<double>(unfair);
    }
}

[[maybe_unused]] const bool registered = [] {
    if (test::PostgresServer::programs().empty()) return false;  // the report says that this was not measured
    benchmark::RegisterBenchmark("store/postgres/one", one_connection)->Iterations(1);
    benchmark::RegisterBenchmark("store/postgres/four", four_connections)->Iterations(1);
    benchmark::RegisterBenchmark("store/postgres/race", race)->Iterations(1);
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
