#pragma once
// The real file system, but for what a test makes it do.

#include <taskstate/store/file_system.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::test {

/// Fails operations by their number, from 1 on, and keeps the names of all.
///
/// Nothing is synced: that counts only where power is lost, and would take most of the time.
class FaultyFileSystem : public FileSystem {
 public:
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

    struct Plan {
        std::size_t at = never;  ///< the operation that fails
        int error = EIO;
        bool for_good = false;      ///< every later one fails too
        std::size_t chunk = never;  ///< most bytes that one read or write moves
        std::size_t room = never;   ///< bytes that can be written in all; the write that needs more is short, the next
                                    ///< one fails
        bool interrupts = false;    ///< every other waiting call answers EINTR
    };

    FaultyFileSystem() = default;
    explicit FaultyFileSystem(Plan plan) : plan_(plan) {}

    [[nodiscard]] const std::vector<std::string_view>& operations() const { return operations_; }

    int open(const std::string& path, int flags, unsigned mode) override {
        return waiting("open", [&] { return real_->open(path, flags, mode); });
    }
    std::int64_t read(int file, char* into, std::size_t size, std::uint64_t offset) override {
        return waiting("read", [&] { return real_->read(file, into, std::min(size, plan_.chunk), offset); });
    }
    std::int64_t write(int file, const char* from, std::size_t size) override {
        if (plan_.room == 0 && plan_.at == never) plan_.at = operations_.size() + 1;
        return waiting("write", [&] {
            const auto count = real_->write(file, from, std::min({size, plan_.chunk, plan_.room}));
            if (plan_.room != never && count > 0) plan_.room -= static_cast<std::size_t>(count);
            return count;
        });
    }
    int truncate(int file, std::uint64_t size) override {
        return waiting("truncate", [&] { return real_->truncate(file, size); });
    }
    int sync(int) override {
        return waiting("sync", [] { return 0; });
    }
    int close(int file) override {
        const int closed = real_->close(file);  // a crash closes everything, and the test must not run out of files
        return step("close", [&] { return closed; });
    }
    int lock(int file) override {
        return waiting("lock", [&] { return real_->lock(file); });
    }
    int rename(const std::string& from, const std::string& to) override {
        return step("rename", [&] { return real_->rename(from, to); });
    }
    int link(const std::string& from, const std::string& to) override {
        return step("link", [&] { return real_->link(from, to); });
    }
    int unlink(const std::string& path) override {
        return step("unlink", [&] { return real_->unlink(path); });
    }
    int make_directory(const std::string& path, unsigned mode) override {
        return step("make_directory", [&] { return real_->make_directory(path, mode); });
    }
    int change_mode(int file, unsigned mode) override {
        return waiting("change_mode", [&] { return real_->change_mode(file, mode); });
    }
    std::int64_t size(int file) override {
        return step("size", [&] { return real_->size(file); });
    }
    int list(const std::string& folder, std::vector<std::string>& names) override {
        return step("list", [&] { return real_->list(folder, names); });
    }

 protected:
    /// Called before each operation; it is already the last of `operations()`.
    virtual void reached(std::string_view) {}

 private:
    template <class Call>
    auto step(std::string_view name, Call call) -> decltype(call()) {
        operations_.push_back(name);
        reached(name);
        const auto number = operations_.size();
        if (number == plan_.at || (plan_.for_good && number > plan_.at)) return -plan_.error;
        return call();
    }
    template <class Call>
    auto waiting(std::string_view name, Call call) -> decltype(call()) {
        interrupted_ = plan_.interrupts && !interrupted_;
        if (interrupted_) return -EINTR;
        return step(name, call);
    }

    Plan plan_;
    std::shared_ptr<FileSystem> real_ = posix_file_system();
    std::vector<std::string_view> operations_;
    bool interrupted_ = false;
};

/// Kills its process at an operation.
class KillingFileSystem : public FaultyFileSystem {
 public:
    explicit KillingFileSystem(std::size_t at) : at_(at) {}

 private:
    void reached(std::string_view) override {
        if (operations().size() == at_) ::kill(::getpid(), SIGKILL);
    }
    std::size_t at_;
};

}  // namespace taskstate::test
