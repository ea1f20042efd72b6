// One line of `taskstate replay` for a service.

#include "codec/values.hpp"

#include <taskstate/codec/call.hpp>
#include <taskstate/service/call.hpp>

#include <algorithm>
#include <iterator>

namespace taskstate::inline v0 {
namespace {

void address(Fields& fields, TaskAddress& out) {
    fields.required("task", out.id);
    fields.required("scope", out.scope);
}

// An object whose members are other texts.
struct Texts {
    struct Member {
        std::string_view name{};
        std::string* text = nullptr;
    };
    std::vector<Member> list{};
};
void read(const Cursor& at, const Texts& out) {
    Fields fields(at);
    for (const Texts::Member& member : out.list) fields.optional(member.name, *member.text);
    fields.close();
}

// Whichever part is absent is empty: what is required is for the service to say.
void identity(Fields& fields, SessionIdentity& out) {
    const Texts texts{{{"host", &out.host}, {"session", &out.session}, {"epoch", &out.epoch}}};
    fields.optional("identity", texts);
}
void adapter(Fields& fields, Adapter& out) {
    const Texts texts{{{"name", &out.name}, {"version", &out.version}}};
    fields.required("adapter", texts);
}

// An operation without a word on how strongly somebody vouches for it: an adapter vouches for nothing.
struct PlainOperation {
    Operation operation{};
};
void read(const Cursor& at, PlainOperation& out) {
    ProposedOperation proposed;
    read(at, proposed);
    if (proposed.assurance) at.fail(fail(Reason::unknown_field, "/assurance"));
    out.operation = std::move(proposed.operation);
}

void arguments(Fields& fields, EnableCall& out) {
    fields.required("scope", out.scope);
    fields.optional("mode", out.mode);
}
void arguments(Fields& fields, StartCall& out) {
    StartInput& start = out.request;
    address(fields, start.task);
    fields.required("key", start.key);
    fields.required("actor", start.actor);
    fields.optional("profile", start.profile);
    fields.optional("association", start.association);
    fields.optional("goal", start.goal);
    fields.optional("continues", start.continues);
    fields.optional("constraints", start.constraints);
    fields.optional("sources", start.sources);
    fields.optional("items", start.items);
    fields.optional("evidence", start.evidence);
}
void arguments(Fields& fields, SubmitCall& out) { members(fields, out.request); }
void arguments(Fields& fields, CorrectCall& out) { members(fields, out.request); }
void arguments(Fields& fields, LifecycleCall& out) {
    LifecycleInput& change = out.request;
    address(fields, change.task);
    fields.required("key", change.key);
    fields.required("actor", change.actor);
    fields.required("to", change.to);
    fields.required("base", change.base);
    fields.optional("reason", change.reason);
    fields.optional("over_open_gates", change.over_open_gates);
    fields.optional("evidence", change.evidence);
}
void arguments(Fields& fields, ReadCall& out) { address(fields, out.task); }
void arguments(Fields& fields, ListCall& out) {
    std::uint64_t limit = out.request.limit;
    fields.required("scope", out.request.scope);
    fields.optional("lifecycles", out.request.lifecycles);
    fields.optional("cursor", out.request.cursor);
    fields.optional("limit", limit);
    out.request.limit = static_cast<std::size_t>(limit);
}
// What names a task, or the session that drives one.
template <class Request>
void place(Fields& fields, Request& out) {
    SessionIdentity session;
    fields.required("scope", out.scope);
    fields.optional("task", out.task);
    identity(fields, session);
    if (!(session == SessionIdentity{})) out.identity = std::move(session);
    fields.optional("session_started_at", out.session_started_at);
}
void arguments(Fields& fields, PrepareCall& out) {
    place(fields, out.request);
    fields.optional("bytes_max", out.bytes_max);
    fields.optional("tokens_max", out.tokens_max);
    fields.optional("spellings", out.spellings);
}
void arguments(Fields& fields, ConfirmExposureCall& out) {
    fields.required("scope", out.scope);
    fields.required("delivery", out.delivery);
}
void arguments(Fields& fields, BindCall& out) {
    address(fields, out.request.task);
    identity(fields, out.request.identity);
    fields.required("actor", out.request.actor);
    fields.optional("reason", out.request.reason);
}
void arguments(Fields& fields, UnbindCall& out) {
    fields.required("scope", out.request.scope);
    fields.required("binding", out.request.binding);
    fields.required("actor", out.request.actor);
    fields.optional("reason", out.request.reason);
}
void arguments(Fields& fields, ResolveCall& out) { place(fields, out.request); }
// What every request of an adapter has.
template <class Request>
void boundary(Fields& fields, Request& out) {
    address(fields, out.task);
    identity(fields, out.identity);
    fields.optional("session_started_at", out.session_started_at);
    fields.required("key", out.key);
    adapter(fields, out.adapter);
}
void arguments(Fields& fields, ObserveCall& out) {
    boundary(fields, out.request);
    fields.required("observation", out.request.observation);
    fields.optional("evidence", out.request.evidence);
}
void arguments(Fields& fields, ProposeDeltaCall& out) {
    std::vector<PlainOperation> operations;
    boundary(fields, out.request);
    fields.required("base", out.request.base);
    fields.required("operations", operations);
    fields.optional("evidence", out.request.evidence);
    fields.optional("reason", out.request.reason);
    fields.optional("action_fingerprint", out.request.action_fingerprint);
    for (PlainOperation& plain : operations) out.request.operations.push_back(std::move(plain.operation));
}
void arguments(Fields& fields, RequestLifecycleCall& out) {
    boundary(fields, out.request);
    fields.required("to", out.request.to);
    fields.required("base", out.request.base);
    fields.optional("reason", out.request.reason);
}
void arguments(Fields& fields, ProvenanceCall& out) {
    address(fields, out.request.task);
    fields.optional("kind", out.request.kind);
    fields.optional("id", out.request.id);
}
void arguments(Fields& fields, TimelineCall& out) {
    std::uint64_t limit = out.request.limit;
    address(fields, out.request.task);
    fields.optional("after", out.request.after);
    fields.optional("limit", limit);
    out.request.limit = static_cast<std::size_t>(limit);
}
void arguments(Fields& fields, HealthCall& out) { fields.required("scope", out.scope); }
void arguments(Fields& fields, VerifyCall& out) { fields.required("scope", out.scope); }
void arguments(Fields& fields, ForgetCall& out) {
    address(fields, out.task);
    fields.required("actor", out.actor);
}
void arguments(Fields& fields, TrimCall& out) {
    TrimInput& trim = out.request;
    address(fields, trim.task);
    fields.required("actor", trim.actor);
    fields.optional("last", trim.last);
    fields.optional("since", trim.since);
    fields.optional("pinned", trim.pinned);
}
void arguments(Fields& fields, RegisterProfileCall& out) {
    bool dry_run = false;
    fields.required("profile", out.profile);
    fields.required("actor", out.actor);
    fields.optional("dry_run", dry_run);
    out.how = dry_run ? Registering::dry_run : Registering::in_earnest;
}
void arguments(Fields& fields, ExpireDueCall& out) { fields.optional("limit", out.limit); }

template <class C>
ServiceCall service_call_of(Fields& fields) {
    C call;
    arguments(fields, call);
    return call;
}

struct ServiceCallName {
    std::string_view name{};
    ServiceCall (*read)(Fields&) = nullptr;
};

constexpr ServiceCallName service_call_names[] = {
    {"enable", service_call_of<EnableCall>},
    {"start", service_call_of<StartCall>},
    {"submit", service_call_of<SubmitCall>},
    {"correct", service_call_of<CorrectCall>},
    {"lifecycle", service_call_of<LifecycleCall>},
    {"read", service_call_of<ReadCall>},
    {"list", service_call_of<ListCall>},
    {"prepare", service_call_of<PrepareCall>},
    {"confirm_exposure", service_call_of<ConfirmExposureCall>},
    {"bind", service_call_of<BindCall>},
    {"unbind", service_call_of<UnbindCall>},
    {"resolve", service_call_of<ResolveCall>},
    {"observe", service_call_of<ObserveCall>},
    {"propose_delta", service_call_of<ProposeDeltaCall>},
    {"request_lifecycle", service_call_of<RequestLifecycleCall>},
    {"provenance", service_call_of<ProvenanceCall>},
    {"timeline", service_call_of<TimelineCall>},
    {"health", service_call_of<HealthCall>},
    {"verify", service_call_of<VerifyCall>},
    {"forget", service_call_of<ForgetCall>},
    {"trim", service_call_of<TrimCall>},
    {"register_profile", service_call_of<RegisterProfileCall>},
    {"expire_due", service_call_of<ExpireDueCall>},
};
static_assert(std::size(service_call_names) == std::variant_size_v<ServiceCall>, "every call has a name");

}  // namespace

Result<ServiceCall> decode_service_call(std::string_view line) {
    const auto document = read_json(line, {.bytes_max = call_bytes_max}, TextPolicy::refuse);
    if (!document) return document.error();
    Reading reading{.policy = TextPolicy::refuse};
    Fields fields(Cursor(document->root(), reading));
    std::string name;
    fields.required("call", name);
    fields.dropped("expect");
    const auto* const found = std::find_if(std::begin(service_call_names), std::end(service_call_names),
                                           [&](const ServiceCallName& call) { return call.name == name; });
    if (found == std::end(service_call_names)) {
        if (!reading.error) reading.error = fail(Reason::unknown_call, "/call");
        return *std::move(reading.error);
    }
    ServiceCall call = found->read(fields);
    fields.close();
    if (reading.error) return *std::move(reading.error);
    return call;
}

}  // namespace taskstate::inline v0
