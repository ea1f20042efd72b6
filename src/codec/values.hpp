#pragma once
// Readers of the values of the wire (docs/format.md), one per shape.

#include "codec/fields.hpp"

#include <taskstate/base/json_writer.hpp>

namespace taskstate::inline v0 {

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

/// Writes any value in canonical form (RFC 8785).
///
/// Errors: `out_of_range`, at the cursor, for a number that has no canonical spelling which reads back as the same
///         number.
void write_canonical(const Cursor& at, JsonWriter& json);

}  // namespace taskstate::inline v0
