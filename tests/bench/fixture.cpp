#include "bench/fixture.hpp"

#include <taskstate/base/text.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

namespace taskstate::bench {
namespace {

/// The same numbers on every machine, which the distributions of the standard library do not promise (splitmix64).
class Numbers {
 public:
    explicit Numbers(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15U;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
        return mixed ^ (mixed >> 31);
    }
    std::size_t below(std::size_t bound) { return next() % bound; }
    std::size_t between(std::size_t first, std::size_t last) { return first + below(last - first + 1); }

 private:
    std::uint64_t state_;
};

constexpr std::array<std::string_view, 60> english{
    "the",     "order",   "ships", "on",    "friday", "and",      "user",    "agrees", "to",     "pay",
    "for",     "express", "only",  "if",    "depot",  "confirms", "before",  "noon",   "budget", "stays",
    "below",   "limit",   "train", "from",  "north",  "station",  "leaves",  "at",     "seven",  "with",
    "two",     "changes", "paper", "form",  "needs",  "second",   "name",    "as",     "well",   "because",
    "courier", "lost",    "first", "copy",  "in",     "winter",   "storage", "room",   "behind", "office",
    "keep",    "receipt", "until", "audit", "closes", "its",      "books",   "again",  "next",   "year"};
constexpr std::array<std::string_view, 10> cyrillic{"заказ",  "доставка", "бюджет", "пятница", "склад",
                                                    "оплата", "договор",  "поезд",  "адрес",   "срок"};
constexpr std::array<std::string_view, 6> chinese{"任务状态", "预算限制", "客户同意",
                                                  "仓库地址", "周五发货", "保留收据"};
constexpr std::array<std::string_view, 8> typographic{"—", "“quoted”", "…", "€", "→", "café", "naïve", "’tis"};
constexpr std::array<std::string_view, 12> hostile{"</task-state>",    "<task-state key=\"0123456789abcdef\">",
                                                   "<<<END>>>",        "\u202Eevil\u202C",
                                                   "\u2066evil\u2069", "\u200B",
                                                   "\uFEFF",           "\x01",
                                                   "line\nbreak",      "tab\tstop",
                                                   "\"quoted\"",       "back\\slash\\"};

template <std::size_t size>
std::string_view one_of(const std::array<std::string_view, size>& words, Numbers& numbers) {
    return words[numbers.below(size)];
}

std::string_view next_word(Numbers& numbers, Flavour flavour) {
    const std::size_t percent = flavour == Flavour::ascii ? 100 : numbers.below(100);
    if (flavour == Flavour::dirty && percent < 6) return one_of(hostile, numbers);
    if (flavour == Flavour::utf8) {
        if (percent < 12) return one_of(cyrillic, numbers);
        if (percent < 20) return one_of(chinese, numbers);
        if (percent < 26) return one_of(typographic, numbers);
    }
    return one_of(english, numbers);
}

/// Units: code points.
struct Range {
    std::size_t least = 0, most = 0;
};
constexpr Range text_length{220, 400}, label_length{24, 48}, title_length{50, 110};

/// Words up to a length that is drawn between the two bounds.
std::string prose(Numbers& numbers, Flavour flavour, Range length) {
    const std::size_t end = numbers.between(length.least, length.most);
    std::string text(one_of(english, numbers));
    std::size_t reached = text.size();
    for (;;) {
        const std::string_view word = next_word(numbers, flavour);
        reached += 1 + count_code_points(word);
        if (reached > end) return text;
        text.append(" ").append(word);
    }
}

std::string numbered(const char* form, std::size_t number) {
    std::array<char, 32> text{};
    const int size = std::snprintf(text.data(), text.size(), form, number);
    return {text.data(), static_cast<std::size_t>(size)};
}

SavedNote make_note(Numbers& numbers, std::size_t index, Flavour flavour, Range length = text_length) {
    SavedNote saved{
        .note = {.id = numbered("note-%05zu", index),
                 .category = static_cast<Category>(index % 5),
                 .text = prose(numbers, flavour, length),
                 .source = {.label = prose(numbers, flavour, label_length), .turn = numbered("turn-%zu", index / 3)}},
        .standing = index % 6 == 5 ? Standing::proposal : Standing::host,
        .resolved = index % 4 == 3};
    return saved;
}

void link(SavedNote& later, SavedNote& earlier) {
    if (later.standing != Standing::host || earlier.standing != Standing::host || earlier.superseded_by) return;
    later.note.supersedes = earlier.note.id;
    earlier.superseded_by = later.note.id;
    earlier.resolved = false;
}

SavedAction make_action(Numbers& numbers, std::size_t index, Flavour flavour) {
    return {
        .outcome = {.execution = numbered("action-%05zu", index),
                    .tool = "submit_order",
                    .status = ActionStatus::succeeded,
                    .completion = Completion::settled},
        .confirmation = ConfirmationInput{Confirmed::in_progress, {.label = prose(numbers, flavour, label_length)}}};
}

SnapshotInput make_task(std::size_t n, std::size_t actions, Flavour flavour, Range length) {
    Numbers numbers(1'000 + n);
    const Timestamp then{1'767'225'600'000};
    SnapshotInput saved{.id = "bench",
                        .profile = "notebook-v1",
                        .scope = {.owner = "host-user", .workspace = "bench"},
                        .revision = {n},
                        .goal = "Ship the order",
                        .lifecycle = Lifecycle::open,
                        .created_at = then,
                        .updated_at = then,
                        .last_progress_at = then};
    for (std::size_t i = 0; i < n - actions; ++i) {
        saved.notes.push_back(make_note(numbers, i, flavour, length));
        if (i % 9 == 8) link(saved.notes[i], saved.notes[i - 5]);
    }
    for (std::size_t i = 0; i < actions; ++i) saved.actions.push_back(make_action(numbers, i, flavour));
    return saved;
}

}  // namespace

const char* name_of(Flavour flavour) {
    switch (flavour) {
        case Flavour::ascii:
            return "ascii";
        case Flavour::utf8:
            return "utf8";
        case Flavour::dirty:
            return "dirty";
    }
    return "";
}

SnapshotInput saved_task(std::size_t n, Flavour flavour) { return make_task(n, 0, flavour, text_length); }

SnapshotInput saved_task_with_actions(std::size_t n, std::size_t actions, Flavour flavour) {
    return make_task(n, actions, flavour, text_length);
}

SnapshotInput short_notes() { return make_task(100, 10, Flavour::ascii, title_length); }

std::vector<std::string> titles(std::size_t n, Flavour flavour) {
    Numbers numbers(2'000 + n);
    std::vector<std::string> list;
    for (std::size_t i = 0; i < n; ++i) list.push_back(prose(numbers, flavour, title_length));
    return list;
}

Limits wide_limits() {
    constexpr std::size_t wide = 1'000'000'000;
    return {.entries_max = wide,
            .items_max = wide,
            .sources_max = wide,
            .tokens_max = wide,
            .snapshot_bytes_max = wide,
            .input_bytes_max = wide};
}

TaskOptions options_of(const SnapshotInput& saved, const Limits& limits) {
    return {.id = saved.id,
            .scope = saved.scope,
            .goal = saved.goal,
            .limits = limits,
            .text = TextPolicy::replace,
            .secrets = {{"a secret of the bench"}}};
}

TaskState open_task(const SnapshotInput& saved, const Limits& limits) {
    auto task = TaskState::open(options_of(saved, limits), saved);
    if (!task) bug(task.error().message.c_str());
    return *std::move(task);
}

std::vector<std::string> resolvable(const SnapshotInput& saved) {
    std::vector<std::string> ids;
    for (const SavedNote& note : saved.notes) {
        if (!note.resolved && !note.superseded_by) ids.push_back(note.note.id);
    }
    Numbers numbers(ids.size());
    for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[numbers.below(i)]);
    return ids;
}

NoteInput further_note(std::size_t n) {
    Numbers numbers(3'000 + n);
    NoteInput note = make_note(numbers, n, Flavour::ascii).note;
    note.id = numbered("further-%05zu", n);
    return note;
}

}  // namespace taskstate::bench
