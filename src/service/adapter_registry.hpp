#pragma once
// Which adapters of a host are known, and what each can do.

#include <taskstate/service/adapters.hpp>
#include <taskstate/service/requests.hpp>

#include "base/locked.hpp"

#include <functional>
#include <map>
#include <string>

namespace taskstate::inline v0 {

/// Thread-safety: shared.
class AdapterRegistry {
 public:
    /// Errors: those of a Ref.
    Result<void> add(const AdapterAbilities& adapter);
    /// The lists of names, each sorted; the rest is for the caller to fill in.
    [[nodiscard]] Capabilities capabilities() const;

 private:
    mutable Locked<std::map<std::string, AdapterAbilities, std::less<>>> adapters_{};
};

}  // namespace taskstate::inline v0
