#include "service/evidence.hpp"

#include "engine/position.hpp"

#include <taskstate/engine/apply.hpp>

namespace taskstate::inline v0 {
namespace {

/// Finds the first unknown reference of one operation.
class CitedEvidence {
 public:
    CitedEvidence(EvidenceResolver& resolver, const Scope& scope) : resolver_(resolver), scope_(scope) {}

    OptText operator()(const AddNote& add) { return of(add.note.source); }
    OptText operator()(const ConfirmAction& confirm) { return of(confirm.source); }
    OptText operator()(const RecordAction& record) {
        const auto& evidence = record.outcome.evidence;
        return evidence && !resolver_.known(scope_, *evidence) ? OptText("/evidence") : std::nullopt;
    }
    OptText operator()(const SetItemStatus& set) { return unknown_evidence(&resolver_, scope_, set.evidence); }
    OptText operator()(const ResolveNote&) { return std::nullopt; }
    OptText operator()(const AddItem&) { return std::nullopt; }
    OptText operator()(const SetItemTitle&) { return std::nullopt; }
    OptText operator()(const SetItemContent&) { return std::nullopt; }
    OptText operator()(const SetItemBlocker&) { return std::nullopt; }
    OptText operator()(const AddSource&) { return std::nullopt; }
    OptText operator()(const MarkSourceInspected&) { return std::nullopt; }
    OptText operator()(const SetPhase&) { return std::nullopt; }
    OptText operator()(const LockSchema&) { return std::nullopt; }
    OptText operator()(const Prune&) { return std::nullopt; }
    OptText operator()(const SyncLink&) { return std::nullopt; }

 private:
    OptText of(const SourceInput& source) {
        const auto& evidence = source.evidence;
        return evidence && !resolver_.known(scope_, *evidence) ? OptText("/source/evidence") : std::nullopt;
    }

    EvidenceResolver& resolver_;
    const Scope& scope_;
};

}  // namespace

OptText unknown_evidence(EvidenceResolver* resolver, const Scope& scope, std::span<const EvidenceInput> evidence) {
    if (resolver == nullptr) return std::nullopt;
    for (std::size_t i = 0; i < evidence.size(); ++i) {
        if (!resolver->known(scope, evidence[i])) return at("evidence", i);
    }
    return std::nullopt;
}

OptText unknown_evidence(EvidenceResolver* resolver, const Scope& scope, const Transaction& transaction) {
    if (resolver == nullptr) return std::nullopt;
    if (auto path = unknown_evidence(resolver, scope, transaction.evidence())) return path;
    for (const Step& step : transaction.steps()) {
        if (const auto path = std::visit(CitedEvidence(*resolver, scope), step.operation)) return step.path + *path;
    }
    return std::nullopt;
}

Result<void> check_owned(const Scope& scope, std::span<const EvidenceInput> evidence) {
    for (std::size_t i = 0; i < evidence.size(); ++i) {
        if (auto owned = check_evidence_owner(view(evidence[i]), scope); !owned) {
            return under(at("evidence", i), std::move(owned).error());
        }
    }
    return {};
}

Result<void> check_evidence(EvidenceResolver* resolver, const Scope& scope, std::span<const EvidenceInput> evidence) {
    if (auto owned = check_owned(scope, evidence); !owned) return owned;
    auto path = unknown_evidence(resolver, scope, evidence);
    if (path) return fail(Reason::unknown_evidence, *std::move(path));
    return {};
}

}  // namespace taskstate::inline v0
