#include "support/catch.hpp"
#include "support/generate.hpp"

#include <taskstate/base/estimate.hpp>
#include <taskstate/model/entry.hpp>
#include <taskstate/model/entry_list.hpp>
#include <taskstate/model/wire.hpp>

#include <rapidcheck.h>
#include <string>

namespace taskstate {
namespace {

Shared<const Entry> note(const std::string& id, const std::string& text = "text") {
    return Entry::pack(
        view(NoteInput{.id = id, .category = Category::decision, .text = text, .source = {.label = "host"}},
             Standing::host));
}

template <class View>
std::string json_of(const View& view) {
    std::string text;
    JsonWriter json(text);
    write(json, view);
    return text;
}

}  // namespace

TEST_CASE("entry: reading a packed entry gives back what was packed", "[model]") {
    REQUIRE(rc::check("every kind survives packing", [&] {
        const SnapshotInput saved = *test::any_snapshot();
        for (const SavedNote& given : saved.notes) RC_ASSERT(Entry::pack(view(given))->note() == view(given));
        for (const SavedItem& given : saved.items) RC_ASSERT(Entry::pack(view(given))->item() == view(given));
        for (const SavedSource& given : saved.sources) RC_ASSERT(Entry::pack(view(given))->source() == view(given));
        for (const SavedAction& given : saved.actions) RC_ASSERT(Entry::pack(view(given))->action() == view(given));
    }));
}

TEST_CASE("entry: its numbers are those of its lines and of its wire object", "[model]") {
    REQUIRE(rc::check("numbers", [] {
        const SnapshotInput saved = *test::any_snapshot();
        for (const SavedAction& given : saved.actions) {
            const auto entry = Entry::pack(view(given));
            std::string line;
            append_line(line, view(given));
            std::size_t bytes = line.size() + 1, tokens = estimate_tokens(line + "\n");
            if (given.confirmation) {
                line.clear();
                append_confirmation_line(line, view(given));
                bytes += line.size() + 1;
                tokens += estimate_tokens(line + "\n");
            }
            RC_ASSERT(entry->numbers().line_bytes == bytes);
            RC_ASSERT(entry->numbers().tokens == tokens);
            RC_ASSERT(entry->numbers().json_bytes == json_of(view(given)).size());
            RC_ASSERT(entry->leaf() == sha256(json_of(view(given))));
        }
    }));
}

TEST_CASE("entry: a note made from another by difference is the one made from nothing", "[model]") {
    const auto same = [](const Entry& a, const Note& note) {
        const auto made = Entry::pack(note);
        const Entry& b = *made;
        return a == b && a.linked() == b.linked() && a.numbers().line_bytes == b.numbers().line_bytes &&
               a.numbers().tokens == b.numbers().tokens && a.numbers().json_bytes == b.numbers().json_bytes &&
               a.leaf() == b.leaf();
    };
    REQUIRE(rc::check("resolved and superseded", [&] {
        const SnapshotInput saved = *test::any_snapshot();
        for (const SavedNote& given : saved.notes) {
            const auto entry = Entry::pack(view(given));
            Note resolved = view(given), superseded = view(given);
            resolved.resolved = true;
            superseded.superseded_by = "another";
            RC_ASSERT(same(*entry->resolved(), resolved));
            RC_ASSERT(same(*entry->superseded_by("another"), superseded));
            Note both = superseded;
            both.resolved = true;
            RC_ASSERT(same(*entry->resolved()->superseded_by("b")->superseded_by("another"), both));
        }
    }));
}

TEST_CASE("entry list: totals move by difference and always equal the sums", "[model]") {
    REQUIRE(rc::check("totals", [] {
        EntryList list;
        for (int step = *test::inRange(1, 120); step > 0; --step) {
            const auto entry = note("n" + std::to_string(step), test::any_text());
            if (list.empty() || test::once_in(2)) {
                list.push_back(entry);
            } else if (test::once_in(2)) {
                list.replace(*test::inRange<std::size_t>(0, list.size()), entry);
            } else {
                const std::size_t gone[] = {*test::inRange<std::size_t>(0, list.size())};
                list.erase(gone);
            }
        }
        EntryNumbers sums;
        for (std::size_t i = 0; i < list.size(); ++i) {
            sums.line_bytes += list[i].numbers().line_bytes;
            sums.tokens += list[i].numbers().tokens;
            sums.json_bytes += list[i].numbers().json_bytes;
        }
        RC_ASSERT(list.line_bytes() == sums.line_bytes);
        RC_ASSERT(list.tokens() == sums.tokens);
        RC_ASSERT(list.json_bytes() == sums.json_bytes);
    }));
}

}  // namespace taskstate
