// What a state costs in a prompt, and what of it a provider's cache keeps.  The bench reports the same figures.

#include "bench/economy.hpp"

#include "support/catch.hpp"

using namespace taskstate;

TEST_CASE("economy: random confirmations keep 95 % of the block before them, in the mean", "[task]") {
    CHECK(bench::random_events(bench::Event::confirm, 200).kept().block >= 0.95);
}

TEST_CASE("economy: random moves of items keep 95 % of the block before them, in the mean", "[task][governed:14.1]") {
    CHECK(bench::random_events(bench::Event::move, 200).kept().block >= 0.95);
}

TEST_CASE("economy: the block costs at most three quarters of the tokens of compact JSON", "[task]") {
    const bench::Forms tokens = bench::random_events(bench::Event::confirm, 1).tokens();

    CHECK(tokens.block <= 0.75 * tokens.compact);
    CHECK(tokens.compact < tokens.indented);
}
