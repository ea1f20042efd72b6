// Keys stand in byte order, as RFC 8785 asks; each object names what it is a request for.

#include "service/payload.hpp"

#include <taskstate/model/wire.hpp>

#include "model/members.hpp"

namespace taskstate::inline v0 {

namespace {

template <class WriteFields>
Digest digest_of(const WriteFields& write_fields) {
    std::string text;
    JsonWriter json(text);
    json.open_object();
    write_fields(json);
    json.close_object();
    return sha256(text);
}

void task_fields(JsonWriter& json, const TaskAddress& task) {
    field(json, "scope", view(task.scope));
    field(json, "task", task.id);
}

void adapter_field(JsonWriter& json, const Adapter& adapter) {
    json.key("adapter");
    json.open_object();
    field(json, "name", adapter.name);
    field(json, "version", adapter.version);
    json.close_object();
}

void identity_field(JsonWriter& json, const SessionIdentity& identity) {
    json.key("identity");
    json.open_object();
    field(json, "epoch", identity.epoch);
    field(json, "host", identity.host);
    field(json, "session", identity.session);
    json.close_object();
}

}  // namespace

Digest payload_digest(const StartInput& request) {
    return digest_of([&](JsonWriter& json) {
        field(json, "actor", request.actor);
        field(json, "association", request.association);
        field(json, "constraints", request.constraints);
        field(json, "continues", request.continues);
        field(json, "evidence", request.evidence);
        field(json, "goal", request.goal);
        field(json, "items", request.items);
        field(json, "profile", request.profile);
        field(json, "request", std::string_view("start"));
        field(json, "scope", view(request.task.scope));
        field(json, "sources", request.sources);
        field(json, "task", request.task.id);
    });
}

Digest payload_digest(const LifecycleInput& request) {
    return digest_of([&](JsonWriter& json) {
        field(json, "actor", request.actor);
        field(json, "base", request.base.number);
        field(json, "evidence", request.evidence);
        flag(json, "over_open_gates", request.over_open_gates);
        field(json, "reason", request.reason);
        field(json, "request", std::string_view("lifecycle"));
        task_fields(json, request.task);
        field(json, "to", request.to);
    });
}

Digest payload_digest(const ObservationInput& request) {
    return digest_of([&](JsonWriter& json) {
        adapter_field(json, request.adapter);
        field(json, "evidence", request.evidence);
        identity_field(json, request.identity);
        field(json, "observation", request.observation);
        field(json, "request", std::string_view("observe"));
        task_fields(json, request.task);
    });
}

Digest payload_digest(const HostProposalInput& request) {
    return digest_of([&](JsonWriter& json) {
        field(json, "action_fingerprint", request.action_fingerprint);
        adapter_field(json, request.adapter);
        field(json, "base", request.base.number);
        field(json, "evidence", request.evidence);
        identity_field(json, request.identity);
        json.key("operations");
        json.open_array();
        for (const Operation& operation : request.operations) write(json, ProposedOperation{operation, std::nullopt});
        json.close_array();
        field(json, "reason", request.reason);
        field(json, "request", std::string_view("propose_delta"));
        task_fields(json, request.task);
    });
}

Digest payload_digest(const HostLifecycleInput& request) {
    return digest_of([&](JsonWriter& json) {
        adapter_field(json, request.adapter);
        field(json, "base", request.base.number);
        identity_field(json, request.identity);
        field(json, "reason", request.reason);
        field(json, "request", std::string_view("request_lifecycle"));
        task_fields(json, request.task);
        field(json, "to", request.to);
    });
}

}  // namespace taskstate::inline v0
