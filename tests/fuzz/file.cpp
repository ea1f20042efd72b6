// The bytes of a snapshot file: only what a writer wrote is believed.

#include "fuzz/targets.hpp"
#include "fuzz/task_rules.hpp"
#include "store/envelope.hpp"

namespace taskstate::fuzz {

void file(std::string_view bytes) {
    if (const auto snapshot = unwrap(bytes)) {
        require(wrap(*snapshot) == bytes, "a file that is believed is as a writer writes it");
        if (const auto saved = decode_snapshot(*snapshot, wide); !saved) check_refusal(saved.error());
    } else {
        check_refusal(snapshot.error());
        require(snapshot.error().limit == bytes.size(), "a fault tells the size of the file");
        require(snapshot.error().actual <= bytes.size(), "a fault shows within the file");
    }

    std::string whole = wrap(bytes);
    const auto inside = unwrap(whole);
    require(inside && *inside == bytes, "a file gives what was wrapped");
    // The place of the damage is any, and the same for the same bytes.
    std::size_t place = 0;
    for (const char c : bytes) place = place * 31 + static_cast<unsigned char>(c);
    require(!unwrap(std::string_view(whole).substr(0, place % whole.size())), "a cut file is not believed");
    require(!unwrap(whole + static_cast<char>(place)), "a longer file is not believed");
    char& damaged = whole[place % whole.size()];
    damaged = static_cast<char>(static_cast<unsigned char>(damaged) ^ (1U << (place / whole.size() % 8)));
    require(!unwrap(whole), "a file with one flipped bit is not believed");
}

}  // namespace taskstate::fuzz
