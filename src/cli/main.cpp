// The command `taskstate`.

#include "cli/benchmark.hpp"
#include "cli/copy.hpp"
#include "cli/render.hpp"
#include "cli/replay.hpp"
#include "cli/store_url.hpp"

#include <taskstate/version.hpp>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace taskstate;

enum Exit : int { exit_done = 0, exit_failed = 1, exit_unusable = 2 };

constexpr const char* replay_help =
    R"(Reads JSON Lines, one call of the host API per line, and prints one JSON line per call.

  {"call":"create","id":"delivery-42","scope":{"owner":"host-user","workspace":"deliveries"}}
  {"call":"update","expected":0,"delta":{"notes":[{"id":"budget","category":"constraint",
      "text":"Spend at most 50 EUR.","source":{"label":"User"}}]}}
  {"call":"prompt","bytes_max":4000}

(The second call has to stand on one line.)  Calls and arguments are named as in the API; "task" names a
further task; "expect" lists members that the answer must have.  A refused or malformed line is answered
and the next one goes on; blank lines are skipped.  The clock starts at 2026-01-01T00:00:00.000Z and moves
only by {"call":"advance_clock","ms":1000}; no secret is used.

With --store tasks are kept: "create" of a task that the store has opens it and answers with its revision,
and every commit is in the store before it is answered.

Exit code: 0 every line was read, refusals included; 1 an "expect" failed or the output could not be
written; 2 wrong usage, or the input could not be read or the store not opened.)";

constexpr const char* render_help =
    R"(Prints the block that a model is shown for a saved snapshot: a taskstate.snapshot/1 document or a
snapshot file (taskstate.file/1).  The snapshot is checked as a restore checks it.  The key in the fence is
the one of a host without a secret.

Exit code: 0 the block was printed; 1 the snapshot was refused, the budget is too small, or the output
could not be written; 2 wrong usage, or the file could not be read.)";

constexpr const char* benchmark_help =
    R"(Runs the release benchmark, ten small tasks over a store in memory, and prints its report: one JSON
object whose "report_sha256" is SHA-256 of the same object without that member.

Exit code: 0 every case passed; 1 one did not, or the output could not be written; 2 wrong usage.)";

constexpr const char* copy_help =
    R"(Writes to one store what it lacks of another: profiles, tasks with their whole logs, decisions and
deliveries, bindings, and the modes of scopes.  Every task is compared afterwards.  A copy that was cut off
goes on when it is made again.  Nobody should write to either store meanwhile.

Exit code: 0 all of it is there; 1 it is not, or the output could not be written; 2 wrong usage, or a store
could not be opened.)";

/// An input that is closed in the end; standard input for "".
class Input {
 public:
    explicit Input(const std::string& path) : file_(path.empty() ? stdin : std::fopen(path.c_str(), "rb")) {}
    ~Input() {
        if (file_ != nullptr && file_ != stdin) std::fclose(file_);
    }
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

    [[nodiscard]] bool good() const { return file_ != nullptr && std::ferror(file_) == 0; }

    /// Bytes up to `end` or the end of the input, as many as are wanted; how many there were; nothing at the end.
    std::optional<std::size_t> read_until(int end, std::string& text, std::size_t bytes_max) {
        text.clear();
        int c = std::getc(file_);
        if (c == EOF) return std::nullopt;
        std::size_t bytes = 0;
        for (; c != EOF && c != end; c = std::getc(file_)) {
            if (++bytes <= bytes_max) text.push_back(static_cast<char>(c));
        }
        return bytes;
    }

 private:
    std::FILE* file_;
};

/// Whether the line got out whole; at once, so that a program may wait for each answer.
bool print(std::string_view text) {
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fputc('\n', stdout) != EOF &&
           std::fflush(stdout) == 0;
}

int unreadable(const std::string& path) {
    fmt::print(stderr, "taskstate: cannot read {}\n", path.empty() ? "the standard input" : path);
    return exit_unusable;
}

/// The store of a URL; what is wrong with it is said.
std::shared_ptr<Store> opened(const std::string& url) {
    auto store = open_store(url);
    if (store) return *std::move(store);
    const Error& error = store.error();
    fmt::print(stderr, "taskstate: the store cannot be opened: {}/{}: {}\n", word(error.code()), word(error.reason),
               error.message);
    return nullptr;
}

