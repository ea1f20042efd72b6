#include <taskstate/model/entry_list.hpp>

#include <string>

namespace taskstate::inline v0 {
namespace {

/// FNV-1a: only a filter in front of the byte comparison.
std::uint32_t hash_of(std::string_view id) noexcept {
    std::uint32_t hash = 2'166'136'261u;
    for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619u;
    return hash;
}

void append(std::string& out, const Digest& digest) {
    out.append(reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size());
}

}  // namespace

std::optional<std::size_t> EntryList::find(std::string_view id) const noexcept {
    const std::uint32_t wanted = hash_of(id);
    for (std::size_t k = 0; k < chunks_.size(); ++k) {
        const Chunk& chunk = *chunks_[k];
        for (std::size_t i = 0; i < chunk.count; ++i) {
            if (chunk.hashes[i] == wanted && chunk.entries[i]->id() == id) return k * chunk_size + i;
        }
    }
    return std::nullopt;
}

EntryList::Chunk& EntryList::own(std::size_t index) {
    Shared<Chunk>& chunk = chunks_[index];
    if (!chunk->unique()) chunk = Shared<Chunk>(new Chunk(*chunk));
    chunk->digest.reset();
    return *chunk;
}

void EntryList::put(std::size_t index, Shared<const Entry> entry) {
    if (index / chunk_size == chunks_.size()) chunks_.emplace_back(new Chunk);
    Chunk& chunk = own(index / chunk_size);
    const std::size_t slot = index % chunk_size;
    chunk.hashes[slot] = hash_of(entry->id());
    chunk.entries[slot] = std::move(entry);
    if (slot == chunk.count) ++chunk.count;
}

void EntryList::add_numbers(const Entry& entry) noexcept {
    line_bytes_ += entry.numbers().line_bytes;
    tokens_ += entry.numbers().tokens;
    json_bytes_ += entry.numbers().json_bytes;
}

void EntryList::subtract_numbers(const Entry& entry) noexcept {
    line_bytes_ -= entry.numbers().line_bytes;
    tokens_ -= entry.numbers().tokens;
    json_bytes_ -= entry.numbers().json_bytes;
}

void EntryList::push_back(Shared<const Entry> entry) {
    add_numbers(*entry);
    put(size_, std::move(entry));
    ++size_;
}

void EntryList::replace(std::size_t index, Shared<const Entry> entry) {
    subtract_numbers((*this)[index]);
    add_numbers(*entry);
    put(index, std::move(entry));
}

void EntryList::erase(std::span<const std::size_t> indexes) {
    if (indexes.empty()) return;
    std::vector<Shared<const Entry>> rest;
    const std::size_t kept_chunks = indexes.front() / chunk_size;
    std::size_t next = 0;
    for (std::size_t i = kept_chunks * chunk_size; i < size_; ++i) {
        subtract_numbers((*this)[i]);
        if (next < indexes.size() && indexes[next] == i) {
            ++next;
        } else {
            rest.push_back(handle(i));
        }
    }
    chunks_.resize(kept_chunks);
    size_ = kept_chunks * chunk_size;
    for (Shared<const Entry>& entry : rest) push_back(std::move(entry));
}

Digest EntryList::digest() const {
    std::string all;
    for (const Shared<Chunk>& chunk : chunks_) {
        append(all, chunk->digest.get([&] {
            std::string leaves;
            for (std::size_t i = 0; i < chunk->count; ++i) append(leaves, chunk->entries[i]->leaf());
            return sha256(leaves);
        }));
    }
    return sha256(all);
}

bool EntryList::shares_chunk(const EntryList& other, std::size_t chunk) const noexcept {
    return chunk < chunks_.size() && chunk < other.chunks_.size() && chunks_[chunk] == other.chunks_[chunk];
}

bool operator==(const EntryList& a, const EntryList& b) noexcept {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i) {
        if (i % EntryList::chunk_size == 0 && a.shares_chunk(b, i / EntryList::chunk_size)) {
            i += EntryList::chunk_size - 1;
        } else if (!(a[i] == b[i])) {
            return false;
        }
    }
    return true;
}

}  // namespace taskstate::inline v0
