#include <taskstate/store/memory_store.hpp>

#include "base/locked.hpp"
#include "store/batch_scope.hpp"
#include "store/rows.hpp"
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

class MemoryStore final : public Store {
 public:
    Result<void> commit(std::span<const Write> batch) override {
        if (auto one = check_one_scope(batch); !one) return one;
        return rows_.use([&](Rows& rows) -> Result<void> {
            Batch changes(rows);
            for (const Write& write : batch) {
                if (auto done = changes.write(write); !done) return done;
            }
            changes.keep();
            return {};
        });
    }

    Result<std::optional<Found>> find(const TaskAddress& address, const OptText& key) override {
        return rows_.use([&](Rows& rows) -> std::optional<Found> {
            const TaskRows* task = rows.find(address);
            if (task == nullptr) return std::nullopt;
            Found found{.head = task->head};
            if (!key) return found;
            const auto taken = task->keys.find(*key);
            if (taken != task->keys.end()) found.decision = task->decisions[taken->second - 1];
            return found;
        });
    }

    Result<std::optional<TaskHead>> find_started(const Scope& scope, std::string_view key) override {
        return rows_.use([&](Rows& rows) -> std::optional<TaskHead> {
            const ScopeRows* found = rows.find(scope);
            if (found == nullptr) return std::nullopt;
            const auto started = found->started.find(key);
            if (started == found->started.end()) return std::nullopt;
            return found->tasks.at(started->second).head;
        });
    }

    Result<std::optional<StoredTask>> load(const TaskAddress& address) override {
        struct Handles {
            TaskHead head{};
            Snapshot snapshot{};
        };
        const auto found = rows_.use([&](Rows& rows) -> std::optional<Handles> {
            const TaskRows* task = rows.find(address);
            if (task == nullptr) return std::nullopt;
            return Handles{task->head, task->snapshot};
        });
        if (!found) return std::optional<StoredTask>();
        return std::optional<StoredTask>({found->head, to_input(found->snapshot)});
    }

    Result<std::vector<TaskHead>> list(const HeadQuery& query) override {
        return rows_.use([&](Rows& rows) {
            std::vector<TaskHead> heads;
            const ScopeRows* scope = rows.find(query.scope);
            if (scope == nullptr) return heads;
            for (const Listed& place : merged(*scope, query)) heads.push_back(scope->tasks.at(place.second).head);
            return heads;
        });
    }

    Result<std::vector<TaskHead>> due(Timestamp now, std::size_t limit) override {
        return rows_.use([&](Rows& rows) {
            std::vector<TaskHead> heads;
            for (const Due& due : rows.due) {
                if (due.at > now || heads.size() == limit) break;
                heads.push_back(rows.find(due.task)->head);
            }
            return heads;
        });
    }

    Result<std::vector<RevisionRecord>> revisions(const TaskAddress& task, Revision after, std::size_t limit) override {
        return rows_.use([&](Rows& rows) {
            const TaskRows* found = rows.find(task);
            if (found == nullptr) return std::vector<RevisionRecord>();
            const auto first = found->from(Revision{after.number + 1});
            const auto rest = static_cast<std::size_t>(found->revisions.end() - first);
            return std::vector(first, first + static_cast<std::ptrdiff_t>(std::min(limit, rest)));
        });
    }
    Result<std::vector<DecisionRecord>> decisions(const TaskAddress& task, std::uint64_t after,
                                                  std::size_t limit) override {
        return records(task, &TaskRows::decisions, after, limit);
    }
    Result<std::vector<DeliveryRecord>> deliveries(const TaskAddress& task, std::uint64_t after,
                                                   std::size_t limit) override {
        return records(task, &TaskRows::deliveries, after, limit);
    }

    Result<std::vector<RevisionRecord>> lineage(const TaskAddress& address, std::optional<TargetKind> kind,
                                                std::string_view id) override {
        return rows_.use([&](Rows& rows) {
            std::vector<RevisionRecord> found;
            const TaskRows* task = rows.find(address);
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
        });
    }

    Result<std::uint64_t> count_repeats(const TaskAddress& address, std::string_view fingerprint,
                                        Timestamp since) override {
        return rows_.use([&](Rows& rows) -> std::uint64_t {
            const TaskRows* task = rows.find(address);
            if (task == nullptr) return 0;
            std::uint64_t count = 0;
            for (auto place = task->repeats.lower_bound({std::string(fingerprint), since, 0});
                 place != task->repeats.end() && std::get<0>(*place) == fingerprint; ++place) {
                ++count;
            }
            return count;
        });
    }

    Result<bool> expose(const Scope& address, std::string_view id, Timestamp at) override {
        return rows_.use([&](Rows& rows) {
            ScopeRows* scope = rows.find(address);
            if (scope == nullptr) return false;
            const auto place = scope->deliveries.find(id);
            if (place == scope->deliveries.end()) return false;
            DeliveryRecord& delivery = scope->tasks.at(place->second.task).deliveries[place->second.sequence - 1];
            if (delivery.withheld || delivery.exposed_at) return false;
            delivery.exposed_at = at;
            return true;
        });
    }

    Result<std::vector<Binding>> bindings(const BindingQuery& query) override {
        return rows_.use([&](Rows& rows) {
            std::vector<Binding> found;
            const ScopeRows* scope = rows.find(query.scope);
            if (scope == nullptr) return found;
            for (const std::uint64_t number : candidates(*scope, query)) {
                const Binding& binding = scope->bindings.at(number);
                if (answers(binding, query)) found.push_back(binding);
            }
            return found;
        });
    }

    Result<std::vector<Scope>> scopes() override {
        return rows_.use([](Rows& rows) {
            std::vector<Scope> found;
            found.reserve(rows.scopes.size());
            for (const auto& row : rows.scopes) found.push_back(row.first);
            return found;
        });
    }

    Result<ScopeMode> mode(const Scope& scope) override {
        return rows_.use([&](Rows& rows) {
            const ScopeRows* found = rows.find(scope);
            return found == nullptr ? ScopeMode::disabled : found->mode;
        });
    }

    Result<std::optional<Profile>> profile(std::string_view id) override {
        return rows_.use([&](Rows& rows) -> std::optional<Profile> {
            const auto found = rows.profiles.find(id);
            if (found == rows.profiles.end()) return std::nullopt;
            return found->second;
        });
    }

    Result<std::vector<Profile>> profiles() override {
        return rows_.use([](Rows& rows) {
            std::vector<Profile> found;
            found.reserve(rows.profiles.size());
            for (const auto& row : rows.profiles) found.push_back(row.second);
            return found;
        });
    }

    Result<Tally> tally(const Scope& scope) override {
        return rows_.use([&](Rows& rows) {
            const ScopeRows* found = rows.find(scope);
            return found == nullptr ? Tally{} : v0::tally(*found);
        });
    }

    Result<std::optional<Removed>> forget(const TaskAddress& task) override {
        return rows_.use([&](Rows& rows) {
            Batch changes(rows);
            const auto removed = changes.forget(task);
            changes.keep();
            return removed;
        });
    }

 private:
    template <class Record>
    std::vector<Record> records(const TaskAddress& address, std::deque<Record> TaskRows::* kind, std::uint64_t after,
                                std::size_t limit) {
        return rows_.use([&](Rows& rows) {
            const TaskRows* task = rows.find(address);
            return task == nullptr ? std::vector<Record>() : page(task->*kind, after, limit);
        });
    }

    Locked<Rows> rows_{};
};

}  // namespace

std::shared_ptr<Store> memory_store() { return std::make_shared<MemoryStore>(); }

}  // namespace taskstate::inline v0
