#include <taskstate/base/digest.hpp>

#include "hex.hpp"

#ifndef TASKSTATE_DIGEST_HOST
#include <taskstate/base/error.hpp>

#include <openssl/evp.h>
#include <openssl/hmac.h>
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

}  // namespace

Digest sha256(std::string_view bytes) {
    Digest digest;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.bytes.data(), nullptr, algorithm(), nullptr) != 1) {
        bug("libcrypto failed to digest");
    }
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

void append_hex(std::string& out, const Digest& digest) {
    for (const std::uint8_t byte : digest.bytes) {
        out += hex_digits[byte >> 4];
        out += hex_digits[byte & 15];
    }
}

}  // namespace

std::string hex(const Digest& digest) {
    std::string text;
    text.reserve(64);
    append_hex(text, digest);
    return text;
}

std::string format_digest(const Digest& digest) {
    std::string text(algorithm_prefix);
    text.reserve(algorithm_prefix.size() + 64);
    append_hex(text, digest);
    return text;
}

bool is_digest(std::string_view text) noexcept {
    return text.size() == algorithm_prefix.size() + 64 && text.starts_with(algorithm_prefix) &&
           text.find_first_not_of(hex_digits, algorithm_prefix.size()) == std::string_view::npos;
}

}  // namespace taskstate::inline v0
