// One line of `taskstate replay`: its arguments, and what it expects.

#include "fuzz/targets.hpp"
#include "fuzz/task_rules.hpp"

#include <taskstate/codec/call.hpp>

#include <nlohmann/json.hpp>

namespace taskstate::fuzz {
namespace {

void check_delta(const HostDelta& given) {
    auto again = decode_delta(encode(given), wide);
    require(again.has_value(), "what is encoded can be decoded");
    again->replaced = given.replaced;
    require(*again == given, "decoding what was encoded gives the same delta");
}

}  // namespace

void call(std::string_view bytes) {
    for (const TextPolicy policy : {TextPolicy::refuse, TextPolicy::replace}) {
        const auto line = decode_call(bytes, policy);
        if (!line) {
            check_refusal(line.error());
            continue;
        }
        if (policy == TextPolicy::refuse) {
            const auto document = nlohmann::json::parse(bytes, nullptr, false);
            require(document.is_object(), "only a JSON object is a call");
            require(line->task == document.value("task", ""), "a call names its task");
            require(line->expect.has_value() == document.contains("expect"), "a call tells what it expects");
            require(matches(bytes, bytes).value_or(true), "every object is what it expects");
        }
        if (line->expect) {
            require(matches(*line->expect, *line->expect).value_or(false), "every object is what it expects");
            require(matches(*line->expect, "{}").value_or(false), "nothing is expected by nothing");
        }
        if (!line->arguments) {
            check_refusal(line->arguments.error());
        } else if (const auto* update = std::get_if<UpdateCall>(&*line->arguments)) {
            check_delta(update->delta);
        } else if (const auto* rebase = std::get_if<RebaseCall>(&*line->arguments)) {
            check_delta(rebase->delta);
        }
    }
}

}  // namespace taskstate::fuzz
