#include "cli/render.hpp"

#include "store/envelope.hpp"

#include <taskstate/codec/json.hpp>
#include <taskstate/task/task_state.hpp>

#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr Limits document_limits{.entries_max = document_bytes_max,
                                 .items_max = document_bytes_max,
                                 .sources_max = document_bytes_max,
                                 .tokens_max = document_bytes_max,
                                 .snapshot_bytes_max = document_bytes_max,
                                 .input_bytes_max = document_bytes_max};

Result<Block> render_snapshot(const SnapshotInput& saved, const PromptOptions& options) {
    const auto task = TaskState::open({.id = saved.id,
                                       .scope = saved.scope,
                                       .association = saved.association,
                                       .goal = saved.goal,
                                       .profile = saved.profile,
                                       .limits = document_limits,
                                       .link = saved.link ? std::optional(saved.link->target) : std::nullopt},
                                      saved);
    return task.and_then([&](const TaskState& state) { return state.prompt(options); });
}

}  // namespace

Result<Block> render_document(std::string_view document, const PromptOptions& options) {
    const bool enveloped = document.starts_with(R"({"format":"taskstate.file/)");
    const auto snapshot = enveloped ? unwrap(document) : Result<std::string_view>(document);
    return snapshot.and_then([](std::string_view json) { return decode_snapshot(json, document_limits); })
        .and_then([&](const SnapshotInput& saved) { return render_snapshot(saved, options); });
}

}  // namespace taskstate::inline v0
