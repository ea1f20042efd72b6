#include "plan.hpp"

#include "layout.hpp"
#include "records.hpp"

#include <taskstate/base/estimate.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace taskstate::inline v0 {
namespace {

/// The drop that leaves this note out when its turn comes; nothing for a mandatory one.
std::optional<Drop> drop_of(const Entry& entry) {
    if (entry.past()) return Drop::historical_notes;
    const EntryMarks note = entry.marks();
    if (note.standing == Standing::proposal) return Drop::proposals;
    if (note.standing == Standing::assumption) return Drop::assumptions;
    switch (note.category) {
        case Category::artifact:
            return Drop::artifacts;
        case Category::question:
            return Drop::questions;
        case Category::decision:
            return Drop::decisions;
        case Category::objective:
        case Category::constraint:
            return std::nullopt;
    }
    return std::nullopt;
}

Error exceeded(const Sums& sums, const PromptOptions& options) {
    if (options.bytes_max && sums.bytes > *options.bytes_max) {
        return fail(Reason::prompt_budget_exceeded, "/bytes_max", {*options.bytes_max, sums.bytes});
    }
    return fail(Reason::prompt_budget_exceeded, "/tokens_max", {*options.tokens_max, sums.tokens});
}

class Planner {
 public:
    Planner(const Snapshot& snapshot, const PromptOptions& options, const BlockText& whole, Sums& sums)
        : snapshot_(snapshot), state_(snapshot.state()), scale_(options), whole_(whole), layout_(state_), sums_(sums) {
        for (const EntryKind kind : {EntryKind::note, EntryKind::item, EntryKind::action}) {
            gone(kind).resize(list_of(state_, kind).size());
        }
        find_reasons();
    }

    /// Takes out what goes with this drop, unless there is nothing of the kind.
    void leave_out(Drop drop) {
        const Sums before = records();
        flag(drop) = true;
        flag(drop) = take_out(drop);
        sums_.add(records());
        sums_.subtract(before);
    }
    [[nodiscard]] Plan take_plan() { return std::move(plan_); }

 private:
    // `take_out` and the rest say whether there was something to take.

    bool take_out(Drop drop) {
        switch (drop) {
            case Drop::completed_sources:
                return has_source(true);
            case Drop::sources_to_inspect:
                return has_source(false);
            case Drop::item_content:
                return shorten_items();
            case Drop::settled_items:
                if (!take_closed(EntryKind::item)) return false;
                because_ = because_of_open_;  // what settled items alone rest on may go as well
                for (std::size_t i = 0; i < plan_.dropped.size(); ++i) {
                    if (plan_.dropped[i]) take_notes(static_cast<Drop>(i));
                }
                return true;
            case Drop::confirmed_actions:
                return take_closed(EntryKind::action);
            case Drop::note_sources:
                return shorten_notes();
            case Drop::historical_notes:
            case Drop::artifacts:
            case Drop::questions:
            case Drop::decisions:
            case Drop::assumptions:
            case Drop::proposals:
                return take_notes(drop);
        }
        bug("a drop outside its enum");
    }

    [[nodiscard]] bool has_source(bool inspected) const {
        for (std::size_t i = 0; i < state_.sources.size(); ++i) {
            if (state_.sources[i].past() == inspected) return true;
        }
        return false;
    }

