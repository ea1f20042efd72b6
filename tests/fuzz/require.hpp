#pragma once
// What a fuzz target does where a rule is broken.

#include <stdexcept>
#include <string>

namespace taskstate::fuzz {

/// A broken rule.  Nothing below a target catches it, so libFuzzer takes it for a crash and a test for a failure.
class Violation : public std::logic_error {
 public:
    using std::logic_error::logic_error;
};

inline void require(bool holds, const char* rule) {
    if (!holds) throw Violation(rule);
}

}  // namespace taskstate::fuzz
