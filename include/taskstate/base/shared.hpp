#pragma once
// A counted pointer to something that is allocated once and never changes while it is shared.

#include <atomic>
#include <cstdint>
#include <utility>

namespace taskstate::inline v0 {

/// Counts the `Shared` handles of the object that derives from it.
class Counted {
 public:
    Counted() = default;
    Counted(const Counted&) noexcept {}  // a copy starts with no handles of its own
    Counted& operator=(const Counted&) = delete;

    void retain() const noexcept { handles_.fetch_add(1, std::memory_order_relaxed); }
    /// Whether this was the last handle.
    [[nodiscard]] bool release() const noexcept { return handles_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
    [[nodiscard]] bool unique() const noexcept { return handles_.load(std::memory_order_acquire) == 1; }

 protected:
    ~Counted() = default;

 private:
    mutable std::atomic<std::uint32_t> handles_{0};
};

/// One handle; copying it costs one atomic increment.  `T` derives from `Counted` and has a static `destroy(const T*)`.
///
/// Thread-safety: value; the object behind it is shared.
template <class T>
class Shared {
 public:
    Shared() = default;
    explicit Shared(T* object) noexcept : object_(object) {
        if (object_ != nullptr) object_->retain();
    }
    Shared(const Shared& other) noexcept : Shared(other.object_) {}
    Shared(Shared&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Shared& operator=(Shared other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Shared() {
        if (object_ != nullptr && object_->release()) T::destroy(object_);
    }

    [[nodiscard]] T* get() const noexcept { return object_; }
    [[nodiscard]] T& operator*() const noexcept { return *object_; }
    [[nodiscard]] T* operator->() const noexcept { return object_; }
    friend bool operator==(const Shared& a, const Shared& b) noexcept { return a.object_ == b.object_; }

 private:
    T* object_ = nullptr;
};

}  // namespace taskstate::inline v0
