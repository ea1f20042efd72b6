// What somebody proposes: it is read back as it was written, and judged at every intake.

#include "fuzz/fixture.hpp"
#include "fuzz/targets.hpp"

#include <taskstate/engine/apply.hpp>

namespace taskstate::fuzz {
namespace {

void check_judgement(const ProposalInput& given, Intake intake, const Snapshot& head, const Rules& rules) {
    const auto transaction = admit(given, intake, rules);
    if (!transaction) return check_refusal(transaction.error());
    const Decision decision = apply(head, *transaction, rules, {1'767'225'600'000});
    check_refusal(decision.error);
    if (decision.outcome != Outcome::accepted) {
        require(decision.snapshot.same_object(head), "what is not accepted changes nothing");
        return;
    }
    require(decision.snapshot.revision().number == head.revision().number + 1, "a commit moves the revision by one");
    require(validate(decision.snapshot.state(), rules).has_value(), "what is accepted is a valid state");
    const auto saved = decode_snapshot(encode(decision.snapshot), wide);
    require(saved && *saved == to_input(decision.snapshot), "decoding what was encoded gives what was saved");
}

}  // namespace

void proposal(std::string_view bytes) {
    for (const TextPolicy policy : {TextPolicy::refuse, TextPolicy::replace}) {
        const auto given = decode_proposal(bytes, {}, policy);
        if (!given) {
            check_refusal(given.error());
            continue;
        }
        const auto again = decode_proposal(encode(*given), wide);
        require(again && *again == *given, "decoding what was encoded gives the same proposal");
        require(proposal_digest(*again) == proposal_digest(*given), "equal proposals have equal digests");
        const Snapshot head = *busy_task(policy).snapshot();
        const Rules rules{.profile = find_profile("notebook-v1"), .limits = wide, .text = policy};
        for (const Intake intake : {Intake::submission, Intake::correction, Intake::boundary}) {
            check_judgement(*given, intake, head, rules);
        }
    }
}

}  // namespace taskstate::fuzz
