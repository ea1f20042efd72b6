// A host keeps one task in a folder, finds that a decision was wrong, and goes back: by one more revision.
#include <taskstate/taskstate.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace {

using namespace taskstate;

template <class T>
T value_of(Result<T> result) {
    if (result) return *std::move(result);
    std::fprintf(stderr, "file_store: %s\n", result.error().message.c_str());
    std::exit(1);
}

void decide(TaskState& task, const std::string& id, const std::string& text) {
    const NoteInput decision{.id = id, .category = Category::decision, .text = text, .source = {.label = "Dispatcher"}};
    value_of(task.update({.notes = {decision}}, task.revision()));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "usage: file_store FOLDER\n"), 2;
    const TaskAddress address{.scope = {.owner = "host-user", .workspace = "deliveries"}, .id = "delivery-42"};
    const auto store = value_of(open_files({.path = argv[1]}));

    TaskState task = value_of(open_task(store, {.id = address.id, .scope = address.scope}));
    const Revision good{task.revision().number + 1};
    decide(task, "route-" + std::to_string(good.number), "Take the bridge.");
    decide(task, "detour-" + std::to_string(good.number), "Take the tunnel, as the bridge is closed.");

    value_of(return_to(
        *store,
        {.task = address, .source = good, .base = task.revision(), .reason = "The bridge was open all along."}));
    TaskState again = value_of(open_task(store, {.id = address.id, .scope = address.scope}));

    const Snapshot now = value_of(again.snapshot());
    const auto log = value_of(store->revisions(address, Revision{now.revision().number - 1}, 1));
    std::printf("revision %u, %s, notes: %zu\n", static_cast<unsigned>(now.revision().number),
                log.at(0).origin.method.c_str(), now.notes().size());
    return 0;
}
