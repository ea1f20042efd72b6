#pragma once
// The part of the judge that minds the plan: items, sources to inspect and the phase.

#include <taskstate/engine/transaction.hpp>

#include "engine/shelf.hpp"

#include <map>

namespace taskstate::inline v0 {

/// Applies operations on the plan to a candidate, one after the other.
///
/// Errors: `duplicate_item_id`, `duplicate_source_id`, `unknown_item`, `unknown_note`, `unknown_source`,
///         `self_reference`; `schema_is_locked`, `illegal_status_transition`, `dependency_unsatisfied`,
///         `reason_required`, `evidence_required`, `capability_denied`, `illegal_phase_transition`,
///         `required_items_incomplete`; `evidence_owner_mismatch`.
/// Thread-safety: confined; the candidate, the rules and the transaction must outlive it.
/// Source: docs/transactions.md, "Items".
class PlanJudge {
 public:
    PlanJudge(State& candidate, const Profile& profile, const Transaction& transaction)
        : candidate_(candidate), profile_(profile), transaction_(transaction) {}

    /// What the actor vouches for the operation that comes next.
    void vouch(std::optional<Assurance> assurance) { vouched_ = assurance; }

    Result<void> operator()(const AddSource& add);
    Result<void> operator()(const AddItem& add);
    Result<void> operator()(const SetItemTitle& set);
    Result<void> operator()(const SetItemContent& set);
    Result<void> operator()(const SetItemStatus& set);
    Result<void> operator()(const SetItemBlocker& set);
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

    /// The id behind a name: a reference of this batch, or the name itself.
    [[nodiscard]] std::string_view named(std::string_view name) const;
    [[nodiscard]] Result<std::size_t> find_item(std::string_view name) const {
        return items().find(named(name), "/id");
    }
    /// An id that no item has and that is no reference of this batch, `ref` included.
    [[nodiscard]] std::string make_item_id(const OptText& ref);
    [[nodiscard]] Result<void> check_ref_free(const ItemInput& item) const;
    [[nodiscard]] Result<void> check_references(const ItemInput& item, std::string_view id) const;
    [[nodiscard]] Result<void> check_dependencies(const Item& item) const;
    [[nodiscard]] bool may_follow(ItemStatus from, ItemStatus next) const;
    [[nodiscard]] bool has_grounds(const SetItemStatus& set) const;
    [[nodiscard]] Result<void> check_move(const Item& item, const SetItemStatus& set, const OptText& reason) const;
    [[nodiscard]] Result<void> add_evidence(Item& item, const std::vector<EvidenceInput>& given) const;

    State& candidate_;
    const Profile& profile_;
    const Transaction& transaction_;
    std::optional<Assurance> vouched_{};
    std::map<std::string, std::string, std::less<>> refs_{};  // to ids of items that this batch added
    bool progressed_ = false;
};

}  // namespace taskstate::inline v0
