#pragma once
// Snapshots of the tasks that were asked for last.

#include <taskstate/model/profile.hpp>
#include <taskstate/model/snapshot.hpp>

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
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
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = places_.find(task);
        if (found == places_.end()) return std::nullopt;
        const KeptSnapshot& kept = found->second->second;
        if (kept.snapshot.revision() != revision || kept.state_digest != digest) return std::nullopt;
        recent_.splice(recent_.begin(), recent_, found->second);
        return kept;
    }
    void keep(const TaskAddress& task, KeptSnapshot snapshot) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (tasks_max_ == 0) return;
        erase(task);
        if (recent_.size() == tasks_max_) erase(TaskAddress(recent_.back().first));
        recent_.emplace_front(task, std::move(snapshot));
        places_.emplace(task, recent_.begin());
    }
    void drop(const TaskAddress& task) {
        const std::lock_guard<std::mutex> lock(mutex_);
        erase(task);
    }

 private:
    struct ByAddress {
        static auto parts(const TaskAddress& task) noexcept {
            return std::tie(task.id, task.scope.tenant, task.scope.owner, task.scope.agent, task.scope.workspace);
        }
        bool operator()(const TaskAddress& a, const TaskAddress& b) const noexcept { return parts(a) < parts(b); }
    };
    using Recent = std::list<std::pair<TaskAddress, KeptSnapshot>>;

    void erase(const TaskAddress& task) {
        const auto found = places_.find(task);
        if (found == places_.end()) return;
        recent_.erase(found->second);
        places_.erase(found);
    }

    const std::size_t tasks_max_;
    std::mutex mutex_{};
    Recent recent_{};  // most recent first
    std::map<TaskAddress, Recent::iterator, ByAddress> places_{};
};

}  // namespace taskstate::inline v0
