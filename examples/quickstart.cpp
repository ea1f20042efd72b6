// A host keeps one constraint, corrects it, and prints the block that the model is shown.
#include <taskstate/taskstate.hpp>

#include <cstdio>

int main() {
    using namespace taskstate;
    auto task = *TaskState::create({.id = "delivery-42", .scope = {.owner = "host-user", .workspace = "deliveries"}});
    NoteInput budget{.id = "budget", .category = Category::constraint, .text = "Spend at most 50 EUR."};
    budget.source = {.label = "Confirmed user instruction", .turn = "turn-1"};
    NoteInput correction{.id = "correction", .category = Category::constraint, .text = "Spend at most 40 EUR."};
    correction.supersedes = "budget";
    correction.source = {.label = "User correction", .turn = "turn-2"};

    Result<Commit> done = task.update({.notes = {budget}}, Revision{0});
    if (done) done = task.update({.notes = {correction}}, done->snapshot.revision());
    if (!done) return std::fprintf(stderr, "%s\n", done.error().message.c_str()), 1;
    const Block block = *task.prompt();
    std::puts(block.text().c_str());
}
