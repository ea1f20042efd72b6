#pragma once
// What was sent under a key, as one digest: whether two requests are the same.

#include <taskstate/service/requests.hpp>

namespace taskstate::inline v0 {

/// SHA-256 of everything in the request but its key, in canonical JSON.
[[nodiscard]] Digest payload_digest(const StartInput& request);
[[nodiscard]] Digest payload_digest(const LifecycleInput& request);
[[nodiscard]] Digest payload_digest(const ObservationInput& request);
[[nodiscard]] Digest payload_digest(const HostProposalInput& request);
[[nodiscard]] Digest payload_digest(const HostLifecycleInput& request);

}  // namespace taskstate::inline v0
