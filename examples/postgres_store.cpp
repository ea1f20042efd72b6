// Two hosts share a task in a PostgreSQL database.  Both decide on the same revision; one is told that it was late.
#include <taskstate/store/postgres_store.hpp>
#include <taskstate/taskstate.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace {

using namespace taskstate;

template <class T>
T value_of(Result<T> result) {
    if (result) return *std::move(result);
    std::fprintf(stderr, "postgres_store: %s\n", result.error().message.c_str());
    std::exit(1);
}

// One process of the fleet; all have the same database, and each a name of its own in the log.
class Host {
 public:
    Host(std::string url, std::string name)
        : store_(value_of(open_postgres({.url = std::move(url), .schema = "taskstate_example"}))),
          name_(std::move(name)) {}

    TaskState open() const {
        return value_of(open_task(store_, {.id = address().id, .scope = address().scope},
                                  {.actor = {.role = Role::authority, .name = name_}}));
    }
    Result<Commit> decide(TaskState& task, const std::string& text) const {
        const NoteInput decision{
            .id = "of-" + name_, .category = Category::decision, .text = text, .source = {.label = name_}};
        return task.update({.notes = {decision}}, task.revision());
    }
    void forget() const { value_of(store_->forget(address())); }

 private:
    static TaskAddress address() {
        return {.scope = {.owner = "host-user", .workspace = "deliveries"}, .id = "delivery-42"};
    }

    std::shared_ptr<Store> store_;
    std::string name_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "usage: postgres_store URL\n"), 2;
    const Host north(argv[1], "north"), south(argv[1], "south");
    north.forget();  // of a run before

    TaskState in_the_north = north.open(), in_the_south = south.open();
    value_of(north.decide(in_the_north, "Drive today."));
    const auto late = south.decide(in_the_south, "Drive tomorrow.");
    if (late || late.error().code() != Errc::conflict) return 1;
    std::printf("south was late: %s\n", std::string(word(late.error().reason)).c_str());

    in_the_south = south.open();  // what does the other one say?
    value_of(south.decide(in_the_south, "Load in the evening, then."));
    const Snapshot now = value_of(south.open().snapshot());
    std::printf("revision %u, notes: %zu\n", static_cast<unsigned>(now.revision().number), now.notes().size());
    south.forget();
    return 0;
}
