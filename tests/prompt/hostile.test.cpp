// Ten thousand states whose every text wants to be more than text.

#include "support/hostile.hpp"
#include "model/trusted_content.hpp"
#include "support/catch.hpp"
#include "support/read_block.hpp"

#include <taskstate/base/json_writer.hpp>
#include <taskstate/engine/apply.hpp>
#include <taskstate/prompt/block.hpp>

#include <random>

using namespace taskstate;
using test::Part;
using test::Record;

namespace {

constexpr std::size_t states = 10'000;

/// Random states; the seed is fixed, so that a state is known by its number.
class Hostile {
 public:
    explicit Hostile(std::size_t number) : random_(number) {}

    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
    bool chance(std::size_t of_ten) { return below(10) < of_ten; }
    template <class E>
    E word() {
        return static_cast<E>(below(Words<E>::list.size()));
    }

    std::string text() {
        static const std::vector<std::string> pieces = test::hostile_pieces();
        std::string text = "x";  // never blank
        for (std::size_t i = below(6); i > 0; --i) text += pieces[below(pieces.size())];
        return text;
    }
    std::string ref() {
        std::string ref = text();
        std::erase_if(ref, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
        return ref + "x";  // never a space outside
    }
    OptText maybe(std::string text) { return chance(5) ? OptText(std::move(text)) : std::nullopt; }

    SourceInput source() {
        SourceInput source{.label = text(), .turn = maybe(ref())};
        if (chance(3)) source.evidence = EvidenceInput{.kind = word<EvidenceKind>(), .id = ref()};
        return source;
    }

    SnapshotInput snapshot() {
        SnapshotInput saved{
            .id = "t", .profile = "notebook-v1", .scope = {.owner = ref(), .workspace = ref()}, .goal = maybe(text())};
        saved.revision.number = 1 + below(100);
        if (chance(5)) saved.link = SavedLink{{word<LinkKind>(), ref()}, std::nullopt};
        if (saved.link && saved.link->target.kind == LinkKind::memory) saved.link->status = maybe(ref());
        for (std::size_t i = below(5); i > 0; --i) saved.notes.push_back(note(i));
        for (std::size_t i = below(3); i > 0; --i) saved.items.push_back(item(i));
        for (std::size_t i = below(3); i > 0; --i)
            saved.sources.push_back({.id = ref() + std::to_string(i), .inspected = chance(5)});
        for (std::size_t i = below(4); i > 0; --i) saved.actions.push_back(action(i));
        return saved;
    }

 private:
    SavedNote note(std::size_t i) {
        SavedNote saved{
            .note = {.id = "n" + std::to_string(i), .category = word<Category>(), .text = text(), .source = source()},
            .standing = word<Standing>(),
            .resolved = chance(3)};
        if (chance(3)) saved.note.conflicts_with = {"gone"};
        if (chance(2)) saved.note.gates_completion = true;
        if (!saved.resolved && chance(3)) saved.superseded_by = "s" + std::to_string(i);
        return saved;
    }
    SavedItem item(std::size_t i) {
        SavedItem saved{.id = "i" + std::to_string(i),
                        .title = text(),
                        .status = word<ItemStatus>(),
                        .assurance = word<Assurance>(),
                        .kind = maybe(ref()),
                        .required = chance(5),
                        .reason = text()};
        if (saved.kind && count_code_points(*saved.kind) > 100) saved.kind.reset();
        if (!chance(4)) return saved;
        std::string content;
        JsonWriter json(content);
        json.open_object();
        json.key(text());
        json.string(text());
        json.close_object();
        saved.content = TrustedContent::make(content);
        return saved;
    }
    SavedAction action(std::size_t i) {
        SavedAction saved{.outcome = {.execution = "e" + std::to_string(i),
                                      .call = maybe(ref()),
                                      .run = maybe(ref()),
                                      .tool = maybe(ref()),
                                      .status = ActionStatus::failed,
                                      .completion = word<Completion>(),
                                      .cancellation = word<Cancellation>()}};
        if (chance(3)) saved.outcome.evidence = EvidenceInput{.kind = word<EvidenceKind>(), .id = ref()};
        if (chance(6)) saved.confirmation = ConfirmationInput{word<Confirmed>(), source()};
        return saved;
    }

    std::mt19937_64 random_;
};

// What the block must say, by its grammar and order.

/// A record whose parts are added one by one.
class Expected {
 public:
    explicit Expected(std::string_view kind) { record_.kind = kind; }
    Expected& at_position(std::string_view text) { return list("", {std::string(text)}); }
    Expected& field(std::string_view name, std::string_view text) { return list(name, {std::string(text)}); }
    Expected& maybe(std::string_view name, const OptView& text) { return text ? field(name, *text) : *this; }
    Expected& maybe(std::string_view name, const std::optional<Evidence>& evidence) {
        return evidence ? field(name, evidence->id) : *this;
    }
    Expected& list(std::string_view name, std::vector<std::string> values) {
        record_.parts.push_back({std::string(name), std::move(values)});
        return *this;
    }
    Expected& list_unless_empty(std::string_view name, std::vector<std::string> values) {
        return values.empty() ? *this : list(name, std::move(values));
    }
    operator Record() const { return record_; }

