// The renderer: what stands in a block is decided from sums, then written once.

#include "renderer.hpp"

#include "layout.hpp"
#include "plan.hpp"
#include "records.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace taskstate::inline v0 {
namespace {

/// The section that a note stands in: one for each category of the host, then proposals, then assumptions.
std::size_t section_of(EntryMarks note) {
    if (note.standing == Standing::proposal) return 5;
    if (note.standing == Standing::assumption) return 6;
    switch (note.category) {
        case Category::constraint:
            return 0;
        case Category::objective:
            return 1;
        case Category::decision:
            return 2;
        case Category::question:
            return 3;
        case Category::artifact:
            return 4;
    }
    return 6;
}
constexpr std::size_t sections = 7;

/// The indexes of the notes in the order of their sections, in each as they were admitted.
std::vector<std::uint32_t> by_section(const EntryList& notes) {
    std::vector<std::uint8_t> section(notes.size());
    std::array<std::uint32_t, sections + 1> next{};
    for (std::size_t i = 0; i < notes.size(); ++i) {
        section[i] = static_cast<std::uint8_t>(section_of(notes[i].marks()));
        ++next[section[i] + 1U];
    }
    for (std::size_t i = 1; i < sections; ++i) next[i] += next[i - 1];
    std::vector<std::uint32_t> order(notes.size());
    for (std::size_t i = 0; i < notes.size(); ++i) order[next[section[i]]++] = static_cast<std::uint32_t>(i);
    return order;
}

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// Where each entry of `now` stood in `before`, as the very same object.
///
/// Between two states of a task entries are replaced in place, taken out or added behind, so one pass finds them,
/// with shared chunks as a whole; what it does not find is written anew.
std::vector<std::uint32_t> find_unchanged(const EntryList& before, const EntryList& now) {
    std::vector<std::uint32_t> places(now.size(), nowhere);
    std::size_t old = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (old == i && i % EntryList::chunk_size == 0 && now.shares_chunk(before, i / EntryList::chunk_size)) {
            const std::size_t end = std::min(i + EntryList::chunk_size, now.size());
            for (; old < end; ++old) places[old] = static_cast<std::uint32_t>(old);
            i = end - 1;
            continue;
        }
        while (old < before.size() && &before[old] != &now[i] && before[old].id() != now[i].id()) ++old;
        if (old == before.size()) break;
        if (&before[old] == &now[i]) places[i] = static_cast<std::uint32_t>(old);
        ++old;
    }
    return places;
}

/// The lines of a block before that still hold.
class OldLines {
 public:
    OldLines(const Snapshot& now, std::string_view key, const PromptOptions& options, const KeptBlock* before) {
        if (before == nullptr || before->block.key() != key || before->options.spellings != options.spellings ||
            before->options.counter != options.counter || !before->block.omitted().empty()) {
            return;
        }
        const State& old = before->block.snapshot().state();
        content_ = &before->block.content();
        if (content_->lines.empty()) return;  // it was empty
        layout_ = Layout(old);
        for (const EntryKind kind : {EntryKind::note, EntryKind::item, EntryKind::action}) {
            places_[static_cast<std::size_t>(kind)] = find_unchanged(list_of(old, kind), list_of(now.state(), kind));
        }
    }

    [[nodiscard]] std::string_view text() const { return content_->text; }
    [[nodiscard]] const BlockText::Line* first(EntryKind kind, std::size_t index) const {
        const std::uint32_t place = place_of(kind, index);
        return place == nowhere ? nullptr : &content_->lines[layout_.first(kind, place)];
    }
    [[nodiscard]] const BlockText::Line* second(EntryKind kind, std::size_t index) const {
        const std::uint32_t place = place_of(kind, index);
        return place == nowhere ? nullptr : &content_->lines[layout_.second(kind, place)];
    }

 private:
    [[nodiscard]] std::uint32_t place_of(EntryKind kind, std::size_t index) const {
        const auto& places = places_[static_cast<std::size_t>(kind)];
        return places.empty() ? nowhere : places[index];
    }

    const BlockText* content_ = nullptr;
    Layout layout_{State{}};
    std::array<std::vector<std::uint32_t>, Words<EntryKind>::list.size()> places_{};
};

