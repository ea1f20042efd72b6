#pragma once
// The governed task that stores are measured with, and what a service writes of it.

#include <taskstate/service/task_service.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace taskstate::bench {

/// Writes that happen as a whole.
using Batch = std::vector<Write>;

[[nodiscard]] const Scope& bench_scope();

/// A service over this store whose scope is enabled, under limits that no fixture reaches.
[[nodiscard]] TaskService open_service(std::shared_ptr<Store> store, const Scope& scope = bench_scope());

/// A task of `n` entries with the texts of `F(n, ascii)`; every tenth entry is an item, the others are constraints.
struct GovernedTask {
    TaskAddress address{};
    std::size_t n = 100;

    [[nodiscard]] StartInput start() const;
    /// The `number`th change, counted from 0: an item begins, or waits again.
    [[nodiscard]] ProposalInput change(std::size_t number) const;
};

/// The task that the workloads of one task are about.
[[nodiscard]] GovernedTask one_task();

/// What a service writes of a task: `changes` changes of a status after its start.
struct History {
    Batch start{};
    std::vector<Batch> changes{};
};
[[nodiscard]] History history_of(const GovernedTask& task, std::size_t changes);

/// Puts `count` tasks of `n` entries each, called `task-0`, `task-1`, …, into a scope of a store, many at a time.
/// Each is due a day later.
void start_many(Store& store, const Scope& scope, std::size_t count, std::size_t n);

void start(TaskService& service, const GovernedTask& task);
void change(TaskService& service, const GovernedTask& task, std::size_t number);
void commit(Store& store, const Batch& batch);

}  // namespace taskstate::bench
