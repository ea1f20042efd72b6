#include "cli/service_replay.hpp"

#include "cli/answer.hpp"
#include "cli/counting_ids.hpp"
#include "model/members.hpp"

#include <taskstate/codec/json.hpp>
#include <taskstate/model/wire.hpp>
#include <taskstate/store/memory_store.hpp>

#include <utility>

namespace taskstate::inline v0 {
namespace {

/// A list, also an empty one, with `write_one` for each element.
template <class List, class WriteOne>
void list_member(JsonWriter& json, std::string_view name, const List& list, const WriteOne& write_one) {
    json.key(name);
    json.open_array();
    for (const auto& element : list) {
        json.open_object();
        write_one(element);
        json.close_object();
    }
    json.close_array();
}

void write_guards(JsonWriter& json, const std::vector<Guard>& guards) {
    if (guards.empty()) return;
    list_member(json, "guards", guards, [&](const Guard& guard) {
        field(json, "kind", guard.kind);
        field(json, "revision", guard.revision.number);
        field(json, "message", guard.message);
        field(json, "blocking", guard.blocking);
        counter(json, "repeated", guard.repeated);
    });
}

/// Counts by the words of a list.
template <class E, class Counts>
void write_counts(JsonWriter& json, std::string_view name, const Counts& counts) {
    json.key(name);
    json.open_object();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) field(json, Words<E>::list[i], counts[i]);
    }
    json.close_object();
}

std::string decided(const StepResult& result) {
    const DecisionRecord& decision = result.decision;
    const bool done = decision.outcome == Outcome::accepted || decision.outcome == Outcome::no_change;
    std::string out;
    JsonWriter json(out);
    json.open_object();
    json.key("ok");
    json.boolean(done);
    field(json, "outcome", decision.outcome);
    if (done) {
        field(json, "reason", word(decision.reason));
    } else {
        write_refusal(
            json,
            Error{
                .reason = decision.reason, .path = decision.path, .limit = decision.limit, .actual = decision.actual});
    }
    if (decision.result) field(json, "revision", decision.result->number);
    field(json, "decision", decision.id);
    write_guards(json, decision.guards);
    flag(json, "shadow", decision.shadow);
    flag(json, "replayed", result.replayed);
    json.close_object();
    return out;
}
std::string decided(const Result<StepResult>& result) { return result ? decided(*result) : refusal(result.error()); }

void write_expiry(JsonWriter& json, const ExpiryStatus& status) {
    json.key("expiry");
    json.open_object();
    field(json, "evaluated_at", status.evaluated_at);
    field(json, "absolute_age_ms", status.absolute_age_ms);
    field(json, "absolute_age_ms_max", status.rule.absolute_age_ms);
    field(json, "no_progress_age_ms", status.no_progress_age_ms);
    field(json, "no_progress_ms_max", status.rule.no_progress_ms);
    field(json, "paused_ms", status.paused_ms);
    if (status.due) field(json, "due", word(*status.due));
    json.close_object();
}

void write_summary(JsonWriter& json, const Summary& summary) {
    json.key("summary");
    json.open_object();
    field(json, "total", std::uint64_t{summary.total});
    field(json, "completed", std::uint64_t{summary.completed});
    field(json, "skipped", std::uint64_t{summary.skipped});
    field(json, "failed", std::uint64_t{summary.failed});
    field(json, "blocked", summary.blocked);
    field(json, "ready", summary.ready);
    field(json, "remaining", summary.remaining);
    field(json, "open_constraints", summary.open_constraints);
    field(json, "completion_allowed", summary.completion_allowed);
    field(json, "completion_blockers", summary.completion_blockers);
    json.close_object();
}

void write_delivery(JsonWriter& json, const DeliveryRecord& delivery) {
    field(json, "delivery", delivery.id);
    field(json, "revision", delivery.revision.number);
    if (delivery.withheld) {
        field(json, "withheld", word(*delivery.withheld));
    } else {
        field(json, "sha256", format_digest(delivery.block_digest));
        field(json, "bytes", delivery.block_bytes);
    }
    field(json, "omitted", delivery.omitted);
    field(json, "prepared_at", delivery.prepared_at);
    field(json, "exposed_at", delivery.exposed_at);
}

