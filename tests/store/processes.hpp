#pragma once
// Processes that a test starts, and how they and it wait for each other.

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace taskstate::test {

/// Runs `work` in a process of its own, whose exit code is what `work` returns.
template <class Work>
pid_t start(Work work) {
    const pid_t child = ::fork();
    if (child < 0) std::abort();
    if (child == 0) ::_exit(work());
    return child;
}

/// Waits for its end; -1 where a signal ended it.
inline int exit_code(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Carries values of one type from one process to another.
template <class Value>
class Channel {
 public:
    Channel() {
        if (::pipe(ends_.data()) != 0) std::abort();
    }
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    ~Channel() {
        for (const int end : ends_) ::close(end);
    }
    void give(const Value& value) const {
        if (::write(ends_[1], &value, sizeof value) != sizeof value) std::abort();
    }
    /// Aborts where nothing comes: the other process must have died.
    [[nodiscard]] Value take() const {
        Value value{};
        if (!waits(60'000) || ::read(ends_[0], &value, sizeof value) != sizeof value) std::abort();
        return value;
    }
    [[nodiscard]] bool waits(int timeout_ms = 0) const {
        pollfd end{.fd = ends_[0], .events = POLLIN, .revents = 0};
        return ::poll(&end, 1, timeout_ms) == 1;
    }

 private:
    std::array<int, 2> ends_{};
};

}  // namespace taskstate::test
