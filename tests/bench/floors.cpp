#include "bench/floors.hpp"

#include <openssl/evp.h>

#include <taskstate/base/time.hpp>

#include <charconv>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace taskstate::bench {
namespace {

bool is_special(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

/// How many bytes from `at` on need no escape in JSON, looking at 16 of them.
std::size_t plain_run(const char* at, std::size_t left) {
#ifdef __SSE2__
    if (left >= 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
        const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
        const __m128i slash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
        const int found = _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, slash)));
        return found == 0 ? 16 : static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(found)));
    }
#endif
    std::size_t run = 0;
    while (run < left && !is_special(at[run])) ++run;
    return run;
}

void append_escape(std::string& out, char c) {
    switch (c) {
        case '\n':
            out += "\\n";
            return;
        case '\t':
            out += "\\t";
            return;
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        default:
            out += "\\u00";
            out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
            out += "0123456789abcdef"[c & 15];
    }
}

void append_string(std::string& out, std::string_view text) {
    out += '"';
    std::size_t begin = 0, end = 0;
    while (end < text.size()) {
        const std::size_t run = plain_run(text.data() + end, text.size() - end);
        end += run;
        if (run == 16 || end == text.size()) continue;
        if (!is_special(text[end])) continue;
        out.append(text, begin, end - begin);
        append_escape(out, text[end]);
        begin = ++end;
    }
    out.append(text, begin);
    out += '"';
}

void append_field(std::string& out, std::string_view name, std::string_view text) {
    out.append(name);
    append_string(out, text);
}

void append_note(std::string& out, const SavedNote& saved) {
    const NoteInput& note = saved.note;
    append_field(out, "{\"authority\":", word(saved.standing));
    append_field(out, ",\"category\":", word(note.category));
    append_field(out, ",\"id\":", note.id);
    if (saved.resolved) out += ",\"resolved\":true";
    append_field(out, ",\"source\":{\"label\":", note.source.label);
    append_field(out, ",\"turn\":", *note.source.turn);
    out += '}';
    if (saved.superseded_by) append_field(out, ",\"superseded_by\":", *saved.superseded_by);
    if (note.supersedes) append_field(out, ",\"supersedes\":", *note.supersedes);
    append_field(out, ",\"text\":", note.text);
    out += '}';
}

}  // namespace

Digest sha256_floor(std::string_view bytes) {
    static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    static EVP_MD_CTX* const context = EVP_MD_CTX_new();
    Digest digest;
    EVP_DigestInit_ex2(context, algorithm, nullptr);
    EVP_DigestUpdate(context, bytes.data(), bytes.size());
    EVP_DigestFinal_ex(context, digest.bytes.data(), nullptr);
    return digest;
}

bool is_ascii(std::string_view text) noexcept {
    std::size_t i = 0;
#ifdef __SSE2__
    for (; i + 16 <= text.size(); i += 16) {
        if (_mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i))) != 0) return false;
    }
#endif
    for (; i < text.size(); ++i) {
        if (static_cast<unsigned char>(text[i]) >= 0x80) return false;
    }
    return true;
}

void append_json_floor(std::string& out, const SnapshotInput& saved) {
    append_field(out, "{\"created_at\":", format_time(saved.created_at));
    out += ",\"format\":\"taskstate.snapshot/1\"";
    append_field(out, ",\"goal\":", *saved.goal);
    append_field(out, ",\"id\":", saved.id);
    append_field(out, ",\"last_progress_at\":", format_time(saved.last_progress_at));
    append_field(out, ",\"lifecycle\":", word(saved.lifecycle));
    out += ",\"notes\":[";
    for (const SavedNote& note : saved.notes) {
        if (out.back() != '[') out += ',';
        append_note(out, note);
    }
    append_field(out, "],\"profile\":", saved.profile);
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), saved.revision.number).ptr;
    out.append(",\"revision\":").append(digits.begin(), end);
    append_field(out, ",\"scope\":{\"owner\":", saved.scope.owner);
    append_field(out, ",\"workspace\":", saved.scope.workspace);
    append_field(out, "},\"updated_at\":", format_time(saved.updated_at));
    out += '}';
}

PlainEntry plain_entry(const SavedNote& saved) {
    return {.id = saved.note.id,
            .text = saved.note.text,
            .label = saved.note.source.label,
            .turn = *saved.note.source.turn,
            .supersedes = saved.note.supersedes.value_or(""),
            .category = saved.note.category,
            .standing = saved.standing,
            .resolved = saved.resolved};
}

PlainState::PlainState(const SnapshotInput& saved, Digests digests) : digests_(digests) {
    auto index = std::make_shared<std::unordered_map<std::string, std::size_t>>();
    std::vector<std::shared_ptr<Chunk>> chunks;
    for (const SavedNote& note : saved.notes) {
        const std::size_t at = index->size();
        if (at % chunk_size == 0) chunks.push_back(std::make_shared<Chunk>());
        PlainEntry entry = plain_entry(note);
        measure(entry);
        bytes_ += entry.bytes;
        tokens_ += entry.tokens;
        index->emplace(entry.id, at);
        chunks.back()->entries[at % chunk_size] = std::make_shared<const PlainEntry>(std::move(entry));
    }
    for (const auto& chunk : chunks) {
        seal(*chunk);
        chunks_.push_back(chunk);
    }
    index_ = std::move(index);
    seal();
}

PlainState PlainState::with_toggled(const std::string& id) const {
    PlainState next = *this;
    const std::size_t at = next.index_->at(id);
    auto chunk = std::make_shared<Chunk>(*next.chunks_[at / chunk_size]);
    auto& slot = chunk->entries[at % chunk_size];
    auto entry = std::make_shared<PlainEntry>(*slot);
    entry->resolved = !entry->resolved;
    measure(*entry);
    next.bytes_ += entry->bytes - slot->bytes;
    next.tokens_ += entry->tokens - slot->tokens;
    slot = std::move(entry);
    seal(*chunk);
    next.chunks_[at / chunk_size] = std::move(chunk);
    next.seal();
    return next;
}

void PlainState::measure(PlainEntry& entry) const {
    entry.bytes = entry.id.size() + entry.text.size() + entry.label.size() + entry.turn.size() + 80;
    entry.tokens = (entry.bytes + 3) / 4;
    if (digests_ == Digests::none) return;
    std::string bytes;
    bytes.reserve(entry.bytes);
    bytes.append(entry.id).append(entry.text).append(entry.label).append(entry.turn).append(entry.supersedes);
    bytes += entry.resolved ? '1' : '0';
    bytes.resize(entry.bytes);
    entry.digest = sha256_floor(bytes);
}

void PlainState::seal(Chunk& chunk) const {
    if (digests_ == Digests::none) return;
    std::array<std::uint8_t, 32 * chunk_size> bytes{};
    std::size_t size = 0;
    for (const auto& entry : chunk.entries) {
        if (!entry) break;
        std::memcpy(bytes.data() + size, entry->digest.bytes.data(), 32);
        size += 32;
    }
    chunk.digest = sha256_floor({reinterpret_cast<const char*>(bytes.data()), size});
}

void PlainState::seal() {
    if (digests_ == Digests::none) return;
    std::string bytes;
    bytes.reserve(32 * chunks_.size());
    for (const auto& chunk : chunks_) {
        bytes.append(reinterpret_cast<const char*>(chunk->digest.bytes.data()), 32);
    }
    digest_ = sha256_floor(bytes);
}

}  // namespace taskstate::bench
