#pragma once
// What somebody proposes to a task that is not his.

#include <taskstate/base/digest.hpp>
#include <taskstate/base/json_writer.hpp>
#include <taskstate/engine/operation.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace taskstate::inline v0 {

inline constexpr std::size_t operations_max = 50, evidence_max = 50;

/// One operation, and how strongly its actor vouches for it; absent = asserted.
struct ProposedOperation {
    Operation operation{};
    std::optional<Assurance> assurance{};
    friend bool operator==(const ProposedOperation&, const ProposedOperation&) = default;
};

/// A proposal: who wants what of which revision, and on what grounds.
///
/// Shape: `taskstate.proposal/1`.
/// Source: docs/transactions.md, "Proposals".
struct ProposalInput {
    TaskAddress task{};
    Actor actor{};
    std::string key{};  ///< Ref: its idempotency key, unique within the task
    Revision base{};
    std::vector<ProposedOperation> operations{};  ///< 1 … 50, in this order
    std::vector<EvidenceInput> evidence{};        ///< at most 50
    Assurance assurance{};
    OptText reason{};              ///< Text, at most 2,000 code points
    OptText interpreter{};         ///< Ref: the model or the rules that made it
    OptText action_fingerprint{};  ///< as `action_fingerprint` of guards.hpp makes it
    friend bool operator==(const ProposalInput&, const ProposalInput&) = default;
};

/// Each appends one JSON value with its keys in order.
void write(JsonWriter& json, const Actor& actor);
void write(JsonWriter& json, const EvidenceInput& evidence);
void write(JsonWriter& json, const ProposedOperation& proposed);
void write(JsonWriter& json, const ProposalInput& proposal);

/// SHA-256 of the canonical proposal without its key: whether two requests under one key are the same.
[[nodiscard]] Digest proposal_digest(const ProposalInput& proposal);

}  // namespace taskstate::inline v0
