#pragma once
// A folder of its own for one test, gone afterwards.

#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace taskstate::test {

class TemporaryFolder {
 public:
    TemporaryFolder() {
        const char* const base = std::getenv("TMPDIR");
        path_ = std::string(base != nullptr ? base : "/tmp") + "/taskstate-XXXXXX";
        if (::mkdtemp(path_.data()) == nullptr) std::abort();
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + '/' + name; }
    [[nodiscard]] const std::string& path() const { return path_; }

    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(path_))
            found.insert(entry.path().filename().string());
        return found;
    }

 private:
    std::string path_;
};

inline std::string bytes_of(const std::string& path) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
}

inline void put_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

inline unsigned mode_of(const std::string& path) {
    return static_cast<unsigned>(std::filesystem::symlink_status(path).permissions());
}

}  // namespace taskstate::test
