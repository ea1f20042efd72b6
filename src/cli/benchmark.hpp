#pragma once
// The release benchmark: ten small tasks whose outcome anybody can say beforehand.

#include <string>

namespace taskstate::inline v0 {

/// What came of it.
struct BenchmarkReport {
    std::string json{};  ///< one canonical object, `taskstate.benchmark/1`
    bool passed = false;
};

/// Runs every case on a service of its own over a store in memory.
///
/// Nothing of the machine is in the report, so that it is the same everywhere: no time, no path, no random id.
/// `report_sha256` is SHA-256 of the same object without that member.
/// Source: docs/benchmark.md.
[[nodiscard]] BenchmarkReport run_benchmark();

}  // namespace taskstate::inline v0
