// A journal of the file store: only whole records are believed, and what they say is what a writer would say.

#include "fuzz/targets.hpp"
#include "fuzz/task_rules.hpp"
#include "store/file/record.hpp"

#include <utility>

namespace taskstate::fuzz {
namespace {

const Scope scope{.owner = "o", .workspace = "w"};

/// The bytes as what follows the first line of a file.
void check_file(std::string_view bytes) {
    JournalReader reader(bytes, journal_begin());
    std::string believed;
    JournalPlace place = journal_begin();
    auto record = reader.next();
    for (; record && *record; record = reader.next()) append_record(believed, **record, place);
    require(bytes.starts_with(believed), "records that are believed are as a writer writes them");
    require(place == reader.place(), "the place is behind the last of them");
    if (record) return require(reader.torn() == (believed.size() < bytes.size()), "what is left over is torn");
    check_refusal(record.error());
    require(record.error().limit == journal_start.size() + bytes.size(), "a fault tells the size of the file");
    require(record.error().actual == place.bytes, "a fault tells where its record starts");
}

/// The bytes as the text of a record.
void check_record(std::string_view bytes) {
    const auto first = [](std::string_view file) { return JournalReader(file, journal_begin()).next(); };
    std::string line;
    JournalPlace place = journal_begin();
    append_record(line, bytes, place);
    const auto whole = first(line);
    require(whole && *whole == bytes, "a record gives what was written");

    // The place of the damage is any, and the same for the same bytes.
    std::size_t at = 0;
    for (const char c : bytes) at = at * 31 + static_cast<unsigned char>(c);
    const auto cut = first(std::string_view(line).substr(0, at % line.size()));
    require(cut && !*cut, "a record that is cut is the end");
    char& damaged = line[at % line.size()];
    damaged = static_cast<char>(static_cast<unsigned char>(damaged) ^ (1U << (at / line.size() % 8)));
    require(!first(line), "a record with one flipped bit is damage");
}

std::string text_of(const std::vector<JournalStep>& steps) {
    std::string text;
    for (const JournalStep& step : steps) append_step(text, step);
    return text;
}

/// The bytes as steps.
void check_steps(std::string_view bytes) {
    const auto heads = decode_steps(bytes, scope, Depth::heads), logs = decode_steps(bytes, scope, Depth::logs);
    for (const auto* steps : {&heads, &logs}) {
        if (!*steps) check_refusal(steps->error());
    }
    if (!logs) return;
    require(heads && heads->size() <= logs->size(), "who wants less of a record reads it, too");
    const std::string text = text_of(*logs);
    const auto again = decode_steps(text, scope, Depth::logs);
    require(again && text_of(*again) == text, "steps that are read are written as they are read again");
}

}  // namespace

void journal(std::string_view bytes) {
    check_file(bytes);
    if (bytes.find_first_of(std::string_view("\n\0", 2)) == std::string_view::npos) check_record(bytes);
    check_steps(bytes);
    if (const auto head = decode_file_head(bytes)) {
        const auto again = decode_file_head(encode_file_head(*head));
        require(again && *again == *head, "the head of a file is read back as it was written");
    }
    if (const auto start = check_start(bytes); !start) check_refusal(start.error());
}

}  // namespace taskstate::fuzz