void write_provenance(JsonWriter& json, const ProvenanceEntry& entry) {
    field(json, "summary", entry.summary);
    field(json, "kind", entry.kind);
    field(json, "id", entry.id);
    field(json, "revision", entry.revision.number);
    field(json, "actor", entry.origin.actor);
    field(json, "method", entry.origin.method);
    field(json, "assurance", entry.assurance);
    flag(json, "independently_verified", entry.independently_verified);
    field(json, "interpreter", entry.origin.interpreter);
    field(json, "evidence", entry.origin.evidence);
    field(json, "because", entry.origin.reason);
    field(json, "observed_at", entry.observed_at);
    if (entry.supersedes) field(json, "supersedes", entry.supersedes->number);
}

void write_integrity(JsonWriter& json, const Integrity& integrity) {
    field(json, "valid", integrity.valid);
    field(json, "checked_tasks", integrity.checked_tasks);
    list_member(json, "problems", integrity.problems, [&](const Problem& problem) {
        field(json, "task", problem.task);
        field(json, "reason", word(problem.reason));
        if (problem.revision) field(json, "revision", problem.revision->number);
    });
}

void write_timeline(JsonWriter& json, const Timeline& timeline) {
    list_member(json, "revisions", timeline.revisions, [&](const RevisionRecord& record) {
        field(json, "revision", record.frame.revision.number);
        field(json, "method", record.origin.method);
        field(json, "actor", record.origin.actor);
        field(json, "lifecycle", record.frame.lifecycle);
        field(json, "phase", record.frame.phase);
        flag(json, "progressed", record.progressed);
        field(json, "updated_at", record.frame.updated_at);
    });
    list_member(json, "decisions", timeline.decisions, [&](const DecisionRecord& decision) {
        field(json, "sequence", decision.sequence);
        field(json, "decision", decision.id);
        field(json, "kind", decision.kind);
        field(json, "outcome", decision.outcome);
        field(json, "reason", word(decision.reason));
        field(json, "base", decision.base.number);
        if (decision.result) field(json, "revision", decision.result->number);
        flag(json, "shadow", decision.shadow);
        field(json, "decided_at", decision.decided_at);
    });
    list_member(json, "deliveries", timeline.deliveries,
                [&](const DeliveryRecord& delivery) { write_delivery(json, delivery); });
    field(json, "retention", timeline.retention);
}

void write_health(JsonWriter& json, const Health& health) {
    const Tally& tally = health.tally;
    field(json, "observed_at", health.observed_at);
    write_counts<Lifecycle>(json, "lifecycles", tally.lifecycles);
    write_counts<Outcome>(json, "outcomes", tally.outcomes);
    write_counts<GuardKind>(json, "guards", tally.guards);
    json.key("reasons");
    json.open_object();
    for (const ReasonCount& reason : tally.reasons) field(json, word(reason.reason), reason.count);
    json.close_object();
    field(json, "shadow_decisions", tally.shadow_decisions);
    field(json, "prepared", tally.prepared);
    field(json, "exposed", tally.exposed);
    field(json, "withheld", tally.withheld);
    field(json, "bindings_active", tally.bindings_active);
    field(json, "bindings_revoked", tally.bindings_revoked);
    field(json, "last_progress_at", tally.last_progress_at);
    field(json, "no_progress_age_ms", health.no_progress_age_ms);
    field(json, "latency_ms_p50", health.latency_ms_p50);
    field(json, "latency_ms_p95", health.latency_ms_p95);
    list_member(json, "overdue", health.overdue, [&](const Overdue& overdue) {
        field(json, "task", overdue.task);
        field(json, "reason", word(overdue.reason));
        field(json, "absolute_age_ms", overdue.absolute_age_ms);
        field(json, "no_progress_age_ms", overdue.no_progress_age_ms);
    });
    write_integrity(json, health.integrity);
}

