// A host: keeps one task, shows its block, and says what it uses.
#include <taskstate/taskstate.hpp>

#include <cstdio>

int main() {
    using namespace taskstate;
    const auto saved = decode_snapshot(
        R"({"format":"taskstate.snapshot/1","id":"t","profile":"notebook-v1","revision":1,"lifecycle":"open",)"
        R"("scope":{"owner":"o","workspace":"w"},"notes":[{"id":"budget","category":"constraint","authority":"host",)"
        R"("text":"Spend at most 50 EUR.","source":{"label":"User"}}],"created_at":"2026-01-01T00:00:00.000Z",)"
        R"("updated_at":"2026-01-01T00:00:00.000Z","last_progress_at":"2026-01-01T00:00:00.000Z"})");
    if (!saved) return std::fprintf(stderr, "%s\n", saved.error().message.c_str()), 1;
    const auto task = TaskState::open({.id = "t", .scope = {.owner = "o", .workspace = "w"}}, *saved);
    const auto block = task ? task->prompt() : Result<Block>(task.error());
    if (!block) return std::fprintf(stderr, "%s\n", block.error().message.c_str()), 1;
    std::printf("taskstate %d.%d.%d, core and taskstate, block %.8s\n", TASKSTATE_VERSION_MAJOR,
                TASKSTATE_VERSION_MINOR, TASKSTATE_VERSION_PATCH, hex(block->sha256()).c_str());
}
