#include <taskstate/engine/guards.hpp>

#include <taskstate/base/digest.hpp>
#include <taskstate/base/json_writer.hpp>
#include <taskstate/base/time.hpp>
#include <taskstate/engine/summary.hpp>

#include <utility>

namespace taskstate::inline v0 {

std::string action_fingerprint(std::string_view action, const OptText& target, const Content& arguments) {
    std::string text;
    JsonWriter json(text);
    json.open_object();
    json.key("action");
    json.string(action);
    json.key("arguments");
    json.raw(arguments.canonical().empty() ? std::string_view("{}") : arguments.canonical());
    json.key("target");
    if (target) {
        json.string(*target);
    } else {
        json.raw("null");
    }
    json.close_object();
    return format_digest(sha256(text));
}

std::optional<Guard> dependency_guard(const Snapshot& snapshot) {
    const NextWork next = next_work(snapshot.state());
    if (next.waiting.empty()) return std::nullopt;
    return Guard{.kind = GuardKind::dependency_unsatisfied,
                 .revision = snapshot.revision(),
                 .message = "Some items wait for others that are not settled.",
                 .blocking = {next.waiting.begin(), next.waiting.end()}};
}

std::optional<Guard> completion_guard(const Snapshot& snapshot, const Profile& profile) {
    const OpenGates open = open_gates(snapshot.state(), profile);
    if (open.allowed()) return std::nullopt;
    return Guard{.kind = GuardKind::completion_not_allowed,
                 .revision = snapshot.revision(),
                 .message = "The task may not be completed before these are done.",
                 .blocking = open.names()};
}

std::optional<Guard> no_progress_guard(const Snapshot& snapshot, const Profile& profile, std::uint64_t repeated) {
    if (repeated < profile.repeats_max) return std::nullopt;
    return Guard{.kind = GuardKind::no_progress,
                 .revision = snapshot.revision(),
                 .message = "The same action was seen " + std::to_string(repeated) + " times without progress since " +
                            format_time(snapshot.last_progress_at()) + ".",
                 .repeated = repeated};
}

Guard out_of_scope_guard() {
    return {.kind = GuardKind::out_of_scope, .message = "The step names something of another scope."};
}

}  // namespace taskstate::inline v0
