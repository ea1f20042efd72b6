#include "tidy/rules.hpp"
#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

namespace tidy {
namespace {

using std::string;
using std::string_view;

// The picture of the rooms: a room may use what lies on a lower floor, and itself.
const std::map<string, int, std::less<>> floor_of{
    {"base", 0},  {"model", 1},   {"engine", 2}, {"prompt", 3}, {"task", 4},  {"codec", 5},
    {"store", 6}, {"service", 7}, {"tools", 8},  {"resume", 8}, {"adapt", 8}, {"cli", 9},
};
constexpr int core_top = 4;

// Who may include which foreign header, by the start of its path.
const std::map<string, std::set<string, std::less<>>, std::less<>> rooms_of_foreign{
    {"nlohmann/", {"codec", "adapt", "cli"}},
    {"openssl/", {"base"}},
    {"utf8proc", {"base"}},
    {"CLI/", {"cli"}},
    {"fmt/", {"cli"}},
    {"sqlite3", {"store"}},
    {"libpq-fe", {"store"}},
};

string at(const File& file, std::size_t line, const string& what) {
    return file.path + ":" + std::to_string(line + 1) + ": " + what;
}

const File* find(const Tree& tree, string_view path) {
    const auto found = std::ranges::find(tree, path, &File::path);
    return found == tree.end() ? nullptr : &*found;
}

string text_of(const File& file) {
    string text;
    for (const string& line : file.lines) text += line + "\n";
    return text;
}

// The text of a shell script without its comments.
string without_comments(const File& script) {
    string text;
    for (const string& line : script.lines) {
        text += line.starts_with('#') ? string() : line.substr(0, line.find(" #"));
        text += "\n";
    }
    return text;
}

bool is_public_header(const File& file) { return file.path.starts_with("include/taskstate/"); }
bool is_library(const File& file) { return is_public_header(file) || file.path.starts_with("src/"); }
bool is_spine(const File& file) { return file.path.starts_with("src/embed_"); }
// A host of tests/package, which is compiled by a command line or a stranger's project.
bool is_package_host(const File& file) { return file.path.starts_with("tests/package/"); }
bool is_cpp(const File& file) { return file.path.ends_with(".hpp") || file.path.ends_with(".cpp"); }

// The room that a path names: the folder below `include/taskstate` or `src`.  Nothing for the top headers.
string_view room_of(string_view path) {
    for (const string_view top : {string_view("include/taskstate/"), string_view("taskstate/"), string_view("src/")}) {
        if (path.starts_with(top)) path.remove_prefix(top.size());
    }
    const auto slash = path.find('/');
    return slash == string_view::npos ? string_view() : path.substr(0, slash);
}

std::optional<int> floor_at(string_view room) {
    const auto found = floor_of.find(room);
    return found == floor_of.end() ? std::nullopt : std::optional(found->second);
}

// The words of a list of CMake, in order.
std::vector<string> words_of(const File& list) {
    std::vector<string> words;
    for (const string& line : list.lines) {
        for (std::size_t begin = 0; begin < line.size();) {
            const auto end = std::min(line.find_first_of(" ()", begin), line.size());
            if (end > begin) words.push_back(line.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    return words;
}

// Calls `visit(file, line number, included path, in angle brackets)` for every include of C++ files.
template <class Visit>
void each_include(const Tree& tree, Visit visit) {
    for (const File& file : tree) {
        if (!is_cpp(file)) continue;
        for (std::size_t n = 0; n < file.lines.size(); ++n) {
            const string_view line = file.lines[n];
            if (!line.starts_with("#include ") || line.size() < 12) continue;
            const bool angle = line[9] == '<';
            const auto end = line.find(angle ? '>' : '"', 10);
            if (end != string_view::npos) visit(file, n, line.substr(10, end - 10), angle);
        }
    }
}

bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
}

bool has_word(string_view text, string_view word) {
    for (auto found = text.find(word); found != string_view::npos; found = text.find(word, found + 1)) {
        const bool starts = found == 0 || !is_word(text[found - 1]);
        const auto end = found + word.size();
        if (starts && (end == text.size() || !is_word(text[end]))) return true;
    }
    return false;
}

// Whether some CMakeLists.txt has to name the file.
bool is_built(const File& file) {
    if (is_public_header(file)) return file.path.ends_with(".hpp");
    if (!file.path.ends_with(".cpp") || is_spine(file) || is_package_host(file)) return false;
    return file.path.starts_with("src/") || file.path.starts_with("tests/") || file.path.starts_with("examples/");
}

// The folder that names in the file's list start from: the nearest one above it that has a CMakeLists.txt, or the one of
// all public headers.
string folder_of_list(const Tree& tree, const File& file) {
    if (is_public_header(file)) return "include/taskstate";
    string folder = file.path.substr(0, file.path.rfind('/'));
    while (find(tree, folder + "/CMakeLists.txt") == nullptr && folder.find('/') != string::npos) {
        folder.resize(folder.rfind('/'));
    }
    return folder;
}

// The first cells of a table's row.
string cells(string_view line, std::size_t count) {
    std::size_t end = 0;
    for (std::size_t n = 0; n < count && end != string_view::npos; ++n) end = line.find('|', end + 1);
    return string(line.substr(0, end == string_view::npos ? end : end + 1));
}

// The block that starts after the fence in line `fence`, and its last line.
std::pair<string, std::size_t> fenced(const File& file, std::size_t fence) {
    string block;
    std::size_t n = fence + 1;
    for (; n < file.lines.size() && !file.lines[n].starts_with("```"); ++n) block += file.lines[n] + "\n";
    return {block, n};
}

// The text without what its lines are indented by.
string unindented(string_view text) {
    string flat;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        flat += line.substr(std::min(line.find_first_not_of(' '), line.size()));
        flat += '\n';
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return flat;
}

// Whether `block` stands in `file`: a program line by line, a script or list whatever its lines are indented by.
bool stands_in(const File& file, const string& block) {
    const string text = text_of(file);
    if (file.path.ends_with(".cpp")) return text.find(block) != string::npos;
    return unindented(text).find(unindented(block)) != string::npos;
}

}  // namespace

Breaches floors(const Tree& tree) {
    Breaches breaches;
    each_include(tree, [&](const File& file, std::size_t line, string_view included, bool angle) {
        const auto room = room_of(file.path);
        const auto floor = floor_at(room);
        if (!is_library(file) || room.empty()) return;
        if (!floor) return breaches.push_back(at(file, line, "the room '" + string(room) + "' has no floor"));
        if (angle && !included.starts_with("taskstate/")) return;
        const auto other = room_of(included);
        if (included == "taskstate/taskstate.hpp" && *floor <= core_top + 2) {
            return breaches.push_back(at(file, line, "the umbrella is for hosts, not for rooms"));
        }
        const auto below = floor_at(other);
        if (other.empty() || other == room || (below && *below < *floor)) return;
        breaches.push_back(at(file, line, string(room) + " may not include " + string(included)));
    });
    return breaches;
}

Breaches banned_includes(const Tree& tree) {
    static const std::set<string, std::less<>> costly{"iostream",   "regex",  "filesystem", "ranges",
                                                      "functional", "chrono", "algorithm"};
    static const std::set<string, std::less<>> impure{"chrono",  "random", "thread", "mutex",
                                                      "fstream", "ctime",  "cstdlib"};
    Breaches breaches;
    each_include(tree, [&](const File& file, std::size_t line, string_view included, bool) {
        const auto room = room_of(file.path);
        const auto floor = floor_at(room);
        if (!is_library(file) || !floor || *floor > core_top) return;
        const bool pure = room == "model" || room == "engine" || room == "prompt";
        if ((is_public_header(file) && costly.contains(included)) || (pure && impure.contains(included))) {
            breaches.push_back(at(file, line, "<" + string(included) + "> is banned in " + string(room)));
        }
    });
    return breaches;
}

Breaches foreign_includes(const Tree& tree) {
    Breaches breaches;
    each_include(tree, [&](const File& file, std::size_t line, string_view included, bool angle) {
        if (included.starts_with("catch2/") && file.path != "tests/support/catch.hpp") {
            breaches.push_back(at(file, line, "Catch2 is included through tests/support/catch.hpp"));
        }
        if (!is_library(file)) return;
        const auto room = room_of(file.path);
        const bool foreign =
            angle && included.find_first_of("./") != string_view::npos && !included.starts_with("taskstate/");
        if (foreign && is_public_header(file) && room != "adapt") {
            breaches.push_back(at(file, line, "a foreign header in a public one"));
        }
        for (const auto& [start, rooms] : rooms_of_foreign) {
            if (included.starts_with(start) && !rooms.contains(room)) {
                breaches.push_back(at(file, line, string(room) + " may not know " + string(included)));
            }
        }
    });
    return breaches;
}

Breaches banned_names(const Tree& tree) {
    static const std::set<string, std::less<>> banned{"util", "utils", "common", "misc", "helper", "helpers", "impl"};
    Breaches breaches;
    for (const File& file : tree) {
        string_view rest = file.path;
        while (!rest.empty()) {
            const auto slash = rest.find('/');
            const string_view part = rest.substr(0, slash);
            if (banned.contains(part.substr(0, part.find('.'))))
                breaches.push_back(at(file, 0, "a name without a noun"));
            rest.remove_prefix(slash == string_view::npos ? rest.size() : slash + 1);
        }
    }
    return breaches;
}

Breaches unlisted_files(const Tree& tree) {
    Breaches breaches;
    for (const File& file : tree) {
        if (!is_built(file)) continue;
        const string folder = folder_of_list(tree, file);
        const string path = (is_public_header(file) ? "src" : folder) + "/CMakeLists.txt";
        const File* list = find(tree, path);
        const auto words = list == nullptr ? std::vector<string>{} : words_of(*list);
        if (std::ranges::count(words, file.path.substr(folder.size() + 1)) > 0) continue;
        breaches.push_back(at(file, 0, "not in " + path));
    }
    for (const File& host : tree) {
        if (!is_package_host(host) || !host.path.ends_with(".cpp")) continue;
        const string name = host.path.substr(host.path.rfind('/'));
        const auto uses = [&](const File& file) {
            return file.path.starts_with("tests/package/") && text_of(file).find(name) != string::npos;
        };
        if (std::ranges::none_of(tree, uses)) breaches.push_back(at(host, 0, "nothing in tests/package builds it"));
    }
    return breaches;
}

Breaches spines(const Tree& tree) {
    const File* list = find(tree, "src/CMakeLists.txt");
    if (list == nullptr) return {"src/CMakeLists.txt is missing"};
    const auto words = words_of(*list);
    Breaches breaches;
    for (const auto& [component, path] :
         {std::pair("core", "src/embed_core.cpp"), {"taskstate", "src/embed_codec.cpp"}}) {
        const std::array start{string("taskstate_component"), string(component), string("SOURCES")};
        const auto found = std::ranges::search(words, start).end();
        const std::set<string> sources(found, std::find(found, words.end(), "HEADERS"));
        const File* spine = find(tree, path);
        if (spine == nullptr) {
            breaches.push_back(string(path) + " is missing");
            continue;
        }
        std::set<string> included;
        each_include({*spine}, [&](const File&, std::size_t, string_view name, bool) { included.emplace(name); });
        std::vector<string> different;
        std::ranges::set_symmetric_difference(sources, included, std::back_inserter(different));
        for (const string& source : different) {
            breaches.push_back(
                at(*spine, 0, source + (included.contains(source) ? " is not of " : " is missing of ") + component));
        }
    }
    return breaches;
}

Breaches unused_presets(const Tree& tree) {
    const File* presets = find(tree, "CMakePresets.json");
    if (presets == nullptr) return {"CMakePresets.json is missing"};
    Breaches breaches;
    const auto document = nlohmann::json::parse(text_of(*presets));
    string commands;
    for (const File& file : tree) {
        const bool is_script =
            file.path == ".ci/run" || file.path.starts_with("scripts/") || file.path == "tests/package/run";
        if (is_script) commands += without_comments(file);
    }
    for (const auto& preset : document.at("configurePresets")) {
        const auto name = preset.at("name").get<string>();
        if (preset.value("hidden", false) || has_word(commands, name)) continue;
        breaches.push_back(at(*presets, 0, "nobody runs the preset '" + name + "'"));
    }
    return breaches;
}

Breaches long_files(const Tree& tree) {
    Breaches breaches;
    for (const File& file : tree) {
        if (!is_cpp(file)) continue;
        const std::size_t lines_max = file.path.ends_with(".hpp") ? 400 : 500;
        if (file.lines.size() > lines_max) breaches.push_back(at(file, lines_max, "the file is too long: split it"));
    }
    return breaches;
}

Breaches umbrella(const Tree& tree) {
    const File* header = find(tree, "include/taskstate/taskstate.hpp");
    if (header == nullptr) return {"include/taskstate/taskstate.hpp is missing"};
    Breaches breaches;
    for (std::size_t n = 0; n < header->lines.size(); ++n) {
        const string& line = header->lines[n];
        if (line.empty() || line.starts_with("//") || line.starts_with('#')) continue;
        breaches.push_back(at(*header, n, "the umbrella declares nothing"));
    }
    for (const File& file : tree) {
        if (!is_public_header(file) || &file == header || room_of(file.path) == "adapt") continue;
        // Of components that a host may be without.
        if (file.path.ends_with("/sqlite_store.hpp") || file.path.ends_with("/postgres_store.hpp")) continue;
        const string line = "#include <" + file.path.substr(string_view("include/").size()) + ">";
        if (std::ranges::find(header->lines, line) == header->lines.end()) {
            breaches.push_back(at(file, 0, "not in the umbrella"));
        }
    }
    return breaches;
}

Breaches machine_paths(const Tree& tree) {
    static constexpr std::array<string_view, 5> tops{"work", "farm", "home", "root", "Users"};
    Breaches breaches;
    for (const File& file : tree) {
        for (std::size_t n = 0; n < file.lines.size(); ++n) {
            const string& line = file.lines[n];
            for (const string_view top : tops) {
                const auto found = line.find("/" + string(top) + "/");
                if (found == string::npos) continue;
                const bool inside = found > 0 && (is_word(line[found - 1]) || line[found - 1] == '.');
                if (!inside) breaches.push_back(at(file, n, "a path of somebody's machine"));
            }
        }
    }
    return breaches;
}

Breaches stale_performance_page(const Tree& tree) {
    const File* goals = find(tree, "tests/bench/goals.json");
    const File* page = find(tree, "docs/performance.md");
    if (goals == nullptr || page == nullptr) return {"tests/bench/goals.json or docs/performance.md is missing"};
    std::set<string> shown, wanted;
    for (const string& line : page->lines) {
        if (line.starts_with("| ") && !line.starts_with("| goal ")) shown.insert(cells(line, 3));
    }
    for (const auto& goal : nlohmann::json::parse(text_of(*goals))) {
        wanted.insert("| " + goal.at("goal").get<string>() + " | " + goal.at("workload").get<string>() + " | " +
                      goal.at("text").get<string>() + " |");
    }
    Breaches breaches;
    for (const string& row : wanted) {
        if (!shown.contains(row)) breaches.push_back(at(*page, 0, "the page lacks " + row));
    }
    for (const string& row : shown) {
        if (!wanted.contains(row)) breaches.push_back(at(*page, 0, "no goal is " + row));
    }
    return breaches;
}

Breaches uncut_code(const Tree& tree) {
    Breaches breaches;
    for (const File& file : tree) {
        if (!file.path.ends_with(".md")) continue;
        for (std::size_t n = 0; n < file.lines.size(); ++n) {
            if (!file.lines[n].starts_with("```")) continue;
            const auto [block, last] = fenced(file, n);
            const string& language = file.lines[n];
            const bool is_code = language == "```cpp" || language == "```c++" || language == "```cmake";
            const string_view marker = n == 0 ? string_view() : string_view(file.lines[n - 1]);
            const bool is_cut = marker.starts_with("<!-- from: ") && marker.ends_with(" -->");
            const std::size_t fence = n;
            n = last;
            if (is_code && !is_cut) breaches.push_back(at(file, fence, "say before the fence where it is cut from"));
            if (!is_cut) continue;
            const File* example = find(tree, marker.substr(11, marker.size() - 15));
            if (example == nullptr || !stands_in(*example, block)) {
                breaches.push_back(at(file, fence, "the block does not stand so in the example it names"));
            }
        }
    }
    return breaches;
}

Breaches silent_nolint(const Tree& tree) {
    Breaches breaches;
    for (const File& file : tree) {
        if (!is_library(file) && !file.path.starts_with("examples/")) continue;
        for (std::size_t n = 0; n < file.lines.size(); ++n) {
            const string_view line = file.lines[n];
            const auto found = line.find("NOLINT");
            if (found == string_view::npos) continue;
            const auto open = line.find('(', found);
            const auto close = line.find("): ", found);
            if (open == string_view::npos || close == string_view::npos || open > close) {
                breaches.push_back(at(file, n, "write NOLINT(check): reason"));
            }
        }
    }
    return breaches;
}

}  // namespace tidy
