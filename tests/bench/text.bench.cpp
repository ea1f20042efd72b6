// W19: admission, which checks and normalises what comes in.

#include "bench/fixture.hpp"
#include "bench/floors.hpp"
#include "bench/measure.hpp"

#include <taskstate/base/text.hpp>

#include <utf8proc.h>

#include <cstdlib>
#include <string>

namespace taskstate::bench {
namespace {

constexpr std::size_t length_max = 8'000;

std::vector<std::string> texts(Flavour flavour) {
    std::vector<std::string> list;
    for (const SavedNote& note : saved_task(100, flavour).notes) list.push_back(note.note.text);
    return list;
}

template <class Use>
void each_of(benchmark::State& state, const std::vector<std::string>& list, const Use& use) {
    std::size_t bytes = 0;
    for (const std::string& text : list) bytes += text.size();
    time_calls(state, [&] {
        for (const std::string& text : list) use(text);
    });
    count_bytes(state, bytes);
}

void admit_one_title(const std::string& title) {
    benchmark::DoNotOptimize(admit_title(title, length_max, TextPolicy::refuse));
}

void admit_one_text(const std::string& text) {
    benchmark::DoNotOptimize(admit_text(text, length_max, TextPolicy::refuse));
}

void check_and_copy(const std::string& text) {
    if (!is_ascii(text)) bug("the floor is for ASCII");
    benchmark::DoNotOptimize(std::string(text));
}

void normalise(const std::string& text) {
    utf8proc_uint8_t* form = nullptr;
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    const auto flags = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (utf8proc_map(bytes, static_cast<utf8proc_ssize_t>(text.size()), &form, flags) < 0) bug("not UTF-8");
    benchmark::DoNotOptimize(form);
    std::free(form);
}

[[maybe_unused]] const bool registered = [] {
    const auto add = [](const std::string& name, const std::vector<std::string>& list,
                        void (*use)(const std::string&)) {
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { each_of(state, list, use); });
    };
    add("text/titles/ascii", titles(100, Flavour::ascii), admit_one_title);
    add("text/titles/utf8", titles(100, Flavour::utf8), admit_one_title);
    add("text/texts/ascii", texts(Flavour::ascii), admit_one_text);
    add("text/texts/utf8", texts(Flavour::utf8), admit_one_text);
    add("floor/titles/ascii", titles(100, Flavour::ascii), check_and_copy);
    add("floor/titles/utf8", titles(100, Flavour::utf8), normalise);
    add("floor/texts/ascii", texts(Flavour::ascii), check_and_copy);
    add("floor/texts/utf8", texts(Flavour::utf8), normalise);
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
