#include "service/delivery.hpp"

#include <taskstate/model/wire.hpp>

namespace taskstate::inline v0 {

std::string context_key(const Snapshot& snapshot, std::string_view block_key, const PromptOptions& options) {
    std::string named;
    JsonWriter json(named);
    const auto budget = [&](std::string_view name, const std::optional<std::size_t>& bound) {
        if (!bound) return;
        json.key(name);
        json.string(std::to_string(*bound));
    };
    json.open_object();
    json.key("block");
    json.string(block_format);
    budget("bytes_max", options.bytes_max);
    if (options.counter) {
        json.key("counter");
        json.string(options.counter->name());
    }
    json.key("key");
    json.string(block_key);
    json.key("profile");
    json.string(snapshot.profile());
    json.key("revision");
    json.integer(static_cast<std::int64_t>(snapshot.revision().number));
    json.key("scope");
    write(json, view(snapshot.scope()));
    if (options.spellings) {
        json.key("spellings");
        json.open_array();
        for (const auto& spelling : options.spellings->list()) json.string(spelling);
        json.close_array();
    }
    json.key("task");
    json.string(snapshot.id());
    budget("tokens_max", options.tokens_max);
    json.close_object();
    return format_digest(sha256(named));
}

}  // namespace taskstate::inline v0
