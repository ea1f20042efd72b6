#pragma once
// The part of the judge that minds the plan: items, sources to inspect and the phase.

#include <taskstate/engine/transaction.hpp>

#include "engine/shelf.hpp"

namespace taskstate::inline v0 {

/// Applies operations on the plan to a candidate, one after the other.
///
/// Errors: `duplicate_item_id`, `duplicate_source_id`, `unknown_item`, `unknown_note`, `unknown_source`,
///         `self_reference`; `schema_is_locked`, `illegal_status_transition`, `dependency_unsatisfied`,
///         `reason_required`, `illegal_phase_transition`, `required_items_incomplete`; `evidence_owner_mismatch`.
/// Thread-safety: confined; the candidate, the rules and the reason must outlive it.
/// Source: docs/transactions.md, "Items".
class PlanJudge {
 public:
    PlanJudge(State& candidate, const Profile& profile, const OptText& reason)
        : candidate_(candidate), profile_(profile), reason_(reason) {}

    Result<void> operator()(const AddSource& add);
    Result<void> operator()(const AddItem& add);
    Result<void> operator()(const SetItemTitle& set);
    Result<void> operator()(const SetItemContent& set);
    Result<void> operator()(const SetItemStatus& set);
    Result<void> operator()(const SetPhase& set);
    Result<void> operator()(const MarkSourceInspected& mark);
    Result<void> operator()(const LockSchema& lock);

    /// Whether what must be done may still grow: not after the lock, nor outside the phases for it.
    [[nodiscard]] Result<void> check_open_schema() const;
    [[nodiscard]] bool progressed() const noexcept { return progressed_; }

 private:
    [[nodiscard]] Shelf notes() const { return {candidate_.notes, Reason::unknown_note, "notes"}; }
    [[nodiscard]] Shelf items() const { return {candidate_.items, Reason::unknown_item, "items"}; }
    [[nodiscard]] Shelf sources() const { return {candidate_.sources, Reason::unknown_source, "sources"}; }

    [[nodiscard]] std::string make_item_id();
    [[nodiscard]] Result<void> check_references(const ItemInput& item, std::string_view id) const;
    [[nodiscard]] Result<void> check_dependencies(const Item& item) const;
    [[nodiscard]] Result<void> check_move(const Item& item, ItemStatus next, const OptText& reason) const;
    [[nodiscard]] Result<void> add_evidence(Item& item, const std::vector<EvidenceInput>& given) const;

    State& candidate_;
    const Profile& profile_;
    const OptText& reason_;
    bool progressed_ = false;
};

}  // namespace taskstate::inline v0
