#include <taskstate/store/memory_store.hpp>

#include "base/locked.hpp"
#include "store/batch_scope.hpp"
#include "store/rows_reader.hpp"

#include <type_traits>

namespace taskstate::inline v0 {
namespace {

class MemoryStore final : public Store {
 public:
    Result<void> commit(std::span<const Write> batch) override {
        if (auto one = check_one_scope(batch); !one) return one;
        return rows_.use([&](Rows& rows) -> Result<void> {
            Batch changes(rows);
            for (const Write& write : batch) {
                if (auto done = changes.write(write); !done) return done;
            }
            changes.keep();
            return {};
        });
    }

    Result<std::optional<Found>> find(const TaskAddress& task, const OptText& key) override {
        return read([&](const RowsReader& rows) { return rows.find(task, key); });
    }
    Result<std::optional<TaskHead>> find_started(const Scope& scope, std::string_view key) override {
        return read([&](const RowsReader& rows) { return rows.find_started(scope, key); });
    }
    Result<std::optional<StoredTask>> load(const TaskAddress& task) override {
        return stored_task(read([&](const RowsReader& rows) { return rows.load(task); }));
    }
    Result<std::vector<TaskHead>> list(const HeadQuery& query) override {
        return read([&](const RowsReader& rows) { return rows.list(query); });
    }
    Result<std::vector<TaskHead>> due(Timestamp now, std::size_t limit) override {
        return read([&](const RowsReader& rows) { return rows.due(now, limit); });
    }
    Result<std::vector<RevisionRecord>> revisions(const TaskAddress& task, Revision after, std::size_t limit) override {
        return read([&](const RowsReader& rows) { return rows.revisions(task, after, limit); });
    }
    Result<std::vector<DecisionRecord>> decisions(const TaskAddress& task, std::uint64_t after,
                                                  std::size_t limit) override {
        return read([&](const RowsReader& rows) { return rows.decisions(task, after, limit); });
    }
    Result<std::vector<DeliveryRecord>> deliveries(const TaskAddress& task, std::uint64_t after,
                                                   std::size_t limit) override {
        return read([&](const RowsReader& rows) { return rows.deliveries(task, after, limit); });
    }
    Result<std::vector<RevisionRecord>> lineage(const TaskAddress& task, std::optional<TargetKind> kind,
                                                std::string_view id) override {
        return read([&](const RowsReader& rows) { return rows.lineage(task, kind, id); });
    }
    Result<std::uint64_t> count_repeats(const TaskAddress& task, std::string_view fingerprint,
                                        Timestamp since) override {
        return read([&](const RowsReader& rows) { return rows.count_repeats(task, fingerprint, since); });
    }

    Result<bool> expose(const Scope& scope, std::string_view delivery, Timestamp at) override {
        return rows_.use([&](Rows& rows) {
            Batch changes(rows);
            const bool exposed = changes.expose(scope, delivery, at);
            changes.keep();
            return exposed;
        });
    }

    Result<std::vector<Binding>> bindings(const BindingQuery& query) override {
        return read([&](const RowsReader& rows) { return rows.bindings(query); });
    }
    Result<std::vector<Scope>> scopes() override {
        return read([](const RowsReader& rows) { return rows.scopes(); });
    }
    Result<ScopeMode> mode(const Scope& scope) override {
        return read([&](const RowsReader& rows) { return rows.mode(scope); });
    }
    Result<std::optional<Profile>> profile(std::string_view id) override {
        return read([&](const RowsReader& rows) { return rows.profile(id); });
    }
    Result<std::vector<Profile>> profiles() override {
        return read([](const RowsReader& rows) { return rows.profiles(); });
    }
    Result<Tally> tally(const Scope& scope) override {
        return read([&](const RowsReader& rows) { return rows.tally(scope); });
    }

    Result<std::optional<Removed>> forget(const TaskAddress& task) override {
        return rows_.use([&](Rows& rows) {
            Batch changes(rows);
            const auto removed = changes.forget(task);
            changes.keep();
            return removed;
        });
    }

 private:
    template <class Read>
    std::invoke_result_t<Read, const RowsReader&> read(const Read& read) {
        return rows_.use([&](Rows& rows) { return read(RowsReader(rows)); });
    }

    Locked<Rows> rows_{};
};

}  // namespace

std::shared_ptr<Store> memory_store() { return std::make_shared<MemoryStore>(); }

}  // namespace taskstate::inline v0
