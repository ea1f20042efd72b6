// Keeps the state of a recorded conversation (OpenAI chat messages) as its host would have kept it.
//
// Before each message of the assistant stands one request to the model: the host attaches the block, verifies the
// request, and one row of the table is printed.  A tool call is recorded as `started` before its answer is looked at.
// Reads are confirmed and pruned at once; writes are kept as receipts.  The host's own notes come from a side file:
//   {"goal": "…", "writes": ["tool"], "notes": [{"at_message": 3, "delta": {…taskstate.delta/1…}}]}
#include <nlohmann/json.hpp>
#include <taskstate/taskstate.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace taskstate;
using Json = nlohmann::json;

constexpr std::size_t turns_between_drops = 5;
constexpr std::size_t messages_kept = 4;

enum Exit { exit_broken = 1, exit_unreadable = 2 };

[[noreturn]] void stop(Exit code, const std::string& why) {
    std::fprintf(stderr, "conversation: %s\n", why.c_str());
    std::exit(code);
}

template <class T>
T need(Result<T> result, const std::string& step) {
    if (!result) stop(exit_broken, step + ": " + result.error().message);
    return *std::move(result);
}

void need(const Result<void>& result, const std::string& step) {
    if (!result) stop(exit_broken, step + ": " + result.error().message);
}

Json read_json(const std::string& path) {
    const std::ifstream file(path, std::ios::binary);
    if (!file) stop(exit_unreadable, "cannot open " + path);
    std::ostringstream text;
    text << file.rdbuf();
    Json json = Json::parse(text.str(), nullptr, false);
    if (json.is_discarded()) stop(exit_unreadable, path + " is not JSON");
    return json;
}

// The member `key` of `object`, which must have that type; `path` says where the object stands.
const Json& member(const Json& object, const std::string& key, Json::value_t type, const std::string& path) {
    const auto found = object.find(key);
    if (found == object.end()) stop(exit_unreadable, path + "/" + key + " is missing");
    if (found->type() != type) stop(exit_unreadable, path + "/" + key + " has the wrong type");
    return *found;
}

std::string text_of(const Json& object, const std::string& key, const std::string& path) {
    return member(object, key, Json::value_t::string, path).get<std::string>();
}

// What the host knows beside the conversation.
struct HostNotes {
    OptText goal{};
    std::set<std::string> writes{};
    std::multimap<std::size_t, HostDelta> deltas{};  // by the message before which they are made
};

HostNotes read_notes(const std::string& path) {
    const Json json = read_json(path);
    HostNotes notes;
    if (json.contains("goal")) notes.goal = text_of(json, "goal", "");
    if (json.contains("writes")) {
        for (const Json& tool : member(json, "writes", Json::value_t::array, "")) {
            if (!tool.is_string()) stop(exit_unreadable, "/writes holds something that is not a text");
            notes.writes.insert(tool.get<std::string>());
        }
    }
    if (!json.contains("notes")) return notes;
    std::size_t index = 0;
    for (const Json& note : member(json, "notes", Json::value_t::array, "")) {
        const std::string at = "/notes/" + std::to_string(index++);
        const auto message = member(note, "at_message", Json::value_t::number_unsigned, at).get<std::size_t>();
        auto delta = decode_delta(member(note, "delta", Json::value_t::object, at).dump());
        if (!delta) stop(exit_unreadable, path + ": " + under(at + "/delta", delta.error()).message);
        notes.deltas.emplace(message, *std::move(delta));
    }
    return notes;
}

// The text parts of a message; none where its content is null or absent.
std::vector<std::string> parts_of(const Json& message, const std::string& path) {
    const auto content = message.find("content");
    if (content == message.end() || content->is_null()) return {};
    if (content->is_string()) return {content->get<std::string>()};
    if (!content->is_array()) stop(exit_unreadable, path + "/content has the wrong type");
    std::vector<std::string> parts;
    for (const Json& part : *content) {
        if (part.is_object() && part.contains("text")) parts.push_back(text_of(part, "text", path + "/content"));
    }
    return parts;
}

// One tool call.  The execution id is the host's: ids that the model's side makes do repeat within a conversation.
struct Call {
    std::string execution{}, id{}, tool{};
    bool write = false;
};

class Recording {
 public:
    Recording(const std::string& path, HostNotes notes) : messages_(read_json(path)), notes_(std::move(notes)) {
        if (!messages_.is_array()) stop(exit_unreadable, path + " is not an array of messages");
        if (!notes_.deltas.empty() && notes_.deltas.rbegin()->first >= messages_.size()) {
            stop(exit_unreadable, "the last note stands behind the last message");
        }
    }

    std::size_t size() const { return messages_.size(); }
    const Json& message(std::size_t index) const { return messages_[index]; }
    std::string role(std::size_t index) const { return text_of(messages_[index], "role", at(index)); }
    std::vector<std::string> parts(std::size_t index) const { return parts_of(messages_[index], at(index)); }
    std::string answered_call(std::size_t index) const { return text_of(messages_[index], "tool_call_id", at(index)); }
    const HostNotes& notes() const { return notes_; }

