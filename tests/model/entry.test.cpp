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

EntryList list_of(std::size_t count) {
    EntryList list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(note("n" + std::to_string(i)));
    return list;
}

template <class View>
std::string json_of(const View& view) {
    std::string text;
    JsonWriter json(text);
    write(json, view);
    return text;
}

std::string bytes_of(const Digest& digest) {
    return {reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size()};
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

TEST_CASE("entry: equal values have equal bytes, other values do not", "[model]") {
    CHECK(*note("a") == *note("a"));
    CHECK_FALSE(*note("a") == *note("b"));
    CHECK_FALSE(*note("a", "one") == *note("a", "two"));
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

TEST_CASE("entry list: changing a copy leaves the original alone", "[model]") {
    const EntryList original = list_of(70);
    EntryList changed = original;
    changed.replace(40, note("n40", "changed"));
    const std::size_t gone[] = {2, 69};
    changed.erase(gone);

    CHECK(original.size() == 70);
    CHECK(original[40].note().text == "text");
    CHECK(original.find("n2") == 2);
    CHECK(changed.size() == 68);
    CHECK_FALSE(changed.find("n2"));
    CHECK_FALSE(changed.find("n69"));
    CHECK(changed[*changed.find("n40")].note().text == "changed");
}

TEST_CASE("entry list: a change copies one chunk and shares the others", "[model]") {
    const EntryList original = list_of(100);
    EntryList changed = original;
    changed.replace(40, note("n40", "changed"));

    CHECK(changed.shares_chunk(original, 0));
    CHECK_FALSE(changed.shares_chunk(original, 1));
    CHECK(changed.shares_chunk(original, 2));
    CHECK(changed.shares_chunk(original, 3));
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

TEST_CASE("entry list: each id is found where it stands, however the list came about", "[model]") {
    EntryList list = list_of(700);
    const EntryList original = list;
    std::vector<std::size_t> gone;
    for (std::size_t i = 5; i < 600; i += 7) gone.push_back(i);
    list.erase(gone);
    for (std::size_t i = 0; i < 50; ++i) list.push_back(note("late-" + std::to_string(i)));
    list.replace(300, note("renamed"));

    for (const EntryList* each : {&original, static_cast<const EntryList*>(&list)}) {
        for (std::size_t i = 0; i < each->size(); ++i) REQUIRE(each->find((*each)[i].id()) == i);
    }
    for (const std::size_t i : gone) CHECK_FALSE(list.find(original[i].id()));
    CHECK_FALSE(list.find(""));
    CHECK_FALSE(original.find("late-7"));
    CHECK_FALSE(EntryList{}.find("n0"));
}

TEST_CASE("entry list: the digest is built from chunks of 32 leaves, and re-packed by a prune", "[model]") {
    EntryList list = list_of(33);
    std::string first, second = bytes_of(list[32].leaf());
    for (std::size_t i = 0; i < 32; ++i) first += bytes_of(list[i].leaf());
    CHECK(list.digest() == sha256(bytes_of(sha256(first)) + bytes_of(sha256(second))));

    const std::size_t gone[] = {0};
    list.erase(gone);
    std::string only;
    for (std::size_t i = 0; i < 32; ++i) only += bytes_of(list[i].leaf());
    CHECK(list.digest() == sha256(bytes_of(sha256(only))));
    CHECK(EntryList{}.digest() == sha256(""));
}

TEST_CASE("entry list: a digest asked before a change does not stay", "[model]") {
    EntryList list = list_of(3);
    const Digest before = list.digest();
    list.replace(1, note("n1", "changed"));
    CHECK(list.digest() != before);
    list.replace(1, note("n1"));
    CHECK(list.digest() == before);
}

}  // namespace taskstate
