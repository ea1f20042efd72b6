#include <taskstate/model/entry_list.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <new>

namespace taskstate::inline v0 {
namespace {

/// Eight bytes at a time; the upper half is mixed into the lower one, of which tables use the low bits.
std::uint64_t hash_of(std::string_view id) noexcept {
    constexpr std::uint64_t factor = 0x9E37'79B9'7F4A'7C15u;
    std::uint64_t hash = id.size() * factor;
    while (!id.empty()) {
        const std::size_t size = std::min(id.size(), sizeof(std::uint64_t));
        std::uint64_t word = 0;
        std::memcpy(&word, id.data(), size);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32;
        id.remove_prefix(size);
    }
    return hash;
}

/// What a chunk remembers of a hash; the table goes by the low bits.
std::uint16_t filter_of(std::uint64_t hash) noexcept { return static_cast<std::uint16_t>(hash >> 48); }

template <std::size_t N>
void append(std::array<char, N>& out, std::size_t at, const Digest& digest) {
    std::memcpy(out.data() + at * sizeof(digest.bytes), digest.bytes.data(), sizeof(digest.bytes));
}

}  // namespace

Shared<EntryList::Chunk> EntryList::Chunk::make(const Chunk* from, std::size_t count) {
    constexpr std::size_t smallest = 4;
    const std::size_t held = from == nullptr ? 0 : from->count_;
    const std::size_t capacity = std::bit_ceil(std::max({count, held, smallest}));
    void* memory = ::operator new(sizeof(Chunk) + capacity * sizeof(Shared<const Entry>));
    auto* chunk = new (memory) Chunk(capacity);
    if (from != nullptr) {
        std::uninitialized_copy_n(from->slots(), held, chunk->slots());
        chunk->hashes_ = from->hashes_;
        chunk->count_ = from->count_;
        chunk->past_ = from->past_;
    }
    return Shared<Chunk>(chunk);
}

void EntryList::Chunk::destroy(const Chunk* chunk) noexcept {
    std::destroy_n(chunk->slots(), chunk->count_);
    chunk->~Chunk();
    ::operator delete(const_cast<Chunk*>(chunk));
}

bool EntryList::Chunk::holds(std::size_t slot, std::uint64_t hash, std::string_view id) const noexcept {
    return hashes_[slot] == filter_of(hash) && slots()[slot]->id() == id;
}

std::optional<std::size_t> EntryList::Chunk::find(std::uint64_t hash, std::string_view id,
                                                  std::size_t first) const noexcept {
    for (std::size_t slot = first; slot < count_; ++slot) {
        if (holds(slot, hash, id)) return slot;
    }
    return std::nullopt;
}

Digest EntryList::Chunk::digest() const {
    return digest_.get([this] {
        std::array<char, chunk_size * sizeof(Digest)> leaves;
        for (std::size_t i = 0; i < count_; ++i) append(leaves, i, slots()[i]->leaf());
        return sha256({leaves.data(), count_ * sizeof(Digest)});
    });
}

void EntryList::Chunk::push_back(Shared<const Entry> entry) {
    digest_.reset();
    hashes_[count_] = filter_of(hash_of(entry->id()));
    if (entry->past()) ++past_;
    new (slots() + count_) Shared<const Entry>(std::move(entry));
    ++count_;
}

void EntryList::Chunk::replace(std::size_t slot, Shared<const Entry> entry) {
    digest_.reset();
    hashes_[slot] = filter_of(hash_of(entry->id()));
    if (slots()[slot]->past()) --past_;
    if (entry->past()) ++past_;
    slots()[slot] = std::move(entry);
}

void EntryList::Totals::add(const Entry& entry) noexcept {
    line_bytes += entry.numbers().line_bytes;
    tokens += entry.numbers().tokens;
    json_bytes += entry.numbers().json_bytes;
}

void EntryList::Totals::subtract(const Entry& entry) noexcept {
    line_bytes -= entry.numbers().line_bytes;
    tokens -= entry.numbers().tokens;
    json_bytes -= entry.numbers().json_bytes;
}

std::optional<std::size_t> EntryList::find(std::string_view id) const noexcept {
    if (empty()) return std::nullopt;
    const std::uint64_t hash = hash_of(id);
    const auto& chunks = body_->chunks;
    const Table* table = body_->table.get();
    if (table != nullptr) {
        const std::size_t mask = table->places.size() - 1;
        for (std::size_t i = hash & mask; table->places[i] != 0; i = (i + 1) & mask) {
            const std::size_t index = table->places[i] - 1;
            if (chunks[index / chunk_size]->holds(index % chunk_size, hash, id)) return index;
        }
    }
    std::size_t first = table == nullptr ? 0 : table->covered;
    for (; first < size(); first = (first / chunk_size + 1) * chunk_size) {
        const std::size_t chunk = first / chunk_size;
        if (const auto slot = chunks[chunk]->find(hash, id, first % chunk_size)) return chunk * chunk_size + *slot;
    }
    return std::nullopt;
}

std::size_t EntryList::past_count() const noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < size(); i += chunk_size) count += body_->chunks[i / chunk_size]->past();
    return count;
}

