#pragma once
// Snapshots of the tasks that were asked for last.

#include <taskstate/model/profile.hpp>
#include <taskstate/model/snapshot.hpp>

#include "base/locked.hpp"

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace taskstate::inline v0 {

/// A state with its digest, and the rules of its profile.
struct KeptSnapshot {
    Snapshot snapshot{};
    Digest state_digest{};
    std::shared_ptr<const Profile> profile{};
};

/// Snapshots by task, the least recently used of which makes room.
///
/// It knows nothing of what is true now: whoever takes one out has just read the head that says so.
/// Thread-safety: shared.
class SnapshotCache {
 public:
    explicit SnapshotCache(std::size_t tasks_max) : tasks_max_(tasks_max) {}

    /// The kept snapshot, if it is of this revision and digest.
    [[nodiscard]] std::optional<KeptSnapshot> find(const TaskAddress& task, Revision revision, const Digest& digest) {
        return kept_.use([&](Kept& kept) -> std::optional<KeptSnapshot> {
            const auto found = kept.places.find(task);
            if (found == kept.places.end()) return std::nullopt;
            const KeptSnapshot& last = found->second->second;
            if (last.snapshot.revision() != revision || last.state_digest != digest) return std::nullopt;
            kept.recent.splice(kept.recent.begin(), kept.recent, found->second);
            return last;
        });
    }
    void keep(const TaskAddress& task, KeptSnapshot snapshot) {
        if (tasks_max_ == 0) return;
        kept_.use([&](Kept& kept) {
            kept.erase(task);
            if (kept.recent.size() == tasks_max_) kept.erase(TaskAddress(kept.recent.back().first));
            kept.recent.emplace_front(task, std::move(snapshot));
            kept.places.emplace(task, kept.recent.begin());
        });
    }
    void drop(const TaskAddress& task) {
        kept_.use([&](Kept& kept) { kept.erase(task); });
    }

 private:
    struct ByAddress {
        static auto parts(const TaskAddress& task) noexcept {
            return std::tie(task.id, task.scope.tenant, task.scope.owner, task.scope.agent, task.scope.workspace);
        }
        bool operator()(const TaskAddress& a, const TaskAddress& b) const noexcept { return parts(a) < parts(b); }
    };
    struct Kept {
        using Recent = std::list<std::pair<TaskAddress, KeptSnapshot>>;
        Recent recent{};  // most recent first
        std::map<TaskAddress, Recent::iterator, ByAddress> places{};

        void erase(const TaskAddress& task) {
            const auto found = places.find(task);
            if (found == places.end()) return;
            recent.erase(found->second);
            places.erase(found);
        }
    };

    const std::size_t tasks_max_;
    Locked<Kept> kept_{};
};

}  // namespace taskstate::inline v0
