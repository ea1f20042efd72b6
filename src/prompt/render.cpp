// The renderer: what stands in a block is decided from sums, then written once.

#include <taskstate/base/estimate.hpp>
#include <taskstate/engine/apply.hpp>
#include <taskstate/engine/changes.hpp>
#include <taskstate/model/wire.hpp>
#include <taskstate/prompt/block.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace taskstate::inline v0 {
namespace {

/// What may be left out of a block, in library order.
enum class Drop : std::uint8_t {
    completed_sources,
    sources_to_inspect,
    item_content,
    settled_items,
    confirmed_actions,
    historical_notes,
    note_sources,
    artifacts,
    questions,
    decisions,
    assumptions,
    proposals,
};
constexpr std::array<std::string_view, 12> drop_names{
    "completed_sources", "sources_to_inspect", "item_content", "settled_items", "confirmed_actions", "historical_notes",
    "note_sources",      "artifacts",          "questions",    "decisions",     "assumptions",       "proposals"};

class Dropped {
 public:
    void add(Drop drop) { flags_[static_cast<std::size_t>(drop)] = true; }
    void remove(Drop drop) { flags_[static_cast<std::size_t>(drop)] = false; }
    [[nodiscard]] bool has(Drop drop) const { return flags_[static_cast<std::size_t>(drop)]; }
    [[nodiscard]] std::vector<std::string_view> names() const {
        std::vector<std::string_view> names;
        for (std::size_t i = 0; i < flags_.size(); ++i) {
            if (flags_[i]) names.push_back(drop_names[i]);
        }
        return names;
    }

