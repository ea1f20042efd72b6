#include "bench/economy.hpp"

#include "bench/fixture.hpp"

#include <taskstate/base/estimate.hpp>
#include <taskstate/model/wire.hpp>
#include <taskstate/prompt/block.hpp>

#include <algorithm>
#include <random>
#include <string_view>
#include <utility>

namespace taskstate::bench {
namespace {

/// Compact JSON with two spaces for each level, as hosts like to print it.
std::string indent(std::string_view compact) {
    std::string out;
    std::size_t depth = 0;
    bool quoted = false;
    const auto new_line = [&] { out.append("\n").append(2 * depth, ' '); };
    for (std::size_t i = 0; i < compact.size(); ++i) {
        const char c = compact[i];
        if (quoted) {
            out += c;
            if (c == '\\') out += compact[++i];
            if (c == '"') quoted = false;
            continue;
        }
        if (c == '}' || c == ']') --depth, new_line();
        out += c;
        if (c == '"') quoted = true;
        if (c == '{' || c == '[') ++depth, new_line();
        if (c == ',') new_line();
        if (c == ':') out += ' ';
    }
    return out;
}

double kept_share(std::string_view before, std::string_view after) {
    const auto end = std::ranges::mismatch(before, after).in1;
    return static_cast<double>(end - before.begin()) / static_cast<double>(before.size());
}

double tokens_of(std::string_view text) { return static_cast<double>(estimate_tokens(text)); }

/// The same entries, and the items of a plan beside them.
SnapshotInput with_items(SnapshotInput saved) {
    constexpr std::size_t items = 50;
    for (const std::string& title : titles(items, Flavour::ascii)) {
        saved.items.push_back({.id = "t" + std::to_string(saved.items.size() + 1), .title = title, .required = true});
    }
    return saved;
}

/// As the fixture has them, or started and not known to have ended.
SnapshotInput first_state(Event event) {
    SnapshotInput saved = short_notes();
    if (event == Event::move) return with_items(std::move(saved));
    if (event != Event::settle) return saved;
    for (SavedAction& action : saved.actions) {
        action.outcome.status = ActionStatus::started;
        action.outcome.completion = Completion::unknown;
        action.confirmation.reset();
    }
    return saved;
}

HostDelta settled(const SavedAction& action) {
    ActionOutcome outcome = action.outcome;
    outcome.status = ActionStatus::succeeded;
    outcome.completion = Completion::settled;
    return {.record_actions = {outcome}};
}

/// Another status than the one that the state shows.
HostDelta confirmed(const Snapshot& state, const SavedAction& action, std::size_t draw) {
    const Confirmed now = state.actions().find(action.outcome.execution)->confirmation->status;
    const auto next = (static_cast<std::size_t>(now) + 1 + draw % 7) % Words<Confirmed>::list.size();
    return {.confirm_actions = {{.execution = action.outcome.execution,
                                 .status = static_cast<Confirmed>(next),
                                 .source = action.confirmation->source}}};
}

/// Another status that an item may come to, drawn until there is one; half of them stay open.
template <class Draw>
HostDelta moved(const Snapshot& state, Draw& draw) {
    const auto items = state.items();
    for (;;) {
        const Item item = items[draw() % items.size()];
        const auto next = static_cast<ItemStatus>(draw() % Words<ItemStatus>::list.size());
        const bool settles = next == ItemStatus::completed || next == ItemStatus::skipped;
        if (settles && 2 * state.state().items.past_count() >= items.size()) continue;
        if (!usual_status_graph()[static_cast<std::size_t>(item.status)].contains(next)) continue;
        return {.items = {{.id = std::string(item.id), .status = next, .reason = "Waits for the courier"}}};
    }
}

}  // namespace

void Economy::see(const Snapshot& state) {
    Texts texts;
    const auto block = render(state, *find_profile(state.profile()), block_key(*state.state().identity, {}));
    if (!block) bug("without bounds every block can be rendered");
    texts.block = block->text();
    JsonWriter json(texts.compact);
    write(json, state.state());
    texts.indented = indent(texts.compact);

    tokens_.block += static_cast<double>(block->tokens());
    tokens_.compact += tokens_of(texts.compact);
    tokens_.indented += tokens_of(texts.indented);
    if (states_++ > 0) {
        kept_.block += kept_share(last_.block, texts.block);
        kept_.compact += kept_share(last_.compact, texts.compact);
        kept_.indented += kept_share(last_.indented, texts.indented);
    }
    last_ = std::move(texts);
}

Forms Economy::tokens() const {
    const auto count = static_cast<double>(states_);
    return {tokens_.block / count, tokens_.compact / count, tokens_.indented / count};
}

Forms Economy::kept() const {
    const auto count = static_cast<double>(std::max<std::size_t>(states_, 2) - 1);
    return {kept_.block / count, kept_.compact / count, kept_.indented / count};
}

Economy random_events(Event event, std::size_t rounds) {
    std::mt19937_64 draw(20'261'130);  // its numbers are the same on every machine
    const SnapshotInput saved = first_state(event);
    TaskState task = open_task(saved);
    std::vector<std::string> open_notes = resolvable(saved);
    std::vector<SavedAction> actions = saved.actions;
    Economy economy;
    economy.see(*task.snapshot());
    const auto take = [&](auto& list) {
        std::swap(list[draw() % list.size()], list.back());
        auto taken = std::move(list.back());
        list.pop_back();
        return taken;
    };
    for (std::size_t round = 0; round < rounds; ++round) {
        HostDelta delta;
        if (event == Event::confirm) {
            const SavedAction& action = actions[draw() % actions.size()];
            delta = confirmed(*task.snapshot(), action, draw());
        } else if (event == Event::settle) {
            delta = settled(take(actions));
        } else if (event == Event::move) {
            delta = moved(*task.snapshot(), draw);
        } else {
            delta.resolve.push_back(take(open_notes));
        }
        if (!task.update(delta, task.revision())) bug("the event is refused");
        economy.see(*task.snapshot());
    }
    return economy;
}

}  // namespace taskstate::bench
