// A host keeps one task in a file of SQLite: each commit is on the disk before the task shows it.
#include <taskstate/store/sqlite_store.hpp>
#include <taskstate/taskstate.hpp>

#include <cstdio>
#include <string>

namespace {

using namespace taskstate;

// The revision after one more visit, whoever wrote down the ones before.
Result<Revision> note_visit(const std::string& path) {
    const auto store = open_sqlite({.path = path});
    if (!store) return store.error();
    auto task = open_task(*store, {.id = "delivery-42", .scope = {.owner = "host-user", .workspace = "deliveries"}});
    if (!task) return task.error();

    const NoteInput visit{.id = "visit-" + std::to_string(task->revision().number + 1),
                          .category = Category::decision,
                          .text = "Nobody was at home.",
                          .source = {.label = "Driver"}};
    const auto done = task->update({.notes = {visit}}, task->revision());
    if (!done) return done.error();
    return done->snapshot.revision();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "usage: sqlite_store FILE\n"), 2;
    const auto revision = note_visit(argv[1]);
    if (!revision) return std::fprintf(stderr, "sqlite_store: %s\n", revision.error().message.c_str()), 1;
    std::printf("revision %u\n", static_cast<unsigned>(revision->number));
    return 0;
}
