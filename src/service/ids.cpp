#include <taskstate/service/adapters.hpp>

#include <unistd.h>
#include <array>

namespace taskstate::inline v0 {
namespace {

class RandomIds : public IdSource {
 public:
    std::string make(std::string_view prefix) override {
        static constexpr std::string_view digits = "0123456789abcdef";
        std::array<unsigned char, 16> bits{};
        if (::getentropy(bits.data(), bits.size()) != 0) bug("the system has no random bits");
        std::string id = std::string(prefix) + "-";
        for (const unsigned char byte : bits) id.append(1, digits[byte >> 4]).append(1, digits[byte & 0xF]);
        return id;
    }
};

}  // namespace

std::shared_ptr<IdSource> random_ids() { return std::make_shared<RandomIds>(); }

}  // namespace taskstate::inline v0
