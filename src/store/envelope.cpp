#include "store/envelope.hpp"

#include <taskstate/base/digest.hpp>

#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr std::string_view before_digest = R"({"format":"taskstate.file/1","digest":")";
constexpr std::string_view before_snapshot = R"(","snapshot":)";
constexpr std::string_view after_snapshot = "}\n";
constexpr std::size_t digest_offset = before_digest.size(), digest_bytes = 71;
constexpr std::string_view version = "1";
constexpr std::string_view format = before_digest.substr(0, before_digest.find(version));

static_assert(snapshot_offset == digest_offset + digest_bytes + before_snapshot.size());
static_assert(envelope_bytes == snapshot_offset + after_snapshot.size());

std::string digest_of(std::string_view snapshot) { return format_digest(sha256(snapshot)); }

// Where the line first differs from what a writer puts around a snapshot and its digest; its size = nowhere.
std::size_t line_differs_at(std::string_view file) {
    if (file.size() < envelope_bytes) return 0;
    const std::pair<std::size_t, std::string_view> parts[] = {
        {0, before_digest},
        {digest_offset + digest_bytes, before_snapshot},
        {file.size() - after_snapshot.size(), after_snapshot},
    };
    for (const auto& [offset, part] : parts) {
        for (std::size_t i = 0; i < part.size(); ++i) {
            if (file[offset + i] != part[i]) return offset + i;
        }
    }
    return file.size();
}

// Whether a writer of another version made this; the digits are judged, whatever follows them.
bool is_newer(std::string_view file) {
    const auto end = file.find_first_not_of("0123456789", format.size());
    if (end == std::string_view::npos || file[end] != '"') return false;
    const auto number = file.substr(format.size(), end - format.size());
    return !number.empty() && number[0] != '0' && number != version;
}

}  // namespace

std::string wrap(std::string_view snapshot) {
    std::string file;
    file.reserve(snapshot.size() + envelope_bytes);
    file.append(before_digest).append(digest_of(snapshot));
    file.append(before_snapshot).append(snapshot).append(after_snapshot);
    return file;
}

Result<std::string_view> unwrap(std::string_view file) {
    const auto at = [&](Reason reason, std::size_t offset) { return fail(reason, "", {file.size(), offset}); };

    // The one line feed is the last byte that a writer puts, so it tells a whole file from a cut, zeroed or longer one.
    const auto line = file.find('\n');
    const auto written = file.find_last_not_of('\0') + 1;
    if (line == std::string_view::npos && written < file.size()) return at(Reason::zeroed, written);

    const auto differs = line_differs_at(file);
    if (file.size() >= envelope_bytes) {
        const auto snapshot = file.substr(snapshot_offset, file.size() - envelope_bytes);
        if (file.substr(digest_offset, digest_bytes) == digest_of(snapshot)) {
            // A writer of this version made it, so another head is damage, not news.
            return differs == file.size() ? Result(snapshot) : at(Reason::unreadable_record, differs);
        }
    }

    if (!format.starts_with(file.substr(0, format.size()))) return at(Reason::foreign_file, 0);
    if (file.size() > format.size() && is_newer(file)) return at(Reason::newer_format, format.size());
    if (line == std::string_view::npos) return at(Reason::short_file, file.size());
    if (line + 1 < file.size()) return at(Reason::trailing_bytes, line + 1);
    if (differs < file.size()) return at(Reason::unreadable_record, differs);
    return at(Reason::digest_mismatch, snapshot_offset);
}

}  // namespace taskstate::inline v0
