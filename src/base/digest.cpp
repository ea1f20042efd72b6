#include <taskstate/base/digest.hpp>

#include "hex.hpp"

#include <algorithm>

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

bool is_digest(std::string_view text) noexcept {
    const auto is_hex_digit = [](char byte) { return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f'); };
    return text.size() == algorithm_prefix.size() + 64 && text.starts_with(algorithm_prefix) &&
           std::all_of(text.begin() + algorithm_prefix.size(), text.end(), is_hex_digit);
}

std::optional<Digest> parse_digest(std::string_view text) noexcept {
    if (!is_digest(text)) return std::nullopt;
    const auto digit = [&](std::size_t place) {
        const char byte = text[algorithm_prefix.size() + place];
        return static_cast<unsigned>(byte <= '9' ? byte - '0' : byte - 'a' + 10);
    };
    Digest digest;
    for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
        digest.bytes[i] = static_cast<std::uint8_t>(digit(2 * i) << 4 | digit(2 * i + 1));
    }
    return digest;
}

}  // namespace taskstate::inline v0
