#pragma once
// What a host plugs into a service.

#include <taskstate/engine/operation.hpp>
#include <taskstate/model/snapshot.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// Makes ids of decisions, deliveries and bindings: `prefix`, a dash and what nobody can guess.
class IdSource {
 public:
    virtual ~IdSource() = default;
    virtual std::string make(std::string_view prefix) = 0;
};
/// 128 random bits from the system, as hex.
[[nodiscard]] std::shared_ptr<IdSource> random_ids();

/// Knows which evidence exists.  Asked without a lock, before anything is judged.
class EvidenceResolver {
 public:
    virtual ~EvidenceResolver() = default;
    virtual bool known(const Scope& scope, const EvidenceInput& evidence) = 0;
};

/// Makes operations out of an observation, with a model or by rules.
///
/// It sees the state and the words, and answers with at most ten operations, or with none; the service takes away what
/// a companion may not ask for, and judges the rest at `model_interpreted`.
class ObservationInterpreter {
 public:
    virtual ~ObservationInterpreter() = default;
    virtual std::string name() const = 0;
    virtual std::vector<Operation> interpret(const Snapshot& snapshot, std::string_view observation) = 0;
};

/// Blocks actions before they happen.
class ActionBlocker {
 public:
    virtual ~ActionBlocker() = default;
    /// Fingerprints of actions that it really kept from happening.
    virtual std::vector<std::string> blocked() const = 0;
};

/// What one adapter of a host can do.  Enforcement cannot be claimed: it is there when a blocker is.
struct AdapterAbilities {
    std::string name{};
    OptText rotating_value{};  ///< name of the host's value that changes when a session is reset: it can bind sessions
    bool proposes = false;
    OptText delta_tool{};  ///< name of the tool through which a model proposes
    std::shared_ptr<ActionBlocker> blocker{};
};

}  // namespace taskstate::inline v0
