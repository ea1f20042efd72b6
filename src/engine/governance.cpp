#include <taskstate/engine/governance.hpp>

#include <array>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t roles = Words<Role>::list.size();

/// Y = holds it; rows by role, columns by capability.
constexpr std::array<std::string_view, roles> capabilities{
    "YYYYYY-YYY",  // authority
    "------Y---",  // evaluator
    "YY--------",  // companion
    "YY-------Y",  // agent
    "YY-Y-Y---Y",  // operator
    "YY-YYY--YY",  // administrator
    "YY--------",  // verifier
    "Y---------",  // auditor
    "----------",  // delegate
};

/// Y = may ask for it, C = as a correction only; rows by role, columns by operation.
constexpr std::array<std::string_view, roles> operations{
    "YYYYYYYYYYYYYYY",  // authority
    "---------------",  // evaluator
    "-Y-Y-YY-YY-----",  // companion: no notes, nothing new, no titles
    "YYYYYYYYYY-Y---",  // agent
    "YYYYYYYYYYC-Y--",  // operator
    "YYYYYYYYYYC-YY-",  // administrator
    "YYYYYYYYYY--Y--",  // verifier
    "---------------",  // auditor
    "---------------",  // delegate
};

constexpr std::array<Assurance, roles> ceilings{
    Assurance::operator_confirmed,      // authority
    Assurance::rule_extracted,          // evaluator
    Assurance::model_interpreted,       // companion
    Assurance::host_reported,           // agent
    Assurance::operator_confirmed,      // operator
    Assurance::operator_confirmed,      // administrator
    Assurance::independently_verified,  // verifier
    Assurance::asserted,                // auditor
    Assurance::asserted,                // delegate
};

template <class Table>
auto at_role(const Table& table, Role role) noexcept {
    return table[static_cast<std::size_t>(role)];
}

}  // namespace

bool holds(Role role, Capability capability) noexcept {
    return at_role(capabilities, role)[static_cast<std::size_t>(capability)] == 'Y';
}

Result<void> check_capability(Role role, Capability capability) {
    if (holds(role, capability)) return {};
    return fail(Reason::capability_denied);
}

Assurance ceiling(Role role, Intake intake) noexcept {
    return intake == Intake::boundary ? Assurance::asserted : at_role(ceilings, role);
}

bool permits(Role role, Intake intake, OperationKind kind) noexcept {
    if (intake == Intake::boundary && kind == OperationKind::add_note) return false;
    const char cell = at_role(operations, role)[static_cast<std::size_t>(kind)];
    return cell == 'Y' || (cell == 'C' && intake == Intake::correction);
}

std::optional<Standing> standing_of(Role role, Intake intake) noexcept {
    if (!permits(role, intake, OperationKind::add_note)) return std::nullopt;
    const bool host = role == Role::authority || intake == Intake::correction;
    return host ? Standing::host : Standing::proposal;
}

}  // namespace taskstate::inline v0
