#include "cli/replay.hpp"

#include "cli/answer.hpp"

#include <taskstate/codec/json.hpp>
#include <taskstate/store/task_journal.hpp>
#include <taskstate/task/command.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t history_max = 32;

std::string committed(Outcome outcome, Revision revision, std::size_t replaced = 0) {
    return success([&](JsonWriter& json) {
        member(json, "outcome", word(outcome));
        member(json, "revision", revision.number);
        if (replaced > 0) member(json, "replaced", replaced);
    });
}

std::string text_answer(std::string_view text) {
    return success([&](JsonWriter& json) { member(json, "text", text); });
}

void write_messages(JsonWriter& json, const std::vector<Message>& messages) {
    json.open_array();
    for (const Message& message : messages) {
        json.open_object();
        member(json, "role", message.role);
        json.key("parts");
        json.open_array();
        for (const std::string& part : message.parts) json.string(part);
        json.close_array();
        json.close_object();
    }
    json.close_array();
}

Reason unknown(EntryKind kind) {
    constexpr Reason reasons[] = {Reason::unknown_note, Reason::unknown_item, Reason::unknown_source,
                                  Reason::unknown_action};
    return reasons[static_cast<std::size_t>(kind)];
}

}  // namespace

class Replay::SessionClock : public Clock {
 public:
    Timestamp now() override { return now_; }
    [[nodiscard]] bool advance(std::uint64_t ms) {
        if (ms > static_cast<std::uint64_t>(timestamp_max.ms - now_.ms)) return false;
        now_.ms += static_cast<std::int64_t>(ms);
        return true;
    }

 private:
    Timestamp now_{1'767'225'600'000};  // 2026-01-01T00:00:00.000Z
};

class Replay::SessionOwner : public OwnerSource {
 public:
    OptText current_owner() override { return owner_; }
    void sign_in(OptText owner) { owner_ = std::move(owner); }

 private:
    OptText owner_{};
};

/// Makes one call on one task, as the API has it.
class Replay::Dispatch {
 public:
    explicit Dispatch(Task& task) : task_(task) {}

    std::string operator()(const UpdateCall& call) {
        return commit("/delta", task_.state.update(call.delta, call.expected));
    }
    std::string operator()(const ProposeCall& call) {
        return commit("/notes", task_.state.propose(call.notes, call.expected));
    }
    std::string operator()(const AssumeCall& call) {
        return commit("/notes", task_.state.assume(call.notes, call.expected));
    }
    std::string operator()(const RecordActionCall& call) {
        return commit("/action", task_.state.record_action(call.action, call.expected));
    }
    std::string operator()(const ConfirmActionCall& call) {
        return commit("/confirmation", task_.state.confirm_action(call.confirmation, call.expected));
    }
    std::string operator()(const PruneCall& call) { return commit("", task_.state.prune(call.targets, call.expected)); }
    std::string operator()(const SyncLinkCall& call) {
        return commit("/link", task_.state.sync_link(call.link, call.expected));
    }

    std::string operator()(const BeginRefreshCall& call) {
        auto ticket = task_.state.begin_refresh(call.principal, call.expected);
        if (!ticket) return refusal(ticket.error());
        task_.ticket = *std::move(ticket);
        return success([&](JsonWriter& json) {
            member(json, "link", task_.ticket->link_id());
            member(json, "revision", task_.ticket->base().number);
            member(json, "generation", task_.ticket->generation().number);
        });
    }
    std::string operator()(const CommitRefreshCall& call) {
        if (!task_.ticket) return refusal(fail(Reason::generation_moved));
        Refresh ticket = *std::exchange(task_.ticket, std::nullopt);
        return commit("/seen", task_.state.commit_refresh(std::move(ticket), call.seen));
    }

    std::string operator()(const RebaseCall& call) {
        const auto delta = task_.state.rebase(call.delta, call.from);
        if (!delta) return refusal_in("/delta", delta.error());
        return success([&](JsonWriter& json) {
            json.key("delta");
            json.raw(encode(*delta));
        });
    }

