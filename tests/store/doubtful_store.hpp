#pragma once
// Contact lost while committing, on purpose.

#include "store/forwarding_store.hpp"

#include <atomic>
#include <cstddef>

namespace taskstate::test {

/// What became of a batch that nobody got an answer to.
enum class Fate { kept, lost };

/// Answers one batch with `commit_in_doubt`, whatever became of it.
class DoubtfulStore : public ForwardingStore {
 public:
    using ForwardingStore::ForwardingStore;

    /// Lets the `nth` batch from now meet that fate; 1 = the next one.
    void doubt(std::size_t nth, Fate fate) {
        fate_ = fate;
        left_ = nth;
    }
    /// Whether it still has to come to that.
    [[nodiscard]] bool pending() const { return left_ != 0; }

    Result<void> commit(std::span<const Write> batch) override {
        std::size_t left = left_;
        while (left != 0 && !left_.compare_exchange_weak(left, left - 1)) {
        }
        if (left != 1) return ForwardingStore::commit(batch);
        // What is refused is no longer in doubt, but then the answer did not arrive either.
        if (fate_ == Fate::kept) static_cast<void>(ForwardingStore::commit(batch));
        return fail(Reason::commit_in_doubt);
    }

 private:
    std::atomic<std::size_t> left_{0};
    std::atomic<Fate> fate_{Fate::lost};
};

}  // namespace taskstate::test
