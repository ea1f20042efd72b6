// A session of `taskstate replay`: every line has its answer, and the same lines have the same answers.

#include "cli/replay.hpp"
#include "fuzz/targets.hpp"
#include "fuzz/task_rules.hpp"

#include <nlohmann/json.hpp>

namespace taskstate::fuzz {
namespace {

void check_answer(std::string_view answer) {
    require(answer.find('\n') == std::string_view::npos, "an answer is one line");
    const auto document = nlohmann::json::parse(answer, nullptr, false);
    require(document.is_object() && document.contains("ok") && document["ok"].is_boolean(), "an answer says whether");
    if (document["ok"].get<bool>()) return;
    const auto table = reasons();
    const bool known = std::any_of(table.begin(), table.end(), [&](const ReasonRow& row) {
        return document.value("reason", "") == word(row.reason) && document.value("code", "") == word(row.code);
    });
    require(known, "a refusal has a reason of the closed table and its code");
}

/// The task that the session holds without a name, if it does, opened again.
void check_session(Replay& session) {
    const std::string answer = session.answer(R"({"call":"snapshot"})", 0).json;
    constexpr std::string_view member = R"("snapshot":)";
    const auto found = answer.find(member);
    if (found == std::string::npos) return;
    const std::string_view rest = std::string_view(answer).substr(found + member.size());
    const auto saved = decode_snapshot(rest.substr(0, rest.size() - 1), wide);
    require(saved.has_value(), "what is encoded can be decoded");
    const auto task = TaskState::open(options_of(*saved), *saved);
    require(task.has_value(), "what is saved can be restored");
    check_task(*task);
}

}  // namespace

void replay(std::string_view bytes) {
    constexpr std::size_t lines_max = 32;
    Replay session, other;
    std::size_t number = 0;
    for (const std::string_view line : first_lines(bytes, lines_max)) {
        ++number;
        const Answer answer = session.answer(line, number);
        check_answer(answer.json);
        const Answer same = other.answer(line, number);
        require(same.json == answer.json && same.as_expected == answer.as_expected, "equal lines have equal answers");
    }
    check_session(session);
}

}  // namespace taskstate::fuzz
