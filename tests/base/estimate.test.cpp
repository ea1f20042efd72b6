#include <taskstate/base/estimate.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace taskstate;

namespace {

struct Sample {
    std::string name, text;
    double counted = 0;  // by the vocabulary that counts more
};

std::string read_sample(const std::string& name) {
    std::ifstream file(std::string(TASKSTATE_SOURCE_DIR "/tests/base/estimate_samples/") + name);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

std::vector<Sample> samples() {
    std::vector<Sample> list;
    std::istringstream counts(read_sample("counts"));
    for (std::string line; std::getline(counts, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream row(line);
        Sample sample;
        double o200k = 0, cl100k = 0;
        row >> sample.name >> o200k >> cl100k;
        sample.counted = std::max(o200k, cl100k);
        sample.text = read_sample(sample.name + ".txt");
        REQUIRE_FALSE(sample.text.empty());
        sample.text.pop_back();
        list.push_back(sample);
    }
    return list;
}

double ratio(const Sample& sample) { return static_cast<double>(estimate_tokens(sample.text)) / sample.counted; }

}  // namespace

TEST_CASE("estimate: never more than two per cent too low, in any kind of text", "[base][estimate]") {
    const std::vector<Sample> list = samples();
    CHECK(list.size() == 23);
    for (const Sample& sample : list) {
        CAPTURE(sample.name);
        CHECK(ratio(sample) >= 0.98);
        CHECK(ratio(sample) <= 1.5);
    }
}

TEST_CASE("estimate: at most a quarter too high in the median, of ten kinds of text and of all samples",
          "[base][estimate]") {
    const std::set<std::string> kinds{"english", "german", "russian", "chinese", "japanese",
                                      "arabic",  "hindi",  "code",    "base64",  "emoji"};
    std::vector<double> of_kinds, of_all;
    for (const Sample& sample : samples()) {
        of_all.push_back(ratio(sample));
        if (kinds.contains(sample.name)) of_kinds.push_back(ratio(sample));
    }
    CHECK(of_kinds.size() == 10);
    for (auto* ratios : {&of_kinds, &of_all}) {
        std::sort(ratios->begin(), ratios->end());
        CHECK((*ratios)[ratios->size() / 2] <= 1.25);
    }
}

TEST_CASE("estimate: no text has more tokens than bytes", "[base][estimate]") {
    for (const Sample& sample : samples()) {
        CAPTURE(sample.name);
        CHECK(sample.counted <= static_cast<double>(sample.text.size()));
    }
}

TEST_CASE("estimate: the formula is pinned", "[base][estimate]") {
    CHECK(estimate_tokens("") == 0);
    CHECK(estimate_tokens("a") == 2);                         // 120
    CHECK(estimate_tokens("word word word word word") == 6);  // 5 · 120
    CHECK(estimate_tokens("constraint") == 3);                // 120 + 4·20 + 2·50
    CHECK(estimate_tokens("abcdefghijklmnopqrst") == 12);     // 120 + 4·20 + 4·50 + 8·90
    CHECK(estimate_tokens("1234567") == 3);                   // 3 · 100
    CHECK(estimate_tokens("INST") == 2);                      // 120 + 3·20
    CHECK(estimate_tokens("aBaB") == 6);                      // 120 + 220 + 220
    CHECK(estimate_tokens("1a1a") == 5);                      // 2 · (100 + 140)
    CHECK(estimate_tokens("()()()") == 2);                    // 60 + 5·20
    CHECK(estimate_tokens("          \n\n") == 2);            // 70 + 70
    CHECK(estimate_tokens("文文") == 3);                      // 2 · 150
    CHECK(estimate_tokens("\xFF") == 2);                      // as U+FFFD, 150
}

TEST_CASE("estimate: every script costs something", "[base][estimate][spec:C2]") {
    for (const char* one : {"é", "ž", "α",  "ж",  "Հ",  "א",  "ع",  "क",      "த",  "ก", "ქ",  "ế",  "ἀ",
                            "€", "→", "。", "あ", "文", "ꀀ", "한", "\uE000", "豈", "ﬁ", "Ａ", "🔥", "𠀀"}) {
        CAPTURE(one);
        CHECK(estimate_tokens(one) >= 1);
    }
}