void write_removed(JsonWriter& json, const Removed& removed) {
    json.key("removed");
    json.open_object();
    field(json, "deliveries", removed.deliveries);
    field(json, "decisions", removed.decisions);
    field(json, "lineage", removed.lineage);
    field(json, "bindings", removed.bindings);
    field(json, "revisions", removed.revisions);
    field(json, "entries", removed.entries);
    field(json, "heads", removed.heads);
    json.close_object();
}

/// What `tell` writes of the value, or why there is none.
template <class T, class Tell>
std::string told(const Result<T>& result, const Tell& tell) {
    if (!result) return refusal(result.error());
    return success([&](JsonWriter& json) { tell(json, *result); });
}

}  // namespace

/// Makes one call, as the API has it.
class ServiceReplay::Dispatch {
 public:
    explicit Dispatch(TaskService& service) : service_(service) {}

    std::string operator()(const EnableCall& call) {
        if (const auto set = service_.set_mode(call.scope, call.mode); !set) return refusal(set.error());
        return success([&](JsonWriter& json) { field(json, "mode", call.mode); });
    }
    std::string operator()(const StartCall& call) { return decided(service_.start(call.request)); }
    std::string operator()(const SubmitCall& call) { return decided(service_.submit(call.request)); }
    std::string operator()(const CorrectCall& call) { return decided(service_.correct(call.request)); }
    std::string operator()(const LifecycleCall& call) { return decided(service_.lifecycle(call.request)); }
    std::string operator()(const ObserveCall& call) { return decided(service_.observe(call.request)); }
    std::string operator()(const ProposeDeltaCall& call) { return decided(service_.propose_delta(call.request)); }
    std::string operator()(const RequestLifecycleCall& call) {
        return decided(service_.request_lifecycle(call.request));
    }

    std::string operator()(const ReadCall& call) {
        return told(service_.read(call.task), [](JsonWriter& json, const TaskView& view) {
            const Snapshot& head = view.snapshot;
            field(json, "revision", head.revision().number);
            field(json, "lifecycle", head.lifecycle());
            field(json, "terminal_reason", view.terminal_reason);
            field(json, "continues", view.continues);
            write_summary(json, view.summary);
            write_expiry(json, view.expiry);
            field(json, "clock", view.clock);
            field(json, "digest", format_digest(head.state_digest()));
            json.key("snapshot");
            json.raw(encode(head));
        });
    }
    std::string operator()(const ListCall& call) {
        return told(service_.list(call.request), [](JsonWriter& json, const ListPage& page) {
            list_member(json, "tasks", page.tasks, [&](const TaskHead& head) {
                field(json, "task", head.identity.id);
                field(json, "goal", head.identity.goal);
                field(json, "lifecycle", head.frame.lifecycle);
                field(json, "revision", head.frame.revision.number);
                field(json, "profile", head.identity.profile);
                field(json, "created_at", head.identity.created_at);
                field(json, "last_progress_at", head.frame.last_progress_at);
            });
            field(json, "cursor", page.cursor);
        });
    }
    std::string operator()(const ProvenanceCall& call) {
        return told(service_.provenance(call.request), [](JsonWriter& json, const Provenance& provenance) {
            field(json, "found", provenance.found);
            counter(json, "current", provenance.current.number);
            list_member(json, "history", provenance.history,
                        [&](const ProvenanceEntry& entry) { write_provenance(json, entry); });
            list_member(json, "deliveries", provenance.deliveries,
                        [&](const DeliveryRecord& delivery) { write_delivery(json, delivery); });
            field(json, "retention", provenance.retention);
        });
    }
    std::string operator()(const TimelineCall& call) { return told(service_.timeline(call.request), write_timeline); }
    std::string operator()(const HealthCall& call) { return told(service_.health(call.scope), write_health); }
    std::string operator()(const VerifyCall& call) { return told(service_.verify(call.scope), write_integrity); }

