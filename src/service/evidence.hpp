#pragma once
// Which evidence a host does not know.

#include <taskstate/engine/transaction.hpp>
#include <taskstate/service/adapters.hpp>

#include <span>

namespace taskstate::inline v0 {

/// The first reference that `resolver` does not know, as a pointer into the input; nothing without a resolver.
[[nodiscard]] OptText unknown_evidence(EvidenceResolver* resolver, const Scope& scope,
                                       std::span<const EvidenceInput> evidence);
/// The same of a transaction and each of its operations.
[[nodiscard]] OptText unknown_evidence(EvidenceResolver* resolver, const Scope& scope, const Transaction& transaction);

/// Whether evidence is the scope's own.  Errors: `evidence_owner_mismatch`.
[[nodiscard]] Result<void> check_owned(const Scope& scope, std::span<const EvidenceInput> evidence);
/// Whether evidence is the scope's own and known.  Errors: `evidence_owner_mismatch`, `unknown_evidence`.
[[nodiscard]] Result<void> check_evidence(EvidenceResolver* resolver, const Scope& scope,
                                          std::span<const EvidenceInput> evidence);

}  // namespace taskstate::inline v0
