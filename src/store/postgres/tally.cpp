// What the rows of a scope add up to, counted where they lie.

#include "store/postgres/reader.hpp"

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

/// Rows of (what is counted, its word, the number, an order).
constexpr const char* tally_sql = R"sql(
WITH task AS (SELECT place, id, lifecycle, last_progress_at FROM tasks WHERE scope = $1),
    step AS (SELECT task.id AS of_task, d.* FROM task JOIN decisions AS d ON d.task = task.place),
    block AS (SELECT d.* FROM task JOIN deliveries AS d ON d.task = task.place)
SELECT 'lifecycle', lifecycle, count(*), 0 AS n FROM task GROUP BY lifecycle
UNION ALL SELECT 'progress', '', (extract(epoch FROM max(last_progress_at)) * 1000)::bigint, 0
    FROM task HAVING count(*) > 0
UNION ALL SELECT 'outcome', outcome, count(*), 0 FROM step WHERE NOT shadow GROUP BY outcome
UNION ALL SELECT 'guard', guard, count(*), 0 FROM step, unnest(guards) AS guard WHERE NOT shadow GROUP BY guard
UNION ALL SELECT 'shadow', '', count(*), 0 FROM step WHERE shadow
UNION ALL SELECT 'reason', reason, count(*), 0 FROM (SELECT reason FROM step WHERE NOT shadow
    UNION ALL SELECT withheld FROM block WHERE withheld IS NOT NULL) AS given GROUP BY reason
UNION ALL SELECT 'prepared', '', count(*), 0 FROM block
UNION ALL SELECT 'exposed', '', count(exposed_at), 0 FROM block
UNION ALL SELECT 'withheld', '', count(withheld), 0 FROM block
UNION ALL SELECT 'active', '', count(*), 0 FROM bindings WHERE scope = $1 AND revoked_at IS NULL
UNION ALL SELECT 'revoked', '', count(*), 0 FROM bindings WHERE scope = $1 AND revoked_at IS NOT NULL
UNION ALL SELECT 'took', '', duration_ms, n FROM (SELECT duration_ms, row_number() OVER last AS n FROM step
    WHERE NOT shadow WINDOW last AS (ORDER BY decided_at DESC, of_task DESC, sequence DESC)
    ORDER BY n LIMIT 1000) AS last
ORDER BY n DESC)sql";

/// Adds a number to the place of a word; false for a word that is none.
template <class E, std::size_t size>
bool add(std::array<std::uint64_t, size>& counts, std::string_view text, std::uint64_t number) {
    const auto value = from_word<E>(text);
    if (value) counts[static_cast<std::size_t>(*value)] += number;
    return value.has_value();
}

bool add(std::vector<ReasonCount>& counts, std::string_view text, std::uint64_t number) {
    const auto rows = reasons();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const ReasonRow& row) { return row.word == text; });
    if (found != rows.end()) counts.push_back({found->reason, number});
    return found != rows.end();
}

/// Takes one row; false for a word that is none.
bool add(Tally& tally, std::string_view what, std::string_view text, std::uint64_t number) {
    struct Sum {
        std::string_view what{};
        std::uint64_t Tally::* count = nullptr;
    };
    constexpr Sum sums[] = {{"shadow", &Tally::shadow_decisions}, {"prepared", &Tally::prepared},
                            {"exposed", &Tally::exposed},         {"withheld", &Tally::withheld},
                            {"active", &Tally::bindings_active},  {"revoked", &Tally::bindings_revoked}};
    for (const Sum& sum : sums) {
        if (sum.what == what) tally.*sum.count = number;
    }
    if (what == "lifecycle") return add<Lifecycle>(tally.lifecycles, text, number);
    if (what == "outcome") return add<Outcome>(tally.outcomes, text, number);
    if (what == "guard") return add<GuardKind>(tally.guards, text, number);
    if (what == "reason") return add(tally.reasons, text, number);
    if (what == "took") tally.durations_ms.push_back(number);
    if (what == "progress") tally.last_progress_at = Timestamp{static_cast<std::int64_t>(number)};
    return true;
}

Result<Tally> decode_tally(const PostgresRows& rows) {
    Tally tally;
    for (int row = 0; row < rows.size(); ++row) {
        const auto number = static_cast<std::uint64_t>(rows.integer(row, 2));
        if (!add(tally, rows.text(row, 0), rows.text(row, 1), number)) return fail(Reason::unreadable_record);
    }
    std::sort(tally.reasons.begin(), tally.reasons.end(),
              [](const ReasonCount& a, const ReasonCount& b) { return a.reason < b.reason; });
    return tally;
}

}  // namespace

PostgresRead<Tally> postgres_read::tally(const Scope& scope) {
    return {{.sql = tally_sql, .values = {key_of(scope)}}, decode_tally};
}

}  // namespace taskstate::inline v0
