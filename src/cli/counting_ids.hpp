#pragma once
// Ids that are the same in every run.

#include <taskstate/service/adapters.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// `decision-1`, `decision-2`, `delivery-1`, …
///
/// Thread-safety: confined.
class CountingIds : public IdSource {
 public:
    std::string make(std::string_view prefix) override {
        const std::uint64_t number = ++last_[std::string(prefix)];
        return std::string(prefix) + "-" + std::to_string(number);
    }

 private:
    std::map<std::string, std::uint64_t> last_{};
};

}  // namespace taskstate::inline v0
