#pragma once
// Admission of text and ids: what may be stored, and in which form.

#include <taskstate/base/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// What happens to a code point that may not be stored (row E0 of docs/block.md) and to ill-formed UTF-8.
enum class TextPolicy : std::uint8_t {
    refuse,   ///< the call fails and names the field
    replace,  ///< U+FFFD stands in for it, and is counted
};

/// A text in the form that is stored.
struct AdmittedText {
    std::string text{};
    std::size_t replaced = 0;  ///< code points that became U+FFFD
};

/// Text of any form: nothing is trimmed or counted.  Errors as `admit_text`, but for `blank` and `too_long`.
[[nodiscard]] Result<AdmittedText> clean_text(std::string_view text, TextPolicy policy);

/// Several lines of free text: trimmed, otherwise as given.
///
/// Bounds: at most `code_points_max` code points of the trimmed form.
/// Errors: `invalid_utf8`, `control_character`, `bidi_control`, `tag_character`, `noncharacter` (never under
///         `replace`); `blank`; `too_long` with both numbers.  Paths are empty: the caller knows the field.
/// Thread-safety: pure.
[[nodiscard]] Result<AdmittedText> admit_text(std::string_view text, std::size_t code_points_max, TextPolicy policy);

/// One line: NFC, runs of white space become one space, trimmed.  Bounds and errors as `admit_text`.
[[nodiscard]] Result<AdmittedText> admit_title(std::string_view text, std::size_t code_points_max, TextPolicy policy);

/// A key that hosts and people type: `[A-Za-z0-9][A-Za-z0-9._:-]{0,127}`, byte-compared.
///
/// Errors: `blank` for the empty string, `too_long`, `bad_id`.
[[nodiscard]] Result<void> check_id(std::string_view id);

/// A name that others made (tool, call, run, turn, evidence, scope part): 1–256 code points, no control, no outer
/// space.
///
/// Errors: as `admit_text` under `refuse` (TAB, LF and CR included in `control_character`), and `outer_space`.
[[nodiscard]] Result<void> check_ref(std::string_view ref, std::size_t code_points_max = 256);

/// Whether `text` consists only of the bytes that a block writes without quotes.
[[nodiscard]] bool is_bare(std::string_view text) noexcept;

/// Code points in well-formed UTF-8.
[[nodiscard]] std::size_t count_code_points(std::string_view text) noexcept;

}  // namespace taskstate::inline v0
