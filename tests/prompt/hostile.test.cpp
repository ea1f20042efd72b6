// Ten thousand states whose every text wants to be more than text.

#include "support/hostile.hpp"
#include "model/trusted_content.hpp"
#include "support/block_breach.hpp"
#include "support/catch.hpp"

#include <taskstate/base/json_writer.hpp>
#include <taskstate/engine/apply.hpp>
#include <taskstate/prompt/block.hpp>

#include <random>

using namespace taskstate;

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

Snapshot admitted(Hostile& hostile) {
    const Rules rules{.profile = find_profile("notebook-v1"), .limits = {.tokens_max = 1'000'000}};
    auto state = admit(hostile.snapshot(), rules);
    REQUIRE(state);
    REQUIRE(validate(*state, rules));
    return Snapshot(*std::move(state));
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
        CHECK(test::block_breach(snapshot, *block, options.spellings ? options.spellings->list() : Spellings{}) == "");
        check_budget(snapshot, *block, options, number);
    }
}
