// Two agents propose on the same revision.  One is quicker; the other looks again, and decides anew.
#include <taskstate/taskstate.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace {

using namespace taskstate;

const TaskAddress task{.scope = {.owner = "host-user", .workspace = "deliveries"}, .id = "delivery-42"};

template <class T>
T value_of(Result<T> result) {
    if (result) return *std::move(result);
    std::fprintf(stderr, "lost_race: %s\n", result.error().message.c_str());
    std::exit(1);
}

ProposalInput propose(std::string who, std::string key, Revision base, Operation operation) {
    return {.task = task,
            .actor = {.role = Role::agent, .name = std::move(who)},
            .key = std::move(key),
            .base = base,
            .operations = {{.operation = std::move(operation)}}};
}

void print(const char* who, const StepResult& step) {
    const DecisionRecord& decision = step.decision;
    std::printf("%s: %s (%s)", who, std::string(word(decision.outcome)).c_str(),
                std::string(word(decision.reason)).c_str());
    if (decision.result) std::printf(", revision %u", static_cast<unsigned>(decision.result->number));
    std::printf("%s\n", step.replayed ? ", as told before" : "");
}

}  // namespace

int main() {
    TaskService service = value_of(TaskService::open({.store = memory_store()}));
    if (!service.set_mode(task.scope, ScopeMode::enabled)) return 1;
    value_of(service.start({.task = task,
                            .key = "start-42",
                            .actor = {.role = Role::operator_, .name = "olga"},
                            .goal = "Ship the order",
                            .items = {{.title = "Book the courier", .id = "courier", .required = true}}}));
    const Revision seen = value_of(service.read(task)).snapshot.revision();  // both agents saw revision 1

    print("planner", value_of(service.submit(propose("planner", "plan-1", seen, SetPhase{"execute"}))));

    const ProposalInput run = propose("runner", "run-1", seen, SetItemStatus{"courier", ItemStatus::running});
    print("runner", value_of(service.submit(run)));
    print("runner", value_of(service.submit(run)));  // the same request has the same answer, for ever

    // Nothing is merged or sent again on its own: the agent looks, and finds that its step is still right.
    const Snapshot now = value_of(service.read(task)).snapshot;
    const auto courier = now.items().find("courier");
    if (!courier || courier->status != ItemStatus::pending) return 1;
    const ProposalInput again = propose("runner", "run-2", now.revision(), run.operations[0].operation);
    print("runner", value_of(service.submit(again)));  // another decision, so another key
    return 0;
}
