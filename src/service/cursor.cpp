#include "service/cursor.hpp"

#include <taskstate/base/text.hpp>

#include <charconv>

namespace taskstate::inline v0 {

std::string format_cursor(const HeadQuery::Place& place) {
    return std::to_string(place.created_at.ms) + '.' + place.id;
}

Result<HeadQuery::Place> parse_cursor(std::string_view text) {
    HeadQuery::Place place;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), place.created_at.ms);
    if (error == std::errc() && end != text.data() + text.size() && *end == '.') {
        place.id = text.substr(static_cast<std::size_t>(end - text.data()) + 1);
    }
    if (format_cursor(place) != text || place.created_at.ms < 0 || !check_id(place.id)) return fail(Reason::bad_id);
    return place;
}

}  // namespace taskstate::inline v0
