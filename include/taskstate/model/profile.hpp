#pragma once
// What differs between the faces of the engine, as data.

#include <taskstate/base/digest.hpp>
#include <taskstate/base/result.hpp>
#include <taskstate/model/input.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// What a note is unless it says otherwise.
struct NoteRules {
    bool constraints_gate = false;  ///< whether a constraint of the host gates completion
    friend bool operator==(const NoteRules&, const NoteRules&) = default;
};

/// A set of item statuses.
///
/// Thread-safety: value.
class StatusSet {
 public:
    template <class... Statuses>
    constexpr explicit StatusSet(Statuses... statuses) : bits_((0u | ... | bit(statuses))) {}
    [[nodiscard]] constexpr bool contains(ItemStatus status) const noexcept { return (bits_ & bit(status)) != 0; }
    constexpr void insert(ItemStatus status) noexcept { bits_ |= bit(status); }
    friend constexpr bool operator==(StatusSet, StatusSet) = default;

 private:
    static constexpr unsigned bit(ItemStatus status) noexcept { return 1u << static_cast<unsigned>(status); }
    unsigned bits_ = 0;
};

/// By status: what may follow it, besides itself.
using StatusGraph = std::array<StatusSet, Words<ItemStatus>::list.size()>;
/// What is settled never opens again; what failed or was blocked goes back to the queue first.
[[nodiscard]] const StatusGraph& usual_status_graph() noexcept;

/// How items of such a task may move.
struct ItemRules {
    StatusGraph next = usual_status_graph();
    StatusSet reasoned{ItemStatus::blocked, ItemStatus::skipped};  ///< entered only with a reason
    bool completion_needs_evidence = false;                        ///< or an assurance of `host_reported` at least
    bool correction_reopens = false;            ///< whether a correction may move what is settled back to ready
    std::vector<std::string> required_kinds{};  ///< each needs an item, and all of them settled
    friend bool operator==(const ItemRules&, const ItemRules&) = default;
};

/// The way of such a task through its phases.
///
/// Shape: the first phase is the one of a new task, the last its end; none = the task has no phases.
struct PhaseRules {
    struct Edge {
        std::string from{}, to{};
        friend bool operator==(const Edge&, const Edge&) = default;
    };
    std::vector<std::string> phases{};
    std::vector<Edge> edges{};
    std::vector<std::string> extension{};  ///< where items may be added; none = everywhere
    friend bool operator==(const PhaseRules&, const PhaseRules&) = default;
};

/// Everything that may be left out of a block, in library order.
[[nodiscard]] std::vector<Drop> library_drop_order();

/// How the block of such a task looks.
struct BlockRules {
    bool hidden_when_empty = false;                       ///< whether a task without content renders no fence
    std::vector<Drop> drop_order = library_drop_order();  ///< what may be left out, first first
    friend bool operator==(const BlockRules&, const BlockRules&) = default;
};

/// After how long such a task expires; nothing set = never.
///
/// Units: milliseconds, above 0.
struct ExpiryRule {
    std::optional<std::uint64_t> absolute_age_ms{}, no_progress_ms{};
    friend bool operator==(const ExpiryRule&, const ExpiryRule&) = default;
};

/// One named set of rules.  A version never changes: other rules get another id.
///
/// Thread-safety: value.
/// Source: docs/profiles.md.
struct Profile {
    std::string id{};
    std::string description{};  ///< Text, at most 2,000 code points, or nothing
    NoteRules notes{};
    ItemRules items{};
    PhaseRules phases{};
    BlockRules block{};
    std::optional<std::vector<OperationKind>> permitted{};  ///< absent: all
    std::uint64_t repeats_max = 3;                          ///< as often an action may be seen without progress
    ExpiryRule expiry{};
    std::optional<std::uint64_t> binding_lifetime_ms{};  ///< absent: for ever
    Limits limits{};                                     ///< defaults; not part of the digest

    [[nodiscard]] bool permits(OperationKind kind) const noexcept;
    friend bool operator==(const Profile&, const Profile&) = default;
};

/// A built-in profile; nullptr for a name that is none.
[[nodiscard]] const Profile* find_profile(std::string_view id) noexcept;
/// All of them: `notebook-v1`, `general-v1`, `ledger-v1`, `checklist-v1`.
[[nodiscard]] std::span<const Profile> built_in_profiles() noexcept;

/// Whether the rules make sense.
///
/// Errors, each with a pointer into `taskstate.profile/1`: what its id, description, phases and kinds are refused for
///         as texts; `unknown_word`; `invalid_profile` for whatever is named twice, a phase that is none, an empty list
///         of operations and a number that is 0 or above 2^53 − 1; `no_transitions` for phases without an edge;
///         `unreachable_phases` for the first that no way leads to from the initial one.
/// Thread-safety: pure.
[[nodiscard]] Result<void> check_profile(const Profile& profile);

/// The name of a bound that is 0, into which no task fits; "" for none.
[[nodiscard]] std::string_view zero_limit(const Limits& limits) noexcept;

/// SHA-256 of the canonical `taskstate.profile/1` without its limits: what has its default is not in it, so a field
/// that a later library adds changes no digest.
[[nodiscard]] Digest profile_digest(const Profile& profile);

}  // namespace taskstate::inline v0
