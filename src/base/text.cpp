#include <taskstate/base/text.hpp>

#include "code_points.hpp"
#include "plain_run.hpp"
#include "utf8.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t id_code_points_max = 128;

bool is_visible_ascii(char byte) noexcept { return byte > 0x20 && byte < 0x7F; }

// Why admission refuses the code point (row E0), if it does.
std::optional<Reason> refusal(const Decoded& decoded) noexcept {
    if (!decoded.well_formed) return Reason::invalid_utf8;
    switch (classify(decoded.code_point)) {
        case CodePointClass::control:
            return Reason::control_character;
        case CodePointClass::bidi:
            return Reason::bidi_control;
        case CodePointClass::tag:
            return Reason::tag_character;
        case CodePointClass::noncharacter:
            return Reason::noncharacter;
        case CodePointClass::plain:
        case CodePointClass::invisible:
        case CodePointClass::joiner:
        case CodePointClass::selector:
        case CodePointClass::less_than:
            return std::nullopt;
    }
    return std::nullopt;
}

// The rest takes well-formed text.

bool is_blank(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size();) {
        const Decoded decoded = decode_utf8(text.substr(i));
        const bool visible =
            !is_white_space(decoded.code_point) && classify(decoded.code_point) != CodePointClass::invisible;
        if (visible) return false;
        i += decoded.size;
    }
    return true;
}

std::size_t last_code_point(std::string_view text) noexcept {
    std::size_t at = text.size() - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return at;
}

std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && !is_visible_ascii(text.front())) {
        const Decoded first = decode_utf8(text);
        if (!is_white_space(first.code_point)) break;
        text.remove_prefix(first.size);
    }
    while (!text.empty() && !is_visible_ascii(text.back())) {
        const std::size_t last = last_code_point(text);
        if (!is_white_space(decode_utf8(text.substr(last)).code_point)) break;
        text = text.substr(0, last);
    }
    return text;
}

// Leaves of `text` nothing but `inner`, which lies in it.
void keep(std::string& text, std::string_view inner) {
    if (inner.size() == text.size()) return;
    text = std::string(inner);
}

// `text`, which is trimmed, with one SPACE for each run of white space.
std::string one_line(std::string_view text) {
    std::string line;
    line.reserve(text.size());
    std::size_t copied = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (is_visible_ascii(text[i])) {
            ++i;
            continue;
        }
        const Decoded decoded = decode_utf8(text.substr(i));
        if (is_white_space(decoded.code_point)) {
            if (i != copied) (line += text.substr(copied, i - copied)) += ' ';  // else the run goes on
            copied = i + decoded.size;
        }
        i += decoded.size;
    }
    line += text.substr(copied);
    return line;
}

bool is_all_ascii(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char byte) { return is_ascii(byte); });
}

void append_decomposed(std::vector<utf8proc_int32_t>& out, char32_t code_point) {
    utf8proc_int32_t parts[8];  // the longest canonical decomposition has four
    int last_class = 0;
    const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code_point), parts, std::size(parts),
                                               UTF8PROC_DECOMPOSE, &last_class);
    out.insert(out.end(), parts, parts + count);
}

// The marks after each base are sorted here because utf8proc takes quadratic time for a long run of them.
void order_marks(std::vector<utf8proc_int32_t>& code_points) {
    const auto mark_class = [](utf8proc_int32_t code_point) -> std::uint64_t {
        return static_cast<std::uint64_t>(utf8proc_get_property(code_point)->combining_class);
    };
    std::vector<std::uint64_t> run;  // by class, then by place: equal classes keep their order
    for (auto from = code_points.begin(); from != code_points.end(); ++from) {
        run.clear();
        for (auto to = from; to != code_points.end() && mark_class(*to) != 0; ++to) {
            run.push_back(mark_class(*to) << 56 | run.size() << 24 | static_cast<std::uint64_t>(*to));
        }
        std::sort(run.begin(), run.end());
        for (const std::uint64_t mark : run) *from++ = static_cast<utf8proc_int32_t>(mark & 0xFF'FFFF);
        if (from == code_points.end()) break;
    }
}

std::string composed(std::string_view text) {
    std::vector<utf8proc_int32_t> code_points;
    code_points.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const Decoded decoded = decode_utf8(text.substr(i));
        append_decomposed(code_points, decoded.code_point);
        i += decoded.size;
    }
    order_marks(code_points);
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    const auto size =
        utf8proc_normalize_utf32(code_points.data(), static_cast<utf8proc_ssize_t>(code_points.size()), options);
    std::string out;
    out.reserve(text.size());
    for (utf8proc_ssize_t i = 0; i < size; ++i) {
        append_utf8(out, static_cast<char32_t>(code_points[static_cast<std::size_t>(i)]));
    }
    return out;
}