 private:
    std::array<bool, drop_names.size()> flags_{};
};

/// The drop that leaves this note out when its turn comes; nothing for a mandatory one.
std::optional<Drop> drop_of(const Note& note) {
    if (!note.active()) return Drop::historical_notes;
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

/// The section that a note stands in: one for each category of the host, then proposals, then assumptions.
std::size_t section_of(const Note& note) {
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

/// One list field of a tail record; ids are written as words.
class ListField {
 public:
    void add(std::string_view id, Spellings spellings) {
        if (!text_.empty()) text_.push_back(',');
        append_word(text_, id, spellings);
    }
    [[nodiscard]] bool empty() const { return text_.empty(); }
    void append_to(std::string& out, std::string_view name) const {
        out.append(" ").append(name).append("=").append(text_.empty() ? "-" : text_);
    }
    void append_unless_empty(std::string& out, std::string_view name) const {
        if (!empty()) append_to(out, name);
    }

 private:
    std::string text_;
};

void append_field(std::string& out, std::string_view name, std::string_view text, Spellings spellings) {
    out.append(" ").append(name).append("=");
    append_word(out, text, spellings);
}

/// The line that stands last: it alone holds the revision.
void append_status(std::string& out, const State& state, Spellings spellings) {
    out.append("status lifecycle=").append(word(state.lifecycle));
    if (state.phase) append_field(out, "phase", *state.phase, spellings);
    if (state.link) {
        append_field(out, "link_kind", word(state.link->target.kind), spellings);
        append_field(out, "link_id", state.link->target.id, spellings);
        append_field(out, "link_status", state.link->status ? std::string_view(*state.link->status) : "unobserved",
                     spellings);
    }
    append_field(out, "revision", std::to_string(state.revision.number), spellings);
    out += '\n';
}

struct Sums {
    std::uint64_t bytes = 0, tokens = 0;
    void add(const Sums& other) {
        bytes += other.bytes;
        tokens += other.tokens;
    }
};

/// The block of one snapshot under one set of options.
class Renderer {
 public:
    Renderer(const Snapshot& snapshot, std::string_view key, const PromptOptions& options)
        : snapshot_(snapshot), state_(snapshot.state()), key_(key), options_(options) {
        if (options.spellings) spellings_ = options.spellings->list();
        for (const Item& item : snapshot_.items()) {
            because_.insert(item.because.begin(), item.because.end());
            if (is_settled(item.status)) {
                settled_.insert(item.id);
            } else {
                because_of_open_.insert(item.because.begin(), item.because.end());
            }
        }
    }

    /// Leaves out as little as the budget asks for, in this order; the sums say whether it fits at last.
    Sums fit(std::span<const std::string_view> order) {
        Sums sums = measure();
        for (const std::string_view name : order) {
            if (fits(sums)) break;
            const auto found = std::find(drop_names.begin(), drop_names.end(), name);
            if (found == drop_names.end()) bug("a profile drops something that has no name");
            const auto drop = static_cast<Drop>(found - drop_names.begin());
            dropped_.add(drop);
            effective_ = {};
            sums = measure();
            if (effective_.has(drop)) continue;
            dropped_.remove(drop);  // there was nothing of the kind
            sums = measure();
        }
        return sums;
    }

    [[nodiscard]] bool fits(const Sums& sums) const {
        return (!options_.bytes_max || sums.bytes <= *options_.bytes_max) &&
               (!options_.tokens_max || sums.tokens <= *options_.tokens_max);
    }
    [[nodiscard]] Error exceeded(const Sums& sums) const {
        if (options_.bytes_max && sums.bytes > *options_.bytes_max) {
            return fail(Reason::prompt_budget_exceeded, "/bytes_max", {*options_.bytes_max, sums.bytes});
        }
        return fail(Reason::prompt_budget_exceeded, "/tokens_max", {*options_.tokens_max, sums.tokens});
    }
    [[nodiscard]] const Dropped& dropped() const { return dropped_; }

    void write(std::string& out) {
        append_open(out);
        append_goal(out);
        each_shown([&](const auto& shown) { append_definition(out, shown.view); });
        each_action([&](const auto& action) { append_rest(out, action.view); });
        append_sources(out);
        each_item([&](const auto& item) { append_rest(out, item.view); });
        append_tail(out);
        append_close(out);
    }

 private:
    // What is shown, and in which order.

    /// An entry in the form that the drops leave of it.
    template <class View>
    struct Shown {
        const Entry& entry;
        View view{};
        bool reduced = false;
    };

    /// Whether the budget asks for this drop; remembers that it took something.
    bool drops(Drop drop) {
        if (!dropped_.has(drop)) return false;
        effective_.add(drop);
        return true;
    }

    /// Calls `show` with each shown definition: notes by section, items, actions.
    template <class Show>
    void each_shown(const Show& show) {
        std::array<std::vector<Shown<Note>>, sections> notes;
        for (std::size_t i = 0; i < state_.notes.size(); ++i) {
            Shown<Note> note{state_.notes[i], state_.notes[i].note()};
            const auto drop = drop_of(note.view);
            if (drop && !is_because(note.view.id) && drops(*drop)) continue;
            if (drops(Drop::note_sources)) {
                note.view.source = {};
                note.reduced = true;
            }
            notes[section_of(note.view)].push_back(std::move(note));
        }
        for (const auto& section : notes) {
            for (const Shown<Note>& note : section) show(note);
        }
        each_item(show);
        each_action(show);
    }
    template <class Show>
    void each_item(const Show& show) {
        for (std::size_t i = 0; i < state_.items.size(); ++i) {
            Shown<Item> item{state_.items[i], state_.items[i].item()};
            if (is_settled(item.view.status) && drops(Drop::settled_items)) continue;
            if (!item.view.content.empty() && drops(Drop::item_content)) {
                item.view.content = {};
                item.reduced = true;
            }
            show(item);
        }
    }
    template <class Show>
    void each_action(const Show& show) {
        for (std::size_t i = 0; i < state_.actions.size(); ++i) {
            const Shown<Action> action{state_.actions[i], state_.actions[i].action()};
            if (!action.view.closed() || !drops(Drop::confirmed_actions)) show(action);
        }
    }
    /// A note that a shown item rests on is never left out.
    [[nodiscard]] bool is_because(std::string_view id) const {
        return (dropped_.has(Drop::settled_items) ? because_of_open_ : because_).contains(id);
    }

    // Sums, before anything is written.

    Sums measure() {
        Sums sums;
        each_shown([&](const auto& shown) { sums.add(measure(shown)); });
        std::string rest;
        append_open(rest);
        append_goal(rest);
        append_sources(rest);
        append_tail(rest);
        append_close(rest);
        sums.add(count(rest));
        return sums;
    }

    template <class View>
    Sums measure(const Shown<View>& shown) const {
        if (!shown.reduced && spellings_.empty() && !options_.counter) {
            return {shown.entry.numbers().line_bytes, shown.entry.numbers().tokens};
        }
        std::string lines;
        append_definition(lines, shown.view);
        append_rest(lines, shown.view);
        return count(lines);
    }

    /// Bytes and tokens of whole lines.
    [[nodiscard]] Sums count(std::string_view lines) const {
        Sums sums{lines.size(), 0};
        while (!lines.empty()) {
            const std::size_t end = std::min(lines.find('\n'), lines.size() - 1);
            const std::string_view line = lines.substr(0, end + 1);
            sums.tokens += options_.counter ? options_.counter->count(line) : estimate_tokens(line);
            lines.remove_prefix(line.size());
        }
        return sums;
    }

    // Records.

    void append_open(std::string& out) const {
        out += "<task-state task=";
        append_escaped(out, state_.identity->id, spellings_);
        out.append(" key=\"").append(key_).append("\">\n");
    }
    void append_close(std::string& out) const { out.append("</task-state key=\"").append(key_).append("\">"); }

    void append_goal(std::string& out) const {
        if (!state_.identity->goal) return;
        out += "goal ";
        append_escaped(out, *state_.identity->goal, spellings_);
        out += '\n';
    }
    template <class View>
    void append_definition(std::string& out, const View& view) const {
        append_line(out, view, spellings_);
        out += '\n';
    }
    /// What of an entry stands in a line of its own, further down.
    void append_rest(std::string&, const Note&) const {}
    void append_rest(std::string& out, const Item& item) const {
        if (!shows_reason(item)) return;
        append_reason_line(out, item, spellings_);
        out += '\n';
    }
    void append_rest(std::string& out, const Action& action) const {
        if (!action.confirmation) return;
        append_confirmation_line(out, action, spellings_);
        out += '\n';
    }

    void append_tail(std::string& out) {
        append_progress(out);
        append_gates(out);
        append_pending(out);
        append_omitted(out);
        append_status(out, state_, spellings_);
    }

    void append_sources(std::string& out) {
        ListField inspect, inspected;
        for (const SourceToInspect& source : snapshot_.sources()) {
            (source.inspected ? inspected : inspect).add(source.id, spellings_);
        }
        if (state_.sources.empty()) return;
        const bool show_inspect = inspect.empty() || !drops(Drop::sources_to_inspect);
        const bool show_inspected = inspected.empty() || !drops(Drop::completed_sources);
        if (!show_inspect && !show_inspected) return;
        out += "source";
        if (show_inspect) inspect.append_to(out, "inspect");
        if (show_inspected) inspected.append_to(out, "inspected");
        out += '\n';
    }

    void append_progress(std::string& out) const {
        if (state_.items.empty()) return;
        std::array<ListField, Words<ItemStatus>::list.size()> ids;
        for (const Item& item : snapshot_.items()) ids[static_cast<std::size_t>(item.status)].add(item.id, spellings_);
        out += "progress";
        for (const ItemStatus status :
             {ItemStatus::running, ItemStatus::ready, ItemStatus::blocked, ItemStatus::pending, ItemStatus::failed,
              ItemStatus::completed, ItemStatus::skipped}) {
            ids[static_cast<std::size_t>(status)].append_unless_empty(out, word(status));
        }
        out += '\n';
    }

    void append_gates(std::string& out) const {
        const auto gates = [](const Note& note) { return note.gates_completion; };
        const auto notes = snapshot_.notes();
        if (state_.items.empty() && std::none_of(notes.begin(), notes.end(), gates)) return;
        ListField next, waiting;
        for (const Item& item : snapshot_.items()) {
            if (item.status != ItemStatus::pending && item.status != ItemStatus::ready) continue;
            (depends_on_open(item) ? waiting : next).add(item.id, spellings_);
        }
        out += "next";
        next.append_to(out, "items");
        waiting.append_to(out, "waiting");

        const OpenGates open = open_gates(snapshot_);
        ListField items, constraints;
        for (const std::string_view id : open.items) items.add(id, spellings_);
        for (const std::string_view id : open.constraints) constraints.add(id, spellings_);
        out += open.allowed() ? "\ncompletion allowed=true" : "\ncompletion allowed=false";
        items.append_unless_empty(out, "items");
        constraints.append_unless_empty(out, "constraints");
        out += '\n';
    }
    [[nodiscard]] bool depends_on_open(const Item& item) const {
        return !std::all_of(item.depends_on.begin(), item.depends_on.end(),
                            [this](std::string_view id) { return settled_.contains(id); });
    }

    void append_pending(std::string& out) const {
        ListField open;
        for (const Action& action : snapshot_.actions()) {
            if (!action.closed()) open.add(action.execution, spellings_);
        }
        if (open.empty()) return;
        out += "pending";
        open.append_to(out, "actions");
        out += '\n';
    }

    void append_omitted(std::string& out) const {
        const auto names = dropped_.names();
        if (names.empty()) return;
        out += "omitted ";
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (i > 0) out += ',';
            out += names[i];
        }
        out += '\n';
    }

    const Snapshot& snapshot_;
    const State& state_;
    std::string_view key_;
    const PromptOptions& options_;
    Spellings spellings_{};
    Dropped dropped_{};
    Dropped effective_{};  // those that took something out
    std::set<std::string_view> settled_{}, because_{}, because_of_open_{};
};

bool is_empty(const State& state) {
    return !state.identity->goal && state.notes.empty() && state.items.empty() && state.sources.empty() &&
           state.actions.empty();
}

}  // namespace

Result<Block> render(const Snapshot& snapshot, const Profile& profile, std::string_view key,
                     const PromptOptions& options, Generation generation, std::vector<std::string> retired_keys) {
    auto data = std::make_shared<Block::Data>();
    data->key = key;
    data->snapshot = snapshot;
    data->generation = generation;
    data->retired_keys = std::move(retired_keys);
    if (profile.block.shown_when_empty || !is_empty(snapshot.state())) {
        Renderer renderer(data->snapshot, data->key, options);
        const Sums sums = renderer.fit(profile.block.drop_order);
        if (!renderer.fits(sums)) return renderer.exceeded(sums);
        data->text.reserve(sums.bytes);
        renderer.write(data->text);
        data->tokens = sums.tokens;
        data->omitted = renderer.dropped().names();
    }
    return Block(std::move(data));
}

std::string render_record(const Entry& entry, Spellings spellings) {
    std::string out;
    const auto finish = [&out] { out += '\n'; };
    switch (entry.kind()) {
        case EntryKind::note:
            append_line(out, entry.note(), spellings);
            break;
        case EntryKind::item:
            append_line(out, entry.item(), spellings);
            if (!shows_reason(entry.item())) break;
            finish();
            append_reason_line(out, entry.item(), spellings);
            break;
        case EntryKind::source:
            out += entry.source().inspected ? "source inspected=" : "source inspect=";
            append_word(out, entry.id(), spellings);
            break;
        case EntryKind::action:
            append_line(out, entry.action(), spellings);
            if (!entry.action().confirmation) break;
            finish();
            append_confirmation_line(out, entry.action(), spellings);
            break;
    }
    finish();
    return out;
}

std::string render_changes(const Snapshot& from, const Snapshot& to, Spellings spellings) {
    std::string out = "changed";
    append_field(out, "since", std::to_string(from.revision().number), spellings);
    out += '\n';
    std::array<ListField, Words<EntryKind>::list.size()> gone;
    for (const EntryChange& change : changes(from, to)) {
        if (change.entry.get() != nullptr) {
            out += render_record(*change.entry, spellings);
        } else if (!list_of(to.state(), change.kind).find(change.id)) {  // else another one has the id now
            gone[static_cast<std::size_t>(change.kind)].add(change.id, spellings);
        }
    }
    std::string erased;
    for (const EntryKind kind : {EntryKind::note, EntryKind::item, EntryKind::source, EntryKind::action}) {
        gone[static_cast<std::size_t>(kind)].append_unless_empty(erased, std::string(word(kind)) + "s");
    }
    if (!erased.empty()) out += "gone" + erased + "\n";
    append_status(out, to.state(), spellings);
    return out;
}

}  // namespace taskstate::inline v0
