// A set of rules: it is read back as it was written, and either makes sense or says where not.

#include "fuzz/targets.hpp"
#include "fuzz/task_rules.hpp"

namespace taskstate::fuzz {

void profile(std::string_view bytes) {
    const auto given = decode_profile(bytes);
    if (!given) return check_refusal(given.error());
    const auto again = decode_profile(encode(*given));
    require(again && *again == *given, "decoding what was encoded gives the same profile");
    require(profile_digest(*again) == profile_digest(*given), "equal profiles have equal digests");
    const auto checked = check_profile(*given);
    if (!checked) check_refusal(checked.error());
}

}  // namespace taskstate::fuzz