// What every admitted text must hold, whatever its form.
Result<void> bounded(std::string_view text, std::size_t code_points_max) {
    if (is_blank(text)) return fail(Reason::blank);
    if (text.size() <= code_points_max) return {};
    const std::size_t count = count_code_points(text);
    if (count > code_points_max) return fail(Reason::too_long, {}, {.limit = code_points_max, .actual = count});
    return {};
}

constexpr bool is_letter_or_digit(char byte) noexcept {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

// The bytes of a bare word behind its first.
constexpr std::array<bool, 256> make_bare() {
    std::array<bool, 256> bare{};
    for (std::size_t byte = 0; byte < 0x80; ++byte) bare[byte] = is_letter_or_digit(static_cast<char>(byte));
    for (const char byte : {'.', '_', ':', '-'}) bare[static_cast<unsigned char>(byte)] = true;
    return bare;
}
constexpr std::array<bool, 256> bare = make_bare();

}  // namespace

Result<AdmittedText> clean_text(std::string_view text, TextPolicy policy) {
    AdmittedText result;
    std::size_t copied = 0;
    for (std::size_t i = plain_run(text); i < text.size(); i += plain_run(text.substr(i))) {
        const Decoded decoded = decode_utf8(text.substr(i));
        if (const auto reason = refusal(decoded)) {
            if (policy == TextPolicy::refuse) return fail(*reason);
            result.text += text.substr(copied, i - copied);
            append_utf8(result.text, replacement);
            ++result.replaced;
            copied = i + decoded.size;
        }
        i += decoded.size;
    }
    result.text += text.substr(copied);
    return result;
}

Result<AdmittedText> admit_text(std::string_view text, std::size_t code_points_max, TextPolicy policy) {
    auto admitted = clean_text(text, policy);
    if (!admitted) return admitted;
    keep(admitted->text, trimmed(admitted->text));
    if (auto fits = bounded(admitted->text, code_points_max); !fits) return std::move(fits).error();
    return admitted;
}

Result<AdmittedText> admit_title(std::string_view text, std::size_t code_points_max, TextPolicy policy) {
    auto admitted = clean_text(text, policy);
    if (!admitted) return admitted;
    keep(admitted->text, trimmed(admitted->text));
    if (line_run(admitted->text) != admitted->text.size()) {
        admitted->text = one_line(admitted->text);
        if (!is_all_ascii(admitted->text)) admitted->text = composed(admitted->text);
    }
    if (auto fits = bounded(admitted->text, code_points_max); !fits) return std::move(fits).error();
    return admitted;
}

Result<void> check_id(std::string_view id) {
    if (id.empty()) return fail(Reason::blank);
    if (!is_bare(id)) return fail(Reason::bad_id);
    if (id.size() > id_code_points_max) {
        return fail(Reason::too_long, {}, {.limit = id_code_points_max, .actual = id.size()});
    }
    return {};
}

Result<void> check_ref(std::string_view ref, std::size_t code_points_max) {
    for (std::size_t i = 0; i < ref.size();) {
        const Decoded decoded = decode_utf8(ref.substr(i));
        if (const auto reason = refusal(decoded)) return fail(*reason);
        if (decoded.code_point < 0x20) return fail(Reason::control_character);
        i += decoded.size;
    }
    if (auto fits = bounded(ref, code_points_max); !fits) return fits;
    if (trimmed(ref).size() != ref.size()) return fail(Reason::outer_space);
    return {};
}

bool is_bare(std::string_view text) noexcept {
    const auto may_follow = [](char byte) { return bare[static_cast<unsigned char>(byte)]; };
    return !text.empty() && is_letter_or_digit(text.front()) && std::all_of(text.begin(), text.end(), may_follow);
}

std::size_t count_code_points(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

}  // namespace taskstate::inline v0
