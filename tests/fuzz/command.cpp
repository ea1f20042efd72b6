// Host commands: each line does one thing or nothing, and what it prints is safe for a terminal.

#include "fuzz/fixture.hpp"
#include "fuzz/targets.hpp"

#include <taskstate/task/command.hpp>

namespace taskstate::fuzz {

void command(std::string_view bytes) {
    constexpr std::size_t lines_max = 32;
    TaskState task = busy_task(TextPolicy::refuse);
    for (const std::string_view line : first_lines(bytes, lines_max)) {
        const auto before = *task.snapshot();
        const auto done = run_command(task, line);
        if (!done) {
            check_step(task, before, done.error());
            continue;
        }
        const auto head = *task.snapshot();
        check_step(task, before, Commit{.outcome = done->outcome, .snapshot = head});
        require(done->revision == head.revision(), "a command tells the revision");
        const auto control = [](char c) { return (c >= '\0' && c < ' ' && c != '\n') || c == '\x7F'; };
        require(std::none_of(done->text.begin(), done->text.end(), control), "no control reaches the terminal");
    }
}

}  // namespace taskstate::fuzz
