#include "store/tally.hpp"

#include <algorithm>
#include <tuple>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t durations_max = 1'000;

/// Adds rows up, one by one.
class Adder {
 public:
    void add(const TaskHead& head) {
        ++at(total_.lifecycles, head.frame.lifecycle);
        total_.last_progress_at = std::max(total_.last_progress_at, std::optional(head.frame.last_progress_at));
    }
    void add(const std::string& task, const DecisionRecord& decision) {
        if (decision.shadow) {
            ++total_.shadow_decisions;
            return;
        }
        ++at(total_.outcomes, decision.outcome);
        ++reasons_[decision.reason];
        for (const Guard& guard : decision.guards) ++at(total_.guards, guard.kind);
        took_.emplace_back(decision.decided_at, task, decision.sequence, decision.duration_ms);
    }
    void add(const DeliveryRecord& delivery) {
        ++total_.prepared;
        if (delivery.exposed_at) ++total_.exposed;
        if (!delivery.withheld) return;
        ++total_.withheld;
        ++reasons_[*delivery.withheld];
    }
    void add(const Binding& binding) { ++(binding.active() ? total_.bindings_active : total_.bindings_revoked); }

    Tally total() {
        for (const auto& [reason, count] : reasons_) total_.reasons.push_back({reason, count});
        std::sort(took_.begin(), took_.end());
        const std::size_t skipped = took_.size() - std::min(took_.size(), durations_max);
        for (std::size_t i = skipped; i < took_.size(); ++i) total_.durations_ms.push_back(std::get<3>(took_[i]));
        return std::move(total_);
    }

 private:
    template <std::size_t size, class Word>
    static std::uint64_t& at(std::array<std::uint64_t, size>& counts, Word word) {
        return counts[static_cast<std::size_t>(word)];
    }

    Tally total_{};
    std::map<Reason, std::uint64_t> reasons_{};
    std::vector<std::tuple<Timestamp, std::string_view, std::uint64_t, std::uint64_t>> took_{};  // in a scope's order
};

}  // namespace

Tally tally(const ScopeRows& scope) {
    Adder adder;
    for (const auto& [id, task] : scope.tasks) {
        adder.add(task.head);
        for (const DecisionRecord& decision : task.decisions) adder.add(id, decision);
        for (const DeliveryRecord& delivery : task.deliveries) adder.add(delivery);
    }
    for (const auto& [number, binding] : scope.bindings) adder.add(binding);
    return adder.total();
}

}  // namespace taskstate::inline v0
