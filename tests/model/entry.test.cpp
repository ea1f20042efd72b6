#include "support/catch.hpp"

#include <taskstate/base/estimate.hpp>
#include <taskstate/model/entry.hpp>
#include <taskstate/model/entry_list.hpp>
#include <taskstate/model/wire.hpp>

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

std::string bytes_of(const Digest& digest) {
    return {reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size()};
}

}  // namespace

TEST_CASE("entry: equal values have equal bytes, other values do not", "[model]") {
    CHECK(*note("a") == *note("a"));
    CHECK_FALSE(*note("a") == *note("b"));
    CHECK_FALSE(*note("a", "one") == *note("a", "two"));
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
