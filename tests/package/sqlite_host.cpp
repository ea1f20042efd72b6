// Keeps a task in a SQLite file, opens the file again, and shows the task's block.
#include <taskstate/service/task_service.hpp>
#include <taskstate/store/sqlite_store.hpp>

#include <cstdio>

using namespace taskstate;

int main(int count, char** arguments) {
    if (count != 2) return 2;
    const Scope scope{.owner = "host-user", .workspace = "deliveries"};
    for (const bool first : {true, false}) {
        auto store = open_sqlite({.path = arguments[1]});
        if (!store) return std::fprintf(stderr, "%s\n", store.error().message.c_str()), 1;
        auto service = TaskService::open({.store = *store});
        if (!service) return 1;
        if (first) {
            if (!service->set_mode(scope, ScopeMode::enabled)) return 1;
            const auto started = service->start({.task = {scope, "delivery-42"},
                                                 .key = "start-1",
                                                 .actor = {.role = Role::operator_, .name = "ann"},
                                                 .goal = "Ship the order"});
            if (!started) return std::fprintf(stderr, "%s\n", started.error().message.c_str()), 1;
            continue;
        }
        const auto package = service->prepare({.scope = scope, .task = "delivery-42"});
        if (!package || !package->block) return 1;
        std::printf("block %s", hex(package->block->sha256()).c_str());
    }
}
