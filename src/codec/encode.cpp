// Values to canonical JSON.

#include <taskstate/codec/json.hpp>
#include <taskstate/model/wire.hpp>

namespace taskstate::inline v0 {

std::string encode(const Snapshot& snapshot) {
    std::string out;
    out.reserve(snapshot_bytes(snapshot.state()));
    JsonWriter json(out);
    write(json, snapshot.state());
    return out;
}

std::string encode(const HostDelta& delta) {
    std::string out;
    JsonWriter json(out);
    write(json, delta);
    return out;
}

}  // namespace taskstate::inline v0
