// A process may say "1,5", and change its mind at any moment: the bytes stay the same.

#include "support/builders.hpp"
#include "support/catch.hpp"

#include <taskstate/codec/json.hpp>
#include <taskstate/task/task_state.hpp>

#include <atomic>
#include <clocale>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

using namespace taskstate;

namespace {

const char* const comma_locale = "de_DE.UTF-8";

// Everything that numbers go through, as one text.
std::string everything() {
    const auto content = parse_content(R"({"n":[1.5,-2.5e-3,1e21,0.1,5e-324,123456789.125]})");
    if (!content) return "content: " + std::string(word(content.error().reason));
    if (parse_content(R"({"n":1.5e999})").error().reason != Reason::out_of_range) return "1.5e999 was read";

    SnapshotInput saved{.id = "t", .profile = "notebook-v1", .scope = {.owner = "o", .workspace = "w"}};
    saved.revision = {1'234'567};
    saved.created_at = saved.updated_at = saved.last_progress_at = {1'767'225'600'125};
    saved.items = {{.id = "t1", .title = "Pay 1.5", .content = *content}};
    const auto state = admit(saved, test::notebook_rules());
    if (!state) return "state: " + std::string(word(state.error().reason));
    const Snapshot snapshot(*state);
    const std::string json = encode(snapshot);
    const auto again = decode_snapshot(json);
    if (!again || !(*again == saved)) return "reading back failed";
    return json + render(snapshot, *find_profile("notebook-v1"), "0123456789abcdef")->text() +
           std::to_string(decode_delta(R"({"record_actions":[{"execution":"e","status":"started",)"
                                       R"("completion":"unknown","error":-1.5e-7}]})")
                              .has_value());
}

// Sets the locale with the decimal comma, from the folder that the build made if there is one.
bool set_comma() {
#ifdef TASKSTATE_LOCALES
    ::setenv("LOCPATH", TASKSTATE_LOCALES, 1);
#endif
    return std::setlocale(LC_ALL, comma_locale) != nullptr && *std::localeconv()->decimal_point == ',';
}

// Whether the check can be made; where CI runs, it must be.
bool has_comma() {
    const bool has = set_comma();
    std::setlocale(LC_ALL, "C");
    if (!has && std::getenv("CI") != nullptr) FAIL("no locale " << comma_locale << " and no localedef to make it");
    if (!has) WARN("skipped: there is no locale " << comma_locale);
    return has;
}

}  // namespace

TEST_CASE("locale: under a decimal comma the bytes are the same", "[codec]") {
    if (!has_comma()) return;
    const std::string expected = everything();
    CHECK(expected.find("-0.0025") != std::string::npos);
    REQUIRE(set_comma());
    const std::string under_comma = everything();
    std::setlocale(LC_ALL, "C");
    CHECK(under_comma == expected);
}

TEST_CASE("locale: while another thread flips it the bytes are the same", "[codec]") {
    if (!has_comma()) return;
    const std::string expected = everything();
    std::atomic<bool> done{false};
    std::thread flipper([&done] {
        while (!done) {
            std::setlocale(LC_NUMERIC, comma_locale);
            std::setlocale(LC_NUMERIC, "C");
        }
    });
    std::atomic<int> different{0};
    std::vector<std::thread> workers;
    for (int i = 0; i < 2; ++i) {
        workers.emplace_back([&] {
            for (int round = 0; round < 500; ++round) different += everything() == expected ? 0 : 1;
        });
    }
    for (std::thread& worker : workers) worker.join();
    done = true;
    flipper.join();
    std::setlocale(LC_ALL, "C");
    CHECK(different == 0);
}
