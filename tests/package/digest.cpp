// The two functions that a host supplies when the library is built with TASKSTATE_DIGEST_HOST.
#include <taskstate/base/digest.hpp>

#include <openssl/evp.h>
#include <openssl/hmac.h>

extern "C" void taskstate_host_sha256(const void* data, std::size_t size, unsigned char out[32]) {
    EVP_Digest(data, size, out, nullptr, EVP_sha256(), nullptr);
}

extern "C" void taskstate_host_hmac_sha256(const void* key, std::size_t key_size, const void* data, std::size_t size,
                                           unsigned char out[32]) {
    HMAC(EVP_sha256(), key, static_cast<int>(key_size), static_cast<const unsigned char*>(data), size, out, nullptr);
}
