#include "store/postgres/statement.hpp"

#include <initializer_list>

namespace taskstate::inline v0 {
namespace {

constexpr std::uint32_t text_type = 25;  // the number of `text` in every PostgreSQL

void put_number(std::string& bytes, std::uint32_t number) {
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 0xff);
}

PostgresKey key_of_parts(std::initializer_list<std::string_view> parts) {
    std::string joined;
    for (const std::string_view part : parts) {
        joined += std::to_string(part.size()) + ':';
        joined += part;
    }
    const Digest digest = sha256(joined);
    return {{digest.bytes.begin(), digest.bytes.end()}};
}

}  // namespace

PostgresKey key_of(const Scope& scope) {
    return key_of_parts({scope.tenant, scope.owner, scope.agent, scope.workspace});
}
PostgresKey key_of(const SessionIdentity& identity) {
    return key_of_parts({identity.host, identity.session, identity.epoch});
}

/// An array of one dimension, in the form in which PostgreSQL receives it.
PostgresValue::PostgresValue(const PostgresTexts& texts) : binary(true) {
    std::string array;
    put_number(array, texts.empty() ? 0 : 1);  // dimensions
    put_number(array, 1);                      // some may be NULL
    put_number(array, text_type);
    if (!texts.empty()) {
        put_number(array, static_cast<std::uint32_t>(texts.size()));
        put_number(array, 1);  // number of the first
    }
    for (const auto& text : texts) {
        put_number(array, text ? static_cast<std::uint32_t>(text->size()) : 0xffff'ffff);
        if (text) array += *text;
    }
    bytes = std::move(array);
}

}  // namespace taskstate::inline v0