    bool take_notes(Drop drop) {
        bool took = false;
        for (std::size_t i = 0; i < state_.notes.size(); ++i) {
            const Entry& note = state_.notes[i];
            if (drop_of(note) != drop || gone(EntryKind::note)[i] || is_because(note.id())) continue;
            sums_.subtract(plan_.drops(Drop::note_sources) ? shortened(i) : size_of(EntryKind::note, i));
            gone(EntryKind::note)[i] = true;
            took = true;
        }
        return took;
    }
    bool take_closed(EntryKind kind) {
        bool took = false;
        const EntryList& list = list_of(state_, kind);
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!list[i].past()) continue;
            const bool short_item = kind == EntryKind::item && plan_.drops(Drop::item_content);
            sums_.subtract(short_item ? without_content(list[i].item()) : size_of(kind, i));
            gone(kind)[i] = true;
            took = true;
        }
        return took;
    }

    bool shorten_notes() {
        bool took = false;
        for (std::size_t i = 0; i < state_.notes.size(); ++i) {
            if (gone(EntryKind::note)[i]) continue;
            sums_.subtract(size_of(EntryKind::note, i));
            sums_.add(shortened(i));
            took = true;
        }
        return took;
    }
    bool shorten_items() {
        bool took = false;
        for (std::size_t i = 0; i < state_.items.size(); ++i) {
            const Item item = state_.items[i].item();
            if (gone(EntryKind::item)[i] || item.content.empty()) continue;
            sums_.subtract(size_of(EntryKind::item, i));
            sums_.add(without_content(item));
            took = true;
        }
        return took;
    }

    // Sizes.

    [[nodiscard]] Sums size_of(EntryKind kind, std::size_t index) const {
        if (scale_.by_numbers()) {
            const EntryNumbers& numbers = list_of(state_, kind)[index].numbers();
            return {numbers.line_bytes, numbers.tokens};
        }
        Sums sums;
        const auto add = [&](std::size_t place) { sums.add({whole_.lines[place].size, whole_.lines[place].tokens}); };
        add(layout_.first(kind, index));
        if (kind != EntryKind::note) add(layout_.second(kind, index));
        return sums;
    }
    /// The line of a note without its source.
    [[nodiscard]] Sums shortened(std::size_t index) const {
        const Entry& entry = state_.notes[index];
        if (scale_.by_numbers()) {
            const EntryNumbers& numbers = entry.numbers();
            return {numbers.line_bytes - numbers.source_bytes,
                    whole_tokens(entry.hundredths() - numbers.source_hundredths)};
        }
        Note note = entry.note();
        note.source = {};
        std::string line;
        append_line(line, note, scale_.spellings());
        return scale_.of(line += '\n');
    }
    [[nodiscard]] Sums without_content(Item item) const {
        item.content = {};
        std::string lines;
        append_line(lines, item, scale_.spellings());
        lines += '\n';
        if (shows_reason(item)) {
            append_reason_line(lines, item, scale_.spellings());
            lines += '\n';
        }
        return scale_.of(lines);
    }
    /// Of the records that depend on what is left out.
    [[nodiscard]] Sums records() const {
        std::string lines;
        append_sources(lines, snapshot_, plan_, scale_.spellings());
        append_omitted(lines, plan_);
        return scale_.of(lines);
    }

    // What rests on what.

    void find_reasons() {
        for (const Item& item : snapshot_.items()) {
            because_.insert(because_.end(), item.because.begin(), item.because.end());
            if (is_settled(item.status)) continue;
            because_of_open_.insert(because_of_open_.end(), item.because.begin(), item.because.end());
        }
        std::sort(because_.begin(), because_.end());
        std::sort(because_of_open_.begin(), because_of_open_.end());
    }
    /// A note that a shown item rests on is never left out.
    [[nodiscard]] bool is_because(std::string_view id) const {
        return std::binary_search(because_.begin(), because_.end(), id);
    }

    [[nodiscard]] std::vector<bool>& gone(EntryKind kind) { return plan_.gone[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] bool& flag(Drop drop) { return plan_.dropped[static_cast<std::size_t>(drop)]; }

    const Snapshot& snapshot_;
    const State& state_;
    const Scale scale_;
    const BlockText& whole_;
    const Layout layout_;
    Sums& sums_;
    Plan plan_{};
    std::vector<std::string_view> because_{}, because_of_open_{};  // in order
};

}  // namespace

std::vector<std::string_view> Plan::omitted() const {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < dropped.size(); ++i) {
        if (dropped[i]) names.push_back(word(static_cast<Drop>(i)));
    }
    return names;
}

Sums Scale::of(std::string_view lines) const {
    Sums sums{lines.size(), 0};
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size() - 1);
        const std::string_view line = lines.substr(0, end + 1);
        sums.tokens += counter_ != nullptr ? counter_->count(line) : estimate_tokens(line);
        lines.remove_prefix(line.size());
    }
    return sums;
}

bool fits(const Sums& sums, const PromptOptions& options) {
    return (!options.bytes_max || sums.bytes <= *options.bytes_max) &&
           (!options.tokens_max || sums.tokens <= *options.tokens_max);
}

Result<Plan> plan_block(const Snapshot& snapshot, const PromptOptions& options, std::span<const Drop> order,
                        const BlockText& whole, Sums& sums) {
    Planner planner(snapshot, options, whole, sums);
    Sums least = sums;  // the record of what was left out may be longer than what was
    for (const Drop drop : order) {
        if (fits(sums, options)) break;
        planner.leave_out(drop);
        least = {std::min(least.bytes, sums.bytes), std::min(least.tokens, sums.tokens)};
    }
    if (fits(sums, options)) return planner.take_plan();
    return exceeded(fits(least, options) ? sums : least, options);
}

}  // namespace taskstate::inline v0
