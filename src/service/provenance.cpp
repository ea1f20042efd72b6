#include "service/provenance.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace taskstate::inline v0 {
namespace {

struct Phrase {
    std::string_view word{}, words{};
};

constexpr std::array<Phrase, 8> method_phrases{{
    {"task_start", "given at the start of the task"},
    {"typed_delta", "set through a proposal"},
    {"operator_correction", "corrected"},
    {"lifecycle_open", "resumed"},
    {"lifecycle_paused", "paused"},
    {"lifecycle_completed", "completed"},
    {"lifecycle_cancelled", "cancelled"},
    {"lifecycle_expired", "expired"},
}};

// In the order of the enumerators.
constexpr std::array<std::string_view, Words<Role>::list.size()> role_phrases{
    "the host application", "the expiry evaluator", "the observing companion",
    "the host's agent",     "an operator",          "an administrator",
    "a verifier",           "an auditor",           "a delegated provider",
};
constexpr std::array<std::string_view, Words<Assurance>::list.size()> assurance_phrases{
    "nothing supports it",
    "a model inferred it",
    "a deterministic rule took it from what was recorded",
    "the host's own tool result said so",
    "an authenticated operator confirmed it",
    "a registered verifier checked it",
};

std::string summary_of(const ProvenanceEntry& entry) {
    std::string text = entry.method_words;
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    text += " by " + entry.role_words + " (" + entry.origin.actor.name + ") at " + format_time(entry.observed_at);
    text += "; " + entry.assurance_words + '.';
    if (entry.supersedes) text += " Revision " + std::to_string(entry.supersedes->number) + " held the value before.";
    return text;
}

ProvenanceEntry entry_of(const RevisionRecord& record, const Lineage& value) {
    ProvenanceEntry entry{.kind = value.kind,
                          .id = value.id,
                          .revision = record.frame.revision,
                          .origin = record.origin,
                          .role_words = std::string(role_words(record.origin.actor.role)),
                          .method_words = method_words(record.origin.method),
                          .assurance_words = std::string(assurance_words(value.assurance)),
                          .assurance = value.assurance,
                          .independently_verified = value.assurance == Assurance::independently_verified,
                          .observed_at = record.frame.updated_at,
                          .supersedes = value.supersedes};
    entry.summary = summary_of(entry);
    return entry;
}

}  // namespace

std::string method_words(std::string_view method) {
    for (const Phrase& phrase : method_phrases) {
        if (phrase.word == method) return std::string(phrase.words);
    }
    std::string words(method);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string_view role_words(Role role) noexcept { return role_phrases[static_cast<std::size_t>(role)]; }

std::string_view assurance_words(Assurance assurance) noexcept {
    return assurance_phrases[static_cast<std::size_t>(assurance)];
}

std::vector<ProvenanceEntry> history_of(std::span<const RevisionRecord> records, const Target& target) {
    std::vector<ProvenanceEntry> history;
    for (const RevisionRecord& record : records) {
        for (const Lineage& value : record.lineage) {
            const bool asked = !target.kind || (value.kind == *target.kind && value.id == target.id);
            if (asked) history.push_back(entry_of(record, value));
        }
    }
    // A revision gives each target one value at most.
    std::sort(history.begin(), history.end(), [](const ProvenanceEntry& a, const ProvenanceEntry& b) {
        return std::tie(a.kind, a.id, a.revision) < std::tie(b.kind, b.id, b.revision);
    });
    return history;
}

}  // namespace taskstate::inline v0