/// Writes the block of one snapshot by one plan.
class Writer {
 public:
    Writer(BlockText& out, const Snapshot& snapshot, const Profile& profile, std::string_view key, const Scale& scale,
           const OldLines* old)
        : out_(out),
          text_(out.text),
          snapshot_(snapshot),
          state_(snapshot.state()),
          profile_(profile),
          key_(key),
          scale_(scale),
          old_(old),
          layout_(state_) {}

    /// What the records that belong to no entry come to when nothing is left out.
    Sums measure_records() {
        text_.clear();
        write_head();
        write_sources(Plan{});
        write_tail(Plan{});
        return {text_.size(), tokens_};
    }

    /// Gives the tokens of those records, and of all lines that had to be counted.
    std::uint64_t write(const Plan& plan) {
        begin();
        write_head();
        write_entries(plan);
        write_sources(plan);
        write_reasons(plan);
        write_tail(plan);
        return tokens_;
    }

 private:
    void begin() {
        ++out_.passes;
        text_.clear();
        text_.reserve(state_.notes.line_bytes() + state_.items.line_bytes() + state_.actions.line_bytes() + 512);
        out_.lines.assign(layout_.size(), {});
        out_.omitted.clear();
    }

    void write_head() {
        record([this] {
            append_open(text_, state_, key_, scale_.spellings());
            append_goal(text_, state_, scale_.spellings());
        });
    }

    void write_entries(const Plan& plan) {
        for (const std::uint32_t i : by_section(state_.notes)) {
            if (!plan.shows(EntryKind::note, i)) continue;
            first_line(EntryKind::note, i, [&] {
                const Entry& entry = state_.notes[i];
                Note note = entry.note();
                if (plan.drops(Drop::note_sources)) note.source = {};
                const bool plain = entry.plain() && scale_.spellings().empty();
                append_line(text_, note, scale_.spellings(), plain ? Strings::plain : Strings::any);
            });
        }
        for (std::size_t i = 0; i < state_.items.size(); ++i) {
            if (!plan.shows(EntryKind::item, i)) continue;
            first_line(EntryKind::item, i, [&] {
                Item item = state_.items[i].item();
                if (plan.drops(Drop::item_content)) item.content = {};
                append_line(text_, item, scale_.spellings());
            });
        }
        for (std::size_t i = 0; i < state_.actions.size(); ++i) {
            if (!plan.shows(EntryKind::action, i)) continue;
            first_line(EntryKind::action, i,
                       [&] { append_line(text_, state_.actions[i].action(), scale_.spellings()); });
        }
        for (std::size_t i = 0; i < state_.actions.size(); ++i) {
            if (!state_.actions[i].marks().confirmed || !plan.shows(EntryKind::action, i)) continue;
            second_line(EntryKind::action, i,
                        [&] { append_confirmation_line(text_, state_.actions[i].action(), scale_.spellings()); });
        }
        copy_pending();
    }

    void write_sources(const Plan& plan) {
        record([&] { append_sources(text_, snapshot_, plan, scale_.spellings()); });
    }

    void write_reasons(const Plan& plan) {
        for (std::size_t i = 0; i < state_.items.size(); ++i) {
            const Item item = state_.items[i].item();
            if (!shows_reason(item) || !plan.shows(EntryKind::item, i)) continue;
            second_line(EntryKind::item, i, [&] { append_reason_line(text_, item, scale_.spellings()); });
        }
        copy_pending();
    }

    void write_tail(const Plan& plan) {
        record([&] {
            append_progress(text_, snapshot_, scale_.spellings());
            append_gates(text_, snapshot_, profile_, scale_.spellings());
            append_pending(text_, state_, scale_.spellings());
            append_omitted(text_, plan);
            append_status(text_, state_, scale_.spellings());
            append_close(text_, key_);
        });
    }

    template <class Append>
    void record(const Append& append) {
        const std::size_t begin = text_.size();
        append();
        tokens_ += scale_.of(std::string_view(text_).substr(begin)).tokens;
    }

    template <class Append>
    void first_line(EntryKind kind, std::size_t index, const Append& append) {
        line(out_.lines[layout_.first(kind, index)], old_ == nullptr ? nullptr : old_->first(kind, index), append);
    }
    template <class Append>
    void second_line(EntryKind kind, std::size_t index, const Append& append) {
        line(out_.lines[layout_.second(kind, index)], old_ == nullptr ? nullptr : old_->second(kind, index), append);
    }

