// What was said in a task is told to whoever reads the task, and to nobody else.

#include "store/row_text.hpp"
#include "support/desk.hpp"

#include <functional>

using namespace taskstate;
using test::check_refused;
using test::Desk;
using test::home;

namespace {

const std::string secret = "PLANTED-7fd1";
const SessionIdentity session{"assistant", "chat-7", "e1"};
const TaskAddress task{home, "task-a"};

std::string said(const Error& error) { return error.path + ' ' + error.message; }
std::string said(const DecisionRecord& decision) { return encode_row(decision); }
std::string said(const StepResult& step) { return said(step.decision); }
std::string said(const ContextPackage& package) {
    REQUIRE(package.withheld.has_value());
    return std::string(word(*package.withheld)) + package.preamble.value_or("") + package.delivery.value_or("") +
           package.cache_key.value_or("") + (package.block ? package.block->text() : "");
}
std::string said(const DeletionReceipt& receipt) { return receipt.task + receipt.goal_digest + receipt.actor; }
std::string said(const Integrity& integrity) {
    std::string text;
    for (const Problem& problem : integrity.problems) text += problem.task;
    return text;
}
std::string said(const Health& health) {
    std::string text = said(health.integrity);
    for (const Overdue& late : health.overdue) text += late.task;
    return text;  // the rest is numbers and words of closed lists
}
std::string said(const Timeline& timeline) {
    std::string text;
    for (const auto& row : timeline.revisions) text += encode_row(row);
    for (const auto& row : timeline.decisions) text += encode_row(row);
    for (const auto& row : timeline.deliveries) text += encode_row(row);
    return text;
}
std::string said(const Provenance& told) {
    std::string text;
    for (const ProvenanceEntry& entry : told.history) text += entry.summary + entry.role_words + entry.method_words;
    return text;
}
std::string said(const Capabilities& real) {
    std::string text = real.block_format;
    for (const auto* names : {&real.profiles, &real.enforcing_adapters, &real.session_binding_adapters}) {
        for (const std::string& name : *names) text += name;
    }
    return text;
}
/// What an answer says, whichever it is.
template <class T>
std::string said(const Result<T>& answer) {
    return answer ? said(*answer) : said(answer.error());
}
template <class T>
std::string refusal(const Result<T>& answer) {
    REQUIRE_FALSE(answer.has_value());
    return said(answer.error());
}

EvidenceInput evidence() { return {.kind = EvidenceKind::tool_call, .id = secret}; }

/// A task with the secret in everything that anybody may write freely.
void plant(Desk& desk) {
    ItemInput review = test::item("review");
    review.title = secret + " title";
    review.kind = secret + " kind";
    Desk::accept(desk.service.start({.task = task,
                                     .key = "start:" + secret,
                                     .actor = test::operator_olga,
                                     .association = secret,
                                     .goal = secret + " goal",
                                     .constraints = {secret + " constraint"},
                                     .sources = {secret},
                                     .items = {review, test::item("deploy", {"review"})},
                                     .evidence = {evidence()}}));
    const auto noted = desk.service.correct(
        {.task = task,
         .actor = test::operator_olga,
         .key = "key:" + secret,
         .base = {1},
         .operations = {{AddNote{test::note("n1", Category::question, secret + " note")}, std::nullopt},
                        {SetItemTitle{"deploy", secret + " other title"}, std::nullopt},
                        {SetItemBlocker{"review", secret + " blocker"}, std::nullopt}},
         .evidence = {evidence()},
         .reason = secret + " reason",
         .interpreter = secret});
    Desk::accept(noted);
    REQUIRE(desk.service.bind({task, session, test::operator_olga, secret + " bound"}).has_value());
    Desk::accept(desk.service.lifecycle({.task = task,
                                         .key = "pause:" + secret,
                                         .actor = test::operator_olga,
                                         .to = Lifecycle::paused,
                                         .base = {2},
                                         .reason = secret + " pause",
                                         .evidence = {evidence()}}));
    Desk::accept(desk.service.lifecycle(
        {.task = task, .key = "resume", .actor = test::operator_olga, .to = Lifecycle::open, .base = {3}}));
    REQUIRE(desk.service.prepare({.scope = home, .task = "task-a"}).has_value());
}

ProposalInput proposal(Operation operation, Revision base) {
    return {.task = task,
            .actor = test::agent_runner,
            .key = "fresh",
            .base = base,
            .operations = {{std::move(operation), std::nullopt}},
            .reason = secret};
}

struct Call {
    const char* name;
    std::function<std::string(Desk&)> answer;
};

const std::vector<Call> calls{
    {"health", [](Desk& desk) { return said(desk.service.health(home)); }},
    {"verify", [](Desk& desk) { return said(desk.service.verify(home)); }},
    {"timeline", [](Desk& desk) { return said(desk.service.timeline({.task = task})); }},
    {"provenance, its words", [](Desk& desk) { return said(desk.service.provenance({.task = task})); }},
    {"capabilities", [](Desk& desk) { return said(desk.service.capabilities()); }},
    {"set_mode", [](Desk& desk) { return desk.service.set_mode(home, ScopeMode::enabled) ? "" : "refused"; }},
    {"start, other request",
     [](Desk& desk) {
         return refusal(desk.service.start(
             {.task = task, .key = "start:" + secret, .actor = test::operator_olga, .goal = secret}));
     }},
    {"start, same id",
     [](Desk& desk) {
         return refusal(
             desk.service.start({.task = task, .key = "other", .actor = test::operator_olga, .goal = secret}));
     }},
    {"submit, rejected",
     [](Desk& desk) {
         return said(desk.service.submit(proposal(test::set_status("deploy", ItemStatus::running, secret), {4})));
     }},
    {"submit, conflict",
     [](Desk& desk) {
         return said(desk.service.submit(proposal(test::set_status("deploy", ItemStatus::ready, secret), {1})));
     }},
    {"submit, bad text",
     [](Desk& desk) { return refusal(desk.service.submit(proposal(SetItemTitle{"deploy", secret + "\x01"}, {4}))); }},
    {"submit, unknown item",
     [](Desk& desk) { return said(desk.service.submit(proposal(SetItemTitle{"missing", secret}, {4}))); }},
    {"correct, no reason",
     [](Desk& desk) {
         ProposalInput input = proposal(SetItemTitle{"deploy", secret}, {4});
         input.actor = test::operator_olga;
         input.reason.reset();
         return said(desk.service.correct(input));
     }},
    {"lifecycle, open gates",
     [](Desk& desk) {
         return said(desk.service.lifecycle({.task = task,
                                             .key = "finish",
                                             .actor = test::operator_olga,
                                             .to = Lifecycle::completed,
                                             .base = {4},
                                             .reason = secret}));
     }},
    {"observe, not bound",
     [](Desk& desk) {
         return refusal(desk.service.observe({.task = {home, "sibling"},
                                              .identity = session,
                                              .key = "seen",
                                              .observation = secret,
                                              .adapter = {"chat", "1"}}));
     }},
    {"propose_delta, not bound",
     [](Desk& desk) {
         return refusal(desk.service.propose_delta({.task = {home, "sibling"},
                                                    .identity = session,
                                                    .key = "delta",
                                                    .base = {1},
                                                    .operations = {SetItemTitle{"deploy", secret}},
                                                    .adapter = {"chat", "1"}}));
     }},
    {"request_lifecycle, open gates",
     [](Desk& desk) {
         return said(desk.service.request_lifecycle({.task = task,
                                                     .identity = session,
                                                     .key = "finish",
                                                     .to = Lifecycle::completed,
                                                     .base = {4},
                                                     .adapter = {"chat", "1"},
                                                     .reason = secret}));
     }},
    {"read, foreign", [](Desk& desk) { return refusal(desk.service.read({test::abroad, "task-a"})); }},
    {"list, bad cursor", [](Desk& desk) { return refusal(desk.service.list({.scope = home, .cursor = secret})); }},
    {"prepare, too big",
     [](Desk& desk) {
         return said(desk.service.prepare({.scope = home, .task = "task-a", .prompt = {.bytes_max = 32}}));
     }},
    {"prepare, conflict",
     [](Desk& desk) { return said(desk.service.prepare({.scope = home, .task = "sibling", .identity = session})); }},
    {"bind, active",
     [](Desk& desk) { return refusal(desk.service.bind({task, session, test::operator_olga, secret})); }},
    {"unbind, unknown",
     [](Desk& desk) { return refusal(desk.service.unbind({home, "binding-99", test::operator_olga, secret})); }},
    {"resolve, conflict",
     [](Desk& desk) { return refusal(desk.service.resolve({.scope = home, .task = "sibling", .identity = session})); }},
    {"confirm_exposure", [](Desk& desk) { return desk.service.confirm_exposure(home, secret) ? "" : "refused"; }},
    {"register_profile, denied",
     [](Desk& desk) {
         Profile profile = *find_profile("general-v1");
         profile.description = secret;
         return refusal(desk.service.register_profile(profile, test::agent_runner, Registering::in_earnest));
     }},
    {"register_adapter, refused",
     [](Desk& desk) { return refusal(desk.service.register_adapter({.name = " " + secret})); }},
    {"expire_due", [](Desk& desk) { return desk.service.expire_due() ? "" : "refused"; }},
    {"forget, denied", [](Desk& desk) { return refusal(desk.service.forget(task, test::agent_runner)); }},
    {"forget", [](Desk& desk) { return said(desk.service.forget(task, test::admin_ada)); }},
};

}  // namespace

TEST_CASE("secrets: no health, timeline, refusal or receipt says what was said in a task",
          "[service][governed:19.1][governed:25.3]") {
    for (const Call& call : calls) {
        Desk desk;
        plant(desk);
        desk.start("sibling");
        REQUIRE(desk.service.read(task)->snapshot.goal()->find(secret) == 0);
        INFO(call.name);
        const std::string answer = call.answer(desk);
        CHECK(answer.find(secret) == std::string::npos);
    }
}

TEST_CASE("secrets: nothing of a deleted task is left in any row of its scope", "[service][governed:29.8]") {
    Desk desk;
    plant(desk);
    REQUIRE(desk.service.forget(task, test::admin_ada).has_value());

    std::string left;
    const auto add = [&left](const auto& rows) {
        REQUIRE(rows.has_value());
        for (const auto& row : *rows) left += encode_row(row);
    };
    add(desk.store->list({.scope = home, .limit = 500}));
    add(desk.store->revisions(task, {}, 1000));
    add(desk.store->decisions(task, 0, 1000));
    add(desk.store->deliveries(task, 0, 1000));
    add(desk.store->bindings({.scope = home, .revoked_too = true}));
    CHECK(left.empty());
}