    std::vector<Call> calls(std::size_t index) const {
        const Json& message = messages_[index];
        const auto found = message.find("tool_calls");
        if (found == message.end() || found->is_null()) return {};
        std::vector<Call> calls;
        for (const Json& call : member(message, "tool_calls", Json::value_t::array, at(index))) {
            const std::string path = at(index) + "/tool_calls/" + std::to_string(calls.size());
            std::string tool =
                text_of(member(call, "function", Json::value_t::object, path), "name", path + "/function");
            const bool write = is_write(tool);
            calls.push_back({.execution = "m" + std::to_string(index) + "-c" + std::to_string(calls.size()),
                             .id = text_of(call, "id", path),
                             .tool = std::move(tool),
                             .write = write});
        }
        return calls;
    }

    // The executions of all writes that the conversation asked for.
    std::set<std::string> writes() const {
        std::set<std::string> executions;
        for (std::size_t i = 0; i < size(); ++i) {
            for (const Call& call : calls(i)) {
                if (call.write) executions.insert(call.execution);
            }
        }
        return executions;
    }

 private:
    static std::string at(std::size_t index) { return "/" + std::to_string(index); }

    bool is_write(std::string_view tool) const {
        constexpr std::string_view verbs[] = {"book_", "cancel_", "create_", "delete_", "modify_", "order_",
                                              "pay_",  "refund_", "send_",   "submit_", "update_", "transfer_"};
        return notes_.writes.contains(std::string(tool)) ||
               std::any_of(std::begin(verbs), std::end(verbs), [&](auto verb) { return tool.starts_with(verb); });
    }

    Json messages_;
    HostNotes notes_;
};

// A name that a model made, where it can be kept; a call without one is still a call.
OptText as_ref(const std::string& name) { return check_ref(name) ? OptText(name) : std::nullopt; }

ActionOutcome started(const Call& call) {
    return {.execution = call.execution,
            .call = as_ref(call.id),
            .tool = as_ref(call.tool),
            .status = ActionStatus::started,
            .completion = Completion::unknown};
}

// This host's rule for reading an answer: failures say so at their beginning, and a timeout proves nothing.
ActionOutcome outcome(const Call& call, std::string_view answer) {
    ActionOutcome outcome = started(call);
    const bool timed_out = answer.starts_with("Timeout");
    outcome.completion = timed_out ? Completion::unknown : Completion::settled;
    outcome.status = timed_out                     ? ActionStatus::timed_out
                     : answer.starts_with("Error") ? ActionStatus::failed
                                                   : ActionStatus::succeeded;
    return outcome;
}

