#include "exchange.hpp"

#include <cstdio>

int main() {
    using namespace taskstate;
    TaskState task = open_task();
    const auto added = add_note(task, "Spend at most 50 EUR.");
    const auto refused = add_note(task, " ");
    const bool whole = added && added->notes().size() == 1 && added->revision() == task.revision() && !refused &&
                       refused.error().reason == Reason::blank &&
                       encode(*added).size() == snapshot_bytes(added->state());
    if (!whole) return std::fprintf(stderr, "what was handed over is not what was given\n"), 1;
    std::printf("taskstate %d.%d.%d, core and taskstate, objects of C++20 and of C++23 without exceptions\n",
                TASKSTATE_VERSION_MAJOR, TASKSTATE_VERSION_MINOR, TASKSTATE_VERSION_PATCH);
}
