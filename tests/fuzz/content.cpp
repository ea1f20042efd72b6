// The content of an item: what is accepted is canonical and within its bounds.

#include "fuzz/targets.hpp"
#include "fuzz/task_rules.hpp"

#include <taskstate/base/escape.hpp>

#include <nlohmann/json.hpp>

namespace taskstate::fuzz {

void content(std::string_view bytes) {
    const auto given = parse_content(bytes);
    if (!given) return check_refusal(given.error());
    const std::string& canonical = given->canonical();
    require(canonical.size() <= 16 * 1024, "content is bounded");
    const auto again = parse_content(canonical);
    require(again && *again == *given, "the canonical form of canonical content is itself");

    const auto meant = nlohmann::json::parse(bytes, nullptr, false);
    const auto kept = nlohmann::json::parse(canonical, nullptr, false);
    require(!meant.is_discarded() && meant.is_object(), "only a JSON object is content");
    require(meant == kept, "the canonical form says the same");

    std::string shown;
    append_object(shown, canonical);
    require(test::same_object(shown, canonical), "the shown object says the same");
    check_harmless(shown);
}

}  // namespace taskstate::fuzz