    /// Writes a line, or lets it wait to be copied together with its neighbours.
    template <class Append>
    void line(BlockText::Line& line, const BlockText::Line* old, const Append& append) {
        if (old != nullptr) {
            if (old->begin != pending_end_) {
                copy_pending();
                pending_begin_ = old->begin;
            }
            line = {static_cast<std::uint32_t>(text_.size() + old->begin - pending_begin_), old->size, old->tokens};
            pending_end_ = old->begin + old->size;
        } else {
            copy_pending();
            const std::size_t begin = text_.size();
            append();
            text_ += '\n';
            line = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(text_.size() - begin), 0};
            if (!scale_.by_numbers()) {
                line.tokens = static_cast<std::uint32_t>(scale_.of(std::string_view(text_).substr(begin)).tokens);
            }
        }
        tokens_ += line.tokens;
    }
    void copy_pending() {
        if (pending_end_ > pending_begin_) text_.append(old_->text(), pending_begin_, pending_end_ - pending_begin_);
        pending_begin_ = pending_end_ = 0;  // no line begins there: a block begins with its fence
    }

    BlockText& out_;
    std::string& text_;
    const Snapshot& snapshot_;
    const State& state_;
    const Profile& profile_;
    std::string_view key_;
    const Scale& scale_;
    const OldLines* old_ = nullptr;
    const Layout layout_;
    std::uint64_t tokens_ = 0;
    std::size_t pending_begin_ = 0, pending_end_ = 0;  // in the old text
};

bool is_empty(const State& state) {
    return !state.identity->goal && state.notes.empty() && state.items.empty() && state.sources.empty() &&
           state.actions.empty();
}

/// What the entries come to by their own numbers.
Sums numbers_of(const State& state) {
    return {state.notes.line_bytes() + state.items.line_bytes() + state.actions.line_bytes(),
            state.notes.tokens() + state.items.tokens() + state.actions.tokens()};
}

}  // namespace

Result<void> render_text(BlockText& out, const Snapshot& snapshot, const Profile& profile, std::string_view key,
                         const PromptOptions& options, const KeptBlock* before) {
    out.text.clear();
    out.tokens = out.passes = 0;
    out.omitted.clear();
    if (profile.block.hidden_when_empty && is_empty(snapshot.state())) return {};

    const Scale scale(options);
    const bool bounded = options.bytes_max || options.tokens_max;
    Sums sums = scale.by_numbers() ? numbers_of(snapshot.state()) : Sums{};
    const auto write_whole = [&] {
        const OldLines old(snapshot, key, options, before);
        return Writer(out, snapshot, profile, key, scale, &old).write(Plan{});
    };
    if (!scale.by_numbers()) {
        sums.tokens = write_whole();
        sums.bytes = out.text.size();
    } else if (bounded) {
        sums.add(Writer(out, snapshot, profile, key, scale, nullptr).measure_records());
    }
    if (!bounded || fits(sums, options)) {
        if (out.passes == 0) {
            const std::uint64_t records = write_whole();
            if (!bounded) sums.tokens += records;
        }
        out.tokens = sums.tokens;
        return {};
    }
    const auto plan = plan_block(snapshot, options, profile.block.drop_order, out, sums);
    if (!plan) return plan.error();
    Writer(out, snapshot, profile, key, scale, nullptr).write(*plan);
    out.tokens = sums.tokens;
    out.omitted = plan->omitted();
    return {};
}

Result<Block> render(const Snapshot& snapshot, const Profile& profile, std::string_view key,
                     const PromptOptions& options, Generation generation, std::vector<std::string> retired_keys,
                     const KeptBlock* before) {
    auto data = std::make_shared<Block::Data>();
    data->key = key;
    data->snapshot = snapshot;
    data->generation = generation;
    data->retired_keys = std::move(retired_keys);
    if (auto written = render_text(data->content, data->snapshot, profile, data->key, options, before); !written) {
        return std::move(written).error();
    }
    return Block(std::move(data));
}

Result<Block> render(const Snapshot& snapshot, const Profile& profile, std::string_view key,
                     const PromptOptions& options, Generation generation, std::vector<std::string> retired_keys) {
    return render(snapshot, profile, key, options, generation, std::move(retired_keys), nullptr);
}

}  // namespace taskstate::inline v0
