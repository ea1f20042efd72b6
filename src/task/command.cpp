#include <taskstate/task/command.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace taskstate::inline v0 {
namespace {

// The words of a line, read by their names.
struct Arguments {
    std::vector<std::string> words{};
    Revision expected{};
    Category category{};
    Confirmed status{};
};

// One verb.  The names of its words are its grammar: they say what is read where, and stand in paths and messages.
struct Verb {
    std::string_view name{};
    std::array<std::string_view, 4> words{};  // a last one that ends in "..." takes the rest of the line
    Result<Commit> (*run)(TaskState& task, const Arguments& given) = nullptr;  // null: changes nothing, shows the block
};

Result<Commit> add_note(TaskState& task, const Arguments& given, Category category, OptText supersedes) {
    const NoteInput note{.id = given.words[2],
                         .category = category,
                         .text = given.words[3],
                         .supersedes = std::move(supersedes),
                         .source = {.label = "host command"}};
    return task.update({.notes = {note}}, given.expected);
}

Result<Commit> add(TaskState& task, const Arguments& given) {
    return add_note(task, given, given.category, std::nullopt);
}

Result<Commit> correct(TaskState& task, const Arguments& given) {
    const auto head = task.snapshot();
    if (!head) return head.error();
    // Where there is no old note, the call says so, whatever the category.
    const auto old = head->notes().find(given.words[1]);
    return add_note(task, given, old ? old->category : Category{}, given.words[1]);
}

Result<Commit> resolve(TaskState& task, const Arguments& given) {
    return task.update({.resolve = {given.words[1]}}, given.expected);
}

Result<Commit> prune(TaskState& task, const Arguments& given) {
    return task.prune({.notes = {given.words[1]}}, given.expected);
}

Result<Commit> resolve_prune(TaskState& task, const Arguments& given) {
    return task.update({.resolve = {given.words[1]}, .prune = {.notes = {given.words[1]}}}, given.expected);
}

Result<Commit> prune_action(TaskState& task, const Arguments& given) {
    return task.prune({.actions = {given.words[1]}}, given.expected);
}

Result<Commit> confirm_prune(TaskState& task, const Arguments& given) {
    const ConfirmAction confirmation{
        .execution = given.words[1], .status = given.status, .source = {.label = given.words[3]}};
    return task.update({.confirm_actions = {confirmation}, .prune = {.actions = {given.words[1]}}}, given.expected);
}

constexpr Verb verbs[] = {
    {"add", {"revision", "category", "id", "text..."}, add},
    {"correct", {"revision", "old_id", "new_id", "text..."}, correct},
    {"resolve", {"revision", "note"}, resolve},
    {"prune", {"revision", "note"}, prune},
    {"resolve-prune", {"revision", "note"}, resolve_prune},
    {"prune-action", {"revision", "execution"}, prune_action},
    {"confirm-prune", {"revision", "execution", "status", "proof..."}, confirm_prune},
    {"show", {}, nullptr},
};

constexpr std::string_view rest = "...";

std::string grammar(const Verb& verb) {
    std::string line(verb.name);
    for (const auto name : verb.words) {
        if (!name.empty()) line.append(" <").append(name).append(">");
    }
    return line;
}

std::string all_grammar() {
    std::string list;
    for (const Verb& verb : verbs) list.append(list.empty() ? "" : "; ").append(grammar(verb));
    return list;
}

// The verb of that name, in any case.
const Verb* find_verb(std::string name) {
    for (char& c : name) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    for (const Verb& verb : verbs) {
        if (verb.name == name) return &verb;
    }
    return nullptr;
}

Error advise(Error error, const std::string& advice) {
    error.message += ' ' + advice;
    return error;
}

// The words of a line, quotes removed.
Result<std::vector<std::string>> split(std::string_view line) {
    std::vector<std::string> words;
    bool inside = false;
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote != '\0' ? c == quote : c == ' ') {
            inside = quote != '\0';
            quote = '\0';
            continue;
        }
        const bool opens = !inside && (c == '"' || c == '\'');
        if (!inside) words.emplace_back();
        inside = true;
        if (opens) {
            quote = c;
        } else {
            const bool escapes = c == '\\' && i + 1 < line.size();
            words.back() += escapes ? line[++i] : c;
        }
    }
    if (quote != '\0')
        return advise(fail(Reason::missing_field, "/quote"), "A quote that opens a word must be closed.");
    return words;
}