    std::string operator()(const SnapshotCall&) {
        return of_head([](const Snapshot& head) {
            return success([&](JsonWriter& json) {
                member(json, "revision", head.revision().number);
                member(json, "digest", format_digest(head.state_digest()));
                json.key("snapshot");
                json.raw(encode(head));
            });
        });
    }
    std::string operator()(const RevisionCall&) {
        return success([&](JsonWriter& json) { member(json, "revision", task_.state.revision().number); });
    }
    std::string operator()(const GenerationCall&) {
        return success([&](JsonWriter& json) { member(json, "generation", task_.state.generation().number); });
    }
    std::string operator()(const RecordCall& call) {
        return of_head([&](const Snapshot& head) {
            const EntryList& list = list_of(head.state(), call.kind);
            const auto index = list.find(call.id);
            return index ? text_answer(render_record(list[*index])) : refusal(fail(unknown(call.kind), "/id"));
        });
    }
    std::string operator()(const ChangesCall& call) {
        return of_head([&](const Snapshot& head) {
            const auto& history = task_.history;
            const auto from = std::find_if(history.begin(), history.end(),
                                           [&](const Snapshot& old) { return old.revision() == call.since; });
            if (from == history.end()) {
                return refusal(fail(Reason::stale_base_revision, "", {head.revision().number, call.since.number}));
            }
            return text_answer(render_changes(*from, head));
        });
    }

    std::string operator()(const PromptCall& call) {
        const auto spellings = ControlSpellings::parse(call.spellings);
        if (!spellings) return refusal_in("/spellings", spellings.error());
        const auto block =
            task_.state.prompt({.bytes_max = call.bytes_max, .tokens_max = call.tokens_max, .spellings = *spellings});
        if (!block) return refusal(block.error());
        task_.prepared = *block;
        return success([&](JsonWriter& json) {
            member(json, "text", block->text());
            member(json, "sha256", format_digest(block->sha256()));
            member(json, "bytes", block->bytes());
            member(json, "tokens", block->tokens());
            json.key("omitted");
            json.open_array();
            for (const std::string_view name : block->omitted()) json.string(name);
            json.close_array();
        });
    }
    std::string operator()(const PreambleCall&) {
        const auto preamble = task_.state.preamble();
        return preamble ? text_answer(*preamble) : refusal(preamble.error());
    }
    std::string operator()(const AttachCall& call) {
        return of_block([&](const Block& block) {
            return success([&](JsonWriter& json) {
                json.key("messages");
                write_messages(json, attach(block, call.messages));
            });
        });
    }
    std::string operator()(const VerifyDispatchCall& call) {
        return of_block([&](const Block& block) {
            const auto verified = task_.state.verify_dispatch(block, call.messages, call.rules);
            return verified ? success() : refusal_in("/messages", verified.error());
        });
    }
    std::string operator()(const VerifyRequestCall& call) {
        return of_block([&](const Block& block) {
            const auto verified = verify_request(task_.state, block, call.kind, call.body, call.rules);
            return verified ? success() : refusal_in("/body", verified.error());
        });
    }

    std::string operator()(const RestoreCall& call) {
        const auto restored = task_.state.restore(call.snapshot);
        if (!restored) return refusal_in("/snapshot", restored.error());
        task_.history.assign(1, *restored);
        return committed(Outcome::accepted, restored->revision());
    }
    std::string operator()(const ClearCall&) {
        if (const auto cleared = task_.state.clear(); !cleared) return refusal(cleared.error());
        task_.history.clear();
        return of_head([&](const Snapshot& head) {
            task_.history.push_back(head);
            return committed(Outcome::accepted, head.revision());
        });
    }
    std::string operator()(const DestroyCall&) {
        task_.state.destroy();
        return success();
    }
    std::string operator()(const CommandCall& call) {
        const auto done = run_command(task_.state, call.line);
        if (!done) return refusal(done.error());
        remember();
        return success([&](JsonWriter& json) {
            member(json, "outcome", word(done->outcome));
            member(json, "revision", done->revision.number);
            member(json, "text", done->text);
        });
    }

 private:
    std::string commit(std::string_view argument, const Result<Commit>& result) {
        if (!result) return refusal_in(argument, result.error());
        remember();
        return committed(result->outcome, result->snapshot.revision(), result->replaced);
    }

    /// Keeps the head for `changes`.
    void remember() {
        const auto head = task_.state.snapshot();
        if (!head || (!task_.history.empty() && task_.history.back().same_object(*head))) return;
        task_.history.push_back(*head);
        if (task_.history.size() > history_max) task_.history.pop_front();
    }

    template <class Read>
    std::string of_head(const Read& read) const {
        const auto head = task_.state.snapshot();
        return head ? read(*head) : refusal(head.error());
    }

