#pragma once
// The escape table of the block: why no content can close the fence, open a turn or hide.

#include <span>
#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// Further spellings that must not occur in the output (row E10), beside the built-in ones.
using Spellings = std::span<const std::string>;

/// Appends `text` as a JSON string, quotes included, escaped by rows E0–E10 of docs/block.md.
///
/// Lossless: a JSON reader gives back `text`, byte for byte.  Ill-formed bytes, should any arrive, become U+FFFD.
/// Where one of the spellings would remain, one raw character of it is written `\u`, to a fixpoint.
/// Bounds: linear in `text`, times the spellings that occur.
/// Thread-safety: pure.
/// Source: docs/block.md, "Escapes".
void append_escaped(std::string& out, std::string_view text, Spellings spellings = {});

/// Appends `text` bare where the block's grammar allows it and no spelling forbids it, else as `append_escaped`.
void append_word(std::string& out, std::string_view text, Spellings spellings = {});

/// Appends a JSON object in canonical form, its keys and strings escaped as `append_escaped` does.
///
/// `canonical` must be RFC 8785 text, as admission of item content makes it.
void append_object(std::string& out, std::string_view canonical, Spellings spellings = {});

}  // namespace taskstate::inline v0
