// What reading may ask of the allocator, however bad the input is.

#include "bench/memory.hpp"
#include "bench/fixture.hpp"
#include "support/catch.hpp"

#include <taskstate/codec/json.hpp>

using namespace taskstate;

namespace {

std::string json_of(std::size_t notes, bench::Flavour flavour) {
    const TaskState task = bench::open_task(bench::saved_task(notes, flavour));
    return encode(*task.snapshot());
}

// With `member` in the last note.
std::string with_last(std::string json, const std::string& member) {
    return json.insert(json.find("}],\"profile\""), "," + member);
}

void check_cost(const std::string& json, Reason reason, const Limits& limits = bench::wide_limits()) {
    Error error;
    const bench::Memory memory = bench::memory_of([&] { error = decode_snapshot(json, limits).error(); });
    CHECK(word(error.reason) == word(reason));
    CHECK(memory.peak_bytes <= static_cast<std::int64_t>(3 * json.size()));
}

}  // namespace

TEST_CASE("decode: bad input never costs more than three times its size in memory", "[codec][spec:C4]") {
    for (const bench::Flavour flavour : {bench::Flavour::ascii, bench::Flavour::utf8}) {
        for (const std::size_t notes : {100U, 1'000U}) {
            INFO(bench::name_of(flavour) << ", " << notes << " notes");
            const std::string json = json_of(notes, flavour);
            check_cost(with_last(json, R"("text":"again")"), Reason::duplicate_key);
            check_cost(with_last(json, R"("tint":"red")"), Reason::unknown_field);
            std::string ill_formed = json;
            ill_formed[json.find("\"}],\"profile\"") - 1] = '\xFF';
            check_cost(ill_formed, Reason::invalid_utf8);
        }
        const std::string json = json_of(100, flavour);
        for (std::size_t tenth = 1; tenth < 10; ++tenth) {
            std::size_t end = json.size() * tenth / 10;
            while ((static_cast<unsigned char>(json[end]) & 0xC0) == 0x80) ++end;  // between two code points
            check_cost(json.substr(0, end), Reason::not_json);
        }
    }
}

TEST_CASE("decode: what is too big or too deep costs next to nothing in memory", "[codec][spec:C3][spec:C4]") {
    const std::string json = json_of(100, bench::Flavour::ascii);
    Limits limits = bench::wide_limits();
    limits.snapshot_bytes_max = json.size() - 1;
    const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
    const auto refuse = [&] {
        CHECK_FALSE(decode_snapshot(json, limits).has_value());
        CHECK_FALSE(decode_snapshot(deep, bench::wide_limits()).has_value());
    };
    CHECK(bench::memory_of(refuse).peak_bytes < 10'000);
}
