#include <taskstate/store/file_store.hpp>

#include "base/locked.hpp"
#include "store/batch_scope.hpp"
#include "store/file/folder_rows.hpp"
#include "store/rows_reader.hpp"
#include "store/tally.hpp"

#include <algorithm>
#include <map>
#include <type_traits>
#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr std::string_view root_itself = "/folder";

using Shelf = Locked<FolderRows>;

Result<void> check_path(const std::string& path) {
    const bool plain = !path.empty() && path.find('\0') == std::string::npos;
    return plain ? Result<void>() : fail(Reason::unsafe_path, std::string(root_itself));
}

/// The names of the folders that hold rows.
Result<std::vector<std::string>> folders_in(const FileStoreOptions& options) {
    std::vector<std::string> names;
    const int listed = options.files->list(options.path, names);
    if (listed < 0) return storage_error(root_itself, listed);
    std::erase_if(names, [](const std::string& name) { return !FolderRows::is_name(name); });
    return names;
}

class FileStore final : public Store {
 public:
    explicit FileStore(const FileStoreOptions& options) : options_(options) {}

    Result<void> commit(std::span<const Write> batch) override {
        if (auto one = check_one_scope(batch); !one) return one;
        std::vector<Write> shared, own;
        const Scope* scope = nullptr;
        for (const Write& write : batch) {
            const Scope* const of = scope_of(write);
            if (of != nullptr) scope = of;
            (of == nullptr ? shared : own).push_back(write);
        }
        if (scope == nullptr) return shared.empty() ? Result<void>() : commit_shared(shared);
        const std::string text = encode_scope(*scope);
        bool kept_shared = false;
        const auto first = [&]() -> Result<void> {
            auto done = shared.empty() ? Result<void>() : commit_shared(shared);
            kept_shared = done && !shared.empty();
            return done;
        };
        auto done = shelf(text)->use([&](FolderRows& folder) { return folder.commit(text, own, first); });
        // A profile is there for ever: the same batch again finds it and goes on.
        if (!done && kept_shared) return fail(Reason::commit_in_doubt, done.error().path);
        return done;
    }

    Result<std::optional<Found>> find(const TaskAddress& task, const OptText& key) override {
        return read(task.scope, key ? Depth::logs : Depth::heads,
                    [&](const RowsReader& rows) { return rows.find(task, key); });
    }
    Result<std::optional<TaskHead>> find_started(const Scope& scope, std::string_view key) override {
        return read(scope, Depth::heads, [&](const RowsReader& rows) { return rows.find_started(scope, key); });
    }
    Result<std::optional<StoredTask>> load(const TaskAddress& task) override {
        return read(task.scope, Depth::heads, [&](const RowsReader& rows) { return rows.load(task); })
            .transform(stored_task);
    }
    Result<std::vector<TaskHead>> list(const HeadQuery& query) override {
        return read(query.scope, Depth::heads, [&](const RowsReader& rows) { return rows.list(query); });
    }

    Result<std::vector<TaskHead>> due(Timestamp now, std::size_t limit) override {
        std::vector<TaskHead> all;
        auto done = read_each([&](const RowsReader& rows) {
            for (TaskHead& head : rows.due(now, limit)) all.push_back(std::move(head));
        });
        if (!done) return std::move(done).error();
        std::sort(all.begin(), all.end(), [](const TaskHead& a, const TaskHead& b) {
            return Due{*a.due_at, a.address()} < Due{*b.due_at, b.address()};
        });
        all.resize(std::min(limit, all.size()));
        return all;
    }

    Result<std::vector<RevisionRecord>> revisions(const TaskAddress& task, Revision after, std::size_t limit) override {
        return read(task.scope, Depth::logs,
                    [&](const RowsReader& rows) { return rows.revisions(task, after, limit); });
    }
    Result<std::vector<DecisionRecord>> decisions(const TaskAddress& task, std::uint64_t after,
                                                  std::size_t limit) override {
        return read(task.scope, Depth::logs,
                    [&](const RowsReader& rows) { return rows.decisions(task, after, limit); });
    }
    Result<std::vector<DeliveryRecord>> deliveries(const TaskAddress& task, std::uint64_t after,
                                                   std::size_t limit) override {
        return read(task.scope, Depth::logs,
                    [&](const RowsReader& rows) { return rows.deliveries(task, after, limit); });
    }
    Result<std::vector<RevisionRecord>> lineage(const TaskAddress& task, std::optional<TargetKind> kind,
                                                std::string_view id) override {
        return read(task.scope, Depth::logs, [&](const RowsReader& rows) { return rows.lineage(task, kind, id); });
    }
    Result<std::uint64_t> count_repeats(const TaskAddress& task, std::string_view fingerprint,
                                        Timestamp since) override {
        return read(task.scope, Depth::logs,
                    [&](const RowsReader& rows) { return rows.count_repeats(task, fingerprint, since); });
    }

