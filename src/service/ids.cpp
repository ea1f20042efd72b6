#include <taskstate/service/adapters.hpp>

#include <cstdint>
#include <random>

namespace taskstate::inline v0 {
namespace {

class RandomIds : public IdSource {
 public:
    std::string make(std::string_view prefix) override {
        static constexpr std::string_view digits = "0123456789abcdef";
        std::random_device system;  // one for each id: it may not be shared between threads
        std::string id = std::string(prefix) + "-";
        for (int word = 0; word < 4; ++word) {
            const std::uint32_t bits = system();
            for (int shift = 28; shift >= 0; shift -= 4) id += digits[(bits >> shift) & 0xF];
        }
        return id;
    }
};

}  // namespace

std::shared_ptr<IdSource> random_ids() { return std::make_shared<RandomIds>(); }

}  // namespace taskstate::inline v0
