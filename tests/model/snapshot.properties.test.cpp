#include "support/builders.hpp"
#include "support/generate.hpp"

#include <taskstate/model/wire.hpp>

#include <rapidcheck.h>
#include <string>

namespace taskstate {
namespace {

std::string canonical(const Snapshot& snapshot) {
    std::string text;
    JsonWriter json(text);
    write(json, snapshot.state());
    return text;
}

}  // namespace

TEST_CASE("snapshot: its bytes are known without writing it", "[model][spec:C3]") {
    REQUIRE(rc::check("bytes", [] {
        const Snapshot snapshot = test::admitted(*test::any_snapshot());
        RC_ASSERT(snapshot_bytes(snapshot.state()) == canonical(snapshot).size());
        RC_ASSERT(snapshot_bytes_bound(snapshot.state()) >= canonical(snapshot).size());
    }));
}

TEST_CASE("snapshot: saving it and admitting it again gives the same state", "[model][spec:P6]") {
    REQUIRE(rc::check("round trip", [] {
        const Snapshot snapshot = test::admitted(*test::any_snapshot());
        const Snapshot again = test::admitted(to_input(snapshot));
        RC_ASSERT(again == snapshot);
        RC_ASSERT(again.state_digest() == snapshot.state_digest());
    }));
}

}  // namespace taskstate