    /// With the block that `prompt` gave last, or else the one of now.
    template <class Read>
    std::string of_block(const Read& read) {
        if (!task_.prepared) {
            auto block = task_.state.prompt();
            if (!block) return refusal(block.error());
            task_.prepared = *std::move(block);
        }
        return read(*task_.prepared);
    }

    Task& task_;
};

Replay::Replay(std::shared_ptr<Store> store)
    : clock_(std::make_shared<SessionClock>()),
      owner_(std::make_shared<SessionOwner>()),
      store_(std::move(store)),
      services_(clock_, store_) {}
Replay::~Replay() = default;

Answer Replay::answer(std::string_view line, std::size_t number) {
    const auto call = decode(line);
    if (!call) return {refusal(call.error(), number)};
    Answer answer{call->arguments ? perform(call->task, *call->arguments) : answer_of_service(*call, line, number)};
    if (call->expect) answer.as_expected = matches(answer.json, *call->expect).value_or(false);
    return answer;
}

std::string Replay::answer_of_service(const Call& call, std::string_view line, std::size_t number) {
    const Error& refused = call.arguments.error();
    if (refused.reason != Reason::unknown_call) return refusal(refused, number);
    const auto asked = decode_service_call(line);
    return asked ? services_.answer(*asked) : refusal(asked.error(), number);
}

Answer Replay::answer_oversized(std::size_t line_bytes, std::size_t number) const {
    return {refusal(fail(Reason::input_bytes_exceeded, "", {call_bytes_max, line_bytes}), number)};
}

/// Ill-formed text is repaired only for a task that asked for it, and its name can stand in the repaired line alone.
Result<Call> Replay::decode(std::string_view line) const {
    auto call = decode_call(line);
    const bool ill_formed = call ? !call->arguments && call->arguments.error().reason == Reason::invalid_utf8
                                 : call.error().reason == Reason::invalid_utf8;
    if (!ill_formed) return call;
    auto repaired = decode_call(line, TextPolicy::replace);
    if (!repaired) return call;
    const auto task = tasks_.find(repaired->task);
    return task != tasks_.end() && task->second.text == TextPolicy::replace ? std::move(repaired) : std::move(call);
}

std::string Replay::perform(const std::string& handle, const CallArguments& arguments) {
    return std::visit(
        [&]<class Arguments>(const Arguments& call) {
            if constexpr (std::is_invocable_v<Dispatch, const Arguments&>) {
                const auto task = tasks_.find(handle);
                if (task == tasks_.end()) return refusal(fail(Reason::task_not_eligible, "/task"));
                return Dispatch(task->second)(call);
            } else {
                return run(handle, call);
            }
        },
        arguments);
}

TaskOptions Replay::equip(TaskOptions options) const {
    options.clock = clock_;
    options.owner = owner_;
    return options;
}

std::string Replay::keep(const std::string& handle, TextPolicy text, TaskState state) {
    const auto head = state.snapshot();
    if (!head) return refusal(head.error());
    tasks_.emplace(handle, Task{.state = std::move(state), .text = text, .history = {*head}});
    return committed(Outcome::accepted, head->revision());
}

std::string Replay::run(const std::string& handle, const CreateCall& call) {
    if (tasks_.contains(handle)) return refusal(fail(Reason::already_exists, "/task"));
    const TaskOptions options = equip(call.options);
    auto state = store_ ? open_task(store_, options, {.clock_name = std::string(session_clock_name)})
                        : TaskState::create(options);
    return state ? keep(handle, call.options.text, *std::move(state)) : refusal(state.error());
}

std::string Replay::run(const std::string& handle, const OpenCall& call) {
    if (tasks_.contains(handle)) return refusal(fail(Reason::already_exists, "/task"));
    if (store_) return refusal(fail(Reason::journalled));
    const TaskOptions options = equip(call.options);
    // An error of the options has its path at the top of the line; after that, only the snapshot can be wrong.
    if (const auto created = TaskState::create(options); !created) return refusal(created.error());
    auto state = TaskState::open(options, call.snapshot);
    return state ? keep(handle, options.text, *std::move(state)) : refusal_in("/snapshot", state.error());
}

std::string Replay::run(const std::string&, const AdvanceClockCall& call) {
    if (!clock_->advance(call.ms)) return refusal(fail(Reason::out_of_range, "/ms"));
    return success([&](JsonWriter& json) { member(json, "now", format_time(clock_->now())); });
}

std::string Replay::run(const std::string&, const SetOwnerCall& call) {
    owner_->sign_in(call.owner);
    return success();
}

}  // namespace taskstate::inline v0
