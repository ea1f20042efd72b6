#include <taskstate/base/digest.hpp>

#include "hex.hpp"

#include <array>

#ifndef TASKSTATE_DIGEST_HOST
#include <taskstate/base/error.hpp>

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <atomic>
#endif

namespace taskstate::inline v0 {

#ifdef TASKSTATE_DIGEST_HOST

Digest sha256(std::string_view bytes) {
    Digest digest;
    taskstate_host_sha256(bytes.data(), bytes.size(), digest.bytes.data());
    return digest;
}

Digest hmac_sha256(std::string_view key, std::string_view bytes) {
    Digest digest;
    taskstate_host_hmac_sha256(key.data(), key.size(), bytes.data(), bytes.size(), digest.bytes.data());
    return digest;
}

#else

namespace {

// Fetched once and never freed: a fetch costs more than a short digest, and digests may be asked for until exit.
const EVP_MD* algorithm() {
    static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    if (fetched == nullptr) bug("libcrypto offers no SHA-256");
    return fetched;
}

// One context to spare: making one costs more than a short digest.  Whoever finds it taken makes another.
std::atomic<EVP_MD_CTX*> spare{nullptr};

EVP_MD_CTX* take_context() {
    EVP_MD_CTX* context = spare.exchange(nullptr, std::memory_order_acquire);
    if (context == nullptr) context = EVP_MD_CTX_new();
    if (context == nullptr) bug("libcrypto has no memory for a digest");
    return context;
}

void give_back(EVP_MD_CTX* context) {
    EVP_MD_CTX* none = nullptr;
    const bool kept =
        spare.compare_exchange_strong(none, context, std::memory_order_release, std::memory_order_relaxed);
    if (!kept) EVP_MD_CTX_free(context);
}

}  // namespace

Digest sha256(std::string_view bytes) {
    Digest digest;
    EVP_MD_CTX* context = take_context();
    if (EVP_DigestInit_ex2(context, algorithm(), nullptr) != 1 ||
        EVP_DigestUpdate(context, bytes.data(), bytes.size()) != 1 ||
        EVP_DigestFinal_ex(context, digest.bytes.data(), nullptr) != 1) {
        bug("libcrypto failed to digest");
    }
    give_back(context);
    return digest;
}

Digest hmac_sha256(std::string_view key, std::string_view bytes) {
    Digest digest;
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    if (HMAC(algorithm(), key.data(), static_cast<int>(key.size()), data, bytes.size(), digest.bytes.data(), nullptr) ==
        nullptr) {
        bug("libcrypto failed to sign");
    }
    return digest;
}

#endif

namespace {

constexpr std::string_view algorithm_prefix = "sha256:";

// What each digit is worth; more than any digit for all else.
constexpr std::array<std::uint8_t, 256> make_hex_values() {
    std::array<std::uint8_t, 256> values{};
    values.fill(0xFF);
    for (std::size_t i = 0; i < hex_digits.size(); ++i) {
        values[static_cast<unsigned char>(hex_digits[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}
constexpr std::array<std::uint8_t, 256> hex_values = make_hex_values();

}  // namespace

HexText hex_text(const Digest& digest) noexcept {
    HexText digits;
    char* next = digits.data();
    for (const std::uint8_t byte : digest.bytes) {
        *next++ = hex_digits[byte >> 4];
        *next++ = hex_digits[byte & 15];
    }
    return digits;
}

std::string hex(const Digest& digest) {
    const auto digits = hex_text(digest);
    return {digits.begin(), digits.end()};
}

std::string format_digest(const Digest& digest) { return std::string(algorithm_prefix) + hex(digest); }

bool is_digest(std::string_view text) noexcept { return parse_digest(text).has_value(); }

std::optional<Digest> parse_digest(std::string_view text) noexcept {
    Digest digest;
    if (text.size() != algorithm_prefix.size() + 2 * digest.bytes.size() || !text.starts_with(algorithm_prefix)) {
        return std::nullopt;
    }
    const char* digits = text.data() + algorithm_prefix.size();
    const auto next = [&digits] { return hex_values[static_cast<unsigned char>(*digits++)]; };
    unsigned seen = 0;
    for (std::uint8_t& byte : digest.bytes) {
        const unsigned high = next(), low = next();
        seen |= high | low;
        byte = static_cast<std::uint8_t>(high << 4 | low);
    }
    return seen < 16 ? std::optional(digest) : std::nullopt;
}

}  // namespace taskstate::inline v0
