#include "store/rows_reader.hpp"

#include "store/tally.hpp"

#include <algorithm>
#include <iterator>

namespace taskstate::inline v0 {
namespace {

/// The records after number `after`, which stand at it, `limit` at most.
template <class Record>
std::vector<Record> page(const std::deque<Record>& records, std::uint64_t after, std::size_t limit) {
    const auto first = records.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(after, records.size()));
    const auto rest = static_cast<std::size_t>(records.end() - first);
    return {first, first + static_cast<std::ptrdiff_t>(std::min(limit, rest))};
}

/// The tasks of some lists of a scope, as one list in order.
std::vector<Listed> merged(const ScopeRows& scope, const HeadQuery& query) {
    struct Range {
        std::set<Listed>::const_iterator next, end;
    };
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < scope.listed.size(); ++i) {
        const auto& wanted = query.lifecycles;
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), static_cast<Lifecycle>(i)) == wanted.end())
            continue;
        const std::set<Listed>& list = scope.listed[i];
        ranges.push_back(
            {query.after ? list.upper_bound({query.after->created_at, query.after->id}) : list.begin(), list.end()});
    }
    std::vector<Listed> found;
    while (found.size() < query.limit) {
        Range* first = nullptr;
        for (Range& range : ranges) {
            if (range.next != range.end && (first == nullptr || *range.next < *first->next)) first = &range;
        }
        if (first == nullptr) break;
        found.push_back(*first->next++);
    }
    return found;
}

/// The numbers of the bindings that a query may mean, in order.
std::vector<std::uint64_t> candidates(const ScopeRows& scope, const BindingQuery& query) {
    std::vector<std::uint64_t> numbers;
    if (query.host) {
        for (auto place = scope.bindings_of_session.lower_bound({*query.host, query.session.value_or(""), 0});
             place != scope.bindings_of_session.end() && std::get<0>(*place) == *query.host &&
             (!query.session || std::get<1>(*place) == *query.session);
             ++place) {
            numbers.push_back(std::get<2>(*place));
        }
        std::sort(numbers.begin(), numbers.end());
    } else if (query.task) {
        for (auto place = scope.bindings_of_task.lower_bound({*query.task, 0});
             place != scope.bindings_of_task.end() && place->first == *query.task; ++place) {
            numbers.push_back(place->second);
        }
    } else {
        for (const auto& row : scope.bindings) numbers.push_back(row.first);
    }
    return numbers;
}

bool answers(const Binding& binding, const BindingQuery& query) {
    return (query.revoked_too || binding.active()) && (!query.task || binding.task == *query.task) &&
           (!query.host || binding.identity.host == *query.host) &&
           (!query.session || binding.identity.session == *query.session);
}

}  // namespace

std::optional<Found> RowsReader::find(const TaskAddress& address, const OptText& key) const {
    const TaskRows* task = rows_.find(address);
    if (task == nullptr) return std::nullopt;
    Found found{.head = task->head};
    if (!key) return found;
    const auto taken = task->keys.find(*key);
    if (taken != task->keys.end()) found.decision = task->decisions[taken->second - 1];
    return found;
}

std::optional<TaskHead> RowsReader::find_started(const Scope& address, std::string_view key) const {
    const ScopeRows* found = rows_.find(address);
    if (found == nullptr) return std::nullopt;
    const auto started = found->started.find(key);
    if (started == found->started.end()) return std::nullopt;
    return found->tasks.at(started->second).head;
}

std::optional<RowsReader::Handles> RowsReader::load(const TaskAddress& address) const {
    const TaskRows* task = rows_.find(address);
    if (task == nullptr) return std::nullopt;
    return Handles{task->head, task->snapshot};
}

std::vector<TaskHead> RowsReader::list(const HeadQuery& query) const {
    std::vector<TaskHead> heads;
    const ScopeRows* scope = rows_.find(query.scope);
    if (scope == nullptr) return heads;
    for (const Listed& place : merged(*scope, query)) heads.push_back(scope->tasks.at(place.second).head);
    return heads;
}