int replay(const std::string& path, const std::optional<std::string>& store_url) {
    Input input(path);
    if (!input.good()) return unreadable(path);
    const std::shared_ptr<Store> store = store_url ? opened(*store_url) : nullptr;
    if (store_url && !store) return exit_unusable;
    Replay session(store);
    std::string line;
    bool as_expected = true;
    for (std::size_t number = 1; const auto bytes = input.read_until('\n', line, call_bytes_max); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const Answer answer =
            *bytes > call_bytes_max ? session.answer_oversized(*bytes, number) : session.answer(line, number);
        if (!print(answer.json)) return exit_failed;
        if (answer.as_expected) continue;
        fmt::print(stderr, "taskstate: line {}: the answer is not what the line expects\n", number);
        as_expected = false;
    }
    if (!input.good()) return unreadable(path);
    return as_expected ? exit_done : exit_failed;
}

int render(const std::string& path, const PromptOptions& options) {
    Input input(path);
    if (!input.good()) return unreadable(path);
    std::string document;
    const auto bytes = input.read_until(EOF, document, document_bytes_max);
    if (!input.good()) return unreadable(path);
    if (bytes.value_or(0) > document_bytes_max) {
        fmt::print(stderr, "taskstate: {} has more than {} bytes\n", path, document_bytes_max);
        return exit_failed;
    }
    const auto block = render_document(document, options);
    if (!block) {
        const Error& error = block.error();
        fmt::print(stderr, "taskstate: {}/{}: {}\n", word(error.code()), word(error.reason), error.message);
        return exit_failed;
    }
    return print(block->text()) ? exit_done : exit_failed;
}

int copy(const std::string& from_url, const std::string& to_url) {
    const std::shared_ptr<Store> from = opened(from_url), to = from ? opened(to_url) : nullptr;
    if (!from || !to) return exit_unusable;
    const auto copied = copy_store(*from, *to);
    return print(copy_answer(copied)) && copied ? exit_done : exit_failed;
}

int benchmark() {
    const BenchmarkReport report = run_benchmark();
    return print(report.json) && report.passed ? exit_done : exit_failed;
}

/// A number in decimal digits; anything else is wrong usage.
std::size_t read_number(const char* name, const std::string& text) {
    std::size_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest != end) throw CLI::ValidationError(name, "needs a number in decimal digits");
    return number;
}

int run(int argc, char** argv) {
    CLI::App app{"Keeps the state of a task outside the conversation: tools around the library taskstate."};
    app.set_version_flag(
        "--version",
        fmt::format("taskstate {}.{}.{}", TASKSTATE_VERSION_MAJOR, TASKSTATE_VERSION_MINOR, TASKSTATE_VERSION_PATCH),
        "Print the version");
    app.require_subcommand(1);

    std::string file;
    std::optional<std::string> store_url;
    CLI::App& replay_command = *app.add_subcommand("replay", replay_help);
    replay_command.add_option("FILE", file, "JSON Lines; the standard input if absent");
    replay_command.add_option("--store", store_url, "Where tasks are kept: " + store_forms());

    std::string snapshot;
    PromptOptions options;
    CLI::App& render_command = *app.add_subcommand("render", render_help);
    render_command.add_option("SNAPSHOT", snapshot, "The saved snapshot, JSON")->required();
    const auto number_option = [&](const char* name, std::optional<std::size_t>& into, const char* help) {
        render_command.add_option_function<std::string>(
            name, [name, &into](const std::string& text) { into = read_number(name, text); }, help);
    };
    number_option("--bytes-max", options.bytes_max, "The most bytes that the block may have");
    number_option("--tokens-max", options.tokens_max, "The most tokens that it may have, by the built-in estimate");

    std::string from, to;
    CLI::App& copy_command = *app.add_subcommand("copy", copy_help);
    copy_command.add_option("FROM", from, "The store to read: " + store_forms())->required();
    copy_command.add_option("TO", to, "The store to write")->required();

    const CLI::App& benchmark_command = *app.add_subcommand("benchmark", benchmark_help);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? exit_done : exit_unusable;
    }
    if (benchmark_command.parsed()) return benchmark();
    if (copy_command.parsed()) return copy(from, to);
    return render_command.parsed() ? render(snapshot, options) : replay(file, store_url);
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is output that could not be written, not a death
    return run(argc, argv);
}
