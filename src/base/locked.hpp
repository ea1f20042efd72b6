#pragma once
// A mutex that owns its data.

#include <mutex>
#include <utility>

namespace taskstate::inline v0 {

/// Data that nobody reaches but under its lock.
///
/// Thread-safety: shared.
template <class Data>
class Locked {
 public:
    explicit Locked(Data first = {}) : data_(std::move(first)) {}

    template <class Use>
    auto use(const Use& action) {
        const std::lock_guard<std::mutex> lock(mutex_);
        return action(data_);
    }

 private:
    std::mutex mutex_{};
    Data data_;
};

}  // namespace taskstate::inline v0
