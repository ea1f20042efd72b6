#pragma once
// What the workloads are measured against: the least that a program written by hand would have to do.

#include <taskstate/base/digest.hpp>
#include <taskstate/model/input.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace taskstate::bench {

/// SHA-256 with the algorithm fetched once and one context for all; the steady measure `S`.
[[nodiscard]] Digest sha256_floor(std::string_view bytes);

/// Whether all bytes are ASCII, 16 at a time.
[[nodiscard]] bool is_ascii(std::string_view text) noexcept;

/// Appends the canonical JSON of a task that has nothing but notes, 16 bytes at a time.
void append_json_floor(std::string& out, const SnapshotInput& saved);

/// One entry as a struct of strings.
struct PlainEntry {
    std::string id{}, text{}, label{}, turn{}, supersedes{};
    Category category{};
    Standing standing{};
    bool resolved = false;
    std::size_t bytes = 0, tokens = 0;
    Digest digest{};
};

[[nodiscard]] PlainEntry plain_entry(const SavedNote& saved);

/// The reference update loop: chunks of 32 shared entries copied on write, an index that revisions share, totals moved
/// by difference, and a digest over the digests of entries and chunks where it is asked for.
///
/// Thread-safety: value.
class PlainState {
 public:
    enum class Digests { kept, none };
    PlainState(const SnapshotInput& saved, Digests digests);

    /// The state in which the entry's `resolved` flag is the other one.
    [[nodiscard]] PlainState with_toggled(const std::string& id) const;
    [[nodiscard]] const Digest& digest() const { return digest_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
    static constexpr std::size_t chunk_size = 32;
    struct Chunk {
        std::array<std::shared_ptr<const PlainEntry>, chunk_size> entries{};
        Digest digest{};
    };
    void measure(PlainEntry& entry) const;
    void seal(Chunk& chunk) const;
    void seal();

    Digests digests_{};
    std::vector<std::shared_ptr<const Chunk>> chunks_{};
    std::shared_ptr<const std::unordered_map<std::string, std::size_t>> index_{};
    std::size_t bytes_ = 0, tokens_ = 0;
    Digest digest_{};
};

/// A value behind a mutex, as any host would share it.
class PlainHead {
 public:
    [[nodiscard]] std::shared_ptr<const int> read() const {
        const std::lock_guard<std::mutex> lock(mutex_);
        return value_;
    }

 private:
    mutable std::mutex mutex_{};
    std::shared_ptr<const int> value_ = std::make_shared<const int>(1);
};

}  // namespace taskstate::bench
