// A host of the core alone.
#include <taskstate/task/task_state.hpp>
#include <taskstate/version.hpp>

#include <cstdio>

int main() {
    using namespace taskstate;
    const auto task = TaskState::create({.id = "t", .scope = {.owner = "o", .workspace = "w"}});
    const auto block = task ? task->prompt() : Result<Block>(task.error());
    if (!block) return std::fprintf(stderr, "%s\n", block.error().message.c_str()), 1;
    std::printf("taskstate %d.%d.%d, core alone, block %.8s\n", TASKSTATE_VERSION_MAJOR, TASKSTATE_VERSION_MINOR,
                TASKSTATE_VERSION_PATCH, hex(block->sha256()).c_str());
}
