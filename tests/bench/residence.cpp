#include "bench/residence.hpp"

#include <taskstate/base/result.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace taskstate::bench {

std::size_t resident_bytes() {
    std::size_t whole = 0, resident = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr || std::fscanf(file, "%zu %zu", &whole, &resident) != 2) bug("no /proc/self/statm");
    std::fclose(file);
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t in_child(const std::function<std::size_t()>& measure) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) bug("no pipe");
    const pid_t child = fork();
    if (child == 0) {
        const std::size_t measured = measure();
        _exit(write(ends[1], &measured, sizeof measured) == sizeof measured ? 0 : 1);
    }
    std::size_t measured = 0;
    close(ends[1]);
    const bool read_all = read(ends[0], &measured, sizeof measured) == sizeof measured;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    if (!read_all) bug("the child said nothing");
    return measured;
}

}  // namespace taskstate::bench
