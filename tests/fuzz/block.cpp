// What a block shows of stored texts.
//
// The bytes are pieces with 0x1E between them.  The first holds control spellings of the host, one a line; each other
// one is an entry: a byte for its kind, a byte for its words, then its texts with 0x1F between them.

#include "fuzz/targets.hpp"
#include "fuzz/task_rules.hpp"

#include <taskstate/base/json_writer.hpp>

#include <array>
#include <utility>

namespace taskstate::fuzz {
namespace {

std::vector<std::string> split(std::string_view text, char between) {
    std::vector<std::string> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(between, from), text.size());
        parts.emplace_back(text.substr(from, end - from));
        from = end + 1;
    }
    return parts;
}

std::string text_of(const std::string& given, std::size_t code_points_max) {
    return admit_text(given, code_points_max, TextPolicy::replace) ? given : "x";
}

/// A name that others made: never with a control, for those are refused under every policy.
std::string ref_of(const std::string& given) {
    auto ref = clean_text(given, TextPolicy::replace).value_or(AdmittedText{}).text;
    std::erase_if(ref, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
    return check_ref(ref, 100) ? ref : "x";
}

Content content_of(const std::string& given) {
    if (auto content = parse_content(given)) return *std::move(content);
    std::string object;
    JsonWriter json(object);
    json.open_object();
    json.key("text");
    json.string(clean_text(given, TextPolicy::replace).value_or(AdmittedText{}).text);
    json.close_object();
    return parse_content(object).value_or(Content{});
}

/// Makes a consistent state of the pieces.
class Author {
 public:
    void add(const std::string& piece) {
        if (piece.size() < 2) return;
        choices_ = static_cast<unsigned char>(piece[1]);
        auto texts = split(std::string_view(piece).substr(2), '\x1F');
        texts.resize(4);
        std::move(texts.begin(), texts.end(), texts_.begin());
        constexpr std::array kinds{&Author::add_note, &Author::add_action, &Author::add_item, &Author::add_source,
                                   &Author::set_head};
        (this->*kinds[static_cast<unsigned char>(piece[0]) % kinds.size()])();
    }
    [[nodiscard]] const SnapshotInput& saved() const { return saved_; }

 private:
    template <class E>
    E word() {
        constexpr std::size_t count = Words<E>::list.size();
        return static_cast<E>(std::exchange(choices_, choices_ / count) % count);
    }
    bool chance() { return std::exchange(choices_, choices_ / 2) % 2 == 1; }
    OptText maybe_ref(std::size_t i) const { return texts_[i].empty() ? std::nullopt : OptText(ref_of(texts_[i])); }

    /// The id of a new entry: as given where that is one and is free.
    std::string id(const std::string& given) {
        const auto is_free = [&](const std::string& id) {
            return std::find(ids_.begin(), ids_.end(), id) == ids_.end();
        };
        std::string id = given;
        for (std::size_t n = ids_.size(); !check_id(id) || !is_free(id); ++n) id = "n" + std::to_string(n);
        return ids_.emplace_back(std::move(id));
    }
    SourceInput source() const {
        SourceInput source{.label = text_of(texts_[1], 512), .turn = maybe_ref(2)};
        if (source.turn) source.evidence = EvidenceInput{.kind = EvidenceKind::tool_call, .id = *source.turn};
        return source;
    }

    void add_note() {
        SavedNote note{.note = {.id = id(texts_[3]), .text = text_of(texts_[0], 8000), .source = source()}};
        note.standing = word<Standing>();
        note.note.category = word<Category>();
        if (chance()) note.note.gates_completion = true;
        if (chance()) {
            note.resolved = true;
        } else if (chance()) {
            note.note.conflicts_with = {"gone"};
            note.superseded_by = "later" + std::to_string(ids_.size());
        }
        if (!saved_.notes.empty() && chance()) {
            SavedNote& old = saved_.notes.back();
            if (!old.resolved && !old.superseded_by && old.note.category == note.note.category &&
                note.standing == Standing::host) {
                old.superseded_by = note.note.id;
                note.note.supersedes = old.note.id;
            }
        }
        saved_.notes.push_back(std::move(note));
    }
    void add_action() {
        SavedAction action{.outcome = {.execution = id(texts_[3]),
                                       .call = maybe_ref(2),
                                       .tool = maybe_ref(0),
                                       .status = ActionStatus::failed,
                                       .completion = word<Completion>(),
                                       .cancellation = word<Cancellation>()}};
        if (chance()) action.outcome.evidence = EvidenceInput{.kind = EvidenceKind::tool_call, .id = ref_of(texts_[0])};
        if (chance()) action.confirmation = ConfirmationInput{word<Confirmed>(), source()};
        saved_.actions.push_back(std::move(action));
    }
    void add_item() {
        SavedItem item{.id = id(texts_[3]), .title = "x", .kind = maybe_ref(2)};
        if (admit_title(texts_[0], 2000, TextPolicy::replace)) item.title = texts_[0];
        item.status = word<ItemStatus>();
        item.assurance = word<Assurance>();
        item.required = chance();
        item.reason = text_of(texts_[0], 2000);
        item.content = content_of(texts_[1]);
        if (!saved_.items.empty()) item.depends_on = {saved_.items.back().id};
        if (!saved_.notes.empty()) item.because = {saved_.notes.back().note.id};
        saved_.items.push_back(std::move(item));
    }
    void add_source() {
        SavedSource source{.id = ref_of(texts_[0]), .inspected = chance()};
        const auto same = [&](const SavedSource& other) { return other.id == source.id; };
        if (std::none_of(saved_.sources.begin(), saved_.sources.end(), same))
            saved_.sources.push_back(std::move(source));
    }
    void set_head() {
        saved_.goal = text_of(texts_[0], 2000);
        saved_.lifecycle = word<Lifecycle>();
        if (check_id(texts_[3])) saved_.phase = texts_[3];
        if (const auto target = maybe_ref(1)) saved_.link = SavedLink{{LinkKind::memory, *target}, maybe_ref(2)};
    }

    SnapshotInput saved_{
        .id = "t", .profile = "notebook-v1", .scope = {.owner = "u", .workspace = "w"}, .revision = {1}};
    std::vector<std::string> ids_{"gone"};
    std::array<std::string, 4> texts_{};
    std::size_t choices_ = 0;
};

void check_budgets(const TaskState& task, const Block& block, PromptOptions options) {
    options.bytes_max = block.bytes();
    options.tokens_max = block.tokens();
    const auto fitting = task.prompt(options);
    require(fitting && fitting->text() == block.text(), "what just fits is shown whole");
    options.bytes_max = block.bytes() - 1;
    const auto large = task.prompt(options);
    require(!large &&
                large.error() == fail(Reason::prompt_budget_exceeded, "/bytes_max", {block.bytes() - 1, block.bytes()}),
            "what has a byte too many is withheld");
    options.bytes_max.reset();
    options.tokens_max = block.tokens() - 1;
    const auto costly = task.prompt(options);
    require(!costly && costly.error() ==
                           fail(Reason::prompt_budget_exceeded, "/tokens_max", {block.tokens() - 1, block.tokens()}),
            "what has a token too many is withheld");
}

void check_spellings(const TaskState& task, const std::shared_ptr<const ControlSpellings>& spellings) {
    const PromptOptions options{.spellings = spellings};
    const auto block = task.prompt(options);
    require(block.has_value(), "without a budget every state has its block");
    const auto head = *task.snapshot();
    const std::string breach = test::block_breach(head, *block, spellings->list());
    require(breach.empty(), breach.c_str());
    check_budgets(task, *block, options);

    const auto check = [&](const std::string& lines) {
        check_records(lines);
        for (const std::string& spelling : spellings->list()) {
            require(lines.find(spelling) == std::string::npos, "no spelling of the host is left in a record");
        }
    };
    for (const EntryKind kind : {EntryKind::note, EntryKind::item, EntryKind::source, EntryKind::action}) {
        const EntryList& list = list_of(head.state(), kind);
        for (std::size_t i = 0; i < list.size(); ++i) check(render_record(list[i], spellings->list()));
    }
    const auto empty = TaskState::create(options_of(to_input(head)));
    require(empty.has_value(), "an empty task of the same kind can be made");
    check(render_changes(*empty->snapshot(), head, spellings->list()));
}

}  // namespace

void block(std::string_view bytes) {
    constexpr std::size_t pieces_max = 12;
    auto pieces = split(bytes, '\x1E');
    if (pieces.size() > pieces_max) pieces.resize(pieces_max);
    Author author;
    for (std::size_t i = 1; i < pieces.size(); ++i) author.add(pieces[i]);
    const auto task = TaskState::open(options_of(author.saved(), TextPolicy::replace), author.saved());
    require(task.has_value(), "an author's state is consistent");
    check_task(*task);

    const auto spellings = ControlSpellings::parse(split(pieces[0], '\n'));
    if (spellings) {
        check_spellings(*task, *spellings);
    } else {
        check_refusal(spellings.error());
        check_budgets(*task, *task->prompt(), {});
    }
}

}  // namespace taskstate::fuzz
