#include "code_points.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace taskstate::inline v0 {
namespace {

struct Range {
    char32_t first = 0, last = 0;
    CodePointClass kind{};
};

using enum CodePointClass;

// In order.  The noncharacters that end each plane are not listed: their low bits tell.
constexpr Range ranges[] = {
    {0x0000, 0x0008, control},     {0x000B, 0x000C, control},      {0x000E, 0x001F, control},
    {0x007F, 0x009F, control},     {0x00AD, 0x00AD, invisible},    {0x034F, 0x034F, invisible},
    {0x061C, 0x061C, invisible},   {0x115F, 0x1160, invisible},    {0x17B4, 0x17B5, invisible},
    {0x180B, 0x180F, invisible},   {0x200B, 0x200B, invisible},    {0x200C, 0x200D, joiner},
    {0x200E, 0x200F, invisible},   {0x2028, 0x2029, invisible},    {0x202A, 0x202E, bidi},
    {0x2060, 0x2065, invisible},   {0x2066, 0x2069, bidi},         {0x206A, 0x206F, invisible},
    {0x3164, 0x3164, invisible},   {0xFDD0, 0xFDEF, noncharacter}, {0xFE00, 0xFE0D, invisible},
    {0xFE0E, 0xFE0F, selector},    {0xFE64, 0xFE64, less_than},    {0xFEFF, 0xFEFF, invisible},
    {0xFF1C, 0xFF1C, less_than},   {0xFFA0, 0xFFA0, invisible},    {0xFFF0, 0xFFFB, invisible},
    {0x1BCA0, 0x1BCA3, invisible}, {0x1D173, 0x1D17A, invisible},  {0xE0000, 0xE007F, tag},
    {0xE0080, 0xE0FFF, invisible},
};
static_assert(std::is_sorted(std::begin(ranges), std::end(ranges),
                             [](const Range& a, const Range& b) { return a.last < b.first; }));

// Which of the ranges reach into a block of 256 code points: most scripts lie in blocks with none.
struct Page {
    std::uint8_t begin = 0, end = 0;
};
constexpr std::array<Page, 0x1100> make_pages() {
    std::array<Page, 0x1100> pages{};
    for (std::size_t page = 0; page < pages.size(); ++page) {
        std::size_t begin = 0;
        while (begin < std::size(ranges) && ranges[begin].last >> 8 < page) ++begin;
        std::size_t end = begin;
        while (end < std::size(ranges) && ranges[end].first >> 8 <= page) ++end;
        pages[page] = {static_cast<std::uint8_t>(begin), static_cast<std::uint8_t>(end)};
    }
    return pages;
}
constexpr std::array<Page, 0x1100> pages = make_pages();

}  // namespace

CodePointClass classify(char32_t code_point) noexcept {
    if (code_point >= 0x20 && code_point < 0x7F) return plain;
    if ((code_point & 0xFFFE) == 0xFFFE) return noncharacter;
    const Page page = pages[code_point >> 8];
    for (std::size_t i = page.begin; i < page.end; ++i) {
        if (code_point < ranges[i].first) break;
        if (code_point <= ranges[i].last) return ranges[i].kind;
    }
    return plain;
}

bool is_white_space(char32_t code_point) noexcept {
    switch (code_point) {
        case 0x20:
        case 0x85:
        case 0xA0:
        case 0x1680:
        case 0x2028:
        case 0x2029:
        case 0x202F:
        case 0x205F:
        case 0x3000:
            return true;
        default:
            return (code_point >= 0x09 && code_point <= 0x0D) || (code_point >= 0x2000 && code_point <= 0x200A);
    }
}

}  // namespace taskstate::inline v0
