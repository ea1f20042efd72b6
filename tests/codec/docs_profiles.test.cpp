// docs/profiles.md says what the code says.

#include "support/catch.hpp"
#include "support/document.hpp"

#include <taskstate/codec/json.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace taskstate;

namespace {

/// The cells of each row below a heading.
std::vector<std::vector<std::string>> table_under(const std::string& title) {
    std::istringstream document(test::read_source("docs/profiles.md"));
    std::vector<std::vector<std::string>> rows;
    bool here = false;
    for (std::string line; std::getline(document, line);) {
        if (line.starts_with("## ")) here = line == "## " + title;
        if (!here || !line.starts_with("| ")) continue;
        std::vector<std::string> cells;
        for (std::size_t begin = 2; begin < line.size();) {
            const std::size_t end = line.find(" |", begin);
            cells.push_back(line.substr(begin, end - begin));
            begin = end + 3;
        }
        rows.push_back(std::move(cells));
    }
    return rows;
}

template <class E>
std::string words(const std::vector<E>& list) {
    std::string text;
    for (const auto& value : list) {
        if (!text.empty()) text += ", ";
        if constexpr (std::is_enum_v<E>) {
            text += word(value);
        } else {
            text += value;
        }
    }
    return text.empty() ? "–" : text;
}

std::string yes(bool holds) { return holds ? "yes" : "no"; }

std::string graph(const Profile& profile) {
    if (profile.items.next == usual_status_graph()) return "usual";
    StatusSet any;
    for (std::size_t i = 0; i < Words<ItemStatus>::list.size(); ++i) any.insert(static_cast<ItemStatus>(i));
    const auto& next = profile.items.next;
    return std::all_of(next.begin(), next.end(), [&](StatusSet set) { return set == any; }) ? "free" : "?";
}

std::string reasoned(const Profile& profile) {
    std::vector<ItemStatus> list;
    for (std::size_t i = 0; i < Words<ItemStatus>::list.size(); ++i) {
        if (profile.items.reasoned.contains(static_cast<ItemStatus>(i))) list.push_back(static_cast<ItemStatus>(i));
    }
    return words(list);
}

struct Aspect {
    std::string name{};
    std::string (*of)(const Profile&) = nullptr;
};
const std::vector<Aspect> aspects{
    {"constraints gate", [](const Profile& p) { return yes(p.notes.constraints_gate); }},
    {"completion needs evidence", [](const Profile& p) { return yes(p.items.completion_needs_evidence); }},
    {"status graph", graph},
    {"entered with a reason", reasoned},
    {"phases", [](const Profile& p) { return words(p.phases.phases); }},
    {"items are added",
     [](const Profile& p) {
         return p.phases.extension.empty() ? std::string("everywhere") : "in " + words(p.phases.extension);
     }},
    {"empty task shows",
     [](const Profile& p) { return std::string(p.block.hidden_when_empty ? "nothing" : "its fence"); }},
    {"drops",
     [](const Profile& p) { return p.block.drop_order.empty() ? std::string("nothing") : words(p.block.drop_order); }},
    {"binding lasts",
     [](const Profile& p) {
         return p.binding_lifetime_ms ? std::to_string(*p.binding_lifetime_ms / 3'600'000) + " h" : "for ever";
     }},
    {"items at most", [](const Profile& p) { return std::to_string(p.limits.items_max); }},
};

void collect(const nlohmann::json& schema, const std::string& prefix, std::set<std::string>& names) {
    for (const auto& property : schema.at("properties").items()) {
        const std::string name = prefix + property.key();
        const bool grouped = property.value().contains("properties") && name != "items.next" && name != "limits";
        if (grouped) {
            collect(property.value(), name + ".", names);
        } else if (name != "format") {
            names.insert("`" + name + "`");
        }
    }
}

}  // namespace

TEST_CASE("profiles.md: the built-in profiles are what their table says", "[codec][governed:12.2]") {
    const auto rows = table_under("The built-in profiles");
    REQUIRE(rows.size() == aspects.size() + 2);
    const auto profiles = built_in_profiles();
    for (std::size_t column = 0; column < profiles.size(); ++column) {
        CHECK(rows[0].at(column + 1) == "`" + profiles[column].id + "`");
        for (std::size_t row = 0; row < aspects.size(); ++row) {
            INFO(aspects[row].name << " of " << profiles[column].id);
            CHECK(rows[row + 2].at(0) == aspects[row].name);
            CHECK(rows[row + 2].at(column + 1) == aspects[row].of(profiles[column]));
        }
        // What the sentence below the table says of all of them.
        CHECK_FALSE(profiles[column].permitted.has_value());
        CHECK(profiles[column].repeats_max == 3);
        CHECK(profiles[column].expiry == ExpiryRule{});
    }
}

TEST_CASE("profiles.md: every field has its row", "[codec]") {
    std::set<std::string> wanted, named;
    collect(nlohmann::json::parse(test::read_source("docs/schema/profile.schema.json")), "", wanted);
    for (const auto& row : table_under("What each field does")) {
        if (row.at(0).starts_with('`')) named.insert(row.at(0));
    }
    CHECK(named == wanted);
}

TEST_CASE("profiles.md: its example is a profile that makes sense", "[codec]") {
    const auto profile = decode_profile(test::block_after(test::read_source("docs/profiles.md"), "<!-- profile -->"));
    REQUIRE(profile.has_value());
    CHECK(check_profile(*profile).has_value());
    CHECK(profile->id == "review-v1");
}
