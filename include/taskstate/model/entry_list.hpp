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
/// Shape: chunks are full except the last; a copy shares every chunk until one of the two is changed.
/// Bounds: a change copies one chunk; `find` compares 32-bit hashes in one pass; `digest` costs the changed chunks.
/// Thread-safety: value.
/// Source: docs/format.md, "Digests".
class EntryList {
 public:
    static constexpr std::size_t chunk_size = 32;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] const Entry& operator[](std::size_t index) const noexcept {
        return *chunks_[index / chunk_size]->entries[index % chunk_size];
    }
    [[nodiscard]] const Shared<const Entry>& handle(std::size_t index) const noexcept {
        return chunks_[index / chunk_size]->entries[index % chunk_size];
    }
    /// Where the entry with this id stands.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const noexcept;

    void push_back(Shared<const Entry> entry);
    void replace(std::size_t index, Shared<const Entry> entry);
    /// Takes out the entries at `indexes`, which ascend without repetition; the rest keeps its order.
    void erase(std::span<const std::size_t> indexes);

    [[nodiscard]] std::uint64_t line_bytes() const noexcept { return line_bytes_; }
    [[nodiscard]] std::uint64_t tokens() const noexcept { return tokens_; }
    [[nodiscard]] std::uint64_t json_bytes() const noexcept { return json_bytes_; }

    /// SHA-256 over the chunks' digests, each over its entries' leaves.
    [[nodiscard]] Digest digest() const;

    /// Whether both hold the very same entries from `chunk * chunk_size` on, for that chunk.
    [[nodiscard]] bool shares_chunk(const EntryList& other, std::size_t chunk) const noexcept;

    friend bool operator==(const EntryList& a, const EntryList& b) noexcept;

 private:
    struct Chunk : Counted {
        static void destroy(const Chunk* chunk) noexcept { delete chunk; }

        std::array<std::uint32_t, chunk_size> hashes{};
        std::array<Shared<const Entry>, chunk_size> entries{};
        std::size_t count = 0;
        KeptDigest digest{};
    };

    Chunk& own(std::size_t chunk);
    void put(std::size_t index, Shared<const Entry> entry);
    void add_numbers(const Entry& entry) noexcept;
    void subtract_numbers(const Entry& entry) noexcept;

    std::vector<Shared<Chunk>> chunks_;
    std::size_t size_ = 0;
    std::uint64_t line_bytes_ = 0, tokens_ = 0, json_bytes_ = 0;
};

}  // namespace taskstate::inline v0
