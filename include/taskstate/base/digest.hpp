#pragma once
// SHA-256 and HMAC-SHA-256, from OpenSSL or from two functions of the host (TASKSTATE_DIGEST).

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// 32 bytes of SHA-256.
///
/// Thread-safety: value.
struct Digest {
    std::array<std::uint8_t, 32> bytes{};
    friend bool operator==(const Digest&, const Digest&) = default;
};

[[nodiscard]] Digest sha256(std::string_view bytes);
[[nodiscard]] Digest hmac_sha256(std::string_view key, std::string_view bytes);

/// 64 lower-case hex digits.
using HexText = std::array<char, 64>;
[[nodiscard]] HexText hex_text(const Digest& digest) noexcept;
[[nodiscard]] std::string hex(const Digest& digest);

/// `sha256:` and 64 lower-case hex digits.
[[nodiscard]] std::string format_digest(const Digest& digest);

/// Reads exactly what `format_digest` writes; nothing for any other text.
[[nodiscard]] std::optional<Digest> parse_digest(std::string_view text) noexcept;

/// Whether `text` has the form that `format_digest` writes.
[[nodiscard]] bool is_digest(std::string_view text) noexcept;

}  // namespace taskstate::inline v0

#ifdef TASKSTATE_DIGEST_HOST
/// The two functions that a host supplies at link time when the library is built with TASKSTATE_DIGEST=host.
extern "C" void taskstate_host_sha256(const void* data, std::size_t size, unsigned char out[32]);
extern "C" void taskstate_host_hmac_sha256(const void* key, std::size_t key_size, const void* data, std::size_t size,
                                           unsigned char out[32]);
#endif
