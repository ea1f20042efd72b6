#pragma once
// The wire form of every value, canonical; and its record lines in a block.

#include <taskstate/base/escape.hpp>
#include <taskstate/base/json_writer.hpp>
#include <taskstate/model/profile.hpp>
#include <taskstate/model/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace taskstate::inline v0 {

/// Each appends one JSON value with its keys in order.
///
/// Source: docs/format.md.
void write(JsonWriter& json, const ScopeView& scope);
void write(JsonWriter& json, const Evidence& evidence);
void write(JsonWriter& json, const Source& source);
void write(JsonWriter& json, const Note& note);
void write(JsonWriter& json, const Item& item);
void write(JsonWriter& json, const SourceToInspect& source);
void write(JsonWriter& json, const Confirmation& confirmation);
void write(JsonWriter& json, const Action& action);
void write(JsonWriter& json, const SavedLink& link);
void write(JsonWriter& json, const NextIds& next);
void write(JsonWriter& json, const State& state);
/// Inputs: what a delta of the wire would say.
void write(JsonWriter& json, const NoteInput& note);
void write(JsonWriter& json, const ItemInput& item);
void write(JsonWriter& json, const ItemChange& change);
void write(JsonWriter& json, const ActionOutcome& outcome);
void write(JsonWriter& json, const ConfirmAction& confirmation);
void write(JsonWriter& json, const Prune& prune);
void write(JsonWriter& json, const LinkStatus& link);
void write(JsonWriter& json, const HostDelta& delta);
/// What has its default is not written; a list that was made empty is, where its default is another one.
void write(JsonWriter& json, const Profile& profile);

/// What is known of the strings and words of a line before it is written.
enum class Strings : std::uint8_t {
    any,
    plain,  ///< nothing in them needs an escape or quotes, and no spelling is kept out
};

/// What the line of a note turned out to be.
struct NoteLine {
    std::size_t source = 0;  ///< where in it the source begins
    bool plain = true;       ///< whether it is the same with `Strings::plain`
};

/// The record lines of an entry: its definition, and what of it changes often in a line of its own.
///
/// Shape: one record each, without its line feed; a note without a label shows no source, an item without content none.
/// Source: docs/block.md, "Records".
NoteLine append_line(std::string& out, const Note& note, Spellings spellings = {}, Strings strings = Strings::any);
void append_line(std::string& out, const Item& item, Spellings spellings = {});
void append_line(std::string& out, const Action& action, Spellings spellings = {});
void append_confirmation_line(std::string& out, const Action& action, Spellings spellings = {});
/// Whether the item's reason is shown: it is blocked, failed or skipped and has one.
[[nodiscard]] bool shows_reason(const Item& item) noexcept;
void append_reason_line(std::string& out, const Item& item, Spellings spellings = {});

}  // namespace taskstate::inline v0