Result<Revision> read_revision(std::string_view text) {
    std::uint64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return fail(Reason::not_an_integer, "/revision");
        if (number <= integer_max) number = number * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (text.empty()) return fail(Reason::not_an_integer, "/revision");
    if (number > integer_max) return fail(Reason::out_of_range, "/revision");
    return Revision{number};
}

// The value of a closed list that `text` spells, if `wanted` takes it; else an error that names those it takes.
template <class E, class Wanted>
Result<E> read_word(std::string_view text, const char* path, Wanted wanted) {
    std::string known;
    for (std::size_t i = 0; i < Words<E>::list.size(); ++i) {
        const auto value = static_cast<E>(i);
        if (!wanted(value)) continue;
        if (word(value) == text) return value;
        known.append(" ").append(word(value));
    }
    return advise(fail(Reason::unknown_word, path), "Known:" + known + '.');
}

// Reads the words that are not just text.
Result<void> interpret(Arguments& given, std::string_view name, const std::string& text) {
    if (name == "revision") {
        const auto revision = read_revision(text);
        if (!revision) return revision.error();
        given.expected = *revision;
    } else if (name == "category") {
        const auto category = read_word<Category>(text, "/category", [](Category) { return true; });
        if (!category) return category.error();
        given.category = *category;
    } else if (name == "status") {
        const auto status = read_word<Confirmed>(text, "/status", [](Confirmed value) { return is_terminal(value); });
        if (!status) return status.error();
        given.status = *status;
    }
    return {};
}

// Gives each word of the line, whose first one is the verb, to its name.
Result<Arguments> arguments(const Verb& verb, std::vector<std::string> line) {
    Arguments given;
    std::size_t next = 1;
    for (auto name : verb.words) {
        if (name.empty()) break;
        const bool takes_rest = name.ends_with(rest);
        if (takes_rest) name.remove_suffix(rest.size());
        if (next == line.size()) return fail(Reason::missing_field, '/' + std::string(name));
        std::string text = std::move(line[next++]);
        while (takes_rest && next < line.size()) text += ' ' + line[next++];
        if (auto read = interpret(given, name, text); !read) return read.error();
        given.words.push_back(std::move(text));
    }
    if (next < line.size()) return fail(Reason::unknown_field, "/extra");
    return given;
}

// What a person can do about it, beside what the reason says.
Error with_cure(Error error) {
    switch (error.code()) {
        case Errc::capacity:
            return advise(std::move(error), "Make room with " + grammar(*find_verb("resolve-prune")) + " or " +
                                                grammar(*find_verb("confirm-prune")) + '.');
        case Errc::conflict: {
            const std::string current = std::to_string(error.limit.value_or(0));
            return advise(std::move(error), "The current revision is " + current + "; see it with show.");
        }
        default:
            return error;
    }
}

Result<CommandResult> show(const TaskState& task) {
    const auto block = task.prompt();
    if (!block) return block.error();
    return CommandResult{Outcome::no_change, block->snapshot().revision(), block->text()};
}

}  // namespace

Result<CommandResult> run_command(TaskState& task, std::string_view line) {
    auto words = split(line);
    if (!words) return words.error();
    const Verb* verb = find_verb(words->empty() ? "show" : words->front());
    if (verb == nullptr) return advise(fail(Reason::unknown_call, "/verb"), "Usage: " + all_grammar());
    const auto given = arguments(*verb, *std::move(words));
    if (!given) return advise(given.error(), "Usage: " + grammar(*verb));
    if (verb->run == nullptr) return show(task);

    const auto commit = verb->run(task, *given);
    if (!commit) return with_cure(commit.error());
    const Revision now = commit->snapshot.revision();
    const std::string_view said = commit->outcome == Outcome::accepted ? "revision " : "no change, revision ";
    return CommandResult{commit->outcome, now, std::string(said) + std::to_string(now.number)};
}

}  // namespace taskstate::inline v0
