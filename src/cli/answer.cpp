#include "cli/answer.hpp"

#include <utility>

namespace taskstate::inline v0 {

std::string success() {
    return success([](JsonWriter&) {});
}

void write_refusal(JsonWriter& json, const Error& error) {
    member(json, "code", word(error.code()));
    member(json, "reason", word(error.reason));
    if (!error.path.empty()) member(json, "path", error.path);
    if (error.limit) member(json, "limit", *error.limit);
    if (error.actual) member(json, "actual", *error.actual);
}

std::string refusal(const Error& error, std::optional<std::size_t> line) {
    std::string out;
    JsonWriter json(out);
    json.open_object();
    json.key("ok");
    json.boolean(false);
    write_refusal(json, error);
    if (line) member(json, "line", *line);
    json.close_object();
    return out;
}

std::string refusal_in(std::string_view argument, Error error) {
    return refusal(error.path.empty() ? error : under(argument, std::move(error)));
}

}  // namespace taskstate::inline v0