std::vector<TaskHead> RowsReader::due(Timestamp now, std::size_t limit) const {
    std::vector<TaskHead> heads;
    for (const Due& due : rows_.due) {
        if (due.at > now || heads.size() == limit) break;
        heads.push_back(rows_.find(due.task)->head);
    }
    return heads;
}

std::vector<RevisionRecord> RowsReader::revisions(const TaskAddress& task, Revision after, std::size_t limit) const {
    const TaskRows* found = rows_.find(task);
    if (found == nullptr) return {};
    const auto first = found->from(Revision{after.number + 1});
    const auto rest = static_cast<std::size_t>(found->revisions.end() - first);
    return {first, first + static_cast<std::ptrdiff_t>(std::min(limit, rest))};
}
std::vector<DecisionRecord> RowsReader::decisions(const TaskAddress& task, std::uint64_t after,
                                                  std::size_t limit) const {
    const TaskRows* found = rows_.find(task);
    return found == nullptr ? std::vector<DecisionRecord>() : page(found->decisions, after, limit);
}
std::vector<DeliveryRecord> RowsReader::deliveries(const TaskAddress& task, std::uint64_t after,
                                                   std::size_t limit) const {
    const TaskRows* found = rows_.find(task);
    return found == nullptr ? std::vector<DeliveryRecord>() : page(found->deliveries, after, limit);
}

std::vector<RevisionRecord> RowsReader::lineage(const TaskAddress& address, std::optional<TargetKind> kind,
                                                std::string_view id) const {
    std::vector<RevisionRecord> found;
    const TaskRows* task = rows_.find(address);
    if (task == nullptr) return found;
    if (!kind) {
        std::copy_if(task->revisions.begin(), task->revisions.end(), std::back_inserter(found),
                     [](const RevisionRecord& revision) { return !revision.lineage.empty(); });
        return found;
    }
    for (auto place = task->lineage.lower_bound({*kind, std::string(id), {}});
         place != task->lineage.end() && std::get<0>(*place) == *kind && std::get<1>(*place) == id; ++place) {
        found.push_back(*task->from(std::get<2>(*place)));
    }
    return found;
}

std::uint64_t RowsReader::count_repeats(const TaskAddress& address, std::string_view fingerprint,
                                        Timestamp since) const {
    const TaskRows* task = rows_.find(address);
    if (task == nullptr) return 0;
    std::uint64_t count = 0;
    for (auto place = task->repeats.lower_bound({std::string(fingerprint), since, 0});
         place != task->repeats.end() && std::get<0>(*place) == fingerprint; ++place) {
        ++count;
    }
    return count;
}

std::vector<Binding> RowsReader::bindings(const BindingQuery& query) const {
    std::vector<Binding> found;
    const ScopeRows* scope = rows_.find(query.scope);
    if (scope == nullptr) return found;
    for (const std::uint64_t number : candidates(*scope, query)) {
        const Binding& binding = scope->bindings.at(number);
        if (answers(binding, query)) found.push_back(binding);
    }
    return found;
}

std::vector<Scope> RowsReader::scopes() const {
    std::vector<Scope> found;
    found.reserve(rows_.scopes.size());
    for (const auto& row : rows_.scopes) found.push_back(row.first);
    return found;
}

ScopeMode RowsReader::mode(const Scope& address) const {
    const ScopeRows* found = rows_.find(address);
    return found == nullptr ? ScopeMode::disabled : found->mode;
}

std::optional<Profile> RowsReader::profile(std::string_view id) const {
    const auto found = rows_.profiles.find(id);
    if (found == rows_.profiles.end()) return std::nullopt;
    return found->second;
}

std::vector<Profile> RowsReader::profiles() const {
    std::vector<Profile> found;
    found.reserve(rows_.profiles.size());
    for (const auto& row : rows_.profiles) found.push_back(row.second);
    return found;
}

Tally RowsReader::tally(const Scope& address) const {
    const ScopeRows* found = rows_.find(address);
    return found == nullptr ? Tally{} : v0::tally(*found);
}

std::optional<StoredTask> stored_task(const std::optional<RowsReader::Handles>& found) {
    if (!found) return std::nullopt;
    return StoredTask{found->head, to_input(found->snapshot)};
}

}  // namespace taskstate::inline v0
