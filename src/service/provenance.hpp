#pragma once
// Why a value is what it is, told in words before anything else.

#include <taskstate/service/requests.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// Each in words that fit into a sentence; a method that has none is read as it is spelled, without underscores.
[[nodiscard]] std::string method_words(std::string_view method);
[[nodiscard]] std::string_view role_words(Role role) noexcept;
[[nodiscard]] std::string_view assurance_words(Assurance assurance) noexcept;

/// Which values somebody asks about: of one target, or all of them without a kind.
struct Target {
    std::optional<TargetKind> kind{};
    std::string_view id{};
};

/// What `records`, oldest first, say of the target; of several targets by kind and id, each oldest first.
///
/// Thread-safety: pure.
[[nodiscard]] std::vector<ProvenanceEntry> history_of(std::span<const RevisionRecord> records, const Target& target);

}  // namespace taskstate::inline v0
