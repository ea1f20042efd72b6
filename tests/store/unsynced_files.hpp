#pragma once
// The real file system, but nothing waits for a disk: for tests in which no power is lost.

#include <taskstate/store/file_system.hpp>

#include <memory>
#include <string>
#include <vector>

namespace taskstate::test {

class UnsyncedFiles : public FileSystem {
 public:
    int open(const std::string& path, int flags, unsigned mode) override { return real_->open(path, flags, mode); }
    std::int64_t read(int file, char* into, std::size_t size, std::uint64_t offset) override {
        return real_->read(file, into, size, offset);
    }
    std::int64_t write(int file, const char* from, std::size_t size) override { return real_->write(file, from, size); }
    int truncate(int file, std::uint64_t size) override { return real_->truncate(file, size); }
    int sync(int) override { return 0; }
    int close(int file) override { return real_->close(file); }
    int lock(int file) override { return real_->lock(file); }
    int rename(const std::string& from, const std::string& to) override { return real_->rename(from, to); }
    int link(const std::string& from, const std::string& to) override { return real_->link(from, to); }
    int unlink(const std::string& path) override { return real_->unlink(path); }
    int make_directory(const std::string& path, unsigned mode) override { return real_->make_directory(path, mode); }
    int change_mode(int file, unsigned mode) override { return real_->change_mode(file, mode); }
    std::int64_t size(int file) override { return real_->size(file); }
    int list(const std::string& folder, std::vector<std::string>& names) override { return real_->list(folder, names); }

 private:
    std::shared_ptr<FileSystem> real_ = posix_file_system();
};

}  // namespace taskstate::test
