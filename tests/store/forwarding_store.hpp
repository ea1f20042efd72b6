#pragma once
// A store around another, for tests that change what one call does.

#include <taskstate/store/store.hpp>

#include <memory>
#include <utility>

namespace taskstate::test {

class ForwardingStore : public Store {
 public:
    explicit ForwardingStore(std::shared_ptr<Store> store) : store_(std::move(store)) {}

    Result<void> commit(std::span<const Write> batch) override { return store_->commit(batch); }
    Result<std::optional<Found>> find(const TaskAddress& task, const OptText& key) override {
        return store_->find(task, key);
    }
    Result<std::optional<TaskHead>> find_started(const Scope& scope, std::string_view key) override {
        return store_->find_started(scope, key);
    }
    Result<std::optional<StoredTask>> load(const TaskAddress& task) override { return store_->load(task); }
    Result<std::vector<TaskHead>> list(const HeadQuery& query) override { return store_->list(query); }
    Result<std::vector<TaskHead>> due(Timestamp now, std::size_t limit) override { return store_->due(now, limit); }
    Result<std::vector<RevisionRecord>> revisions(const TaskAddress& task, Revision after, std::size_t limit) override {
        return store_->revisions(task, after, limit);
    }
    Result<std::vector<DecisionRecord>> decisions(const TaskAddress& task, std::uint64_t after,
                                                  std::size_t limit) override {
        return store_->decisions(task, after, limit);
    }
    Result<std::vector<DeliveryRecord>> deliveries(const TaskAddress& task, std::uint64_t after,
                                                   std::size_t limit) override {
        return store_->deliveries(task, after, limit);
    }
    Result<std::vector<RevisionRecord>> lineage(const TaskAddress& task, std::optional<TargetKind> kind,
                                                std::string_view id) override {
        return store_->lineage(task, kind, id);
    }
    Result<std::uint64_t> count_repeats(const TaskAddress& task, std::string_view fingerprint,
                                        Timestamp since) override {
        return store_->count_repeats(task, fingerprint, since);
    }
    Result<bool> expose(const Scope& scope, std::string_view delivery, Timestamp at) override {
        return store_->expose(scope, delivery, at);
    }
    Result<std::vector<Binding>> bindings(const BindingQuery& query) override { return store_->bindings(query); }
    Result<std::vector<Scope>> scopes() override { return store_->scopes(); }
    Result<ScopeMode> mode(const Scope& scope) override { return store_->mode(scope); }
    Result<std::optional<Profile>> profile(std::string_view id) override { return store_->profile(id); }
    Result<std::vector<Profile>> profiles() override { return store_->profiles(); }
    Result<Tally> tally(const Scope& scope) override { return store_->tally(scope); }
    Result<std::optional<Removed>> forget(const TaskAddress& task) override { return store_->forget(task); }

 private:
    std::shared_ptr<Store> store_;
};

}  // namespace taskstate::test
