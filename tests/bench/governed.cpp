#include "bench/governed.hpp"

#include "bench/fixture.hpp"
#include "store/forwarding_store.hpp"

#include <taskstate/store/memory_store.hpp>

#include <utility>

namespace taskstate::bench {
namespace {

const Actor host_operator{.role = Role::operator_, .name = "operator"};

/// Keeps what is committed.
class Recorder : public test::ForwardingStore {
 public:
    using ForwardingStore::ForwardingStore;
    Result<void> commit(std::span<const Write> batch) override {
        batches.emplace_back(batch.begin(), batch.end());
        return ForwardingStore::commit(batch);
    }
    std::vector<Batch> batches{};
};

std::size_t items_of(std::size_t n) { return n / 10; }

}  // namespace

const Scope& bench_scope() {
    static const Scope scope{.owner = "host-user", .workspace = "bench"};
    return scope;
}

TaskService open_service(std::shared_ptr<Store> store, const Scope& scope) {
    auto service = TaskService::open({.store = std::move(store), .limits = wide_limits()});
    if (!service) bug("the bench cannot open a service");
    if (!service->set_mode(scope, ScopeMode::enabled)) bug("the bench cannot enable its scope");
    return *std::move(service);
}

StartInput GovernedTask::start() const {
    StartInput start{.task = address, .key = "start:" + address.id, .actor = host_operator, .goal = "Ship the order"};
    const SnapshotInput saved = saved_task(n, Flavour::ascii);
    for (std::size_t i = 0; i < n; ++i) {
        const std::string& text = saved.notes[i].note.text;
        if (i < items_of(n))
            start.items.push_back({.title = text, .id = "item-" + std::to_string(i)});
        else
            start.constraints.push_back(text);
    }
    return start;
}

ProposalInput GovernedTask::change(std::size_t number) const {
    const std::size_t items = items_of(n);
    const ItemStatus next = number / items % 2 == 0 ? ItemStatus::running : ItemStatus::ready;
    return {.task = address,
            .actor = host_operator,
            .key = "turn-" + std::to_string(number),
            .base = {number + 1},
            .operations = {{SetItemStatus{.id = "item-" + std::to_string(number % items), .status = next}}}};
}

GovernedTask one_task() { return {.address = {bench_scope(), "bench"}}; }

History history_of(const GovernedTask& task, std::size_t changes) {
    const auto recorder = std::make_shared<Recorder>(memory_store());
    TaskService service = open_service(recorder);
    start(service, task);
    for (std::size_t i = 0; i < changes; ++i) change(service, task, i);
    std::vector<Batch>& batches = recorder->batches;
    // The mode of the scope comes first, and is as much part of the start as the task itself.
    History history{.start = std::move(batches[0]), .changes = {}};
    history.start.insert(history.start.end(), batches[1].begin(), batches[1].end());
    history.changes.assign(std::make_move_iterator(batches.begin() + 2), std::make_move_iterator(batches.end()));
    return history;
}

void start_many(Store& store, const Scope& scope, std::size_t count, std::size_t n) {
    constexpr std::size_t at_once = 500;
    const auto recorder = std::make_shared<Recorder>(memory_store());
    TaskService service = open_service(recorder, scope);
    Batch many = std::exchange(recorder->batches, {}).front();
    for (std::size_t i = 0; i < count; ++i) {
        const TaskAddress address{scope, "task-" + std::to_string(i)};
        start(service, {.address = address, .n = n});
        Batch batch = std::exchange(recorder->batches, {}).front();
        TaskHead& head = std::get<StartTask>(batch.front()).head;
        head.due_at = Timestamp{head.identity.created_at.ms + 86'400'000};
        many.insert(many.end(), batch.begin(), batch.end());
        if (!recorder->forget(address)) bug("the bench cannot forget a task");
        if (i % at_once == at_once - 1 || i == count - 1) commit(store, std::exchange(many, {}));
    }
}

void start(TaskService& service, const GovernedTask& task) {
    const auto done = service.start(task.start());
    if (!done || done->decision.outcome != Outcome::accepted) bug("the bench cannot start a task");
}

void change(TaskService& service, const GovernedTask& task, std::size_t number) {
    const auto done = service.submit(task.change(number));
    if (!done || done->decision.outcome != Outcome::accepted) bug("the bench cannot change a task");
}

void commit(Store& store, const Batch& batch) {
    if (!store.commit(batch)) bug("the bench cannot commit");
}

}  // namespace taskstate::bench
