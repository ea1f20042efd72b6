#pragma once
// One immutable state of a task.

#include <taskstate/model/entry_list.hpp>

#include <compare>
#include <memory>
#include <optional>
#include <string>

namespace taskstate::inline v0 {

/// Counts commits, restores, clears and destruction of one `TaskState`; never saved.
///
/// Thread-safety: value.
struct Generation {
    std::uint64_t number = 0;
    friend constexpr auto operator<=>(const Generation&, const Generation&) = default;
};

/// What a task is from its first revision to its last.
struct Identity {
    std::string id{}, profile{};
    Scope scope{};
    OptText association{};
    OptText goal{};
    Timestamp created_at{};
    friend bool operator==(const Identity&, const Identity&) = default;
};

/// The parts of a state, as the engine works on them; a copy shares what it does not change.
///
/// Thread-safety: value.
struct State {
    std::shared_ptr<const Identity> identity{};
    Revision revision{};
    Lifecycle lifecycle{};
    OptText phase{};
    bool schema_locked = false;
    EntryList notes{}, items{}, sources{}, actions{};
    std::optional<SavedLink> link{};
    NextIds next_ids{};
    Timestamp updated_at{}, last_progress_at{};
};

/// The list that holds the entries of this kind.
[[nodiscard]] const EntryList& list_of(const State& state, EntryKind kind) noexcept;

/// The entries of one kind, read as views.
///
/// Thread-safety: value; lives as long as the snapshot it came from.
template <class View, View (Entry::*read)() const>
class Entries {
 public:
    class Iterator {
     public:
        using value_type = View;
        using difference_type = std::ptrdiff_t;
        Iterator() = default;
        Iterator(const EntryList* list, std::size_t index) : list_(list), index_(index) {}
        View operator*() const { return ((*list_)[index_].*read)(); }
        Iterator& operator++() {
            ++index_;
            return *this;
        }
        Iterator operator++(int) {
            Iterator old = *this;
            ++index_;
            return old;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;

     private:
        const EntryList* list_ = nullptr;
        std::size_t index_ = 0;
    };

    explicit Entries(const EntryList& list) : list_(&list) {}
    [[nodiscard]] std::size_t size() const noexcept { return list_->size(); }
    [[nodiscard]] bool empty() const noexcept { return list_->empty(); }
    [[nodiscard]] View operator[](std::size_t index) const { return ((*list_)[index].*read)(); }
    [[nodiscard]] std::optional<View> find(std::string_view id) const {
        const auto index = list_->find(id);
        return index ? std::optional<View>((*this)[*index]) : std::nullopt;
    }
    [[nodiscard]] Iterator begin() const { return {list_, 0}; }
    [[nodiscard]] Iterator end() const { return {list_, list_->size()}; }

 private:
    const EntryList* list_;
};

/// A cheap handle to one immutable state; copying it is O(1), and old ones stay exactly as they were.
///
/// Texts and ranges that it gives live as long as any snapshot that holds the entry; asking a temporary is refused by
/// the compiler.
/// Thread-safety: value.
/// Source: docs/format.md, "taskstate.snapshot/1".
class Snapshot {
 public:
    Snapshot() = default;  ///< nothing yet; only to be assigned to
    explicit Snapshot(State state) : state_(std::make_shared<const State>(std::move(state))) {}

    [[nodiscard]] const std::string& id() const& { return state_->identity->id; }
    [[nodiscard]] const Scope& scope() const& { return state_->identity->scope; }
    [[nodiscard]] const OptText& association() const& { return state_->identity->association; }
    [[nodiscard]] const std::string& profile() const& { return state_->identity->profile; }
    [[nodiscard]] const OptText& goal() const& { return state_->identity->goal; }
    [[nodiscard]] Timestamp created_at() const { return state_->identity->created_at; }
    [[nodiscard]] Revision revision() const { return state_->revision; }
    [[nodiscard]] Lifecycle lifecycle() const { return state_->lifecycle; }
    [[nodiscard]] const OptText& phase() const& { return state_->phase; }
    [[nodiscard]] bool schema_locked() const { return state_->schema_locked; }
    [[nodiscard]] auto notes() const& { return Entries<Note, &Entry::note>(state_->notes); }
    [[nodiscard]] auto items() const& { return Entries<Item, &Entry::item>(state_->items); }
    [[nodiscard]] auto sources() const& { return Entries<SourceToInspect, &Entry::source>(state_->sources); }
    [[nodiscard]] auto actions() const& { return Entries<Action, &Entry::action>(state_->actions); }
    [[nodiscard]] const std::optional<SavedLink>& link() const& { return state_->link; }
    [[nodiscard]] Timestamp updated_at() const { return state_->updated_at; }
    [[nodiscard]] Timestamp last_progress_at() const { return state_->last_progress_at; }
    [[nodiscard]] const State& state() const& { return *state_; }

    void id() const&& = delete;
    void scope() const&& = delete;
    void association() const&& = delete;
    void profile() const&& = delete;
    void goal() const&& = delete;
    void phase() const&& = delete;
    void notes() const&& = delete;
    void items() const&& = delete;
    void sources() const&& = delete;
    void actions() const&& = delete;
    void link() const&& = delete;
    void state() const&& = delete;

    /// What the state says, without revision and times.
    [[nodiscard]] Digest semantic_digest() const;
    /// The semantic digest with revision and times.
    [[nodiscard]] Digest state_digest() const;

    /// Whether both handles lead to the very same object.
    [[nodiscard]] bool same_object(const Snapshot& other) const noexcept { return state_ == other.state_; }
    friend bool operator==(const Snapshot& a, const Snapshot& b);

 private:
    std::shared_ptr<const State> state_;
};

/// Whether both say the same: everything that the semantic digest covers.
[[nodiscard]] bool same_content(const State& a, const State& b);

/// Canonical bytes of the snapshot, from the entries' numbers.
[[nodiscard]] std::uint64_t snapshot_bytes(const State& state);
/// A number that they never exceed, known without a look at any text: enough for a state that is far from its limit.
[[nodiscard]] std::uint64_t snapshot_bytes_bound(const State& state) noexcept;

/// The snapshot as a host may save it by its own means.
[[nodiscard]] SnapshotInput to_input(const Snapshot& snapshot);

}  // namespace taskstate::inline v0
