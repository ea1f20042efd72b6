#include "engine/plan.hpp"

#include <taskstate/engine/apply.hpp>
#include <taskstate/engine/governance.hpp>

#include "engine/position.hpp"

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

template <class Text>
bool contains(const std::vector<Text>& list, std::string_view wanted) {
    return std::find(list.begin(), list.end(), wanted) != list.end();
}

/// Whether the reason of an item with this status is told.
bool keeps_reason(ItemStatus status) {
    return status == ItemStatus::blocked || status == ItemStatus::skipped || status == ItemStatus::failed;
}

}  // namespace

Result<void> PlanJudge::operator()(const AddSource& add) {
    if (candidate_.sources.find(add.id)) return fail(Reason::duplicate_source_id);
    candidate_.sources.push_back(Entry::pack(SourceToInspect{.id = add.id}));
    return {};
}

Result<void> PlanJudge::operator()(const MarkSourceInspected& mark) {
    const auto index = sources().find(mark.id, "");
    if (!index) return index.error();
    progressed_ |= !candidate_.sources[*index].source().inspected;
    candidate_.sources.replace(*index, Entry::pack(SourceToInspect{.id = mark.id, .inspected = true}));
    return {};
}

Result<void> PlanJudge::operator()(const AddItem& add) {
    if (auto open = check_open_schema(); !open) return open;
    const ItemInput& given = add.item;
    if (auto free = check_ref_free(given); !free) return free;
    if (given.id && refs_.contains(*given.id)) return fail(Reason::duplicate_reference, "/id");
    const std::string id = given.id ? *given.id : make_item_id(given.ref);
    if (candidate_.items.find(id)) return fail(Reason::duplicate_item_id, "/id");
    if (auto known = check_references(given, id); !known) return known;
    std::vector<std::string_view> depends_on;
    depends_on.reserve(given.depends_on.size());
    for (const std::string& name : given.depends_on) depends_on.push_back(named(name));
    candidate_.items.push_back(Entry::pack(Item{.id = id,
                                                .title = given.title,
                                                .status = given.status,
                                                .assurance = vouched_.value_or(Assurance::asserted),
                                                .kind = given.kind,
                                                .required = given.required,
                                                .depends_on = std::move(depends_on),
                                                .because = {given.because.begin(), given.because.end()},
                                                .content = given.content.canonical()}));
    if (given.ref) refs_.emplace(*given.ref, id);
    return {};
}

Result<void> PlanJudge::operator()(const SetItemTitle& set) {
    const auto index = find_item(set.id);
    if (!index) return index.error();
    Item item = candidate_.items[*index].item();
    item.title = set.title;
    candidate_.items.replace(*index, Entry::pack(item));
    return {};
}

Result<void> PlanJudge::operator()(const SetItemContent& set) {
    const auto index = find_item(set.id);
    if (!index) return index.error();
    Item item = candidate_.items[*index].item();
    item.content = set.content.canonical();
    candidate_.items.replace(*index, Entry::pack(item));
    return {};
}

Result<void> PlanJudge::operator()(const SetItemStatus& set) {
    const auto index = find_item(set.id);
    if (!index) return index.error();
    Item item = candidate_.items[*index].item();
    const ItemStatus next = set.status.value_or(item.status);
    const bool reasoned = profile_.items.reasoned.contains(next);
    const OptText& reason = set.reason || !reasoned ? set.reason : transaction_.reason();
    const bool moves = next != item.status;
    if (moves) {
        if (auto may = check_move(item, set, reason); !may) return may;
        progressed_ |= is_settled(next) || next == ItemStatus::running;
        item.status = next;
        item.reason.reset();
    }
    if (reason && (moves || set.reason) && keeps_reason(next)) item.reason = *reason;
    if (vouched_) item.assurance = std::max(item.assurance, *vouched_);
    if (auto added = add_evidence(item, set.evidence); !added) return added;
    candidate_.items.replace(*index, Entry::pack(item));
    return {};
}

Result<void> PlanJudge::operator()(const SetItemBlocker& set) {
    return (*this)(SetItemStatus{.id = set.id, .status = ItemStatus::blocked, .reason = set.reason});
}

Result<void> PlanJudge::operator()(const SetPhase& set) {
    const PhaseRules& rules = profile_.phases;
    if (!contains(rules.phases, set.phase)) {
        return naming(fail(Reason::illegal_phase_transition), "phases",
                      Valid({rules.phases.begin(), rules.phases.end()}));
    }
    if (candidate_.phase == set.phase) return {};
    std::vector<std::string_view> next;
    for (const PhaseRules::Edge& edge : rules.edges) {
        if (edge.from == candidate_.phase) next.push_back(edge.to);
    }
    if (!contains(next, set.phase)) return naming(fail(Reason::illegal_phase_transition), "next phases", Valid(next));
    if (set.phase == rules.phases.back()) {
        if (auto done = check_gates(candidate_, profile_); !done) return done;
    }
    candidate_.phase = set.phase;
    progressed_ = true;
    return {};
}

