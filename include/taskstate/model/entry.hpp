#pragma once
// Stored entries: packed into one allocation, shared between revisions, read through views.

#include <taskstate/base/digest.hpp>
#include <taskstate/base/shared.hpp>
#include <taskstate/model/input.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

using OptView = std::optional<std::string_view>;

/// Views of what an entry holds.  Their texts live as long as the entry, or the input, that they were read from.
struct ScopeView {
    std::string_view tenant{}, owner{}, agent{}, workspace{};
    friend bool operator==(const ScopeView&, const ScopeView&) = default;
};

struct Evidence {
    EvidenceKind kind{};
    std::string_view id{};
    OptView digest{};
    std::optional<ScopeView> scope{};
    std::optional<std::uint64_t> size_bytes{};
    std::optional<Acknowledged> status{};
    friend bool operator==(const Evidence&, const Evidence&) = default;
};

struct Source {
    std::string_view label{};
    OptView turn{};
    std::optional<Evidence> evidence{};
    friend bool operator==(const Source&, const Source&) = default;
};

struct Note {
    std::string_view id{};
    Category category{};
    Standing standing{};
    std::string_view text{};
    Source source{};
    OptView supersedes{}, superseded_by{};
    std::vector<std::string_view> conflicts_with{};
    bool resolved = false;
    bool gates_completion = false;

    /// Neither resolved nor superseded.
    [[nodiscard]] bool active() const noexcept { return !resolved && !superseded_by; }
    friend bool operator==(const Note&, const Note&) = default;
};

struct Confirmation {
    Confirmed status{};
    Source source{};
    friend bool operator==(const Confirmation&, const Confirmation&) = default;
};

struct Action {
    std::string_view execution{};
    OptView call{}, run{}, tool{};
    ActionStatus status{};
    Completion completion{};
    Cancellation cancellation{};
    std::optional<Timestamp> started_at{}, ended_at{};
    std::optional<Evidence> evidence{};
    std::optional<Confirmation> confirmation{};

    /// Whether the host confirmed a terminal status; only then may it be pruned.
    [[nodiscard]] bool closed() const noexcept { return confirmation && is_terminal(confirmation->status); }
    friend bool operator==(const Action&, const Action&) = default;
};

struct Item {
    std::string_view id{};
    std::string_view title{};
    ItemStatus status{};
    Assurance assurance{};
    OptView kind{};
    bool required = false;
    std::vector<std::string_view> depends_on{}, because{};
    std::string_view content{};  ///< canonical JSON of one object; empty = none
    OptView reason{};
    std::vector<Evidence> evidence{};
    friend bool operator==(const Item&, const Item&) = default;
};

struct SourceToInspect {
    std::string_view id{};
    bool inspected = false;
    friend bool operator==(const SourceToInspect&, const SourceToInspect&) = default;
};

/// The same views over inputs, so that every writer works on one shape.
[[nodiscard]] ScopeView view(const Scope& scope) noexcept;
[[nodiscard]] Evidence view(const EvidenceInput& evidence) noexcept;
[[nodiscard]] Source view(const SourceInput& source) noexcept;
[[nodiscard]] Note view(const NoteInput& note, Standing standing);
[[nodiscard]] Note view(const SavedNote& note);
[[nodiscard]] Action view(const ActionOutcome& outcome) noexcept;
[[nodiscard]] Action view(const SavedAction& action) noexcept;
[[nodiscard]] Item view(const SavedItem& item);
[[nodiscard]] SourceToInspect view(const SavedSource& source) noexcept;

enum class EntryKind : std::uint8_t { note, item, source, action };
template <>
struct Words<EntryKind> {
    static constexpr std::array<std::string_view, 4> list{"note", "item", "source", "action"};
};

/// A digest that is computed when first asked for and then kept; threads may ask at once.
///
/// It lies apart: most objects are never asked.
class KeptDigest {
 public:
    KeptDigest() = default;
    KeptDigest(const KeptDigest&) noexcept {}  // a copy has to be asked again
    KeptDigest& operator=(const KeptDigest&) = delete;
    ~KeptDigest() { reset(); }

