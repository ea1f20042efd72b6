#pragma once
// How many cases a suite ran, for whoever must know that it ran them.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace taskstate::test {

/// How far it is from one case of a long suite to the next: 1, or what the environment says.
///
/// A sanitizer, under which each takes many times as long, looks for faults of another kind: it is shown every
/// so-manieth.
inline std::size_t case_step() {
    const char* const step = std::getenv("TASKSTATE_CASE_STEP");
    return step == nullptr ? 1 : static_cast<std::size_t>(std::atoi(step));
}

/// Counts the cases of one suite and prints their number when it ends.
class Cases {
 public:
    explicit Cases(std::string suite) : suite_(std::move(suite)) {}
    Cases(const Cases&) = delete;
    Cases& operator=(const Cases&) = delete;
    ~Cases() {
        std::printf("faults: %s: %zu cases\n", suite_.c_str(), count_);
        std::fflush(stdout);  // a process that is started next must not print it again
    }
    void operator++() { ++count_; }
    [[nodiscard]] std::size_t count() const { return count_; }

 private:
    std::string suite_;
    std::size_t count_ = 0;
};

}  // namespace taskstate::test