    Result<bool> expose(const Scope& scope, std::string_view delivery, Timestamp at) override {
        return shelf(encode_scope(scope))->use([&](FolderRows& folder) {
            return folder.expose({scope, std::string(delivery), at});
        });
    }

    Result<std::vector<Binding>> bindings(const BindingQuery& query) override {
        return read(query.scope, Depth::heads, [&](const RowsReader& rows) { return rows.bindings(query); });
    }
    Result<std::vector<Scope>> scopes() override {
        std::vector<Scope> all;
        auto done = read_each([&](const RowsReader& rows) {
            for (Scope& scope : rows.scopes()) all.push_back(std::move(scope));
        });
        if (!done) return std::move(done).error();
        std::sort(all.begin(), all.end(), ScopeOrder());
        return all;
    }
    Result<ScopeMode> mode(const Scope& scope) override {
        return read(scope, Depth::heads, [&](const RowsReader& rows) { return rows.mode(scope); });
    }
    Result<std::optional<Profile>> profile(std::string_view id) override {
        return read_shared([&](const RowsReader& rows) { return rows.profile(id); });
    }
    Result<std::vector<Profile>> profiles() override {
        return read_shared([](const RowsReader& rows) { return rows.profiles(); });
    }
    Result<Tally> tally(const Scope& scope) override {
        return read(scope, Depth::logs, [&](const RowsReader& rows) { return rows.tally(scope); });
    }

    Result<std::optional<Removed>> forget(const TaskAddress& task) override {
        return shelf(encode_scope(task.scope))->use([&](FolderRows& folder) { return folder.forget(task); });
    }

 private:
    using Shelves = std::map<std::string, std::shared_ptr<Shelf>>;

    /// The rows of a scope; of a folder that is named here they are read when they are needed.
    std::shared_ptr<Shelf> shelf(const std::string& scope) { return shelf_named(FolderRows::name_of(scope)); }
    std::shared_ptr<Shelf> shelf_named(const std::string& name) {
        return shelves_.use([&](Shelves& shelves) {
            std::shared_ptr<Shelf>& found = shelves[name];
            if (!found) found = std::make_shared<Shelf>(FolderRows(options_, name));
            return found;
        });
    }

    template <class Read>
    Result<std::invoke_result_t<Read, const RowsReader&>> read(Shelf& shelf, Depth depth, const Read& read) {
        return shelf.use([&](FolderRows& folder) {
            return folder.read(depth).transform([&](Rows* rows) { return read(RowsReader(*rows)); });
        });
    }
    template <class Read>
    Result<std::invoke_result_t<Read, const RowsReader&>> read(const Scope& scope, Depth depth, const Read& read) {
        return this->read(*shelf(encode_scope(scope)), depth, read);
    }
    template <class Read>
    Result<std::invoke_result_t<Read, const RowsReader&>> read_shared(const Read& read) {
        return this->read(*shelf(std::string(no_scope)), Depth::heads, read);
    }
    /// Visits the rows of every folder.
    template <class Visit>
    Result<void> read_each(const Visit& visit) {
        const auto names = folders_in(options_);
        if (!names) return names.error();
        for (const std::string& name : *names) {
            auto done = read(*shelf_named(name), Depth::heads, [&](const RowsReader& rows) {
                visit(rows);
                return true;
            });
            if (!done) return std::move(done).error();
        }
        return {};
    }

    Result<void> commit_shared(const std::vector<Write>& batch) {
        const std::string scope(no_scope);
        return shelf(scope)->use([&](FolderRows& folder) { return folder.commit(scope, batch, {}); });
    }

    FileStoreOptions options_;
    Locked<Shelves> shelves_{};
};

}  // namespace

Result<std::shared_ptr<Store>> open_files(const FileStoreOptions& options) {
    if (auto plain = check_path(options.path); !plain) return std::move(plain).error();
    const Folder root(*options.files, options.path);
    if (auto made = root.make(root_itself); !made) return std::move(made).error();
    if (auto opened = root.open_self(root_itself); !opened) return std::move(opened).error();
    return std::shared_ptr<Store>(std::make_shared<FileStore>(options));
}

Result<FileRecovery> recover_files(const FileStoreOptions& options) {
    if (auto plain = check_path(options.path); !plain) return std::move(plain).error();
    const auto names = folders_in(options);
    if (!names) return names.error();
    FileRecovery recovery;
    for (const std::string& name : *names) {
        const auto kept = FolderRows(options, name).recover();
        if (!kept) return kept.error();
        if (*kept > 0) ++recovery.folders;
        recovery.files += *kept;
    }
    return recovery;
}

}  // namespace taskstate::inline v0
