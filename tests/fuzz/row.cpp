// A record of a store: what is read is what would be written, byte for byte.

#include "fuzz/targets.hpp"
#include "fuzz/task_rules.hpp"
#include "store/row_text.hpp"

namespace taskstate::fuzz {
namespace {

template <class Record>
void check_record(std::string_view bytes, Result<Record> (*decode)(std::string_view)) {
    const auto record = decode(bytes);
    if (!record) {
        check_refusal(record.error());
        return require(record.error().reason == Reason::unreadable_record, "a row is read or unreadable");
    }
    require(encode_row(*record) == bytes, "a row that is read is as it would be written");
}

/// Its entries are read by the rules of a restore, which take more than one spelling.
void check_revision(std::string_view bytes) {
    const auto revision = decode_row<RevisionRecord>(bytes);
    if (!revision) return check_refusal(revision.error());
    const std::string written = encode_row(*revision);
    const auto again = decode_row<RevisionRecord>(written);
    require(again && encode_row(*again) == written, "a revision that is read is written as it is read again");
}

}  // namespace

void row(std::string_view bytes) {
    check_record(bytes, decode_row<TaskHead>);
    check_record(bytes, decode_row<DecisionRecord>);
    check_record(bytes, decode_row<DeliveryRecord>);
    check_record(bytes, decode_row<Binding>);
    check_revision(bytes);
    for (const auto kind : {EntryKind::note, EntryKind::item, EntryKind::source, EntryKind::action}) {
        SnapshotInput entries;
        if (const auto read = decode_entry(kind, bytes, entries); !read) check_refusal(read.error());
    }
}

}  // namespace taskstate::fuzz
