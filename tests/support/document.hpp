#pragma once
// Reads files of the source tree, and the fenced blocks and tables of its documents.

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace taskstate::test {

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

/// The rows of the table that follows the heading `## title`, without its head.
inline std::vector<std::string> table_under(const std::string& path, const std::string& title) {
    std::ifstream file(TASKSTATE_SOURCE_DIR "/" + path);
    std::vector<std::string> rows;
    bool here = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("## ")) here = line == "## " + title;
        if (here && line.starts_with("| `")) rows.push_back(line);
    }
    return rows;
}

}  // namespace taskstate::test

namespace test = taskstate::test;
