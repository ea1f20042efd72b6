#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tidy/rules.hpp"

namespace tidy {
namespace {

namespace fs = std::filesystem;

// The folders and files that belong to the project; whatever else lies beside them is the contributor's own.
constexpr std::array<std::string_view, 19> parts{
    ".ci",     ".clang-format",  ".clang-tidy",       ".editorconfig",   ".gitignore",  "CHANGELOG.md",
    "cmake",   "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "docs",        "examples",
    "include", "packaging",      "README.md",         "scripts",         "SECURITY.md", "src",
    "tests",
};

File read_file(const fs::path& root, const fs::path& path) {
    File file{.path = path.lexically_relative(root).generic_string()};
    std::ifstream in(path, std::ios::binary);
    for (std::string line; std::getline(in, line);) file.lines.push_back(line);
    return file;
}

}  // namespace

Tree read_tree(const std::string& root) {
    Tree tree;
    const auto add = [&](const fs::path& path) {
        if (fs::is_regular_file(path)) tree.push_back(read_file(root, path));
    };
    const auto add_part = [&](const fs::path& part) {
        if (!fs::is_directory(part)) return add(part);
        for (const auto& entry : fs::recursive_directory_iterator(part)) add(entry.path());
    };
    for (const auto part : parts) add_part(fs::path(root) / part);
    std::ranges::sort(tree, {}, &File::path);
    return tree;
}

}  // namespace tidy
