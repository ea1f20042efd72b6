// The figures of a scope and the places of a list, as values.

#include "service/cursor.hpp"
#include "service/delivery.hpp"
#include "service/oversight.hpp"
#include "support/builders.hpp"

#include <set>

using namespace taskstate;

TEST_CASE("health: a percentile is the nearest rank, the even one of two", "[service][governed:19.4]") {
    CHECK_FALSE(percentile({}, 50).has_value());
    CHECK(percentile({7}, 95) == 7);
    CHECK(percentile({2, 1}, 50) == 1);           // rank 0.5: the even one is 0
    CHECK(percentile({4, 3, 2, 1}, 50) == 3);     // rank 1.5: the even one is 2
    CHECK(percentile({1, 2, 3, 4, 5}, 50) == 3);  // rank 2
    CHECK(percentile({1, 2, 3, 4, 5}, 95) == 5);  // rank 3.8
    std::vector<std::uint64_t> many;
    for (std::uint64_t i = 0; i < 1000; ++i) many.push_back(i);
    CHECK(percentile(many, 95) == 949);  // rank 949.05
}

TEST_CASE("list: a cursor reads as it was written, and nothing else is one", "[service][governed:30.29]") {
    const HeadQuery::Place place{{1'767'225'600'123}, "a.b:c-1"};
    const auto read = parse_cursor(format_cursor(place));
    REQUIRE(read.has_value());
    CHECK(read->created_at == place.created_at);
    CHECK(read->id == place.id);
    for (const char* bad :
         {"", "12", "12.", ".a", "-1.a", "012.a", " 12.a", "12.a b", "x.a", "99999999999999999999.a"}) {
        CHECK_FALSE(parse_cursor(bad).has_value());
    }
}

namespace {

class ByteCounter : public TokenCounter {
 public:
    std::string_view name() const override { return "bytes"; }
    std::size_t count(std::string_view line) override { return line.size(); }
};

}  // namespace

TEST_CASE("prepare: the cache key moves with whatever the bytes depend on", "[service][governed:14.9]") {
    TaskState task = test::open_task();
    const Snapshot before = *task.snapshot();
    const Snapshot after = test::accept(task, {.notes = {test::constraint("budget")}});
    const std::vector<std::string> list{"<|end|>"};
    const auto spellings = *ControlSpellings::parse(list);
    const std::string key = context_key(after, "9f2c01b7e4d85a63", {});

    CHECK(key == context_key(after, "9f2c01b7e4d85a63", {}));
    CHECK(is_digest(key));
    const std::set<std::string> keys{
        key,
        context_key(before, "9f2c01b7e4d85a63", {}),
        context_key(after, "0000000000000000", {}),
        context_key(after, "9f2c01b7e4d85a63", {.bytes_max = 4000}),
        context_key(after, "9f2c01b7e4d85a63", {.bytes_max = 5000}),
        context_key(after, "9f2c01b7e4d85a63", {.tokens_max = 4000}),
        context_key(after, "9f2c01b7e4d85a63", {.counter = std::make_shared<ByteCounter>()}),
        context_key(after, "9f2c01b7e4d85a63", {.spellings = spellings})};
    CHECK(keys.size() == 8);
}