std::vector<std::string_view> EntryList::past_ids(std::size_t ids_max) const {
    std::vector<std::string_view> ids;
    ids.reserve(std::min(ids_max, past_count()));
    for (std::size_t i = 0; i < size() && ids.size() < ids.capacity(); i += chunk_size) {
        const Chunk& chunk = *body_->chunks[i / chunk_size];
        if (chunk.past() == 0) continue;
        for (const auto& entry : chunk.entries()) {
            if (entry->past() && ids.size() < ids_max) ids.push_back(entry->id());
        }
    }
    return ids;
}

EntryList::Body& EntryList::own() {
    if (body_.get() == nullptr) body_ = Shared<Body>(new Body);
    if (!body_->unique()) body_ = Shared<Body>(new Body(*body_));
    body_->digest.reset();
    return *body_;
}

/// The chunk, alone and with room for `count` entries.
EntryList::Chunk& EntryList::own(std::size_t index, std::size_t count) {
    auto& chunks = own().chunks;
    if (index == chunks.size()) chunks.push_back(Chunk::make(nullptr, count));
    Shared<Chunk>& chunk = chunks[index];
    if (!chunk->unique() || chunk->capacity() < count) chunk = Chunk::make(chunk.get(), count);
    return *chunk;
}

/// Makes the table anew once so many entries are not in it that looking at each of them would show.
void EntryList::keep_table() {
    Body& body = *body_;
    const std::size_t covered = body.table.get() == nullptr ? 0 : body.table->covered;
    if (body.size - covered <= chunk_size + covered / 8) return;
    auto* table = new Table;
    table->covered = body.size;
    table->places.resize(std::bit_ceil(std::size_t{2} * body.size));
    const std::size_t mask = table->places.size() - 1;
    for (std::uint32_t index = 0; index < body.size; ++index) {
        std::size_t i = hash_of((*this)[index].id()) & mask;
        while (table->places[i] != 0) i = (i + 1) & mask;
        table->places[i] = index + 1;
    }
    body.table = Shared<const Table>(table);
}

void EntryList::push_back(Shared<const Entry> entry) {
    Body& body = own();
    body.totals.add(*entry);
    const std::size_t slot = body.size % chunk_size;
    own(body.size / chunk_size, slot + 1).push_back(std::move(entry));
    ++body.size;
    keep_table();
}

void EntryList::replace(std::size_t index, Shared<const Entry> entry) {
    Body& body = own();
    const Entry& old = (*this)[index];
    if (old.id() != entry->id()) body.table = {};
    body.totals.subtract(old);
    body.totals.add(*entry);
    own(index / chunk_size, 0).replace(index % chunk_size, std::move(entry));
    keep_table();
}

void EntryList::erase(std::span<const std::size_t> indexes) {
    if (indexes.empty()) return;
    Body& body = own();
    std::vector<Shared<const Entry>> rest;
    const std::size_t kept_chunks = indexes.front() / chunk_size;
    std::size_t next = 0;
    for (std::size_t i = kept_chunks * chunk_size; i < body.size; ++i) {
        body.totals.subtract((*this)[i]);
        if (next < indexes.size() && indexes[next] == i) {
            ++next;
        } else {
            rest.push_back(handle(i));
        }
    }
    body.table = {};
    body.chunks.resize(kept_chunks);
    body.size = static_cast<std::uint32_t>(kept_chunks * chunk_size);
    for (Shared<const Entry>& entry : rest) push_back(std::move(entry));
    keep_table();
}

Digest EntryList::digest() const {
    if (empty()) {
        static const Digest nothing = sha256({});
        return nothing;
    }
    return body_->digest.get([this] {
        std::string all;
        all.reserve(body_->chunks.size() * sizeof(Digest));
        for (const Shared<Chunk>& chunk : body_->chunks) {
            const Digest digest = chunk->digest();
            all.append(reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size());
        }
        return sha256(all);
    });
}

bool EntryList::shares_chunk(const EntryList& other, std::size_t chunk) const noexcept {
    if (empty() || other.empty()) return false;
    const auto &mine = body_->chunks, &theirs = other.body_->chunks;
    return chunk < mine.size() && chunk < theirs.size() && mine[chunk] == theirs[chunk];
}

bool operator==(const EntryList& a, const EntryList& b) noexcept {
    if (a.body_ == b.body_) return true;
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (i % EntryList::chunk_size == 0 && a.shares_chunk(b, i / EntryList::chunk_size)) {
            i += EntryList::chunk_size - 1;
        } else if (!(a[i] == b[i])) {
            return false;
        }
    }
    return true;
}

}  // namespace taskstate::inline v0
