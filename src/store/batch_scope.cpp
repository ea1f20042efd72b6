#include "store/batch_scope.hpp"

namespace taskstate::inline v0 {
namespace {

const Scope* scope_of(const StartTask& start) { return &start.head.identity.scope; }
const Scope* scope_of(const AdvanceTask& next) { return &next.head.identity.scope; }
const Scope* scope_of(const TrimLog& trim) { return &trim.task.scope; }
const Scope* scope_of(const AddDecision& added) { return &added.task.scope; }
const Scope* scope_of(const AddDelivery& added) { return &added.task.scope; }
const Scope* scope_of(const AddBinding& added) { return &added.binding.scope; }
const Scope* scope_of(const RevokeBinding& end) { return &end.scope; }
const Scope* scope_of(const SetScopeMode& set) { return &set.scope; }
const Scope* scope_of(const AddProfile&) { return nullptr; }

}  // namespace

const Scope* scope_of(const Write& write) noexcept {
    return std::visit([](const auto& kind) { return scope_of(kind); }, write);
}

Result<void> check_one_scope(std::span<const Write> batch) {
    const Scope* first = nullptr;
    for (const Write& write : batch) {
        const Scope* scope = scope_of(write);
        if (scope == nullptr) continue;
        if (first != nullptr && *first != *scope) return fail(Reason::options_invalid, "/scope");
        first = scope;
    }
    return {};
}

}  // namespace taskstate::inline v0
