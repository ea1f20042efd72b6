#pragma once
// What a service writes of one change, taken apart and encoded beforehand.

#include "bench/governed.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace taskstate::bench {

/// The rows of one change, in the form in which they are bound.
struct RawChange {
    RawChange(const Batch& batch, std::int64_t sequence);

    struct Line {
        TargetKind kind{};
        std::string id{};
    };
    struct Row {
        EntryKind kind{};
        std::string id{}, text{};
    };
    std::int64_t revision = 0, last_progress_at = 0;
    Lifecycle lifecycle{};
    std::optional<std::int64_t> due_at{};
    std::string head{}, record{};
    std::vector<Line> lineage{};
    std::vector<Row> entries{};
    std::int64_t sequence = 0, decided_at = 0, duration_ms = 0;
    std::string id{}, key{}, outcome{}, reason{}, decision{};
};

/// The decisions of a task begin with the one about its start.
[[nodiscard]] std::vector<RawChange> raw_changes(const History& history);

}  // namespace taskstate::bench