    std::string operator()(const PrepareCall& call) {
        const auto spellings = ControlSpellings::parse(call.spellings);
        if (!spellings) return refusal_in("/spellings", spellings.error());
        PrepareInput request = call.request;
        request.prompt = {.bytes_max = call.bytes_max, .tokens_max = call.tokens_max, .spellings = *spellings};
        const auto package = service_.prepare(request);
        if (!package) return refusal(package.error());
        return package->block ? injected(*package) : withheld(*package);
    }
    std::string operator()(const ConfirmExposureCall& call) {
        return told(service_.confirm_exposure(call.scope, call.delivery),
                    [](JsonWriter& json, bool exposed) { field(json, "exposed", exposed); });
    }

    std::string operator()(const BindCall& call) {
        return told(service_.bind(call.request), [](JsonWriter& json, const Binding& binding) {
            field(json, "binding", binding.id);
            field(json, "expires_at", binding.expires_at);
        });
    }
    std::string operator()(const UnbindCall& call) {
        const auto done = service_.unbind(call.request);
        return done ? success() : refusal(done.error());
    }
    std::string operator()(const ResolveCall& call) {
        return told(service_.resolve(call.request), [](JsonWriter& json, const Resolution& resolution) {
            field(json, "task", resolution.task);
            field(json, "by", resolution.by);
            field(json, "binding", resolution.binding);
        });
    }

    std::string operator()(const ForgetCall& call) {
        return told(service_.forget(call.task, call.actor), [](JsonWriter& json, const DeletionReceipt& receipt) {
            field(json, "task", receipt.task);
            write_removed(json, receipt.removed);
            field(json, "goal_digest", receipt.goal_digest);
            field(json, "actor", receipt.actor);
            field(json, "deleted_at", receipt.deleted_at);
        });
    }
    std::string operator()(const TrimCall& call) {
        return told(service_.trim(call.request), [](JsonWriter& json, const Trimmed& trimmed) {
            field(json, "removed", trimmed.removed);
            field(json, "first", trimmed.first.number);
        });
    }
    std::string operator()(const RegisterProfileCall& call) {
        const auto registered = service_.register_profile(call.profile, call.actor, call.how);
        return told(registered, [](JsonWriter& json, const Registration& registration) {
            field(json, "profile", registration.profile);
            field(json, "digest", format_digest(registration.digest));
            field(json, "reason", word(registration.reason));
        });
    }
    std::string operator()(const ExpireDueCall& call) {
        const auto expired = service_.expire_due(static_cast<std::size_t>(call.limit));
        return told(expired, [](JsonWriter& json, const std::vector<TaskAddress>& tasks) {
            list_member(json, "tasks", tasks, [&](const TaskAddress& task) {
                field(json, "scope", view(task.scope));
                field(json, "task", task.id);
            });
        });
    }

 private:
    static std::string injected(const ContextPackage& package) {
        const Block& block = *package.block;
        return success([&](JsonWriter& json) {
            field(json, "text", block.text());
            field(json, "sha256", format_digest(block.sha256()));
            field(json, "bytes", std::uint64_t{block.bytes()});
            field(json, "tokens", std::uint64_t{block.tokens()});
            json.key("omitted");
            json.open_array();
            for (const std::string_view name : block.omitted()) json.string(name);
            json.close_array();
            field(json, "preamble", package.preamble);
            field(json, "delivery", package.delivery);
            field(json, "cache_key", package.cache_key);
            if (package.revision) field(json, "revision", package.revision->number);
        });
    }
    static std::string withheld(const ContextPackage& package) {
        return refusal(Error{.reason = package.withheld.value_or(Reason::task_context_not_eligible),
                             .path = {},
                             .limit = package.limit,
                             .actual = package.actual});
    }

    TaskService& service_;
};

ServiceReplay::ServiceReplay(std::shared_ptr<Clock> clock, const std::shared_ptr<Store>& store)
    : service_(*TaskService::open({.store = store ? store : memory_store(),
                                   .clock = std::move(clock),
                                   .clock_name = std::string(session_clock_name),
                                   .ids = store ? random_ids() : std::make_shared<CountingIds>()})) {}

std::string ServiceReplay::answer(const ServiceCall& call) { return std::visit(Dispatch(service_), call); }

}  // namespace taskstate::inline v0