Result<void> PlanJudge::operator()(const LockSchema&) {
    if (!candidate_.schema_locked && !transaction_.reason()) return fail(Reason::reason_required);
    candidate_.schema_locked = true;
    return {};
}

Result<void> PlanJudge::check_open_schema() const {
    const auto& phases = profile_.phases.extension;
    if (!candidate_.schema_locked && (phases.empty() || contains(phases, candidate_.phase.value_or("")))) return {};
    return fail(Reason::schema_is_locked);
}

std::string_view PlanJudge::named(std::string_view name) const {
    const auto found = refs_.find(name);
    return found == refs_.end() ? name : found->second;
}

std::string PlanJudge::make_item_id(const OptText& ref) {
    std::uint64_t& next = candidate_.next_ids.item;
    next = std::max<std::uint64_t>(next, 1);
    for (;;) {
        std::string id = "t" + std::to_string(next++);
        if (!candidate_.items.find(id) && !refs_.contains(id) && ref != id) return id;
    }
}

Result<void> PlanJudge::check_ref_free(const ItemInput& item) const {
    if (!item.ref) return {};
    if (!refs_.contains(*item.ref) && !candidate_.items.find(*item.ref) && item.ref != item.id) return {};
    return fail(Reason::duplicate_reference, "/ref");
}

Result<void> PlanJudge::check_references(const ItemInput& item, std::string_view id) const {
    for (std::size_t i = 0; i < item.depends_on.size(); ++i) {
        const std::string_view wanted = named(item.depends_on[i]);
        if (wanted == id || wanted == item.ref) return fail(Reason::self_reference, at("depends_on", i));
        if (auto known = items().find(wanted, at("depends_on", i)); !known) return known.error();
    }
    for (std::size_t i = 0; i < item.because.size(); ++i) {
        if (auto known = notes().find(item.because[i], at("because", i)); !known) return known.error();
    }
    return {};
}

Result<void> PlanJudge::check_dependencies(const Item& item) const {
    std::vector<std::string_view> open;
    for (const std::string_view id : item.depends_on) {
        if (!is_settled(candidate_.items[*candidate_.items.find(id)].item().status)) open.push_back(id);
    }
    if (open.empty()) return {};
    return naming(fail(Reason::dependency_unsatisfied, "/status"), "open dependencies", Valid(open));
}

bool PlanJudge::may_follow(ItemStatus from, ItemStatus next) const {
    if (profile_.items.next[static_cast<std::size_t>(from)].contains(next)) return true;
    return profile_.items.correction_reopens && transaction_.privileged() && is_settled(from) &&
           next == ItemStatus::ready;
}

bool PlanJudge::has_grounds(const SetItemStatus& set) const {
    const Assurance claimed = std::max(transaction_.assurance(), vouched_.value_or(Assurance::asserted));
    return claimed >= Assurance::host_reported || !transaction_.evidence().empty() || !set.evidence.empty();
}

Result<void> PlanJudge::check_move(const Item& item, const SetItemStatus& set, const OptText& reason) const {
    const ItemStatus next = *set.status;
    if (!may_follow(item.status, next)) return fail(Reason::illegal_status_transition, "/status");
    if (next == ItemStatus::running || next == ItemStatus::completed) {
        if (auto settled = check_dependencies(item); !settled) return settled;
    }
    if (profile_.items.reasoned.contains(next) && !reason) return fail(Reason::reason_required, "/reason");
    if (next == ItemStatus::completed && profile_.items.completion_needs_evidence && !has_grounds(set)) {
        return fail(Reason::evidence_required, "/evidence");
    }
    if (next == ItemStatus::skipped && item.required && !transaction_.privileged()) {
        return fail(Reason::capability_denied, "/status");
    }
    return {};
}

Result<void> PlanJudge::add_evidence(Item& item, const std::vector<EvidenceInput>& given) const {
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Evidence evidence = view(given[i]);
        if (auto owned = check_evidence_owner(evidence, candidate_.identity->scope); !owned) {
            return under(at("evidence", i), std::move(owned).error());
        }
        if (std::find(item.evidence.begin(), item.evidence.end(), evidence) != item.evidence.end()) continue;
        item.evidence.push_back(evidence);
    }
    if (item.evidence.size() <= item_evidence_max) return {};
    return fail(Reason::out_of_range, "/evidence", {item_evidence_max, item.evidence.size()});
}

}  // namespace taskstate::inline v0
