// Asks for a store in a database that is not there, and is told so: the library and libpq work together.
#include <taskstate/store/postgres_store.hpp>

#include <cstdio>

using namespace taskstate;

int main() {
    const auto store = open_postgres({.url = "postgresql://taskstate@127.0.0.1:1/tasks", .connect_timeout_ms = 1'000});
    if (store || store.error().reason != Reason::storage_failed) return 1;
    std::printf("taskstate::postgres, without a server: %s", store.error().message.c_str());
}
