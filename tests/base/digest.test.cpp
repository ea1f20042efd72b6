#include <taskstate/base/digest.hpp>

#include "support/catch.hpp"

#include <string>

using namespace taskstate;

TEST_CASE("digest: SHA-256 of known inputs", "[base][digest]") {
    CHECK(hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(hex(sha256({})) == hex(sha256("")));
    CHECK(hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256(std::string_view("a\0b", 3)) != sha256("a"));
}

TEST_CASE("digest: HMAC-SHA-256 of known inputs", "[base][digest]") {
    CHECK(hex(hmac_sha256("Jefe", "what do ya want for nothing?")) ==
          "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    CHECK(hex(hmac_sha256(std::string(131, '\xAA'), "Test Using Larger Than Block-Size Key - Hash Key First")) ==
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    CHECK(hex(hmac_sha256("", "")) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
    CHECK(hmac_sha256({}, "x") == hmac_sha256("", "x"));
}

TEST_CASE("digest: printed with its algorithm, and recognised in that form only", "[base][digest]") {
    const std::string text = format_digest(sha256("abc"));
    CHECK(text == "sha256:" + hex(sha256("abc")));
    CHECK(is_digest(text));
    CHECK_FALSE(is_digest(text.substr(7)));
    CHECK_FALSE(is_digest(text.substr(0, text.size() - 1)));
    CHECK_FALSE(is_digest(text + "0"));
    CHECK_FALSE(is_digest("SHA256:" + text.substr(7)));
    CHECK_FALSE(is_digest("sha256:" + std::string(63, '0') + "A"));
    CHECK_FALSE(is_digest("sha256:" + std::string(63, '0') + "g"));
}
