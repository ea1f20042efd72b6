#pragma once
// Goldens: files that say what the library writes, byte for byte.

#include "support/catch.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace taskstate::test {

/// Checks `written` against `tests/golden/<name>`; TASKSTATE_WRITE_GOLDENS=1 writes the file instead, for a reviewer to
/// read.
inline void check_golden(const std::string& name, std::string_view written) {
    const std::string path = std::string(TASKSTATE_SOURCE_DIR "/tests/golden/") + name;
    if (std::getenv("TASKSTATE_WRITE_GOLDENS") != nullptr) {
        std::ofstream(path, std::ios::binary) << written;
        return;
    }
    std::ifstream file(path, std::ios::binary);
    INFO("golden " << path);
    REQUIRE(file.good());
    const std::string expected{std::istreambuf_iterator<char>(file), {}};
    CHECK(std::string(written) == expected);
}

}  // namespace taskstate::test
