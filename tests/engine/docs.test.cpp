// The tables of the documents against those of the library.

#include "support/document.hpp"

#include <taskstate/engine/governance.hpp>
#include <taskstate/engine/guards.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace taskstate;

namespace {

const std::string page = "docs/roles.md";

std::string quoted(std::string_view name) { return "`" + std::string(name) + "`"; }

std::vector<Role> all_roles() {
    std::vector<Role> all;
    for (std::size_t i = 0; i < Words<Role>::list.size(); ++i) all.push_back(static_cast<Role>(i));
    return all;
}

/// A row of a table whose columns are the roles.
template <class Cell>
std::string row(const std::string& head, const Cell& cell) {
    std::string text = "| " + head + " |";
    for (const Role role : all_roles()) text += " " + cell(role) + " |";
    return text;
}

/// One row for each word of `E`.
template <class E, class Cell>
std::vector<std::string> rows(const Cell& cell) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < Words<E>::list.size(); ++i) {
        const auto value = static_cast<E>(i);
        all.push_back(row(quoted(word(value)), [&](Role role) { return cell(role, value); }));
    }
    return all;
}

}  // namespace

TEST_CASE("roles.md: its columns are the roles", "[engine]") {
    const std::string text = test::read_source(page);
    for (const std::string head : {"capability", "operation", "intake"}) {
        CHECK(text.find(row(head, [](Role role) { return quoted(word(role)); })) != std::string::npos);
    }
}

TEST_CASE("roles.md: the table of capabilities is the table of the library", "[engine]") {
    CHECK(test::table_under(page, "Capabilities") == rows<Capability>([](Role role, Capability capability) {
              return std::string(holds(role, capability) ? "yes" : "–");
          }));
}

TEST_CASE("roles.md: the table of assurances is the table of the library", "[engine]") {
    std::vector<std::string> expected;
    for (const Role role : all_roles()) {
        expected.push_back("| " + quoted(word(role)) + " | " + quoted(word(ceiling(role, Intake::submission))) + " |");
    }
    CHECK(test::table_under(page, "Assurance") == expected);
}

TEST_CASE("roles.md: the table of operations is the table of the library", "[engine]") {
    CHECK(test::table_under(page, "Operations") == rows<OperationKind>([](Role role, OperationKind kind) {
              if (permits(role, Intake::submission, kind)) return std::string("yes");
              return std::string(permits(role, Intake::correction, kind) ? "correction" : "–");
          }));
}

TEST_CASE("roles.md: what becomes of a note is what the library makes of it", "[engine]") {
    struct Named {
        Intake intake;
        std::string_view name;
    };
    std::vector<std::string> expected;
    for (const Named& at : {Named{Intake::submission, "submission"}, Named{Intake::correction, "correction"},
                            Named{Intake::boundary, "boundary"}}) {
        expected.push_back(row(quoted(at.name), [&](Role role) {
            const bool may = at.intake != Intake::correction || holds(role, Capability::correct_state);
            const auto standing = may ? standing_of(role, at.intake) : std::nullopt;
            return standing ? quoted(word(*standing)) : std::string("–");
        }));
    }
    CHECK(test::table_under(page, "Notes") == expected);
}

TEST_CASE("guards.md: every guard has one row", "[engine][governed:17.1]") {
    const std::vector<std::string> rows = test::table_under("docs/guards.md", "Kinds");
    CHECK(rows.size() == Words<GuardKind>::list.size());
    for (const std::string_view kind : Words<GuardKind>::list) {
        CHECK(std::count_if(rows.begin(), rows.end(),
                            [&](const std::string& row) { return row.starts_with("| " + quoted(kind) + " |"); }) == 1);
    }
}
