// One line of `taskstate replay`.

#include "codec/values.hpp"

#include <taskstate/codec/call.hpp>

#include <algorithm>
#include <iterator>

namespace taskstate::inline v0 {

template <>
struct Words<TextPolicy> {
    static constexpr std::array<std::string_view, 2> list{"refuse", "replace"};
};

void read(const Cursor& at, Message& out) {
    Fields fields(at);
    fields.required("role", out.role);
    std::string content;
    if (fields.optional("content", content)) {
        out.parts.push_back(std::move(content));
    } else {
        fields.optional("parts", out.parts);
    }
    fields.close();
}

void read(const Cursor& at, LinkedTask& out) {
    Fields fields(at);
    fields.optional("type", out.type);
    fields.optional("state", out.state);
    fields.close();
}

namespace {

std::string json_text(const Cursor& at) {
    std::string text;
    JsonWriter json(text);
    write_canonical(at, json);
    return text;
}

// What a line expects.
struct Expectation {
    std::string object{};
};
void read(const Cursor& at, Expectation& out) {
    if (at.is(Node::Kind::object)) out.object = json_text(at);
}
// The body of a request: the text itself, or JSON to be written out.
struct Body {
    std::string text{};
};
void read(const Cursor& at, Body& out) {
    out.text = at.node().kind == Node::Kind::string ? std::string(at.node().text) : json_text(at);
}
// A text, or null for nobody.
struct Owner {
    OptText name{};
};
void read(const Cursor& at, Owner& out) {
    if (at.node().kind != Node::Kind::null) read(at, out.name);
}

void options(Fields& fields, TaskOptions& out) {
    fields.required("id", out.id);
    fields.required("scope", out.scope);
    fields.optional("association", out.association);
    fields.optional("goal", out.goal);
    fields.optional("profile", out.profile);
    fields.optional("limits", out.limits);
    fields.optional("link", out.link);
    fields.optional("text", out.text);
}

void rules(Fields& fields, DispatchRules& out) {
    fields.optional("user_role_allowed", out.user_role_allowed);
    fields.optional("old_blocks_allowed", out.old_blocks_allowed);
}

void arguments(Fields& fields, CreateCall& out) { options(fields, out.options); }
void arguments(Fields& fields, OpenCall& out) {
    options(fields, out.options);
    fields.required("snapshot", out.snapshot);
}
void arguments(Fields& fields, UpdateCall& out) {
    fields.required("expected", out.expected);
    fields.required("delta", out.delta);
}
void arguments(Fields& fields, ProposeCall& out) {
    fields.required("expected", out.expected);
    fields.required("notes", out.notes);
}
void arguments(Fields& fields, AssumeCall& out) {
    fields.required("expected", out.expected);
    fields.required("notes", out.notes);
}
void arguments(Fields& fields, RecordActionCall& out) {
    fields.required("expected", out.expected);
    fields.required("action", out.action);
}
void arguments(Fields& fields, ConfirmActionCall& out) {
    fields.required("expected", out.expected);
    fields.required("confirmation", out.confirmation);
}
void arguments(Fields& fields, PruneCall& out) {
    fields.required("expected", out.expected);
    fields.optional("notes", out.targets.notes);
    fields.optional("actions", out.targets.actions);
}
void arguments(Fields& fields, SyncLinkCall& out) {
    fields.required("expected", out.expected);
    fields.required("link", out.link);
}
void arguments(Fields& fields, BeginRefreshCall& out) {
    fields.required("expected", out.expected);
    fields.required("principal", out.principal);
}
void arguments(Fields& fields, CommitRefreshCall& out) { fields.required("seen", out.seen); }
void arguments(Fields& fields, RebaseCall& out) {
    fields.required("delta", out.delta);
    fields.required("from", out.from);
}
void arguments(Fields&, SnapshotCall&) {}
void arguments(Fields&, RevisionCall&) {}
void arguments(Fields&, GenerationCall&) {}
void arguments(Fields& fields, PromptCall& out) {
    fields.optional("bytes_max", out.bytes_max);
    fields.optional("tokens_max", out.tokens_max);
    fields.optional("spellings", out.spellings);
}
void arguments(Fields&, PreambleCall&) {}
void arguments(Fields& fields, AttachCall& out) { fields.required("messages", out.messages); }
void arguments(Fields& fields, VerifyDispatchCall& out) {
    fields.required("messages", out.messages);
    rules(fields, out.rules);
}
void arguments(Fields& fields, VerifyRequestCall& out) {
    Body body;
    fields.required("kind", out.kind);
    fields.required("body", body);
    rules(fields, out.rules);
    out.body = std::move(body.text);
}
void arguments(Fields& fields, RestoreCall& out) { fields.required("snapshot", out.snapshot); }
void arguments(Fields&, ClearCall&) {}
void arguments(Fields&, DestroyCall&) {}
void arguments(Fields& fields, AdvanceClockCall& out) { fields.required("ms", out.ms); }
void arguments(Fields& fields, ChangesCall& out) { fields.required("since", out.since); }
void arguments(Fields& fields, RecordCall& out) {
    fields.required("kind", out.kind);
    fields.required("id", out.id);
}
void arguments(Fields& fields, CommandCall& out) { fields.required("line", out.line); }
void arguments(Fields& fields, SetOwnerCall& out) {
    Owner owner;
    fields.required("owner", owner);
    out.owner = std::move(owner.name);
}

template <class C>
CallArguments arguments_of(Fields& fields) {
    C call;
    arguments(fields, call);
    return call;
}

struct CallName {
    std::string_view name{};
    CallArguments (*read)(Fields&) = nullptr;
};

constexpr CallName call_names[] = {
    {"create", arguments_of<CreateCall>},
    {"open", arguments_of<OpenCall>},
    {"update", arguments_of<UpdateCall>},
    {"propose", arguments_of<ProposeCall>},
    {"assume", arguments_of<AssumeCall>},
    {"record_action", arguments_of<RecordActionCall>},
    {"confirm_action", arguments_of<ConfirmActionCall>},
    {"prune", arguments_of<PruneCall>},
    {"sync_link", arguments_of<SyncLinkCall>},
    {"begin_refresh", arguments_of<BeginRefreshCall>},
    {"commit_refresh", arguments_of<CommitRefreshCall>},
    {"rebase", arguments_of<RebaseCall>},
    {"snapshot", arguments_of<SnapshotCall>},
    {"revision", arguments_of<RevisionCall>},
    {"generation", arguments_of<GenerationCall>},
    {"prompt", arguments_of<PromptCall>},
    {"preamble", arguments_of<PreambleCall>},
    {"attach", arguments_of<AttachCall>},
    {"verify_dispatch", arguments_of<VerifyDispatchCall>},
    {"verify_request", arguments_of<VerifyRequestCall>},
    {"restore", arguments_of<RestoreCall>},
    {"clear", arguments_of<ClearCall>},
    {"destroy", arguments_of<DestroyCall>},
    {"advance_clock", arguments_of<AdvanceClockCall>},
    {"changes", arguments_of<ChangesCall>},
    {"record", arguments_of<RecordCall>},
    {"command", arguments_of<CommandCall>},
    {"set_owner", arguments_of<SetOwnerCall>},
};
static_assert(std::size(call_names) == std::variant_size_v<CallArguments>, "every call has a name");

Result<CallArguments> read_arguments(const Document& line, TextPolicy policy) {
    Reading reading{.policy = policy, .replaced = line.replaced};
    Fields fields(Cursor(line.root(), reading));
    std::string name;
    const bool named = fields.optional("call", name);
    fields.dropped("task");
    fields.dropped("expect");
    const auto* const found = std::find_if(std::begin(call_names), std::end(call_names),
                                           [&](const CallName& call) { return call.name == name; });
    if (found == std::end(call_names)) {
        // Without a name nothing is known of the other members.
        if (!reading.error) reading.error = fail(named ? Reason::unknown_call : Reason::missing_field, "/call");
        return *std::move(reading.error);
    }
    CallArguments arguments = found->read(fields);
    fields.close();
    if (reading.error) return *std::move(reading.error);
    return arguments;
}

// The members of one object, each value as canonical JSON.
struct Written {
    std::vector<std::pair<std::string, std::string>> list{};
};
void read(const Cursor& at, Written& out) {
    if (!at.is(Node::Kind::object)) return;
    for (const Node& member : at.members()) out.list.emplace_back(member.key, json_text(at.member(member)));
}

}  // namespace

Result<Call> decode_call(std::string_view line, TextPolicy policy) {
    const auto document = read_json(line, {.bytes_max = call_bytes_max}, policy);
    if (!document) return document.error();
    Reading reading{.policy = policy};
    Fields fields(Cursor(document->root(), reading));
    std::string task;
    std::optional<Expectation> expect;
    fields.optional("task", task);
    fields.optional("expect", expect);
    if (reading.error) return *std::move(reading.error);
    return Call{.task = std::move(task),
                .expect = expect ? OptText(std::move(expect->object)) : std::nullopt,
                .arguments = read_arguments(*document, policy)};
}

Result<bool> matches(std::string_view answer, std::string_view expect) {
    const auto given = decode_as<Written>(answer, {.bytes_max = answer.size()}, TextPolicy::refuse);
    if (!given) return given.error();
    const auto wanted = decode_as<Written>(expect, {.bytes_max = expect.size()}, TextPolicy::refuse);
    if (!wanted) return wanted.error();
    const auto stands_in_answer = [&](const auto& member) {
        return std::find(given->list.begin(), given->list.end(), member) != given->list.end();
    };
    return std::all_of(wanted->list.begin(), wanted->list.end(), stands_in_answer);
}

}  // namespace taskstate::inline v0
