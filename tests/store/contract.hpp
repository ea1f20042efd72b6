#pragma once
// The contract of `Store`, for every store that there is: a store is what passes it.

#include "store/stored_task.hpp"
#include "support/catch.hpp"

#include <taskstate/store/store.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace taskstate::test {

/// One kind of store: a further one is a further row, and no other test.
struct StoreKind {
    std::string name{};
    /// The store of a folder; a durable one is the same again when it is opened again there.
    std::shared_ptr<Store> (*open_in)(const std::string& folder) = nullptr;
    bool durable = true;

    /// A new one, with nothing in it, whose folder goes with it.
    [[nodiscard]] std::shared_ptr<Store> open() const;
};
/// All kinds that this build has.
std::vector<StoreKind> store_kinds();

inline constexpr auto all = std::numeric_limits<std::size_t>::max();

/// Everything that one may read of a store, as far as it belongs to some scopes or to none.
struct Contents {
    std::vector<ScopeMode> modes{};
    std::vector<StoredTask> tasks{};
    std::vector<RevisionRecord> revisions{};
    std::vector<DecisionRecord> decisions{};
    std::vector<DeliveryRecord> deliveries{};
    std::vector<Binding> bindings{};
    std::vector<Tally> tallies{};
    std::vector<TaskHead> due{};
    std::vector<Profile> profiles{};
    friend bool operator==(const Contents&, const Contents&) = default;
};

Contents contents_of(Store& store, const std::vector<Scope>& scopes = {stored_scope});

/// The value of a read that has to answer.
template <class T>
T value_of(Result<T> read) {
    if (!read) FAIL(word(read.error().reason) << " at " << read.error().path);
    return *std::move(read);
}

/// Runs a test on a new store of each kind.
class OnEachStore {
 protected:
    const StoreKind kind = GENERATE(from_range(store_kinds()));
    const Catch::ScopedMessage named{Catch::MessageBuilder("INFO", CATCH_INTERNAL_LINEINFO, Catch::ResultWas::Info)
                                     << kind.name};
    const std::shared_ptr<Store> store = kind.open();

    [[nodiscard]] Result<void> commit(const std::vector<Write>& batch) const { return store->commit(batch); }
    /// A batch that has to happen.
    void keep(const std::vector<Write>& batch) const {
        const auto done = store->commit(batch);
        if (!done) FAIL(word(done.error().reason) << " at " << done.error().path);
    }
    /// A task at revision `last`, and its states.
    std::vector<Snapshot> keep_task(const TaskAddress& task, std::size_t last = 1) const {
        const auto states = states_of(task, last);
        keep(history(states));
        return states;
    }
    [[nodiscard]] Contents contents(const std::vector<Scope>& scopes = {stored_scope}) const {
        return contents_of(*store, scopes);
    }
};

/// The ids of some heads.
inline std::vector<std::string> ids_of(const std::vector<TaskHead>& heads) {
    std::vector<std::string> ids;
    for (const TaskHead& head : heads) ids.push_back(head.identity.id);
    return ids;
}
/// The ids of some bindings.
inline std::vector<std::string> ids_of(const std::vector<Binding>& bindings) {
    std::vector<std::string> ids;
    for (const Binding& binding : bindings) ids.push_back(binding.id);
    return ids;
}

/// Scopes that differ from the one of most tests in one part each.
std::vector<Scope> neighbour_scopes();

}  // namespace taskstate::test
