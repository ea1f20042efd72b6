#include "exchange.hpp"

static_assert(__cplusplus > 202002L);
#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this object is the one without"
#endif

taskstate::TaskState open_task() {
    return *taskstate::TaskState::create({.id = "t", .scope = {.owner = "o", .workspace = "w"}});
}

taskstate::Result<taskstate::Snapshot> add_note(taskstate::TaskState& task, const char* text) {
    const taskstate::NoteInput note{
        .id = "budget", .category = taskstate::Category::constraint, .text = text, .source = {.label = "User"}};
    return task.update({.notes = {note}}, task.revision()).transform([](const taskstate::Commit& done) {
        return done.snapshot;
    });
}
