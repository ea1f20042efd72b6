// Values to canonical JSON.

#include <taskstate/codec/json.hpp>
#include <taskstate/engine/proposal.hpp>
#include <taskstate/model/wire.hpp>

namespace taskstate::inline v0 {

std::string encode(const Snapshot& snapshot) {
    std::string out;
    out.reserve(snapshot_bytes(snapshot.state()));
    JsonWriter json(out);
    write(json, snapshot.state());
    return out;
}

namespace {

template <class Value>
std::string written(const Value& value) {
    std::string out;
    JsonWriter json(out);
    write(json, value);
    return out;
}

}  // namespace

std::string encode(const HostDelta& delta) { return written(delta); }
std::string encode(const ProposalInput& proposal) { return written(proposal); }
std::string encode(const Profile& profile) { return written(profile); }

}  // namespace taskstate::inline v0
