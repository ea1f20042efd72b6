// A host's delta: it is read back as it was written, and applied wholly or not at all.

#include "fuzz/fixture.hpp"
#include "fuzz/targets.hpp"

namespace taskstate::fuzz {
namespace {

void check_delta(const HostDelta& given, TextPolicy policy) {
    auto again = decode_delta(encode(given), wide);
    require(again.has_value(), "what is encoded can be decoded");
    again->replaced = given.replaced;
    require(*again == given, "decoding what was encoded gives the same delta");

    TaskState task = busy_task(policy);
    const auto before = *task.snapshot();
    const auto rebased = task.rebase(given, Revision{1});
    require(!rebased || *rebased == given, "a rebase changes no delta");
    require(task.prompt().has_value(), "the task has a block that the next one may follow");
    const auto done = task.update(given, before.revision());
    check_step(task, before, done);

    TaskState other = busy_task(policy);
    const auto stale = other.update(given, Revision{1});
    require(!stale, "a stale delta is refused");
    const auto same = other.update(given, before.revision());
    require(same.has_value() == done.has_value(), "equal calls have equal results");
    if (done) {
        require(encode(same->snapshot) == encode(done->snapshot), "equal calls give equal states");
        require(same->replaced == done->replaced, "equal calls replace as much");
    } else {
        require(same.error() == done.error(), "equal calls have equal refusals");
    }
}

}  // namespace

void delta(std::string_view bytes) {
    for (const TextPolicy policy : {TextPolicy::refuse, TextPolicy::replace}) {
        const auto given = decode_delta(bytes, {}, policy);
        if (given) {
            check_delta(*given, policy);
        } else {
            check_refusal(given.error());
        }
    }
}

}  // namespace taskstate::fuzz
