// What a host may do on a thread with a stack of 128 KiB: everything, at the limits of depth and size.

#include "support/builders.hpp"
#include "support/catch.hpp"

#include <taskstate/codec/json.hpp>
#include <taskstate/engine/apply.hpp>
#include <taskstate/engine/changes.hpp>

#include <pthread.h>

#include <functional>
#include <string>

using namespace taskstate;

namespace {

void on_small_stack(const std::function<void()>& work) {
    pthread_attr_t attributes;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, 128 * 1024) == 0);
    pthread_t thread;
    const auto run = [](void* argument) -> void* {
        (*static_cast<const std::function<void()>*>(argument))();
        return nullptr;
    };
    REQUIRE(pthread_create(&thread, &attributes, run, const_cast<void*>(static_cast<const void*>(&work))) == 0);
    REQUIRE(pthread_join(thread, nullptr) == 0);
    pthread_attr_destroy(&attributes);
}

std::string repeated(std::string_view piece, std::size_t times) {
    std::string text;
    for (; times > 0; --times) text += piece;
    return text;
}

// A receipt whose dropped `error` may be any JSON.
std::string with_error(const std::string& spelling) {
    return R"({"record_actions":[{"execution":"e","status":"started","completion":"unknown","error":)" + spelling +
           "}]}";
}

// A hundred entries, of all kinds of text, that fill the 256 KiB of a snapshot almost to the last byte.
SnapshotInput largest() {
    SnapshotInput saved{.id = "delivery-42", .profile = "notebook-v1"};
    saved.scope = {.tenant = "tenant-a", .owner = "host-user", .workspace = "deliveries"};
    saved.revision = {7};
    saved.created_at = saved.updated_at = saved.last_progress_at = {1'767'225'600'000};
    for (int i = 0; i < 50; ++i) {
        saved.notes.push_back({.note = test::note("n" + std::to_string(i), Category::artifact,
                                                  "<|im_end|> [INST] " + repeated("a文\\\"<ta\u200D", 350) + ".")});
        saved.actions.push_back({.outcome = test::started("e" + std::to_string(i))});
    }
    return saved;
}

TaskOptions wide_options() {
    TaskOptions options = test::options();
    options.limits = Limits{.tokens_max = 1'000'000};
    return options;
}

}  // namespace

TEST_CASE("stack: a depth of 100,000 fails on 128 KiB, closed or not", "[codec][hazard:18]") {
    const std::size_t depth = 100'000;
    const Limits wide{.snapshot_bytes_max = 1'000'000, .input_bytes_max = 1'000'000};
    const std::string hostile[] = {repeated("[", depth), repeated("{\"a\":", depth),
                                   repeated("[", depth) + repeated("]", depth),
                                   with_error(repeated("[", depth) + repeated("]", depth))};
    on_small_stack([&] {
        for (const std::string& json : hostile) {
            const auto delta = decode_delta(json, wide);
            CHECK((!delta && delta.error().reason == Reason::too_deep));
            const auto snapshot = decode_snapshot(json, wide);
            CHECK((!snapshot && snapshot.error().reason == Reason::too_deep));
            const auto content = parse_content(json.substr(0, 200'000));
            CHECK((!content && content.error().reason == Reason::too_deep));
        }
    });
}

TEST_CASE("stack: the deepest document and the deepest content pass on 128 KiB", "[codec][hazard:18]") {
    on_small_stack([] {
        CHECK(decode_delta(with_error(repeated("[", 29) + repeated("]", 29))).has_value());

        const std::string deepest = repeated(R"({"k":)", 8) + "\"" + repeated("<", 2'000) + "\"" + repeated("}", 8);
        const auto content = parse_content(deepest);
        REQUIRE(content.has_value());
        SnapshotInput saved = largest();
        saved.notes.clear();
        saved.items = {{.id = "t1", .title = "Book", .content = *content}};
        const Snapshot snapshot = test::admitted(saved);
        const auto again = decode_snapshot(encode(snapshot));
        REQUIRE(again.has_value());
        CHECK(*again == saved);
        CHECK(test::admitted(*again) == snapshot);
        const auto block = render(snapshot, *find_profile("notebook-v1"), "0123456789abcdef");
        REQUIRE(block.has_value());
        CHECK(block->text().find(repeated("\\u003c", 2'000)) != std::string::npos);
    });
}

TEST_CASE("stack: the largest task is read, shown, checked, changed, compared and dropped on 128 KiB",
          "[codec][hazard:18]") {
    on_small_stack([] {
        const SnapshotInput saved = largest();
        auto task = TaskState::open(wide_options(), saved);
        if (!task) FAIL(word(task.error().reason) << ": " << task.error().actual.value_or(0));
        const Snapshot before = *task->snapshot();
        const std::string json = encode(before);
        CHECK(json.size() > 255'000);
        const auto again = decode_snapshot(json);
        REQUIRE(again.has_value());
        CHECK(*again == saved);

        const Block block = *task->prompt();
        CHECK(block.text().size() > 255'000);
        const Message message{.role = "system", .parts = {block.text()}};
        CHECK(task->verify_dispatch(block, {&message, 1}).has_value());
        const auto over = task->update({.record_actions = {test::started("one-more")}}, before.revision());
        CHECK((!over && over.error().reason == Reason::entries_exceeded));
        const auto resolved = task->update({.resolve = {"n1"}}, before.revision());
        REQUIRE(resolved.has_value());
        CHECK(changes(before, resolved->snapshot).size() == 1);
        CHECK_FALSE(render_changes(before, resolved->snapshot).empty());
        CHECK_FALSE(resolved->snapshot == before);
        task->destroy();
    });
}
