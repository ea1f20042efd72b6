// A saved snapshot: whatever is restored is saved again as it was.

#include "fuzz/targets.hpp"
#include "fuzz/task_rules.hpp"

namespace taskstate::fuzz {

void snapshot(std::string_view bytes) {
    for (const TextPolicy policy : {TextPolicy::refuse, TextPolicy::replace}) {
        const auto saved = decode_snapshot(bytes, {}, policy);
        if (!saved) {
            check_refusal(saved.error());
            continue;
        }
        Limits tight;
        tight.snapshot_bytes_max = bytes.size() - 1;
        const auto refused = decode_snapshot(bytes, tight, policy);
        require(!refused && refused.error().reason == Reason::snapshot_bytes_exceeded,
                "no byte beyond the limit is read");

        const auto task = TaskState::open(options_of(*saved, policy), *saved);
        if (task) {
            check_task(*task);
        } else {
            check_refusal(task.error());
        }
    }
}

}  // namespace taskstate::fuzz
