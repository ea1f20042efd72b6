#pragma once
// Reads files of the source tree, and the fenced blocks of its documents.

#include <fstream>
#include <iterator>
#include <string>

#include "support/catch.hpp"

namespace test {

/// A file of the source tree; empty where it cannot be read.
inline std::string read_source(const std::string& path) {
    std::ifstream file(TASKSTATE_SOURCE_DIR "/" + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The inside of the fenced block that follows `marker`; the test fails where there is none.
inline std::string block_after(const std::string& document, const std::string& marker) {
    const auto at = document.find(marker);
    REQUIRE(at != std::string::npos);
    const auto fence = document.find("```", at);
    REQUIRE(fence != std::string::npos);
    const auto first = document.find('\n', fence) + 1;
    const auto last = document.find("```", first);
    REQUIRE(last != std::string::npos);
    return document.substr(first, last - first);
}

}  // namespace test
