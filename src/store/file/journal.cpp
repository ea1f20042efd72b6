#include "store/file/journal.hpp"

#include <taskstate/base/digest.hpp>

#include "base/hex.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace taskstate::inline v0 {
namespace {

// `hhhhhhhh <64 hex digits> text\n`
constexpr std::size_t length_digits = 8, chain_digits = 64;
constexpr std::size_t text_offset = length_digits + 1 + chain_digits + 1;

std::string chained(std::string_view before, std::string_view text) {
    std::string bytes;
    bytes.reserve(before.size() + text.size());
    bytes.append(before).append(text);
    return hex(sha256(bytes));
}

bool is_hex(std::string_view text) { return text.find_first_not_of(hex_digits) == std::string_view::npos; }

/// Whether these bytes may be the first of a record's line.
bool starts_line(std::string_view bytes) {
    if (!is_hex(bytes.substr(0, length_digits))) return false;
    if (bytes.size() > length_digits && bytes[length_digits] != ' ') return false;
    if (bytes.size() > length_digits + 1 && !is_hex(bytes.substr(length_digits + 1, chain_digits))) return false;
    return bytes.size() < text_offset || bytes[text_offset - 1] == ' ';
}

std::uint64_t length_of(std::string_view line) {
    std::uint64_t length = 0;
    const std::string_view digits = line.substr(0, length_digits);
    std::from_chars(digits.data(), digits.data() + digits.size(), length, 16);
    return length;
}

/// Whether this is what is left of one line whose writer did not come to its end.
bool is_unfinished(std::string_view bytes) {
    if (!starts_line(bytes) || bytes.find_first_of(std::string_view("\n\0", 2)) != std::string_view::npos) return false;
    return bytes.size() < text_offset || bytes.size() < text_offset + length_of(bytes) + 1;
}

bool is_zero(std::string_view bytes) { return bytes.find_first_not_of('\0') == std::string_view::npos; }

}  // namespace

JournalPlace journal_begin() { return {.bytes = journal_start.size(), .chain = {}}; }

void append_record(std::string& bytes, std::string_view text, JournalPlace& place) {
    place.chain = chained(place.chain, text);
    for (std::size_t digit = length_digits; digit-- > 0;) bytes += hex_digits[(text.size() >> (4 * digit)) & 0xF];
    bytes.append(1, ' ').append(place.chain).append(1, ' ').append(text).append(1, '\n');
    place.bytes += text_offset + text.size() + 1;
}

Error JournalReader::at(Reason reason) const { return fail(reason, "", {place_.bytes + left_.size(), place_.bytes}); }

Result<std::optional<std::string_view>> JournalReader::next() {
    if (is_unfinished(left_) || is_zero(left_)) return std::optional<std::string_view>();
    const auto end = left_.find('\n');
    const std::string_view line = left_.substr(0, end);
    if (line.find('\0') != std::string_view::npos) return at(Reason::zeroed);
    if (end == std::string_view::npos || line.size() < text_offset || !starts_line(line)) {
        return at(Reason::unreadable_record);
    }
    const std::string_view text = line.substr(text_offset);
    std::string chain = chained(place_.chain, text);
    if (chain != line.substr(length_digits + 1, chain_digits) || text.size() != length_of(line)) {
        return at(Reason::digest_mismatch);
    }
    left_.remove_prefix(line.size() + 1);
    place_ = {.bytes = place_.bytes + line.size() + 1, .chain = std::move(chain)};
    return std::optional(text);
}

Result<void> check_start(std::string_view file) {
    const auto at = [&](Reason reason, std::size_t offset) { return fail(reason, "", {file.size(), offset}); };
    if (file.starts_with(journal_start)) return {};
    const auto written = file.find_first_of('\0');
    if (journal_start.starts_with(file)) return at(Reason::short_file, file.size());
    if (written < journal_start.size()) return at(Reason::zeroed, written);
    constexpr auto version = journal_start.size() - 2;
    const auto end = file.find_first_not_of("0123456789", version);
    const bool other = file.starts_with(journal_start.substr(0, version)) && end != std::string_view::npos &&
                       end > version && file[end] == '\n' && file[version] != '0';
    return other ? at(Reason::newer_format, version) : at(Reason::foreign_file, 0);
}

}  // namespace taskstate::inline v0
