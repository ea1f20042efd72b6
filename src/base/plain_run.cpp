#include "plain_run.hpp"

#include "lanes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace taskstate::inline v0 {
namespace {

// How many bytes a plain code point with this first byte has; 0 where none has it.
constexpr std::array<std::uint8_t, 256> make_plain_sizes() {
    std::array<std::uint8_t, 256> sizes{};
    for (std::size_t byte = 0x20; byte < 0x7F; ++byte) sizes[byte] = 1;
    for (const char byte : {'"', '\\', '<', '[', ']', '`'}) sizes[static_cast<unsigned char>(byte)] = 0;
    for (std::size_t lead = 0xC3; lead < 0xE0; ++lead) sizes[lead] = 2;
    for (std::size_t lead = 0xE4; lead < 0xEF; ++lead) sizes[lead] = 3;
    // U+034F and U+061C; surrogates.  Overlong and watched forms have the other leads.
    for (const std::size_t lead : {0xCDU, 0xD8U, 0xEDU}) sizes[lead] = 0;
    return sizes;
}
constexpr std::array<std::uint8_t, 256> plain_sizes = make_plain_sizes();

bool is_printable(char byte) noexcept { return byte >= 0x20 && byte < 0x7F; }
bool continues(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

#if defined(__SSE2__) || defined(__ARM_NEON)

using namespace lanes;

// The comparisons of lanes say the same as `plain_sizes`; a test compares the two byte by byte.
// With wide code points; `before` and `earlier` hold the bytes one and two places before those of `a`.
inline Lane unlike_plain(Lane a, Lane before, Lane earlier) noexcept {
    const Lane ascii = without(unlike_plain_ascii(a), within(a, 0x80, 0xFF));
    const Lane of_two = either(within(a, 0xC0, 0xC2), either(is(a, 0xCD), is(a, 0xD8)));
    const Lane of_three = either(within(a, 0xE0, 0xE3), is(a, 0xED));
    const Lane leads = either(either(of_two, of_three), within(a, 0xEF, 0xFF));
    const Lane due = either(within(before, 0xC0, 0xFF), within(earlier, 0xE0, 0xFF));
    return either(either(ascii, leads), differ(within(a, 0x80, 0xBF), due));
}

// Plain bytes of 16, the first of which is the first of a code point.
std::size_t plain_at_begin(const char* from) noexcept {
    const Lane a = load(from);
    return first_set(unlike_plain(a, delayed<1>(a), delayed<2>(a)));
}
// Plain bytes of 16 further on in a text.
std::size_t plain_inside(const char* from) noexcept {
    return first_set(unlike_plain(load(from), load(from - 1), load(from - 2)));
}
// Plain bytes of the less than 16 at the end of a text: they are looked at together with plain ones before them, where
// there are enough; else quotes stand in for what is not there.
std::size_t plain_at_end(std::string_view text, std::size_t at) noexcept {
    if (text.size() >= lane_size + 2) {
        const std::size_t again = at + lane_size - text.size();
        return plain_inside(text.data() + at - again) - again;
    }
    char end[2 + lane_size];
    std::memset(end, '"', sizeof end);
    const std::size_t before = std::min<std::size_t>(at, 2);
    std::memcpy(end + 2 - before, text.data() + at - before, text.size() - at + before);
    return plain_inside(end + 2);
}

// `plain` bytes of `text` without a code point at their end that is not whole.
std::size_t whole(std::string_view text, std::size_t plain) noexcept {
    if (plain >= 1 && plain_sizes[static_cast<unsigned char>(text[plain - 1])] > 1) return plain - 1;
    if (plain >= 2 && plain_sizes[static_cast<unsigned char>(text[plain - 2])] > 2) return plain - 2;
    return plain;
}

#endif

}  // namespace

std::size_t plain_run_by_bytes(std::string_view text) noexcept {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t size = plain_sizes[static_cast<unsigned char>(text[at])];
        if (size == 0 || text.size() - at < size) break;
        if (size > 1 && !continues(text[at + 1])) break;
        if (size > 2 && !continues(text[at + 2])) break;
        at += size;
    }
    return at;
}

std::size_t plain_run(std::string_view text) noexcept {
#if defined(__SSE2__) || defined(__ARM_NEON)
    // Whole lanes are passed over by their size, which the processor knows before it has counted.
    std::size_t at = 0;
    for (; text.size() - at >= lane_size; at += lane_size) {
        const std::size_t plain = plain_ascii_of_16(text.data() + at);
        if (plain == lane_size) continue;
        at += plain;
        break;
    }
    // What came so far is ASCII; it may go on so to the end, or with wide code points.
    const bool at_end = at >= lane_size && text.size() - at < lane_size;
    if (at_end && plain_ascii_of_16(text.data() + text.size() - lane_size) == lane_size) return text.size();
    if (at == text.size() || plain_sizes[static_cast<unsigned char>(text[at])] == 0) return at;
    for (; at < text.size(); at += lane_size) {
        const std::size_t plain = text.size() - at < lane_size ? plain_at_end(text, at)
                                  : at < 2                     ? plain_at_begin(text.data() + at)
                                                               : plain_inside(text.data() + at);
        if (plain < lane_size) return whole(text, at + plain);
    }
    return whole(text, at);
#else
    return plain_run_by_bytes(text);
#endif
}

std::size_t line_run(std::string_view text) noexcept {
    std::size_t at = 0;
#if defined(__SSE2__) || defined(__ARM_NEON)
    const auto like_line = [](Lane a, Lane before) {
        const Lane space_again = is(either(differ(a, all(' ')), differ(before, all(' '))), 0);
        return first_set(either(within(a, 0x7F, 0x100 + 0x1F), space_again));
    };
    if (text.size() >= lane_size) {
        const char* const begin = text.data();
        const Lane first = load(begin);
        if (const std::size_t run = like_line(first, delayed<1>(first)); run < lane_size) return run;
        for (at = lane_size; text.size() - at >= lane_size; at += lane_size) {
            const std::size_t run = like_line(load(begin + at), load(begin + at - 1));
            if (run < lane_size) return at + run;
        }
        if (at == text.size()) return at;
        const char* const last = begin + text.size() - lane_size;
        return text.size() - lane_size + like_line(load(last), load(last - 1));
    }
#endif
    while (at < text.size() && is_printable(text[at]) && (text[at] != ' ' || at == 0 || text[at - 1] != ' ')) ++at;
    return at;
}

}  // namespace taskstate::inline v0
