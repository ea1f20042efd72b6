#pragma once
// Entries in admission order: chunks of 32, copied on write, shared between revisions.

#include <taskstate/model/entry.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// An ordered list of entries with their totals.
///
/// Shape: chunks are full except the last; a copy shares everything until one of the two is changed.
/// Bounds: a change copies one chunk and the handles of the others; `find` costs one look into a table that revisions
///         share, and a pass over the few entries that came since it was made; `digest` costs the changed chunks.
/// Thread-safety: value.
/// Source: docs/format.md, "Digests".
class EntryList {
 public:
    static constexpr std::size_t chunk_size = 32;

    [[nodiscard]] std::size_t size() const noexcept { return body_.get() == nullptr ? 0 : body_->size; }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    [[nodiscard]] const Entry& operator[](std::size_t index) const noexcept { return *handle(index); }
    [[nodiscard]] const Shared<const Entry>& handle(std::size_t index) const noexcept {
        return body_->chunks[index / chunk_size]->entries()[index % chunk_size];
    }
    /// Where the entry with this id stands.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const noexcept;

    void push_back(Shared<const Entry> entry);
    void replace(std::size_t index, Shared<const Entry> entry);
    /// Takes out the entries at `indexes`, which ascend without repetition; the rest keeps its order.
    void erase(std::span<const std::size_t> indexes);

    /// How many entries are past, and the ids of the first of them, `ids_max` at most.
    [[nodiscard]] std::size_t past_count() const noexcept;
    [[nodiscard]] std::vector<std::string_view> past_ids(std::size_t ids_max) const;

    [[nodiscard]] std::uint64_t line_bytes() const noexcept { return totals().line_bytes; }
    [[nodiscard]] std::uint64_t tokens() const noexcept { return totals().tokens; }
    [[nodiscard]] std::uint64_t json_bytes() const noexcept { return totals().json_bytes; }

    /// SHA-256 over the chunks' digests, each over its entries' leaves.
    [[nodiscard]] Digest digest() const;

    /// Whether both hold the very same entries from `chunk * chunk_size` on, for that chunk.
    [[nodiscard]] bool shares_chunk(const EntryList& other, std::size_t chunk) const noexcept;

    friend bool operator==(const EntryList& a, const EntryList& b) noexcept;

 private:
    /// Up to `chunk_size` handles, in one allocation with room for `capacity`.
    class Chunk : public Counted {
     public:
        /// A chunk with what `from` holds, if there is one, and room for `count` entries at least.
        static Shared<Chunk> make(const Chunk* from, std::size_t count);
        static void destroy(const Chunk* chunk) noexcept;
        Chunk(const Chunk&) = delete;
        Chunk& operator=(const Chunk&) = delete;

        [[nodiscard]] std::span<const Shared<const Entry>> entries() const noexcept { return {slots(), count_}; }
        [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
        [[nodiscard]] std::size_t past() const noexcept { return past_; }
        /// Where the entry with this id stands in the chunk, from `first` on.
        [[nodiscard]] std::optional<std::size_t> find(std::uint64_t hash, std::string_view id,
                                                      std::size_t first) const noexcept;
        /// Whether the entry at `slot` has this id.
        [[nodiscard]] bool holds(std::size_t slot, std::uint64_t hash, std::string_view id) const noexcept;
        [[nodiscard]] Digest digest() const;

        void push_back(Shared<const Entry> entry);
        void replace(std::size_t slot, Shared<const Entry> entry);

     private:
        explicit Chunk(std::size_t capacity) noexcept : capacity_(static_cast<std::uint8_t>(capacity)) {}
        ~Chunk() = default;
        [[nodiscard]] Shared<const Entry>* slots() const noexcept {
            return reinterpret_cast<Shared<const Entry>*>(const_cast<Chunk*>(this) + 1);
        }

        std::uint8_t count_ = 0, capacity_, past_ = 0;
        KeptDigest digest_{};
        std::array<std::uint16_t, chunk_size> hashes_{};  // of the ids: a filter in front of the comparison
    };

    /// Where ids stand, by hash, for the first `covered` entries; open addressing.
    struct Table : Counted {
        static void destroy(const Table* table) noexcept { delete table; }

        std::size_t covered = 0;
        std::vector<std::uint32_t> places{};  // index + 1, 0 = free; a power of two of them, half of them free
    };

    struct Totals {
        std::uint64_t line_bytes = 0, tokens = 0, json_bytes = 0;

        void add(const Entry& entry) noexcept;
        void subtract(const Entry& entry) noexcept;
    };

    /// What a copy shares.
    struct Body : Counted {
        static void destroy(const Body* body) noexcept { delete body; }

        std::uint32_t size = 0;
        Totals totals{};
        std::vector<Shared<Chunk>> chunks{};
        Shared<const Table> table{};
        KeptDigest digest{};
    };

    [[nodiscard]] Totals totals() const noexcept { return body_.get() == nullptr ? Totals{} : body_->totals; }
    Body& own();
    Chunk& own(std::size_t chunk, std::size_t count);
    void keep_table();

    Shared<Body> body_;
};

}  // namespace taskstate::inline v0
