#include <taskstate/base/result.hpp>

#include "support/catch.hpp"

#include <memory>
#include <string>

using namespace taskstate;

namespace {

Result<int> half(int number) {
    if (number % 2 != 0) return fail(Reason::out_of_range, "/n");
    return number / 2;
}

}  // namespace

TEST_CASE("result: a value is there, and is passed on", "[base][result]") {
    Result<int> eight = 8;
    CHECK(eight.has_value());
    CHECK(*eight == 8);
    CHECK(eight.value_or(1) == 8);
    CHECK(*eight.and_then(half) == 4);
    CHECK(*eight.transform([](int number) { return std::to_string(number); }) == "8");
}

TEST_CASE("result: an error is there, and passes every step untouched", "[base][result]") {
    const Result<int> failed = half(3);
    CHECK_FALSE(failed);
    CHECK(failed.error().path == "/n");
    CHECK(failed.value_or(1) == 1);
    CHECK(failed.and_then(half).error() == failed.error());
    CHECK(failed.transform([](int number) { return number + 1; }).error() == failed.error());
}

TEST_CASE("result: what only moves can be taken out", "[base][result]") {
    Result<std::unique_ptr<int>> owned = std::make_unique<int>(5);
    const std::unique_ptr<int> taken = *std::move(owned);
    CHECK(*taken == 5);
}

TEST_CASE("result: success without a value", "[base][result]") {
    const Result<void> done;
    CHECK(done.has_value());
    CHECK(*done.and_then([] { return half(4); }) == 2);
    const Result<void> failed = fail(Reason::blank);
    CHECK_FALSE(failed.has_value());
    CHECK(failed.and_then([] { return half(4); }).error().reason == Reason::blank);
}
