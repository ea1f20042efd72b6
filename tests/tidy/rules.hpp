#pragma once
// The rules of the house that a machine can check, as pure functions of the tree's text.

#include <cstddef>
#include <string>
#include <vector>

namespace tidy {

/// One text file of the project.
struct File {
    std::string path{};  ///< from the project's root, with `/`
    std::vector<std::string> lines{};
};
using Tree = std::vector<File>;

/// The project's own text files under `root`; build folders and binary files are left out.
Tree read_tree(const std::string& root);

/// A breach, as `file:line: what is wrong`.
using Breaches = std::vector<std::string>;

/// A room includes only rooms of lower floors, or itself.
Breaches floors(const Tree& tree);
/// Costly and impure standard headers stay out of public core headers and of the pure rooms.
Breaches banned_includes(const Tree& tree);
/// Each foreign library is known to its own rooms only.
Breaches foreign_includes(const Tree& tree);
/// No drawer without a noun.
Breaches banned_names(const Tree& tree);
/// Every source, public header and test is listed in the build.
Breaches unlisted_files(const Tree& tree);
/// The two sources for a host without CMake include exactly the sources of their components.
Breaches spines(const Tree& tree);
/// Every configure preset that a contributor sees is run by `.ci/run`.
Breaches unused_presets(const Tree& tree);
/// Headers stay under 400 lines, sources under 500.
Breaches long_files(const Tree& tree);
/// The umbrella header only includes, and leaves out nothing but the adapters.
Breaches umbrella(const Tree& tree);
/// No path of somebody's machine.
Breaches machine_paths(const Tree& tree);
/// The page of the performance and the goals of the bench name the same rows.
Breaches stale_performance_page(const Tree& tree);
/// Every C++ and CMake block of the documentation, and every other one that names its file, is cut from it.
Breaches uncut_code(const Tree& tree);
/// A silenced lint names its check and says why.
Breaches silent_nolint(const Tree& tree);

}  // namespace tidy
