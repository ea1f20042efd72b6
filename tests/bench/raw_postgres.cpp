#include "bench/raw_postgres.hpp"

#include <libpq-fe.h>

#include <array>
#include <string_view>

namespace taskstate::bench {
namespace {

constexpr const char* commit_sql = R"sql(
WITH head AS (
    UPDATE tasks SET lifecycle = $2, revision = $3, last_progress_at = $4, due_at = $5, head = $6
        WHERE place = $1 AND revision = $3 - 1 RETURNING place),
logged AS (INSERT INTO revisions(task, revision, record) SELECT place, $3, $7 FROM head),
lines AS (INSERT INTO lineage(task, kind, id, revision)
    SELECT place, kind, id, $3 FROM head, unnest($8::text[], $9::text[]) AS line(kind, id)),
changed AS (UPDATE entries SET entry = $12 FROM head WHERE task = head.place AND kind = $10 AND entries.id = $11)
INSERT INTO decisions(task, sequence, id, key, decided_at, shadow, outcome, reason, guards, duration_ms, record)
    SELECT place, $13, $14, $15, $16, false, $17, $18, '{}', $19, $20 FROM head RETURNING 1)sql";

/// Texts as one array of the server; none of them needs an escape.
template <class Texts>
std::string array_of(const Texts& texts) {
    std::string array = "{";
    for (const auto& text : texts) array.append(array.size() == 1 ? "\"" : ",\"").append(text).append("\"");
    return array + '}';
}

std::string time_of(std::int64_t ms) { return format_time(Timestamp{ms}); }

}  // namespace

void RawPostgres::Finish::operator()(pg_conn* handle) const noexcept { PQfinish(handle); }

RawPostgres::RawPostgres(const std::string& url, const std::string& schema, const std::string& task)
    : handle_(PQconnectdb(url.c_str())) {
    // The plans of the store's own connections.
    run("SET plan_cache_mode=force_generic_plan; SET enable_seqscan=off; SET jit=off; SET search_path=\"" + schema +
        "\"");
    PGresult* const found = PQexec(handle_.get(), ("SELECT place FROM tasks WHERE id='" + task + "'").c_str());
    if (PQntuples(found) != 1) bug("PostgreSQL has not the task of the bench");
    place_ = PQgetvalue(found, 0, 0);
    PQclear(found);
    PGresult* const prepared = PQprepare(handle_.get(), "commit", commit_sql, 0, nullptr);
    if (PQresultStatus(prepared) != PGRES_COMMAND_OK) bug(PQerrorMessage(handle_.get()));
    PQclear(prepared);
}

void RawPostgres::run(const std::string& sql) {
    PGresult* const result = PQexec(handle_.get(), sql.c_str());
    if (PQresultStatus(result) != PGRES_COMMAND_OK) bug(PQerrorMessage(handle_.get()));
    PQclear(result);
}

void RawPostgres::commit(const RawChange& change) {
    std::vector<std::string_view> kinds, ids;
    for (const RawChange::Line& line : change.lineage) {
        kinds.push_back(word(line.kind));
        ids.emplace_back(line.id);
    }
    const RawChange::Row& entry = change.entries.at(0);
    const std::array<std::string, 20> texts{place_,
                                            std::string(word(change.lifecycle)),
                                            std::to_string(change.revision),
                                            time_of(change.last_progress_at),
                                            change.due_at ? time_of(*change.due_at) : "",
                                            change.head,
                                            change.record,
                                            array_of(kinds),
                                            array_of(ids),
                                            std::string(word(entry.kind)),
                                            entry.id,
                                            entry.text,
                                            std::to_string(change.sequence),
                                            change.id,
                                            change.key,
                                            time_of(change.decided_at),
                                            change.outcome,
                                            change.reason,
                                            std::to_string(change.duration_ms),
                                            change.decision};
    std::array<const char*, 20> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = texts[i].c_str();
    if (!change.due_at) values[4] = nullptr;
    PGresult* const result =
        PQexecPrepared(handle_.get(), "commit", static_cast<int>(values.size()), values.data(), nullptr, nullptr, 0);
    if (PQntuples(result) != 1) bug("PostgreSQL refuses the bench");
    PQclear(result);
}

}  // namespace taskstate::bench
