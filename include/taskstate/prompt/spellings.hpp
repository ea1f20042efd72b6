#pragma once
// The host's control spellings: what its model takes for a control token.

#include <taskstate/base/escape.hpp>
#include <taskstate/base/result.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// The spellings that the host's model takes for control tokens; none of them occurs in a rendered block.
///
/// Shape: built once, shared, never changed.
/// Thread-safety: value.
class ControlSpellings {
 public:
    /// Errors: `control_spelling` with path `/n` for a spelling that is empty, longer than 64 bytes, holds `"`, `\` or
    ///         a control, consists only of `[0-9a-fu.+-]`, occurs in the specimen, or could arise between words of the
    ///         grammar or outside the strings of item content, where nothing can be escaped; `out_of_range` for more
    ///         than 1,000.
    static Result<std::shared_ptr<const ControlSpellings>> parse(std::span<const std::string> list);

    [[nodiscard]] Spellings list() const noexcept { return list_; }

 private:
    std::vector<std::string> list_;
};

/// Families of models whose control spellings are listed here as data.
enum class ModelFamily : std::uint8_t {
    chatml,
    llama,
    gemma,
    mistral,
    deepseek,
    phi,
    command_r,
    glm,
    minimax,
    harmony
};

/// The ready list of one family, to be passed to `ControlSpellings::parse`.
[[nodiscard]] std::vector<std::string> control_spellings(ModelFamily family);

}  // namespace taskstate::inline v0
