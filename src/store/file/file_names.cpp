#include "store/file/file_names.hpp"

#include <algorithm>
#include <charconv>

namespace taskstate::inline v0 {
namespace {

constexpr std::string_view journal_prefix = "journal-", bad_suffix = ".bad-";
constexpr std::size_t number_digits = 10;

std::uint64_t digits_as_number(std::string_view digits) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() ? number : 0;
}

}  // namespace

std::string journal_name(std::uint64_t number) {
    const std::string digits = std::to_string(number);
    return std::string(journal_prefix) + std::string(number_digits - std::min(number_digits, digits.size()), '0') +
           digits;
}

std::uint64_t journal_number(std::string_view name) {
    if (!name.starts_with(journal_prefix) || name.size() != journal_prefix.size() + number_digits) return 0;
    return digits_as_number(name.substr(journal_prefix.size()));
}

std::string bad_name(std::string_view name, std::uint64_t n) {
    return std::string(name) + std::string(bad_suffix) + std::to_string(n);
}

std::uint64_t bad_number(std::string_view name) {
    const auto place = name.rfind(bad_suffix);
    return place == std::string_view::npos ? 0 : digits_as_number(name.substr(place + bad_suffix.size()));
}

}  // namespace taskstate::inline v0
