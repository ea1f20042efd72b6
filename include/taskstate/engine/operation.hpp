#pragma once
// The changes that a task knows; there is no "replace".

#include <taskstate/model/input.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace taskstate::inline v0 {

struct AddNote {
    NoteInput note{};
    std::optional<Standing> standing{};  ///< absent: the strongest that the actor may give it
    friend bool operator==(const AddNote&, const AddNote&) = default;
};
struct ResolveNote {
    std::string id{};
    friend bool operator==(const ResolveNote&, const ResolveNote&) = default;
};
struct AddSource {
    std::string id{};
    friend bool operator==(const AddSource&, const AddSource&) = default;
};
struct AddItem {
    ItemInput item{};
    friend bool operator==(const AddItem&, const AddItem&) = default;
};
struct SetItemTitle {
    std::string id{}, title{};
    friend bool operator==(const SetItemTitle&, const SetItemTitle&) = default;
};
struct SetItemContent {
    std::string id{};
    Content content{};
    friend bool operator==(const SetItemContent&, const SetItemContent&) = default;
};
/// A status, what vouches for it and why; without a status only the rest.
struct SetItemStatus {
    std::string id{};
    std::optional<ItemStatus> status{};
    OptText reason{};
    std::vector<EvidenceInput> evidence{};
    friend bool operator==(const SetItemStatus&, const SetItemStatus&) = default;
};
/// What keeps an item from going on: the status blocked, with its reason.
struct SetItemBlocker {
    std::string id{}, reason{};
    friend bool operator==(const SetItemBlocker&, const SetItemBlocker&) = default;
};
struct SetPhase {
    std::string phase{};
    friend bool operator==(const SetPhase&, const SetPhase&) = default;
};
struct MarkSourceInspected {
    std::string id{};
    friend bool operator==(const MarkSourceInspected&, const MarkSourceInspected&) = default;
};
struct LockSchema {
    friend bool operator==(const LockSchema&, const LockSchema&) = default;
};
struct RecordAction {
    ActionOutcome outcome{};
    friend bool operator==(const RecordAction&, const RecordAction&) = default;
};
/// Who looked at the linked task: the host itself, or a refresh that read the memory system.
enum class LinkReporter : std::uint8_t { host, refresh };
struct SyncLink {
    LinkStatus seen{};
    LinkReporter reporter{};
    friend bool operator==(const SyncLink&, const SyncLink&) = default;
};

/// One change; closed.
///
/// Shape: the alternatives stand in the order of `OperationKind`.
using Operation =
    std::variant<AddNote, ResolveNote, AddItem, SetItemStatus, SetItemTitle, SetItemContent, SetItemBlocker, AddSource,
                 MarkSourceInspected, SetPhase, LockSchema, RecordAction, ConfirmAction, Prune, SyncLink>;
static_assert(std::variant_size_v<Operation> == Words<OperationKind>::list.size());

[[nodiscard]] constexpr OperationKind kind_of(const Operation& operation) noexcept {
    return static_cast<OperationKind>(operation.index());
}

}  // namespace taskstate::inline v0
