#pragma once
// Readers of the values of the wire (docs/format.md), one per shape.

#include "codec/fields.hpp"

#include <taskstate/base/json_writer.hpp>
#include <taskstate/engine/proposal.hpp>
#include <taskstate/model/profile.hpp>

namespace taskstate::inline v0 {

/// `taskstate.<kind>/1`; another number is a newer format, anything else a foreign word.
struct Format {
    std::string_view kind{};
};
void read(const Cursor& at, const Format& expected);

void read(const Cursor& at, Revision& out);
void read(const Cursor& at, Cancellation& out);
void read(const Cursor& at, Scope& out);
void read(const Cursor& at, EvidenceInput& out);
void read(const Cursor& at, SourceInput& out);
void read(const Cursor& at, NoteInput& out);
void read(const Cursor& at, ItemInput& out);
void read(const Cursor& at, ItemChange& out);
void read(const Cursor& at, ActionOutcome& out);
void read(const Cursor& at, ConfirmAction& out);
void read(const Cursor& at, Prune& out);
void read(const Cursor& at, LinkStatus& out);
void read(const Cursor& at, LinkTarget& out);
void read(const Cursor& at, HostDelta& out);
void read(const Cursor& at, SavedNote& out);
void read(const Cursor& at, Content& out);
void read(const Cursor& at, SavedItem& out);
void read(const Cursor& at, SavedSource& out);
void read(const Cursor& at, ConfirmationInput& out);
void read(const Cursor& at, SavedAction& out);
void read(const Cursor& at, SavedLink& out);
void read(const Cursor& at, NextIds& out);
void read(const Cursor& at, SnapshotInput& out);
void read(const Cursor& at, Limits& out);
void read(const Cursor& at, Profile& out);
void read(const Cursor& at, Actor& out);
void read(const Cursor& at, ProposedOperation& out);
void read(const Cursor& at, ProposalInput& out);

/// Each asks for the members of one shape, which may stand beside others.
void members(Fields& fields, NoteInput& out);
void members(Fields& fields, ItemInput& out);
void members(Fields& fields, ActionOutcome& out);
void members(Fields& fields, ConfirmAction& out);
void members(Fields& fields, Prune& out);
void members(Fields& fields, LinkStatus& out);
void members(Fields& fields, ProposalInput& out);

/// Writes any value in canonical form (RFC 8785).
///
/// Errors: `out_of_range`, at the cursor, for a number that has no canonical spelling which reads back as the same
///         number.
void write_canonical(const Cursor& at, JsonWriter& json);

}  // namespace taskstate::inline v0