 private:
    Record record_;
};

using Ids = std::vector<std::string>;

template <class Entries, class Predicate>
Ids ids_where(const Entries& entries, const Predicate& holds) {
    Ids ids;
    for (const auto& entry : entries) {
        if (!holds(entry)) continue;
        if constexpr (requires { entry.execution; })
            ids.emplace_back(entry.execution);
        else
            ids.emplace_back(entry.id);
    }
    return ids;
}

Record expected(const Note& note) {
    const bool host = note.standing == Standing::host;
    Expected record(host ? word(note.category) : word(note.standing));
    record.at_position(note.id);
    if (!host) record.field("category", word(note.category));
    if (note.superseded_by) record.field("state", "superseded").field("superseded_by", *note.superseded_by);
    if (note.resolved) record.field("state", "resolved");
    record.list_unless_empty("conflicts_with", Ids(note.conflicts_with.begin(), note.conflicts_with.end()));
    record.at_position(note.text).field("source", note.source.label).maybe("turn", note.source.turn);
    return record.maybe("evidence", note.source.evidence);
}

/// The record of an item but for its content, which the caller reads apart.
Record expected(const Item& item) {
    Expected record("item");
    record.at_position(item.id).maybe("kind", item.kind);
    if (item.required) record.at_position("required");
    if (item.assurance != Assurance::asserted) record.field("assurance", word(item.assurance));
    return record.at_position(item.title);
}

Record expected(const Action& action) {
    Expected record("action");
    record.at_position(action.execution).at_position(word(action.status)).at_position(word(action.completion));
    if (action.cancellation != Cancellation::none) record.field("cancellation", word(action.cancellation));
    return record.maybe("tool", action.tool).maybe("call", action.call).maybe("evidence", action.evidence);
}

void expect_tail(std::vector<Record>& records, const Snapshot& snapshot) {
    const auto items = snapshot.items();
    const auto status_is = [](ItemStatus status) {
        return [status](const Item& item) { return item.status == status; };
    };
    if (!items.empty()) {
        Expected progress("progress");
        for (const ItemStatus status :
             {ItemStatus::running, ItemStatus::ready, ItemStatus::blocked, ItemStatus::pending, ItemStatus::failed,
              ItemStatus::completed, ItemStatus::skipped}) {
            progress.list_unless_empty(word(status), ids_where(items, status_is(status)));
        }
        records.push_back(progress);
    }
    const Ids gates = ids_where(snapshot.notes(), [](const Note& note) { return note.gates_completion; });
    if (!items.empty() || !gates.empty()) {
        records.push_back(Expected("next")
                              .list("items", ids_where(items,
                                                       [](const Item& item) {
                                                           return item.status == ItemStatus::pending ||
                                                                  item.status == ItemStatus::ready;
                                                       }))
                              .list("waiting", {}));
        const Ids open = ids_where(items, [](const Item& item) { return item.required && !is_settled(item.status); });
        const Ids constraints =
            ids_where(snapshot.notes(), [](const Note& note) { return note.gates_completion && note.active(); });
        records.push_back(Expected("completion")
                              .field("allowed", open.empty() && constraints.empty() ? "true" : "false")
                              .list_unless_empty("items", open)
                              .list_unless_empty("constraints", constraints));
    }
    const Ids pending = ids_where(snapshot.actions(), [](const Action& action) { return !action.closed(); });
    if (!pending.empty()) records.push_back(Expected("pending").list("actions", pending));
    Expected status("status");
    status.field("lifecycle", word(snapshot.lifecycle()));
    if (const auto& link = snapshot.link()) {
        status.field("link_kind", word(link->target.kind)).field("link_id", link->target.id);
        status.field("link_status", link->status.value_or("unobserved"));
    }
    records.push_back(status.field("revision", std::to_string(snapshot.revision().number)));
}

std::vector<Record> expected(const Snapshot& snapshot) {
    std::vector<Record> records;
    if (snapshot.goal()) records.push_back(Expected("goal").at_position(*snapshot.goal()));
    for (const char* section :
         {"constraint", "objective", "decision", "question", "artifact", "proposal", "assumption"}) {
        for (const Note& note : snapshot.notes()) {
            if (const Record record = expected(note); record.kind == section) records.push_back(record);
        }
    }
    for (const Item& item : snapshot.items()) records.push_back(expected(item));
    for (const Action& action : snapshot.actions()) records.push_back(expected(action));
    for (const Action& action : snapshot.actions()) {
        if (!action.confirmation) continue;
        records.push_back(Expected("confirmation")
                              .at_position(action.execution)
                              .at_position(word(action.confirmation->status))
                              .field("source", action.confirmation->source.label));
    }
    if (!snapshot.sources().empty()) {
        records.push_back(
            Expected("source")
                .list("inspect", ids_where(snapshot.sources(), [](const SourceToInspect& s) { return !s.inspected; }))
                .list("inspected",
                      ids_where(snapshot.sources(), [](const SourceToInspect& s) { return s.inspected; })));
    }
    for (const Item& item : snapshot.items()) {
        if (item.status != ItemStatus::blocked && item.status != ItemStatus::failed &&
            item.status != ItemStatus::skipped)
            continue;
        records.push_back(
            Expected("reason").at_position(item.id).at_position(word(item.status)).at_position(*item.reason));
    }
    expect_tail(records, snapshot);
    return records;
}

/// Takes the content out of an item's record: an object of one member with the same member as the stored one.
void check_content(Record& record, const Item& item) {
    if (item.content.empty()) return;
    REQUIRE_FALSE(record.parts.empty());
    const Part content = record.parts.back();
    record.parts.pop_back();
    CHECK(content.name == "content");
    REQUIRE(content.values.size() == 1);
    const auto member = [](std::string_view object) {
        const auto colon = object.find("\":\"") + 1;
        return std::pair(test::read_json_string(object.substr(1, colon - 1)),
                         test::read_json_string(object.substr(colon + 1, object.size() - colon - 2)));
    };
    CHECK(member(content.values[0]) == member(item.content));
}

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

Snapshot admitted(Hostile& hostile) {
    const Rules rules{.profile = find_profile("notebook-v1"), .limits = {.tokens_max = 1'000'000}};
    auto state = admit(hostile.snapshot(), rules);
    REQUIRE(state);
    REQUIRE(validate(*state, rules));
    return Snapshot(*std::move(state));
}

void check_structure(const Snapshot& snapshot, std::string_view text, std::string_view key) {
    const auto lines = test::lines_of(text);
    REQUIRE(lines.size() > 2);
    CHECK(lines.front() == "<task-state task=\"t\" key=\"" + std::string(key) + "\">");
    CHECK(lines.back() == "</task-state key=\"" + std::string(key) + "\">");
    CHECK(count(text, "<task-state") == 1);
    CHECK(count(text, "</task-state") == 1);

    std::vector<Record> records;
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
        INFO(lines[i]);
        auto record = test::read_record(lines[i]);
        REQUIRE(record);
        if (record->kind == "item") check_content(*record, *snapshot.items().find(record->parts[0].values[0]));
        records.push_back(*std::move(record));
    }
    CHECK((records == expected(snapshot)));
}

/// The first spelling that stands in the text and must not.
std::string_view find_spelling(std::string_view text, Spellings spellings) {
    const auto first = text.find('\n'), last = text.rfind('\n');
    const std::string_view body = text.substr(first, last - first);
    for (const std::string_view spelling : test::forbidden_spellings) {
        if (body.find(spelling) != std::string_view::npos) return spelling;
    }
    for (const std::string& spelling : spellings) {
        if (text.find(spelling) != std::string_view::npos) return spelling;
    }
    return "";
}

/// The ready lists of all families, parsed once.
const std::vector<std::shared_ptr<const ControlSpellings>>& families() {
    static const auto lists = [] {
        std::vector<std::shared_ptr<const ControlSpellings>> parsed;
        for (const auto family :
             {ModelFamily::chatml, ModelFamily::llama, ModelFamily::gemma, ModelFamily::mistral, ModelFamily::deepseek,
              ModelFamily::phi, ModelFamily::command_r, ModelFamily::glm, ModelFamily::minimax, ModelFamily::harmony}) {
            parsed.push_back(*ControlSpellings::parse(control_spellings(family)));
        }
        return parsed;
    }();
    return lists;
}

/// One budget for each state: what just fits is shown whole, and what does not is withheld whole.
void check_budget(const Snapshot& snapshot, const Block& block, PromptOptions options, std::size_t number) {
    const std::size_t bytes_max = number % 3 == 0 ? block.bytes() : number % block.bytes();
    if (number % 3 == 2) {
        options.tokens_max = block.tokens() - 1;
    } else {
        options.bytes_max = bytes_max;
    }
    const auto result = render(snapshot, *find_profile(snapshot.profile()), block.key(), options);
    if (number % 3 == 0) {
        REQUIRE(result);
        CHECK(result->text() == block.text());
        return;
    }
    REQUIRE_FALSE(result);
    CHECK(result.error() ==
          (number % 3 == 2 ? fail(Reason::prompt_budget_exceeded, "/tokens_max", {block.tokens() - 1, block.tokens()})
                           : fail(Reason::prompt_budget_exceeded, "/bytes_max", {bytes_max, block.bytes()})));
}

}  // namespace

TEST_CASE("hostile: no stored text breaks the block, hides in it, or is lost from it",
          "[prompt][spec:V8][hazard:20][hazard:21][hazard:24]") {
    for (std::size_t number = 0; number < states; ++number) {
        INFO("state " << number);
        Hostile hostile(number);
        const Snapshot snapshot = admitted(hostile);
        const std::string key = block_key(*snapshot.state().identity, {});
        PromptOptions options;
        if (hostile.chance(3)) options.spellings = families()[hostile.below(families().size())];
        const auto block = render(snapshot, *find_profile(snapshot.profile()), key, options);
        REQUIRE(block);
        check_structure(snapshot, block->text(), key);
        CHECK(find_spelling(block->text(), options.spellings ? options.spellings->list() : Spellings{}) == "");

        check_budget(snapshot, *block, options, number);
    }
}