    template <class Compute>
    [[nodiscard]] Digest get(const Compute& compute) const {
        if (const Digest* kept = kept_.load(std::memory_order_acquire)) return *kept;
        const auto* computed = new Digest(compute());
        const Digest* first = nullptr;
        if (kept_.compare_exchange_strong(first, computed, std::memory_order_acq_rel)) return *computed;
        delete computed;
        return *first;
    }
    /// Forgets the digest; only for an object that no other thread can see.
    void reset() noexcept { delete kept_.exchange(nullptr, std::memory_order_relaxed); }

 private:
    mutable std::atomic<const Digest*> kept_{nullptr};
};

/// What is known of an entry from the moment it is packed.
struct EntryNumbers {
    std::uint32_t line_bytes = 0;                           ///< of its record lines in a block, line feeds included
    std::uint32_t tokens = 0;                               ///< built-in estimate of those lines
    std::uint32_t json_bytes = 0;                           ///< canonical bytes of its wire object
    std::uint32_t source_bytes = 0, source_hundredths = 0;  ///< of a note: what its source adds to its line
};

/// What is asked of many entries at once, so that they need not be read for it.
struct EntryMarks {
    Category category : 3 {};           ///< of a note
    Standing standing : 2 {};           ///< of a note
    bool gates_completion : 1 {false};  ///< of a note
    bool confirmed : 1 {false};         ///< of an action: whether it has a second line
};

/// One note, item, source or action, packed.
///
/// Shape: an id first, then the fields in a fixed order; equal entries have equal bytes.
/// Bounds: one allocation.
/// Thread-safety: value behind a shared handle; immutable.
class Entry : public Counted {
 public:
    static Shared<const Entry> pack(const Note& note);
    static Shared<const Entry> pack(const Item& item);
    static Shared<const Entry> pack(const SourceToInspect& source);
    static Shared<const Entry> pack(const Action& action);
    /// The entry of a note that is resolved, or superseded, and otherwise this one; only the difference is measured.
    [[nodiscard]] Shared<const Entry> resolved() const;
    [[nodiscard]] Shared<const Entry> superseded_by(std::string_view successor) const;
    static void destroy(const Entry* entry) noexcept;

    [[nodiscard]] EntryKind kind() const noexcept { return facts_.kind; }
    [[nodiscard]] std::string_view id() const noexcept;
    /// Whether a note points at other notes.
    [[nodiscard]] bool linked() const noexcept { return facts_.linked; }
    /// Whether a note is not active, or an action closed: only then may it be pruned; whether an item is settled, or a
    /// source inspected.
    [[nodiscard]] bool past() const noexcept { return facts_.past; }
    [[nodiscard]] const EntryNumbers& numbers() const noexcept { return facts_.numbers; }
    [[nodiscard]] EntryMarks marks() const noexcept { return facts_.marks; }
    /// Whether the line of a note needs neither escapes nor quotes around a word.
    [[nodiscard]] bool plain() const noexcept { return facts_.plain; }
    /// What the line of a note costs before `tokens` was rounded up.
    [[nodiscard]] std::size_t hundredths() const noexcept { return facts_.numbers.tokens * 100 - facts_.rounded_up; }

    /// The view; asking for another kind than `kind()` is a programming error.
    [[nodiscard]] Note note() const;
    [[nodiscard]] Item item() const;
    [[nodiscard]] SourceToInspect source() const;
    [[nodiscard]] Action action() const;

    /// SHA-256 of the canonical wire object.
    [[nodiscard]] Digest leaf() const;

    friend bool operator==(const Entry& a, const Entry& b) noexcept {
        return &a == &b || (a.kind() == b.kind() && a.bytes() == b.bytes());
    }

 private:
    /// What entries know of themselves besides their bytes.
    struct Facts {
        EntryNumbers numbers{};
        EntryKind kind{};
        EntryMarks marks{};
        bool linked = false, past = false;
        bool plain = false;           ///< a note whose line needs no escape
        std::uint8_t rounded_up = 0;  ///< hundredths of a token that the estimate of its one line was rounded up by
    };

    Entry(const Facts& facts, std::size_t size) noexcept : size_(static_cast<std::uint32_t>(size)), facts_(facts) {}

    template <class View>
    static Shared<const Entry> pack_as(const View& view, const Facts& facts);
    [[nodiscard]] Shared<const Entry> with_state(const Note& note) const;
    [[nodiscard]] std::string_view bytes() const noexcept;

    std::uint32_t size_;
    KeptDigest leaf_;
    Facts facts_;
};

}  // namespace taskstate::inline v0
