#include "store/postgres/sqlstate.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <charconv>

namespace taskstate::inline v0 {
namespace {

/// Codes of one meaning, by their beginning; the first that fits.
struct Meaning {
    std::string_view sqlstate{};
    Reason reason{};
};
constexpr Meaning meanings[] = {
    {"22021", Reason::invalid_utf8},            // a NUL, or no UTF-8
    {"25006", Reason::storage_denied},          // a server that only reads
    {"28", Reason::storage_denied},             // who is it?
    {"3D000", Reason::storage_denied},          // no such database
    {"40", Reason::lock_timeout},               // in the way of another transaction
    {"42501", Reason::storage_denied},          // no right
    {"53100", Reason::storage_full},            // disk
    {"53300", Reason::lock_timeout},            // too many connections
    {"54000", Reason::too_long},                // a name that no index takes
    {"55P03", Reason::lock_timeout},            // lock_timeout
    {"57014", Reason::lock_timeout},            // statement_timeout, or cancelled
    {"57P03", Reason::lock_timeout},            // it is starting or stopping
    {"XX001", Reason::integrity_check_failed},  // a damaged page
    {"XX002", Reason::integrity_check_failed},  // a damaged index
};

Error error_of_sqlstate(std::string_view sqlstate) {
    const auto* const found = std::find_if(std::begin(meanings), std::end(meanings), [&](const Meaning& meaning) {
        return sqlstate.starts_with(meaning.sqlstate);
    });
    Error error = fail(found == std::end(meanings) ? Reason::storage_failed : found->reason);
    if (!sqlstate.empty()) error.message.append(" PostgreSQL's code is ").append(sqlstate).append(".");
    return error;
}

/// The code at the end of what libpq says of a connection that was refused; it has no other place for it.
std::string_view code_at_end(std::string_view message) {
    while (message.ends_with('\n')) message.remove_suffix(1);
    const auto begin = message.rfind(' ') + 1;  // 0 where there is none
    const std::string_view last = message.substr(begin);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    const bool is_code = last.size() == 5 && std::any_of(last.begin(), last.end(), is_digit) &&
                         std::all_of(last.begin(), last.end(), [&](char c) { return is_digit(c) || is_capital(c); });
    return is_code ? last : std::string_view();
}

std::string_view field(const pg_result* result, int which) {
    const char* const text = PQresultErrorField(result, which);
    return text == nullptr ? std::string_view() : std::string_view(text);
}

std::optional<Reason> reason_of(std::string_view text) {
    const auto rows = reasons();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const ReasonRow& row) { return row.word == text; });
    if (found == rows.end()) return std::nullopt;
    return found->reason;
}

/// A refusal by the store's own functions: a reason, and perhaps two numbers.
Error error_of_refusal(const pg_result* result) {
    const auto reason = reason_of(field(result, PG_DIAG_MESSAGE_PRIMARY));
    if (!reason) return fail(Reason::storage_failed);
    const std::string_view detail = field(result, PG_DIAG_MESSAGE_DETAIL);
    Numbers numbers;
    const auto first = std::from_chars(detail.data(), detail.data() + detail.size(), numbers.limit);
    if (first.ec != std::errc() || first.ptr == detail.data() + detail.size()) return fail(*reason);
    std::from_chars(first.ptr + 1, detail.data() + detail.size(), numbers.actual);
    return fail(*reason, "", numbers);
}

/// What is taken, by the index that says so.
Error error_of_taken(const pg_result* result) {
    struct Taken {
        std::string_view index{};
        Reason reason{};
        std::string_view path{};
    };
    constexpr Taken all[] = {{"tasks_by_id", Reason::already_exists, "/id"},
                             {"tasks_by_start", Reason::already_exists, "/key"},
                             {"decisions_by_key", Reason::idempotency_key_reused, "/key"},
                             {"decisions_by_id", Reason::already_exists, "/id"},
                             {"deliveries_by_id", Reason::already_exists, "/id"},
                             {"bindings_by_id", Reason::already_exists, "/id"},
                             {"bindings_by_identity", Reason::binding_already_active, ""}};
    const std::string_view index = field(result, PG_DIAG_CONSTRAINT_NAME);
    for (const Taken& taken : all) {
        if (taken.index == index) return fail(taken.reason, std::string(taken.path));
    }
    return fail(Reason::revision_gap);
}

}  // namespace

PostgresAnswer answer_of_failure(const pg_result* result) {
    using End = PostgresAnswer::End;
    const std::string_view sqlstate = field(result, PG_DIAG_SQLSTATE);
    // Only the server's ERROR says that a transaction was taken back: after FATAL, or silence, nobody knows.
    if (field(result, PG_DIAG_SEVERITY_NONLOCALIZED) != "ERROR") return {.end = End::lost};
    if (sqlstate == "TSK01") return {.end = End::refused, .error = error_of_refusal(result)};
    if (sqlstate == "23505") return {.end = End::refused, .error = error_of_taken(result)};
    if (sqlstate == "40003") return {.end = End::lost};  // it does not know either
    return {.end = sqlstate.starts_with("40") ? End::again : End::refused, .error = error_of_sqlstate(sqlstate)};
}

Error error_of_connection(std::string_view message) { return error_of_sqlstate(code_at_end(message)); }

}  // namespace taskstate::inline v0