std::size_t shared_prefix(std::string_view a, std::string_view b) {
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// The request as it would be sent: the messages so far, with the block of the turn in the system message.
class Request {
 public:
    explicit Request(std::string preamble) : preamble_(std::move(preamble)) {}

    void add(const Json& message, Message view) {
        if (messages_.empty() && view.role == "system") view.parts.push_back(preamble_);
        if (messages_.empty() && view.role != "system") add_system();
        messages_.push_back(message);
        views_.push_back(std::move(view));
    }

    // Keeps the system message and the last few; an answer is never parted from its call.
    std::size_t drop_old_messages() {
        if (views_.size() <= messages_kept + 1) return 0;
        std::size_t first = views_.size() - messages_kept;
        while (first > 1 && views_[first].role == "tool") --first;
        views_.erase(views_.begin() + 1, views_.begin() + static_cast<std::ptrdiff_t>(first));
        messages_.erase(messages_.begin() + 1, messages_.begin() + static_cast<std::ptrdiff_t>(first));
        return first - 1;
    }

    // Replaces the block of the turn before by this one.
    void put(const Block& block) {
        if (views_.empty()) add_system();
        views_ = attach(block, views_);
    }

    const std::vector<Message>& views() const { return views_; }

    std::string body() const {
        Json messages = Json::array();
        for (std::size_t i = 0; i < views_.size(); ++i) {
            Json message = messages_[i];
            if (views_[i].role == "system" || views_[i].role == "developer") {
                message["content"] = Json::array();
                for (const std::string& part : views_[i].parts) {
                    message["content"].push_back({{"type", "text"}, {"text", part}});
                }
            }
            messages.push_back(std::move(message));
        }
        return Json{{"model", "recorded"}, {"messages", std::move(messages)}}.dump();
    }

 private:
    void add_system() {
        messages_.push_back({{"role", "system"}});
        views_.push_back({.role = "system", .parts = {preamble_}});
    }

    std::string preamble_;
    std::vector<Json> messages_;
    std::vector<Message> views_;
};

class Host {
 public:
    Host(TaskState task, const Recording& recording)
        : task_(std::move(task)), recording_(recording), request_(need(task_.preamble(), "preamble")) {}

    void play() {
        std::printf("%5s %8s %9s %8s %7s %7s %7s %9s %8s\n", "turn", "message", "revision", "entries", "bytes",
                    "tokens", "shared", "messages", "dropped");
        for (std::size_t i = 0; i < recording_.size(); ++i) {
            const auto [first, last] = recording_.notes().deltas.equal_range(i);
            for (auto note = first; note != last; ++note)
                change(note->second, "notes before message " + std::to_string(i));
            const std::string role = recording_.role(i);
            if (role == "assistant") prepare(std::to_string(i));
            if (role == "assistant") begin(recording_.calls(i));
            if (role == "tool") finish(i);
            request_.add(recording_.message(i), {.role = role, .parts = recording_.parts(i)});
        }
        prepare("end");
    }

    const std::string& last_block() const { return last_block_; }

 private:
    void change(const HostDelta& delta, const std::string& step) {
        const Result<Commit> result = task_.update(delta, task_.revision());
        if (result) return;
        if (result.error().code() == Errc::capacity) {
            std::fprintf(
                stderr,
                "The task is full.  A host stops here, before it acts: it closes and prunes what is settled, or\n"
                "raises the limit, and makes the same call again.  It never drops a receipt by itself.\n");
        }
        stop(exit_broken, step + ": " + result.error().message);
    }

    // One request to the model: its block, attached and verified, and its row of the table.
    void prepare(const std::string& message) {
        const std::size_t dropped = ++turn_ % turns_between_drops == 0 ? request_.drop_old_messages() : 0;
        const Block block = need(task_.prompt(), "prompt");
        request_.put(block);
        need(task_.verify_dispatch(block, request_.views()), "verify the messages");
        need(verify_request(task_, block, RequestKind::openai_chat, request_.body()), "verify the body");

        const Snapshot& state = block.snapshot();
        std::printf("%5zu %8s %9llu %8zu %7zu %7zu %7zu %9zu %8zu\n", turn_, message.c_str(),
                    static_cast<unsigned long long>(state.revision().number),
                    state.notes().size() + state.actions().size(), block.bytes(), block.tokens(),
                    shared_prefix(last_block_, block.text()), request_.views().size(), dropped);
        last_block_ = block.text();
    }

    // Before the host acts it records that it is about to.
    void begin(std::vector<Call> calls) {
        HostDelta delta;
        for (const Call& call : calls) delta.record_actions.push_back(started(call));
        change(delta, "record started");
        open_.insert(open_.end(), calls.begin(), calls.end());
    }

    // The answer settles its call.  A read that is over has nothing left to tell; a write stays until someone closes
    // it.
    void finish(std::size_t index) {
        const std::string id = recording_.answered_call(index);
        const auto call = std::find_if(open_.begin(), open_.end(), [&](const Call& open) { return open.id == id; });
        if (call == open_.end()) stop(exit_unreadable, "/" + std::to_string(index) + " answers no open call");

        const std::vector<std::string> parts = recording_.parts(index);
        const ActionOutcome seen = outcome(*call, parts.empty() ? "" : parts.front());
        HostDelta delta{.record_actions = {seen}};
        if (!call->write) {
            const bool well = seen.status == ActionStatus::succeeded;
            delta.confirm_actions = {{.execution = call->execution,
                                      .status = well ? Confirmed::completed : Confirmed::failed,
                                      .source = {.label = "A read has no effect to wait for"}}};
            delta.prune.actions = {call->execution};
        }
        change(delta, "record the outcome");
        open_.erase(call);
    }

    TaskState task_;
    const Recording& recording_;
    Request request_;
    std::vector<Call> open_;
    std::string last_block_;
    std::size_t turn_ = 0;
};

// The receipts that a reader of the block sees, found in its text alone.
std::set<std::string> receipts_in(const std::string& block) {
    constexpr std::string_view kind = "action ";
    std::set<std::string> executions;
    std::istringstream lines(block);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(kind))
            executions.insert(line.substr(kind.size(), line.find(' ', kind.size()) - kind.size()));
    }
    return executions;
}

int play(const std::string& path, HostNotes notes) {
    const TaskOptions options{
        .id = "conversation", .scope = {.owner = "host-user", .workspace = "recordings"}, .goal = notes.goal};
    const Recording recording(path, std::move(notes));
    Host host(need(TaskState::create(options), "create"), recording);
    host.play();

    const std::set<std::string> writes = recording.writes();
    std::size_t receipts = 0;
    for (const std::string& execution : receipts_in(host.last_block())) receipts += writes.count(execution);
    std::printf("\nThe block of the next request:\n\n%s\n\n", host.last_block().c_str());
    std::printf("Writes that the conversation made: %zu\nReceipts that the block shows:     %zu\n", writes.size(),
                receipts);
    return receipts == writes.size() ? 0 : exit_broken;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2) return play(argv[1], {});
    if (argc == 4 && std::string_view(argv[2]) == "--notes") return play(argv[1], read_notes(argv[3]));
    std::fprintf(stderr, "usage: conversation FILE [--notes SIDE]\n");
    return exit_unreadable;
}
