// What the rows of a scope add up to, counted where they lie.

#include "store/sqlite/reader.hpp"

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t durations_max = 1'000;

/// Adds `count` for each row of (word, count) to the place of the word.
template <class E, std::size_t size>
Result<void> count_words(Query query, std::array<std::uint64_t, size>& counts) {
    for (;;) {
        const auto row = query.step();
        if (!row) return row.error();
        if (!*row) return {};
        const auto value = from_word<E>(query.text(0));
        if (!value) return fail(Reason::unreadable_record);
        counts[static_cast<std::size_t>(*value)] += static_cast<std::uint64_t>(query.integer(1));
    }
}

Result<void> count_reasons(Query query, std::vector<ReasonCount>& counts) {
    for (;;) {
        const auto row = query.step();
        if (!row) return row.error();
        if (!*row) return {};
        const auto all = reasons();
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const ReasonRow& known) { return known.word == query.text(0); });
        if (found == all.end()) return fail(Reason::unreadable_record);
        counts.push_back({found->reason, static_cast<std::uint64_t>(query.integer(1))});
    }
}

/// The reasons in the order of the enumerators, each once.
void merge(std::vector<ReasonCount>& counts) {
    std::sort(counts.begin(), counts.end(),
              [](const ReasonCount& a, const ReasonCount& b) { return a.reason < b.reason; });
    std::vector<ReasonCount> merged;
    for (const ReasonCount& count : counts) {
        if (merged.empty() || merged.back().reason != count.reason)
            merged.push_back(count);
        else
            merged.back().count += count.count;
    }
    counts = std::move(merged);
}

Result<void> count_tasks(Database& database, std::int64_t scope, Tally& tally) {
    auto query = database.query("SELECT lifecycle, count(*) FROM tasks WHERE scope=? GROUP BY lifecycle");
    query.bind(scope);
    for (;;) {
        const auto row = query.step();
        if (!row) return row.error();
        if (!*row) break;
        const auto lifecycle = static_cast<std::size_t>(query.integer(0));
        if (lifecycle >= tally.lifecycles.size()) return fail(Reason::unreadable_record);
        tally.lifecycles[lifecycle] = static_cast<std::uint64_t>(query.integer(1));
    }
    auto latest = database.query("SELECT max(last_progress_at) FROM tasks WHERE scope=?");
    const auto row = latest.bind(scope).step();
    if (!row) return row.error();
    if (!latest.is_null(0)) tally.last_progress_at = Timestamp{latest.integer(0)};
    return {};
}

Result<void> count_decisions(Database& database, std::int64_t scope, Tally& tally) {
    auto done = count_words<Outcome>(database
                                         .query("SELECT outcome, count(*) FROM decisions JOIN tasks ON tasks.row=task "
                                                "WHERE scope=? AND shadow=0 GROUP BY outcome")
                                         .bind(scope),
                                     tally.outcomes);
    if (!done) return done;
    done = count_reasons(database
                             .query("SELECT reason, count(*) FROM decisions JOIN tasks ON tasks.row=task WHERE scope=? "
                                    "AND shadow=0 GROUP BY reason")
                             .bind(scope),
                         tally.reasons);
    if (!done) return done;
    auto sums = database.query(
        "SELECT sum(shadow), sum((guards & 1) * (1 - shadow)), sum((guards >> 1 & 1) * (1 - shadow)), "
        "sum((guards >> 2 & 1) * (1 - shadow)), sum((guards >> 3 & 1) * (1 - shadow)) FROM decisions JOIN tasks ON "
        "tasks.row=task WHERE scope=?");
    const auto row = sums.bind(scope).step();
    if (!row) return row.error();
    tally.shadow_decisions = static_cast<std::uint64_t>(sums.integer(0));
    for (std::size_t i = 0; i < tally.guards.size(); ++i) {
        tally.guards[i] = static_cast<std::uint64_t>(sums.integer(static_cast<int>(i) + 1));
    }
    auto took = database.query(
        "SELECT duration_ms FROM decisions JOIN tasks ON tasks.row=task WHERE scope=? AND shadow=0 ORDER BY decided_at "
        "DESC, tasks.id DESC, sequence DESC LIMIT ?");
    took.bind(scope, std::uint64_t{durations_max});
    for (;;) {
        const auto next = took.step();
        if (!next) return next.error();
        if (!*next) break;
        tally.durations_ms.push_back(static_cast<std::uint64_t>(took.integer(0)));
    }
    std::reverse(tally.durations_ms.begin(), tally.durations_ms.end());
    return {};
}

Result<void> count_deliveries(Database& database, std::int64_t scope, Tally& tally) {
    auto sums = database.query(
        "SELECT count(*), count(exposed_at), count(withheld) FROM deliveries JOIN tasks ON tasks.row=task WHERE "
        "scope=?");
    const auto row = sums.bind(scope).step();
    if (!row) return row.error();
    tally.prepared = static_cast<std::uint64_t>(sums.integer(0));
    tally.exposed = static_cast<std::uint64_t>(sums.integer(1));
    tally.withheld = static_cast<std::uint64_t>(sums.integer(2));
    return count_reasons(database
                             .query("SELECT withheld, count(*) FROM deliveries JOIN tasks ON tasks.row=task WHERE "
                                    "scope=? AND withheld IS NOT NULL GROUP BY withheld")
                             .bind(scope),
                         tally.reasons);
}

Result<void> count_bindings(Database& database, std::int64_t scope, Tally& tally) {
    auto sums = database.query("SELECT count(*), sum(active) FROM bindings WHERE scope=?");
    const auto row = sums.bind(scope).step();
    if (!row) return row.error();
    tally.bindings_active = static_cast<std::uint64_t>(sums.integer(1));
    tally.bindings_revoked = static_cast<std::uint64_t>(sums.integer(0)) - tally.bindings_active;
    return {};
}

}  // namespace

Result<Tally> SqliteReader::tally(const Scope& scope) {
    const auto place = find_scope(database_, scope);
    if (!place) return place.error();
    Tally tally;
    for (const auto count : {count_tasks, count_decisions, count_deliveries, count_bindings}) {
        if (auto done = count(database_, *place, tally); !done) return std::move(done).error();
    }
    merge(tally.reasons);
    return tally;
}

}  // namespace taskstate::inline v0
