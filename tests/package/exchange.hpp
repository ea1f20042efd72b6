#pragma once
// What two objects of one program hand each other: one is C++20, the other C++23 without exceptions and RTTI.
#include <taskstate/taskstate.hpp>

taskstate::TaskState open_task();
taskstate::Result<taskstate::Snapshot> add_note(taskstate::TaskState& task, const char* text);
