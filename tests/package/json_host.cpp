// A host with an nlohmann_json of its own, another version than the one that the library reads with.
#include <taskstate/adapt/nlohmann.hpp>
#include <taskstate/taskstate.hpp>

#include <cstdio>

int main() {
    using namespace taskstate;
    const auto delta = delta_from(nlohmann::json::parse(R"({"resolve":["a"]})"));
    if (!delta) return std::fprintf(stderr, "%s\n", delta.error().message.c_str()), 1;
    std::printf("taskstate %d.%d.%d, core and taskstate, beside nlohmann_json %d.%d.%d of the host\n",
                TASKSTATE_VERSION_MAJOR, TASKSTATE_VERSION_MINOR, TASKSTATE_VERSION_PATCH, NLOHMANN_JSON_VERSION_MAJOR,
                NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
}
