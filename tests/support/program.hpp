#pragma once
// Runs a program of the build, as a user would, and keeps what it printed.

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace taskstate::test {

struct Run {
    std::string output{};  // standard output and standard error
    int exit = -1;         // -1: it could not be run, or a signal ended it
};

/// Runs `name` from the build's programs with `arguments` as a shell reads them.
inline Run run(const std::string& name, const std::string& arguments = {}) {
    const std::string line = "'" TASKSTATE_PROGRAM_DIR "/" + name + "' " + arguments + " 2>&1";
    Run run;
    std::FILE* pipe = popen(line.c_str(), "r");
    if (pipe == nullptr) return run;
    std::array<char, 4096> part{};
    for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;) run.output.append(part.data(), n);
    const int status = pclose(pipe);
    if (WIFEXITED(status)) run.exit = WEXITSTATUS(status);
    return run;
}

}  // namespace taskstate::test

namespace test = taskstate::test;
