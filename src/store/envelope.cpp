#include "store/envelope.hpp"

#include <taskstate/base/digest.hpp>

namespace taskstate::inline v0 {
namespace {

constexpr std::string_view format = R"({"format":"taskstate.file/)";
constexpr std::string_view version = "1";
constexpr std::string_view before_digest = R"(","digest":")";
constexpr std::string_view before_snapshot = R"(","snapshot":)";
constexpr std::string_view after_snapshot = "}\n";
constexpr std::size_t digest_bytes = 71;
constexpr std::size_t digest_offset = format.size() + version.size() + before_digest.size();

static_assert(snapshot_offset == digest_offset + digest_bytes + before_snapshot.size());
static_assert(envelope_bytes == snapshot_offset + after_snapshot.size());

bool stands_at(std::string_view file, std::size_t offset, std::string_view part) {
    return file.substr(offset, part.size()) == part;
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
    file.append(format).append(version).append(before_digest);
    file.append(format_digest(sha256(snapshot)));
    file.append(before_snapshot).append(snapshot).append(after_snapshot);
    return file;
}

Result<std::string_view> unwrap(std::string_view file) {
    const auto at = [&](Reason reason, std::size_t offset) { return fail(reason, "", {file.size(), offset}); };

    // The one line feed is the last byte that a writer puts, so it tells a whole file from a cut, zeroed or longer one.
    const auto line = file.find('\n');
    const auto written = file.find_last_not_of('\0') + 1;
    if (line == std::string_view::npos && written < file.size()) return at(Reason::zeroed, written);
    if (!format.starts_with(file.substr(0, format.size()))) return at(Reason::foreign_file, 0);
    if (file.size() > format.size() && is_newer(file)) return at(Reason::newer_format, format.size());
    if (line == std::string_view::npos) return at(Reason::short_file, file.size());
    if (line + 1 < file.size()) return at(Reason::trailing_bytes, line + 1);

    if (file.size() < envelope_bytes) return at(Reason::unreadable_record, 0);
    const auto end = file.size() - after_snapshot.size();
    if (!stands_at(file, format.size(), version) || !stands_at(file, format.size() + 1, before_digest) ||
        !stands_at(file, digest_offset + digest_bytes, before_snapshot) || !stands_at(file, end, after_snapshot)) {
        return at(Reason::unreadable_record, format.size());
    }
    const auto snapshot = file.substr(snapshot_offset, end - snapshot_offset);
    if (!stands_at(file, digest_offset, format_digest(sha256(snapshot)))) {
        return at(Reason::digest_mismatch, snapshot_offset);
    }
    return snapshot;
}

}  // namespace taskstate::inline v0
